import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import example from '../../vectors/fairness.json'
import { GAMES } from '../games.ts'
import {
  NO_HASH,
  parseStatement,
  parseStatementOf,
  parseWitnesses,
  RECEIPT_MAX_BYTES,
  rulesText,
  StatementError,
  statementHash,
  statementText,
  successionProblem,
  type Statement,
} from './statements.ts'

const hash = 'ab'.repeat(32)
const common = { operator: 'lottery.example', seq: 7, prev: hash, time: 1_700_000_000 }
const log: Statement = { type: 'log', ...common, seq: 0, prev: NO_HASH, key: hash }

const everyKind: Statement[] = [
  log,
  { type: 'key', ...common, key: hash },
  {
    type: 'chain',
    ...common,
    name: 'local',
    hash,
    public_key: 'cd'.repeat(96),
    period: 3,
    genesis: 1_600_000_000,
    group_hash: NO_HASH,
    beacon_id: 'fairball-local',
    scheme: 'bls-unchained-g1-rfc9380',
  },
  {
    type: 'open',
    ...common,
    game: 'bitcoin-hero',
    draw: 1,
    pick: 5,
    pool: 36,
    close: 1_700_000_600,
    start: 1_700_000_900,
    chain: hash,
    round: 99n,
    seedhash: hash,
    rules: hash,
    witness: {
      required: 1,
      list: [
        { name: 'a.example', publicKey: 'cd'.repeat(32) },
        { name: 'b.example', publicKey: hash },
      ],
    },
  },
  {
    type: 'close',
    ...common,
    open: hash,
    round: 99n,
    entries: 3,
    free: 3,
    root: hash,
    seed: hash,
    stake: 0n,
    pool: 2n ** 60n,
    bankroll: 0n,
    floor: 1n,
    rate: { currency: 'GBP', amount: 1000n },
  },
  { type: 'postpone', ...common, open: hash, reason: 'witness', start: 1_700_000_960, round: 119n },
  {
    type: 'result',
    ...common,
    close: hash,
    signature: 'ef'.repeat(48),
    numbers: [5, 36, 1, 2, 17],
    tiers: [
      { matches: 5, kind: 'jackpot', winners: 0, satsEach: 0n },
      { matches: 2, kind: 'free', winners: 12, satsEach: 0n },
    ],
  },
  { type: 'void', ...common, open: hash, reason: 'beacon' },
  {
    type: 'receipt',
    operator: 'lottery.example',
    time: 1_700_000_000,
    open: hash,
    order: '5f0d8a52-8a3c-4b7e-9d52-0a6f6c1d2e3f',
    player: "Zoe O'Hara_7",
    secret: hash,
    entries: [{ id: 'ab'.repeat(16), kind: 0, numbers: [1, 2, 64] }],
  },
]

describe('a statement', () => {
  it.each(everyKind)('of the kind $type is read back as it was written', (statement) => {
    expect(parseStatement(statementText(statement))).toEqual(statement)
  })

  it('has one text and so one hash', () => {
    fc.assert(
      fc.property(fc.nat(), fc.bigInt(0n, 2n ** 64n - 1n), (time, floor) => {
        const close = { ...parseStatementOf('close', example.close.text), time, floor }
        expect(statementText(parseStatement(statementText(close)))).toBe(statementText(close))
      }),
    )
  })

  it.each([
    ['no line feed at the end', (text: string) => text.slice(0, -1)],
    ['an empty line', (text: string) => text.replace('\n', '\n\n')],
    ['a line feed too many', (text: string) => `${text}\n`],
    ['carriage returns', (text: string) => text.replaceAll('\n', '\r\n')],
    ['a tab', (text: string) => text.replace('draw 17', 'draw\t17')],
    ['a letter beyond ASCII', (text: string) => text.replace('bitcoin-lotto', 'bitcoin-lottö')],
    ['two lines exchanged', (text: string) => text.replace('pick 6\npool 49', 'pool 49\npick 6')],
    ['a line twice', (text: string) => text.replace('draw 17', 'draw 17\ndraw 17')],
    ['a line missing', (text: string) => text.replace('draw 17\n', '')],
    ['an unknown line', (text: string) => `${text}note hello\n`],
    ['an unknown kind', (text: string) => text.replace('open/v1', 'opening/v1')],
    ['something before its kind', (text: string) => `x${text}`],
    ['something after its kind', (text: string) => text.replace('open/v1', 'open/v1.1')],
    ['another version', (text: string) => text.replace('open/v1', 'open/v2')],
    ['a kind that every object has', (text: string) => text.replace('open/v1', 'constructor/v1')],
    ['a leading zero', (text: string) => text.replace('draw 17', 'draw 017')],
    ['a sign', (text: string) => text.replace('draw 17', 'draw +17')],
    ['a fraction', (text: string) => text.replace('draw 17', 'draw 17.0')],
    ['a number no float can hold', (text: string) => text.replace('draw 17', 'draw 9007199254740993')],
    ['a second space after the key', (text: string) => text.replace('draw 17', 'draw  17')],
    ['a space at the end of a value', (text: string) => text.replace('draw 17', 'draw 17 ')],
    ['an empty value', (text: string) => text.replace('draw 17', 'draw ')],
    ['a key without value', (text: string) => text.replace('draw 17', 'draw')],
    ['hex in capital letters', (text: string) => text.replace('chain 52db', 'chain 52DB')],
    ['hex too short', (text: string) => text.replace('chain 52db', 'chain 52d')],
    ['draw 0', (text: string) => text.replace('draw 17', 'draw 0')],
    ['more numbers than the pool', (text: string) => text.replace('pick 6', 'pick 50')],
    ['a pool of 65', (text: string) => text.replace('pool 49', 'pool 65')],
    [
      'sales that close later than 300 s before the start',
      (text: string) => text.replace('close 1788201313', 'close 1788201614'),
    ],
    ['a plus in the operator', (text: string) => text.replace('lottery.example', 'lottery+example')],
    ['seq 0', (text: string) => text.replace('seq 41', 'seq 0')],
    ['more witnesses wanted than there are', (text: string) => text.replace('witness 0', `witness 2 a=${hash}`)],
    ['a witness twice', (text: string) => text.replace('witness 0', `witness 1 a=${hash},a=${'cd'.repeat(32)}`)],
    ['a witness under two names', (text: string) => text.replace('witness 0', `witness 2 a=${hash},b=${hash}`)],
    ['no witness wanted, and one named', (text: string) => text.replace('witness 0', `witness 0 a=${hash}`)],
  ])('is refused with %s', (_, change) => {
    const changed = change(example.open.text)
    expect(changed).not.toBe(example.open.text)
    expect(() => parseStatement(changed)).toThrow(StatementError)
  })

  it.each([
    ['numbers that repeat', example.result.text, 'numbers 34,28', 'numbers 34,34'],
    ['a number above 64', example.result.text, 'numbers 34', 'numbers 65'],
    ['tiers out of order', example.result.text, 'tier 5 fixed', 'tier 7 fixed'],
    ['an unknown kind of tier', example.result.text, 'tier 2 free', 'tier 2 bonus'],
    ['more free entries than entries', example.close.text, 'free 1', 'free 6'],
    ['a currency of two letters', example.close.text, 'rate GBP', 'rate GB'],
    ['a rate of more than 64 bits', example.close.text, 'GBP 1200', 'GBP 18446744073709551616'],
    ['a split of more than all', example.rules.text, 'split 80 5 15', 'split 80 5 16'],
    ['a split of two parts', example.rules.text, 'split 80 5 15', 'split 85 15'],
    ['a free ticket with an amount', example.rules.text, 'tier 2 free', 'tier 2 free 5'],
    ['a fixed prize without one', example.rules.text, 'tier 3 fixed 500', 'tier 3 fixed'],
    ['entries that do not ascend', example.receipt.text, '1,2,3', '2,1,3'],
    ['an entry of another kind', example.receipt.text, ' 0 1,2', ' 2 1,2'],
    ['no entry', example.receipt.text, /entry .*\n/, ''],
  ])('is refused with %s', (_, text, from, to) => {
    expect(text.replace(from, to)).not.toBe(text)
    expect(() => parseStatement(text.replace(from, to))).toThrow(StatementError)
  })

  it.each<[string, Statement['type'], object]>([
    ['the log begins with its key, and only there', 'log', { seq: 1 }],
    ['the log begins with its key, and only there', 'key', { seq: 0, prev: NO_HASH }],
    ['only the first statement follows none', 'key', { prev: NO_HASH }],
    ['only the first statement follows none', 'log', { prev: hash }],
    ['not 1 ≤ pick ≤ pool ≤ 64', 'open', { pick: 0 }],
    ['not 1 ≤ pick ≤ pool ≤ 64', 'open', { pick: 37 }],
    ['not 1 ≤ pick ≤ pool ≤ 64', 'open', { pool: 65 }],
    ['sales close too late', 'open', { close: 1_700_000_601 }],
    ['draws and rounds count from 1', 'open', { draw: 0 }],
    ['draws and rounds count from 1', 'open', { round: 0n }],
    ['more free entries than entries', 'close', { free: 4 }],
    ['more free entries than entries', 'close', { round: 0n }],
    ['rounds count from 1', 'postpone', { round: 0n }],
    ['tiers go from more matches to fewer', 'result', { tiers: tiersOf(5, 5) }],
    ['tiers go from more matches to fewer', 'result', { tiers: tiersOf(5, 3, 4) }],
    ['a receipt has entries', 'receipt', { entries: [] }],
    ['a chain has a period', 'chain', { period: 0 }],
    ['not a list of numbers', 'result', { numbers: [5, 5] }],
    ['not a list of numbers', 'result', { numbers: [0, 1] }],
    ['not a list of numbers', 'result', { numbers: [64, 65] }],
    ['not a canonical number', 'result', { numbers: [1.5] }],
    ['not a value', 'result', { numbers: [] }],
    ['not a choice', 'void', { reason: 'rain' }],
    ['not a choice', 'postpone', { reason: 'beacon' }],
    ['not a canonical number', 'close', { pool: 2n ** 64n }],
    ['not a canonical number', 'close', { pool: -1n }],
    ['not a canonical number', 'close', { entries: 2 ** 53 }],
    ['not a canonical number', 'close', { entries: 0.5 }],
    ['not a currency and an amount', 'close', { rate: { currency: 'GBPS', amount: 1n } }],
    ['not a currency and an amount', 'close', { rate: { currency: 'gbp', amount: 1n } }],
    ['not a currency and an amount', 'close', { rate: { currency: 'GBP 5', amount: 1n } }],
    ['not 32 bytes of hex', 'close', { root: 'ab'.repeat(33) }],
    ['not 48 bytes of hex', 'result', { signature: 'ab'.repeat(47) }],
    ['not 96 bytes of hex', 'chain', { public_key: 'ab'.repeat(97) }],
    ['not a word', 'chain', { name: 'two words' }],
    ['not a name of a signer', 'key', { operator: 'a+b' }],
    ['not a list of witnesses', 'open', { witness: witnessesOf(2, 'one.example') }],
    ['not a list of witnesses', 'open', { witness: witnessesOf(1, 'one.example', 'one.example') }],
    ['not 32 bytes of hex', 'open', { witness: witnessesOf(1, 'one.example x') }],
    ['not a witness', 'open', { witness: witnessesOf(1, 'a=b') }],
    ['not a name of a signer', 'open', { witness: witnessesOf(1, 'a+b') }],
    ['not an entry', 'receipt', { entries: [{ id: 'ab'.repeat(16), kind: 0, numbers: [2, 1] }] }],
    ['not an entry', 'receipt', { entries: [{ id: 'ab'.repeat(16), kind: 2, numbers: [1, 2] }] }],
    ['not 16 bytes of hex', 'receipt', { entries: [{ id: 'ab'.repeat(15), kind: 0, numbers: [1, 2] }] }],
  ])('is refused, since %s, as %s', (problem, type, change) => {
    const statement = everyKind.find((one) => one.type === type)
    // What no statement can be is what these tests write.
    const written = () => statementText({ ...statement, ...change } as Statement)
    expect(written).toThrow(StatementError)
    expect(written).toThrow(problem)
  })

  it.each<[string, Statement['type'], object]>([
    ['a line of all numbers of the largest pool', 'open', { pick: 64, pool: 64 }],
    ['a line of one number', 'open', { pick: 1, pool: 1 }],
    ['sales that close exactly 300 s before the start', 'open', { close: 1_700_000_600, start: 1_700_000_900 }],
    ['a draw without witnesses', 'open', { witness: { required: 0, list: [] } }],
    ['all witnesses wanted', 'open', { witness: witnessesOf(2, 'one.example', 'two.example') }],
    [
      'the largest numbers',
      'close',
      { entries: 2 ** 53 - 1, free: 2 ** 53 - 1, pool: 2n ** 64n - 1n, round: 2n ** 64n - 1n },
    ],
    ['round 1', 'postpone', { round: 1n }],
    ['a result without tiers', 'result', { tiers: [] }],
    ['one number drawn', 'result', { numbers: [64] }],
    ['a chain of a round a second', 'chain', { period: 1 }],
    ['an outage', 'void', { reason: 'outage' }],
    ['an outage', 'postpone', { reason: 'outage' }],
    ['an entry with a free ticket', 'receipt', { entries: [{ id: 'ab'.repeat(16), kind: 1, numbers: [7] }] }],
  ])('may have %s: %s', (_, type, change) => {
    // Each change gives a statement of the same kind.
    const statement = { ...everyKind.find((one) => one.type === type), ...change } as Statement
    expect(parseStatement(statementText(statement))).toEqual(statement)
  })

  it('of the kind rules is read back as it was written, every kind of tier in it', () => {
    const rules = parseStatementOf('rules', example.rules.text)
    expect(rules.tiers.map(({ matches, kind, prizeMinor }) => `${matches} ${kind} ${prizeMinor}`)).toEqual(
      '6 jackpot 0, 5 fixed 150000, 4 fixed 5000, 3 fixed 500, 2 free 0'.split(', '),
    )
    expect(statementText(rules)).toBe(example.rules.text)
    const wrong: [string, object][] = [
      ['not the rules of a game', { pick: 0 }],
      ['not the rules of a game', { pick: 50 }],
      ['not the rules of a game', { tiers: rules.tiers.toReversed() }],
      ['not the rules of a game', { tiers: [rules.tiers[0], rules.tiers[0]] }],
      ['not a split into percentages', { split: { prizePool: 80, donation: 5, fee: 14 } }],
      ['not a currency and an amount', { price: { currency: 'G', amount: 1n } }],
    ]
    for (const [problem, change] of wrong) expect(() => statementText({ ...rules, ...change })).toThrow(problem)
  })

  it('is not read from a line with more in it than its kind has', () => {
    for (const [text, from, to, problem] of [
      [example.rules.text, 'split 80 5 15', 'split 80 5 15 0', 'not a split'],
      [example.rules.text, 'fixed 5000', 'fixed 5000 1', 'not a prize tier'],
      [example.result.text, 'tier 2 free', 'tier 2 free 1', 'not a prize tier'],
      [example.close.text, 'GBP 1200', 'GBP 1200 1', 'not a currency'],
      [example.receipt.text, /(entry .*)/, '$1 1', 'not an entry'],
      [example.open.text, 'witness 0', `witness 1 a=${hash} b`, 'not a list of witnesses'],
      [example.open.text, 'witness 0', `witness 0 a=${hash}`, 'not a list of witnesses'],
      [example.open.text, 'witness 0', `witness 1 a=${hash}=b`, 'not a witness'],
    ] as const) {
      expect(text.replace(from, to)).not.toBe(text)
      expect(() => parseStatement(text.replace(from, to))).toThrow(problem)
    }
  })

  it('says which line is missing, or that one is too many', () => {
    expect(() => parseStatement(example.open.text.replace('draw 17\n', ''))).toThrow('no line draw in its place')
    expect(() => parseStatement(`${example.open.text}more 1\n`)).toThrow('a line too many')
    expect(() => parseStatement(example.open.text.slice(0, -1))).toThrow('lines of printable ASCII')
    expect(() => parseStatement(example.open.text.replace('open/v1', 'open/v2'))).toThrow('not a kind of statement')
    expect(() => parseStatementOf('close', example.open.text)).toThrow('not a close statement')
    expect(() => parseWitnesses(`1 a=${hash}`)).not.toThrow()
    expect(() => parseWitnesses('1 a')).toThrow('not 32 bytes of hex')
  })

  it('has at most 4096 bytes, a receipt 65536: not one more', () => {
    const chain = everyKind.find((one) => one.type === 'chain')
    if (chain?.type !== 'chain') throw new Error('there is a chain')
    const room = 4096 - statementText({ ...chain, name: 'n' }).length
    expect(statementText({ ...chain, name: 'n'.repeat(room + 1) })).toHaveLength(4096)
    expect(() => statementText({ ...chain, name: 'n'.repeat(room + 2) })).toThrow('too long')
    const receipt = parseStatementOf('receipt', example.receipt.text)
    const more = RECEIPT_MAX_BYTES - statementText({ ...receipt, player: 'p' }).length
    expect(statementText({ ...receipt, player: 'p'.repeat(more + 1) })).toHaveLength(RECEIPT_MAX_BYTES)
    expect(() => statementText({ ...receipt, player: 'p'.repeat(more + 2) })).toThrow('too long')
  })

  it('has at most 4096 bytes, a receipt 65536', () => {
    const rules = parseStatementOf('rules', example.rules.text)
    expect(() => statementText({ ...rules, game: 'g'.repeat(4096) })).toThrow(StatementError)
    const receipt = parseStatementOf('receipt', example.receipt.text)
    const [entry] = receipt.entries
    const thousand = { ...receipt, entries: Array.from({ length: 1000 }, () => entry ?? fail()) }
    expect(statementText(thousand).length).toBeLessThan(RECEIPT_MAX_BYTES)
    expect(() => statementText({ ...receipt, player: 'p'.repeat(RECEIPT_MAX_BYTES) })).toThrow(StatementError)
  })

  it('fits a receipt of 1,000 lines of seven large numbers', () => {
    const receipt = parseStatementOf('receipt', example.receipt.text)
    const entry = { id: 'ab'.repeat(16), kind: 0, numbers: [41, 42, 43, 44, 45, 46, 47] } as const
    const entries = Array.from({ length: 1000 }, () => entry)
    expect(
      parseStatementOf('receipt', statementText({ ...receipt, player: 'p'.repeat(250), entries })).entries,
    ).toHaveLength(1000)
  })

  it('is not written when it could not be read back', () => {
    expect(() => statementText({ ...log, operator: 'two words' })).toThrow(StatementError)
    expect(() => statementText({ ...log, time: -1 })).toThrow(StatementError)
    expect(() => statementText({ ...log, key: hash.toUpperCase() })).toThrow(StatementError)
  })

  it('is refused where one of another kind is wanted', () => {
    expect(() => parseStatementOf('close', example.open.text)).toThrow(StatementError)
  })
})

describe('the log', () => {
  const first = statementText(log)
  const next = { type: 'key', ...common, seq: 1, prev: statementHash(first), key: hash } as const
  const second = statementText(next)

  it('begins with seq 0 and goes on without a gap', () => {
    expect(successionProblem(null, first)).toBeNull()
    expect(successionProblem(first, second)).toBeNull()
    expect(successionProblem(null, second)).toBe('the log does not begin with seq 0')
    expect(successionProblem(first, statementText({ ...next, time: next.time + 1 }))).toBeNull()
  })

  it.each([
    ['a gap', { seq: 2 }, 'seq 2 follows 0'],
    ['another statement before it', { prev: hash }, 'prev is not the hash of the statement before'],
    ['a time that went back', { time: common.time - 1 }, 'time went back'],
    ['another operator', { operator: 'other.example' }, 'the operator changed'],
  ])('is broken by %s', (_, change, problem) => {
    expect(successionProblem(first, statementText({ ...next, ...change }))).toBe(problem)
  })

  it('has no receipts and no rules', () => {
    expect(() => successionProblem(null, example.receipt.text)).toThrow(StatementError)
    expect(() => successionProblem(first, example.rules.text)).toThrow(StatementError)
  })
})

it.each(GAMES)('the rules of $name are a text that says them all', (game) => {
  expect(parseStatementOf('rules', rulesText(game))).toMatchObject({
    game: game.key,
    pick: game.pick,
    pool: game.pool,
    price: { currency: 'GBP', amount: BigInt(game.priceMinor) },
    tiers: game.tiers.map((tier) => ({ prizeMinor: 0, ...tier })),
    split: { prizePool: 80, donation: 5, fee: 15 },
  })
})

function fail(): never {
  throw new Error('the example has an entry')
}

/** Tiers of a result for so many matches each. */
function tiersOf(...matches: readonly number[]) {
  return matches.map((count) => ({ matches: count, kind: 'fixed', winners: 0, satsEach: 0n }))
}

/** So many of the witnesses of these names wanted, each with a key of its own. */
function witnessesOf(required: number, ...names: readonly string[]) {
  return { required, list: names.map((name, place) => ({ name, publicKey: `${place}f`.repeat(32) })) }
}
