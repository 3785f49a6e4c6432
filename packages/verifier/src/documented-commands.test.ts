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

/** Runs every command for verifying as these pages show it. */
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

it('the pages show how to check a file, evidence and an operator’s log, on Node and in Python', () => {
  for (const program of ['node fairball-verify.mjs', 'python3 fairball-verify.pyz']) {
    for (const what of ['draw.bundle.json', 'evidence.json', '--from https://lottery.example'])
      expect(commands.some((command) => command.startsWith(`${program} ${what}`))).toBe(true)
  }
})

// Without Node 20 or Python, `npm test` reports that these are skipped.
describe.runIf(NODE_20 !== undefined)('documented commands on Node 20', () => {
  it.each(some(/^node /))('"%s" works as documented on Node 20', async (command) => {
    expect(spawnSync(NODE_20 ?? '', ['--version'], { encoding: 'utf8' }).stdout).toMatch(/^v20\./)
    judge(command, await run(command))
  })

  it.each(some(/^npm run build /))('"%s" works as documented on Node 20', (command) => {
    const built = join(folder, 'built')
    const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}` }
    const ran = spawnSync('sh', ['-c', `${command} -- ${built}`], { cwd: ROOT, env, encoding: 'utf8' })
    expect(ran).toMatchObject({ status: 0, stderr: '' })
    for (const file of ['fairball-verify.mjs', 'fairball-verify.html'])
      expect(readFileSync(join(built, file)).equals(readFileSync(join(folder, file))), file).toBe(true)
  })
})

describe.runIf(PYTHON !== undefined)('documented commands in Python', () => {
  beforeAll(async () => {
    const [build = 'false'] = some(/^python3 build_zip\.py$/)
    expect(await run(build, join(ROOT, 'packages/verifier/python'), { PYTHONDONTWRITEBYTECODE: '1' })).toMatchObject({
      status: 0,
    })
    copyFileSync(join(ROOT, 'packages/verifier/python/fairball-verify.pyz'), join(folder, 'fairball-verify.pyz'))
    rmSync(join(ROOT, 'packages/verifier/python/fairball-verify.pyz'))
  })

  it.each(some(/^python3 fairball-verify\.pyz /))('"%s" works as documented in Python', async (command) => {
    judge(command, await run(command))
  })
})

it.each(some(/^sha256sum /))('"%s" works as documented', async (command) => {
  expect(await run(command)).toMatchObject({ status: 0, errors: '' })
})

/** Evidence fails; a draw is proved with trust in its witness, and holds without. */
function judge(command: string, ran: Ran): void {
  const status = command.includes('evidence') ? 1 : command.includes('--trust') ? 0 : 3
  expect(ran).toMatchObject({ status, errors: '' })
  expect(ran.output).toMatch([/proved/i, /failed/i, /./, /holds/i][status] ?? /^$/)
}

/** The commands in a page's shell blocks. */
function commandsOf(page: string): string[] {
  return [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) => block.trim().split('\n'))
}

/** Runs a command in a shell, with the test operator's address in place of the example's. */
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
