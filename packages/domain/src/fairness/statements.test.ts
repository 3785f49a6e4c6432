import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import example from '../../vectors/fairness.json'
import { GAMES } from '../games.ts'
import {
  NO_HASH,
  parseStatement,
  parseStatementOf,
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
    expect(successionProblem(null, second)).not.toBeNull()
  })

  it.each([
    ['a gap', { seq: 2 }],
    ['another statement before it', { prev: hash }],
    ['a time that went back', { time: common.time - 1 }],
    ['another operator', { operator: 'other.example' }],
  ])('is broken by %s', (_, change) => {
    expect(successionProblem(first, statementText({ ...next, ...change }))).not.toBeNull()
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
    split: { prizePool: 80, donation: 5, fee: 15 },
  })
})

function fail(): never {
  throw new Error('the example has an entry')
}
