import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { readBundle, writeEvidence } from '@fairball/domain/protocol/bundle'
import { evidenceOfDraw } from '@fairball/domain/protocol/evidence'
import { bundleOf, vector, vectorText } from '@fairball/domain/protocol/vectors-fixture'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { filesOf, runHere, serve, type Served, VECTORS } from './cli-fixture.ts'

const folder = mkdtempSync(join(tmpdir(), 'fairball-verify-'))
const at = (name: string): string => join(folder, name)
const bundle = (id: string): string => join(VECTORS, `bundle-${id}.json`)
const TRUST = at('trust.json')
const { default_trust: DEFAULT } = vector<{ default_trust: Record<string, unknown> }>('index.json')
const OPENS = bundleOf('honest').draws.map(({ open }) => open)

beforeAll(() => writeFileSync(TRUST, JSON.stringify(DEFAULT)))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('fairball-verify over files', () => {
  it.each([
    ['proved draws', ['honest', '--trust', TRUST], 0, 'Proved: nobody chose these numbers'],
    ['draws without trust', ['honest'], 3, 'Holds, but when it was sealed is not proved.'],
    ['a failed draw', ['A11', '--trust', TRUST], 1, '✗ Paid plays are in the draw as promised [promise.kept]'],
    ['a changed file', ['B16', '--trust', TRUST], 2, 'It accuses nobody.'],
    ['a draw that is not over', ['B22', '--trust', TRUST], 4, 'Not yet: the draw is not over.'],
    ['several files, of which the worst counts', ['honest', 'B22', 'A11'], 1, 'bundle-B22.json'],
  ])('the command reports %s in its output and exit status', async (_, args, status, said) => {
    const ran = await runHere(args.map((arg) => (/^[AB]\d+$|^honest$/.test(arg) ? bundle(arg) : arg)))
    expect(ran).toMatchObject({ status, errors: '' })
    expect(ran.output).toContain(said)
  })

  it('the report names each draw and shows its numbers in the order drawn', async () => {
    const { output } = await runHere([bundle('honest'), '--trust', TRUST])
    expect(output).toContain('bitcoin-hero, draw 2')
    expect(output).toMatch(/^ {2}Numbers in the order drawn: \d+(?:, \d+)+$/m)
  })

  it('the command judges evidence without any trust', async () => {
    const evidence = evidenceOfDraw(bundleOf('A11'))
    writeFileSync(at('evidence.json'), evidence === null ? '' : writeEvidence(evidence))
    for (const trust of [[], ['--trust', TRUST]]) {
      const ran = await runHere([at('evidence.json'), ...trust])
      expect(ran.status).toBe(1)
      expect(ran.output).toContain('promise.kept')
    }
    expect((await runHere([join(VECTORS, 'fork.json')])).status).toBe(1)
  })

  it.each([
    ['no arguments', [], 'one of the two'],
    ['an unknown option', ['--nonsense', 'x.json'], '--nonsense'],
    ['a draw without an operator', ['--draw', 'bitcoin-hero/1', bundle('honest')], '--from'],
    ['a file beside an operator', ['--from', 'https://lottery.example', bundle('honest')], 'one of the two'],
    ['an invalid draw', ['--from', 'https://lottery.example', '--draw', '17'], 'bitcoin-lotto/17'],
    ['an operator over plain HTTP', ['--from', 'http://lottery.example'], 'https'],
    ['a missing file', [at('nothing.json')], 'cannot be read'],
    ['a missing trust file', ['--trust', at('nothing.json'), bundle('honest')], 'cannot be read'],
    ['an invalid trust file', ['--trust', bundle('honest'), bundle('honest')], 'The trust'],
  ])('the command ends with status 2 and the reason for %s', async (_, args, said) => {
    const ran = await runHere(args)
    expect(ran).toMatchObject({ status: 2, output: '' })
    expect(ran.errors).toContain(said)
  })

  it.each([
    ['cut off', (text: string) => text.slice(0, 400)],
    ['of another format', (text: string) => text.replace('bundle/v2', 'bundle/v9')],
    ['without content', () => ''],
  ])('a file %s is broken, and the report gives the reason', async (_, change) => {
    writeFileSync(at('changed.json'), change(vectorText('bundle-honest.json')))
    const ran = await runHere([at('changed.json')])
    expect(ran).toMatchObject({ status: 2, errors: '' })
    expect(ran.output).toMatch(/\S+.*Broken: this file is not what the operator signed/)
  })

  it('the report as JSON is an object for one file and a list for several', async () => {
    const one = await runHere(['--json', bundle('B10')])
    expect(JSON.parse(one.output)).toMatchObject({
      source: bundle('B10'),
      outcome: 'failed',
      failed: ['result.numbers'],
    })
    const two = await runHere(['--json', bundle('B10'), bundle('honest')])
    expect(JSON.parse(two.output)).toMatchObject([{ outcome: 'failed' }, { outcome: 'holds' }])
  })

  it('the help explains the command', async () => {
    const ran = await runHere(['--help'])
    expect(ran).toMatchObject({ status: 0, errors: '' })
    expect(ran.output).toContain('0 proved, 1 failed, 2 broken or unreadable, 3 holds, 4 not yet')
  })

  it('control characters in a file’s name or text are not printed', async () => {
    const name = at('a\u001B[2J.json')
    writeFileSync(name, vectorText('bundle-honest.json').replace('"format"', String.raw`"\u001b[2J\u202e"`))
    const ran = await runHere([name, bundle('honest')])
    // oxlint-disable-next-line no-control-regex -- these must not be printed
    expect(ran.output + ran.errors).not.toMatch(/[\u001b\u202e]/)
  })

  it('the command runs as a program', () => {
    const main = join(import.meta.dirname, 'main.ts')
    const ran = spawnSync(process.execPath, [main, bundle('honest'), '--trust', TRUST], { encoding: 'utf8' })
    expect(ran).toMatchObject({ status: 0, stderr: '' })
    expect(ran.stdout).toContain('Proved')
  })
})

describe('fairball-verify --from', () => {
  const hint = '/api/v1/fairness/draws/bitcoin-hero/1'
  let operator: Served
  beforeAll(async () => {
    operator = await serve(filesOf('honest'), { [hint]: JSON.stringify({ statements: [0, 1, 2, 3, 1e9, -1, 'x'] }) })
  })
  afterAll(() => operator.end())

  it('the command collects and proves draws, and saves the bundle', async () => {
    const draws = OPENS.flatMap((open) => ['--draw', open])
    const ran = await runHere(['--from', operator.address, ...draws, '--trust', TRUST, '--save', at('saved.json')])
    expect(ran).toMatchObject({ status: 0, errors: '' })
    expect(ran.output.match(/^ {2}Proved/gm)).toHaveLength(2)
    const saved = readBundle(readFileSync(at('saved.json'), 'utf8'))
    for (const part of ['head', 'texts', 'draws'] as const) expect(saved[part]).toEqual(bundleOf('honest')[part])
    expect((await runHere([at('saved.json'), '--trust', TRUST])).status).toBe(0)
  })

  it('the command takes a draw by game and number, or by default the newest that is over', async () => {
    const opensOf = async (...args: string[]) => {
      const ran = await runHere(['--from', `${operator.address}/fairball/`, '--json', ...args])
      return (JSON.parse(ran.output) as { draws: { open: string }[] }).draws.map(({ open }) => open)
    }
    expect(await opensOf('--draw', 'bitcoin-hero/1')).toEqual(OPENS.slice(0, 1))
    expect(operator.asked).toContain(hint)
    expect(await opensOf()).toEqual(OPENS.slice(1))
  })

  it('the command reports a log that was rewritten since a head was kept', async () => {
    const heads = [bundleOf('honest').draws[0]?.seal?.checkpoint]
    writeFileSync(at('heads.json'), JSON.stringify({ ...DEFAULT, heads }))
    const other = await serve(filesOf('honest-short'))
    const args = (from: Served) => ['--from', from.address, '--draw', 'bitcoin-hero/2', '--trust', at('heads.json')]
    expect((await runHere(args(operator))).status).toBe(0)
    const ran = await runHere(args(other))
    other.end()
    expect(ran.status).toBe(1)
    expect(ran.output).toContain('[log.remembered]')
    expect(ran.output).toContain('Nothing was kept: ask again with --save <file>.')
  })

  it.each([
    ['a draw that was never opened', ['--draw', 'bitcoin-hero/3'], 'The log has no draw bitcoin-hero 3.'],
    ['a folder that cannot be written', ['--save', at('none/x.json')], 'cannot be written'],
  ])('the command ends with status 2 and the reason for %s', async (_, args, said) => {
    const ran = await runHere(['--from', operator.address, ...args])
    expect(ran).toMatchObject({ status: 2, output: '' })
    expect(ran.errors).toContain(said)
    expect(existsSync(at('none'))).toBe(false)
  })

  it('the command ends with status 2 if the operator cannot be reached or serves no log', async () => {
    const silent = await runHere(['--from', 'http://127.0.0.1:9'])
    expect(silent).toMatchObject({ status: 2, output: '' })
    expect(silent.errors).toContain('could not be reached')
    const empty = await serve(new Map())
    const ran = await runHere(['--from', empty.address])
    empty.end()
    expect(ran).toMatchObject({ status: 2, errors: 'The operator does not serve checkpoint.\n' })
  })
})
