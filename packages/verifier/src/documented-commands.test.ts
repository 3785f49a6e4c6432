import { spawn, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { writeEvidence } from '@fairball/domain/protocol/bundle'
import { evidenceOfDraw } from '@fairball/domain/protocol/evidence'
import { bundleOf, vector } from '@fairball/domain/protocol/vectors-fixture'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { filesOf, type Ran, serve, type Served, VECTORS } from './cli-fixture.ts'

/** Every command that these pages show for verifying, run as they show it. */
const PAGES = ['packages/verifier/README.md', 'packages/verifier/python/README.md', 'docs/fairness.md']

const ROOT = join(import.meta.dirname, '../../..')
const PYTHON = process.env['PYTHON']
const NODE_20 = process.env['NODE_20']
const folder = mkdtempSync(join(tmpdir(), 'fairball-documented-'))
const commands = PAGES.flatMap((page) => commandsOf(readFileSync(join(ROOT, page), 'utf8')))
const some = (pattern: RegExp): string[] => [...new Set(commands.filter((command) => pattern.test(command)))]

let operator: Served

beforeAll(async () => {
  mkdirSync(join(folder, 'bin'))
  if (NODE_20 !== undefined) symlinkSync(NODE_20, join(folder, 'bin', 'node'))
  if (PYTHON !== undefined) symlinkSync(PYTHON, join(folder, 'bin', 'python3'))
  const built = spawnSync(process.execPath, [join(ROOT, 'packages/verifier/build.mjs'), folder], { encoding: 'utf8' })
  expect(built).toMatchObject({ status: 0, stderr: '' })
  const evidence = evidenceOfDraw(bundleOf('A11'))
  writeFileSync(join(folder, 'evidence.json'), evidence === null ? '' : writeEvidence(evidence))
  copyFileSync(join(VECTORS, 'bundle-honest.json'), join(folder, 'draw.bundle.json'))
  writeFileSync(
    join(folder, 'trust.json'),
    JSON.stringify(vector<{ default_trust: object }>('index.json').default_trust),
  )
  operator = await serve(filesOf('honest'))
}, 60_000)
afterAll(() => {
  operator.end()
  rmSync(folder, { recursive: true, force: true })
})

it('the pages show how to check a file, evidence and what an operator serves, on Node and in Python', () => {
  for (const program of ['node fairball-verify.mjs', 'python3 fairball-verify.pyz']) {
    for (const what of ['draw.bundle.json', 'evidence.json', '--from https://lottery.example'])
      expect(commands.some((command) => command.startsWith(`${program} ${what}`))).toBe(true)
  }
})

// Where there is no Node 20, or no Python, `npm test` says that these are left out.
describe.runIf(NODE_20 !== undefined)('as documented, on Node 20', () => {
  it.each(some(/^node /))('%s', async (command) => {
    expect(spawnSync(NODE_20 ?? '', ['--version'], { encoding: 'utf8' }).stdout).toMatch(/^v20\./)
    judge(command, await run(command))
  })

  it.each(some(/^npm run build /))('%s', (command) => {
    const built = join(folder, 'built')
    const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}` }
    const ran = spawnSync('sh', ['-c', `${command} -- ${built}`], { cwd: ROOT, env, encoding: 'utf8' })
    expect(ran).toMatchObject({ status: 0, stderr: '' })
    for (const file of ['fairball-verify.mjs', 'fairball-verify.html'])
      expect(readFileSync(join(built, file)).equals(readFileSync(join(folder, file))), file).toBe(true)
  })
})

describe.runIf(PYTHON !== undefined)('as documented, in Python', () => {
  beforeAll(async () => {
    const [build = 'false'] = some(/^python3 build_zip\.py$/)
    expect(await run(build, join(ROOT, 'packages/verifier/python'), { PYTHONDONTWRITEBYTECODE: '1' })).toMatchObject({
      status: 0,
    })
    copyFileSync(join(ROOT, 'packages/verifier/python/fairball-verify.pyz'), join(folder, 'fairball-verify.pyz'))
    rmSync(join(ROOT, 'packages/verifier/python/fairball-verify.pyz'))
  })

  it.each(some(/^python3 fairball-verify\.pyz /))('%s', async (command) => {
    judge(command, await run(command))
  })
})

it.each(some(/^sha256sum /))('as documented: %s', async (command) => {
  expect(await run(command)).toMatchObject({ status: 0, errors: '' })
})

/** Evidence fails, a draw is proved to who trusts its witness, and holds to others. */
function judge(command: string, ran: Ran): void {
  const status = command.includes('evidence') ? 1 : command.includes('--trust') ? 0 : 3
  expect(ran).toMatchObject({ status, errors: '' })
  expect(ran.output).toMatch([/proved/i, /failed/i, /./, /holds/i][status] ?? /^$/)
}

/** The commands in the blocks of a page that are for a shell. */
function commandsOf(page: string): string[] {
  return [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) => block.trim().split('\n'))
}

/** Runs a command as a shell would, with the operator of the tests in place of the example. */
async function run(command: string, cwd = folder, variables: Readonly<Record<string, string>> = {}): Promise<Ran> {
  const line = command
    .replace('https://lottery.example', operator.address)
    .replace('bitcoin-lotto/17', 'bitcoin-hero/1')
  const env = { PATH: `${join(folder, 'bin')}:/usr/bin:/bin`, ...variables }
  const child = spawn('sh', ['-c', line], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((resolve) => void child.on('close', resolve))
  const [output, errors, status] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { status, output, errors }
}
