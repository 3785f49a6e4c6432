import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleText, parseBundle } from '@fairball/domain/fairness/bundle-file'
import { fixedPlay, gameOf } from '@fairball/domain/fairness/draw-fixture'
import { OperatorFixture } from '@fairball/domain/fairness/operator-fixture'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const PACKAGE = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'fairball-verify-'))
const example = (name: string): string => join(PACKAGE, 'bundles', `${name}.bundle.json`)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('fairball-verify over files', () => {
  it.each([
    ['nothing failed', ['worked-example'], 0, 'This draw holds'],
    ['not everything can be checked yet', ['closed'], 0, 'not everything can be checked yet'],
    ['a draw is void', ['void-beacon'], 0, 'not everything can be checked yet'],
    ['something failed', ['root-changed'], 1, '✗ The tree over the entries has the root in the seal [close.root]'],
    ['one of several failed', ['settled', 'seed-changed', 'open'], 1, 'close.seed'],
  ])('where %s', async (_, names, status, said) => {
    const ran = await run(names.map(example))
    expect(ran.status).toBe(status)
    expect(ran.output).toContain(said)
    expect(ran.errors).toBe('')
  })

  it.each([
    ['no arguments', [], 'one of the two'],
    ['an option that is none', ['--nonsense', 'x.json'], '--nonsense'],
    ['a draw without an operator', ['--draw', '1', example('settled')], '--from'],
    ['an operator without a draw', ['--from', 'https://lottery.example', '--game', 'treasure'], '--draw'],
    ['an operator over plain HTTP', ['--from', 'http://lottery.example', '--game', 'treasure', '--draw', '1'], 'https'],
    ['a key that is none', ['--key', 'abc', example('settled')], '64 digits'],
    ['a file that is not there', [join(folder, 'nothing.json')], 'cannot be read'],
    ['a receipt that is not there', ['--receipt', join(folder, 'nothing.json'), example('settled')], 'cannot be read'],
  ])('says with status 2 what is wrong with %s', async (_, args, said) => {
    const ran = await run(args)
    expect(ran.status).toBe(2)
    expect(ran.errors).toContain(said)
  })

  it.each([
    ['cut off', (text: string) => text.slice(0, 400), 'not JSON'],
    ['of another format', (text: string) => text.replace('bundle/v1', 'bundle/v9'), 'format'],
    ['with a log that is none', (text: string) => text.replace('"log": [', '"log": 5, "old": ['), 'log'],
    ['that is empty', () => '', 'not JSON'],
  ])('says with status 2 why a file %s cannot be checked', async (_, change, said) => {
    const path = join(folder, 'broken.json')
    writeFileSync(path, change(readFileSync(example('settled'), 'utf8')))
    const ran = await run([path])
    expect(ran).toMatchObject({ status: 2, output: '' })
    expect(ran.errors).toContain(said)
    expect((await run([path, example('settled')])).status).toBe(2)
    expect((await run([path, example('root-changed')])).status).toBe(1)
  })

  it('says in its last line what a draw that holds leaves open', async () => {
    const unseen =
      "Nothing here shows that the seal is older than the beacon's word: that takes somebody who saw it in time."
    const isPrivate = "The beacon is the operator's own: this shows the arithmetic, not the honesty."
    const lastOf = async (name: string) => (await run([example(name)])).output.trimEnd().split('\n').at(-1)
    expect(await lastOf('worked-example')).toMatch(new RegExp(`^✓ This draw holds: .* ${unseen}$`))
    expect(await lastOf('settled')).toMatch(new RegExp(`^✓ This draw holds: .* ${unseen} ${isPrivate}$`))
    expect(await lastOf('witnessed')).toMatch(new RegExp(`^✓ This draw holds: .* are right. ${isPrivate}$`))
    expect(await lastOf('root-changed')).not.toContain('arithmetic')
  })

  it('takes what a file says of its owner for no memory of its own', async () => {
    const ran = await run([example('memory-in-file')])
    expect(ran.status).toBe(0)
    expect(ran.output).toContain('– The key is the one that was seen first')
    expect(ran.output).toContain('– It was seen before its round was due')
    expect(ran.output).toContain('that is the word of whoever saved it')
    expect((await run([example('key-is-another')])).status).toBe(1)
  })

  it('writes the report as JSON', async () => {
    const ran = await run(['--json', example('numbers-swapped'), join(folder, 'nothing.json')])
    expect(ran.status).toBe(1)
    expect(JSON.parse(ran.output)).toMatchObject({
      format: 'fairball/reports/v1',
      status: 1,
      reports: [
        { source: example('numbers-swapped'), report: { outcome: 'failed', derivation: { round: '362134' } } },
        { error: 'The file cannot be read.' },
      ],
    })
  })

  it('knows the operator by its key and by the fingerprint of it', async () => {
    const [text = ''] = parseBundle(readFileSync(example('settled'), 'utf8')).log
    const key = /^key ([0-9a-f]{64})$/m.exec(text)?.[1] ?? ''
    const fingerprint = /fingerprint: ([0-9a-f]{64})/.exec((await run([example('settled')])).output)?.[1] ?? ''
    for (const known of [key, fingerprint]) {
      expect((await run(['--key', known, example('settled')])).output).toContain(
        '✓ The key is the one that was seen first',
      )
    }
    const wrong = await run(['--key', 'ab'.repeat(32), example('settled')])
    expect(wrong.status).toBe(1)
    expect(wrong.output).toContain('✗ The key is the one that was seen first')
  })

  it('checks receipts that are given beside the bundle', async () => {
    const [receipt] = parseBundle(readFileSync(example('settled-with-receipt'), 'utf8')).own?.receipts ?? []
    const path = join(folder, 'receipt.json')
    writeFileSync(path, JSON.stringify(receipt))
    const own = await run(['--receipt', path, '--username', 'alice', example('settled')])
    expect(own).toMatchObject({ status: 0 })
    expect(own.output).toContain('✓ All of their entries were sealed, as yours')
    expect((await run(['--receipt', path, '--username', 'bob', example('settled')])).status).toBe(1)
  })

  it('shows what went into each check if asked, and how to use it', async () => {
    expect((await run(['--inputs', example('settled')])).output).toContain('round due: 2027-01-16 08:00:00 UTC')
    const help = await run(['--help'])
    expect(help).toMatchObject({ status: 0, errors: '' })
    expect(help.output).toContain('0 nothing failed (the report says what could not be checked), 1 something failed')
    expect(help.output).toContain('2 nothing could be looked at (usage, a file that cannot be read, no network)')
  })

  it('lets nothing in a bundle move the cursor of a terminal', async () => {
    const path = join(folder, 'hostile.json')
    writeFileSync(
      path,
      readFileSync(example('settled'), 'utf8').replace('"game": "bitcoin-lotto"', '"game": "\\u001b[2Jlotto\\u202e"'),
    )
    const ran = await run([path])
    expect(ran.status).toBe(1)
    // oxlint-disable-next-line no-control-regex -- these must not be there
    expect(ran.output).not.toMatch(/[\u001b\u202e]/)
  })
})

describe('fairball-verify --from', () => {
  const operator = new OperatorFixture()
  const draw = operator.open(1, [fixedPlay('alice', 5, gameOf('bitcoin-lotto'))])
  operator.settle(draw)
  const bundle = operator.bundle(draw)
  const server: Server = createServer(({ url = '' }, response) => {
    const address = new URL(url, 'http://operator')
    const path = address.pathname.replace(/^\/api\/v1\/fairness\//, '')
    const from = Number(address.searchParams.get('from'))
    const beacon =
      bundle.beacon === null ? null : { round: Number(bundle.beacon.round), signature: bundle.beacon.signature }
    const answers: Record<string, string | Uint8Array> = {
      log: JSON.stringify({
        notes: bundle.log.slice(from, from + 2),
        next: from + 2 < bundle.log.length ? from + 2 : null,
      }),
      [`rules/${operator.openOf(draw).rules}`]: bundle.rules,
      'draws/bitcoin-lotto/1': JSON.stringify({ notes: bundle.log.slice(2), witnesses: [], beacon }),
      'draws/bitcoin-lotto/1/entries': bundle.entries ?? '',
      'draws/bitcoin-lotto/2': 'not JSON',
    }
    const found = answers[path]
    response.writeHead(found === undefined ? 404 : 200).end(found)
  })
  let address = ''

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  })
  afterAll(() => server.close())

  it('fetches the bundle of a draw, verifies it, and keeps it as a file', async () => {
    const path = join(folder, 'saved.bundle.json')
    const ran = await run(['--from', address, '--game', 'bitcoin-lotto', '--draw', '1', '--save', path])
    expect(ran).toMatchObject({ status: 0, errors: '' })
    expect(ran.output).toContain('This draw holds')
    expect(readFileSync(path, 'utf8')).toBe(bundleText(bundle))
    expect((await run([path])).status).toBe(0)
  })

  it.each([
    ['a draw that was never opened', '3'],
    ['an answer that is no record', '2'],
  ])('says with status 2 that it could not check %s', async (_, number) => {
    const ran = await run(['--from', address, '--game', 'bitcoin-lotto', '--draw', number])
    expect(ran).toMatchObject({ status: 2, output: '' })
    expect(ran.errors).toContain('operator')
  })

  it('says with status 2 that an operator cannot be reached', async () => {
    const ran = await run(['--from', 'http://127.0.0.1:9', '--game', 'bitcoin-lotto', '--draw', '1'])
    expect(ran).toMatchObject({ status: 2 })
    expect(ran.errors).toContain('could not be reached')
  })
})

/** Runs the command as a process of its own. */
function run(args: readonly string[]): Promise<{ status: number | null; output: string; errors: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(PACKAGE, 'src', 'main.ts'), ...args], { cwd: folder })
    const [output, errors]: [Buffer[], Buffer[]] = [[], []]
    child.stdout.on('data', (part: Buffer) => output.push(part))
    child.stderr.on('data', (part: Buffer) => errors.push(part))
    child.on('error', reject)
    child.on('close', (status) =>
      resolve({ status, output: Buffer.concat(output).toString(), errors: Buffer.concat(errors).toString() }),
    )
  })
}
