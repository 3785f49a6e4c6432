import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readRules, type Rules, writeRules } from './rules.ts'
import { TEST_RULES } from './operator-fixture.ts'
import { refusalOf } from './refusal-fixture.ts'
import { StatementError } from './statement-codecs.ts'
import {
  isStatementError,
  readLogStatement,
  readStatement,
  readStatementOf,
  type StatementOf,
  writeStatement,
} from './statements.ts'
import { vector } from './vectors-fixture.ts'

const TEXTS = Object.entries(vector<Record<string, { text: string }>>('statements.json')).filter(
  ([type]) => type !== 'rules' && type !== 'policy',
)
const hash = fc.stringMatching(/^[0-9a-f]{64}$/)
const whole = fc.maxSafeNat()
const sats = fc.bigInt({ min: 0n, max: 2_100_000_000_000_000n })

describe('a statement', () => {
  it.each(TEXTS)('a statement of type %s has exactly one form', (_, { text }) => {
    const lines = text.slice(0, -1).split('\n')
    const changed = [
      text.slice(0, -1),
      `${text}\n`,
      `${text}more 1\n`,
      text.replaceAll('\n', '\r\n'),
      text.replace('/v2', '/v1'),
      ` ${text}`,
      ...lines.map((_line, place) => `${lines.toSpliced(place, 1).join('\n')}\n`),
      ...lines.slice(1).map((line, place) => `${lines.toSpliced(place + 1, 1, `${line} `).join('\n')}\n`),
      ...lines.slice(1).map((line, place) => `${lines.toSpliced(place + 1, 1, line.replace(' ', '  ')).join('\n')}\n`),
      ...lines.slice(1, -1).map((_line, place) => `${exchanged(lines, place + 1).join('\n')}\n`),
      ...lines.slice(1).map((line, place) => `${lines.toSpliced(place + 1, 0, line).join('\n')}\n`),
    ].filter((other) => other !== text)
    for (const other of changed) {
      const read = attempt(() => readStatement(other))
      // Removing, duplicating or exchanging repeatable lines can give another valid statement, which is written as
      // read.
      if (read !== null) expect(writeStatement(read as never)).toBe(other)
    }
    expect(changed.filter((other) => attempt(() => readStatement(other)) !== null).length).toBeLessThan(12)
  })

  it('a statement is read back as written', () => {
    const draw = fc.record({ open: hash, won: sats, paid: sats })
    fc.assert(
      fc.property(whole, whole, hash, fc.array(draw, { maxLength: 5 }), (time, size, root, draws) => {
        const paid: StatementOf<'paid'> = { type: 'paid', log: 'a.example/fairball', time, size, root, draw: draws }
        expect(readStatement(writeStatement(paid))).toEqual(paid)
      }),
    )
  })

  it.each(['01', '-1', '+1', '1.0', '1e3', '9007199254740992', '00000000000000001', ''])(
    'a statement with the number "%s" is rejected',
    (text) => {
      expect(() =>
        readStatement(`fairball/key/v2\nlog a\ntime ${text}\nkey ${'a'.repeat(64)}\nnext ${'a'.repeat(64)}\n`),
      ).toThrow(StatementError)
    },
  )

  it('an amount above the supply of bitcoin is rejected', () => {
    const sold = (stake: string): string =>
      `fairball/sold/v2\nlog a\ntime 1\nopen ${'a'.repeat(64)}\nsize 1\nroot ${'a'.repeat(64)}\nstake ${stake}\nrate GBP 100\n`
    expect(readStatementOf('sold', sold('2100000000000000')).stake).toBe(2_100_000_000_000_000n)
    expect(() => readStatement(sold('2100000000000001'))).toThrow(StatementError)
  })

  it.each([
    ['key', 4096],
    ['receipt', 4096],
    ['paid', 65_535],
    ['code', 65_535],
    ['promise', 65_535],
  ])('a statement of type %s has at most %i bytes', (type, most) => {
    const text = TEXTS.find(([other]) => other === type)?.[1].text ?? ''
    const sized = (bytes: number): string => text.replace('log ', `log ${'x'.repeat(bytes - text.length)}`)
    expect(refusalOf(() => readStatement(sized(most)))).toBe('accepted')
    expect(refusalOf(() => readStatement(sized(most + 1)))).toBe('StatementError: too long')
  })

  const key = `fairball/key/v2\nlog a\ntime 1\nkey ${'a'.repeat(64)}\nnext ${'b'.repeat(64)}\n`
  const wholeText = 'not a text of printable lines that end with line feeds'
  it.each([
    ['', wholeText],
    ['\n', wholeText],
    [`\n${key}`, wholeText],
    [`é\n${key}`, wholeText],
    [key.slice(0, -1), wholeText],
    [`${key}\n`, wholeText],
    [key.replace('log a', 'log a\t'), wholeText],
    [key.replace('v2', 'v1'), 'no statement of version 2: fairball/key/v1'],
    [key.replace('v2', 'v2x'), 'no statement of version 2: fairball/key/v2x'],
    [`x${key}`, 'no statement of version 2: xfairball/key/v2'],
    [key.replace('/key/', '/keys/'), 'no statement of version 2: fairball/keys/v2'],
    [key.replace('/key/', '/constructor/'), 'no statement of version 2: fairball/constructor/v2'],
    [`${'x'.repeat(81)}\n`, `no statement of version 2: ${'x'.repeat(80)}`],
    [key.replace('log a', ' log a'), 'not a key and a value:  log a'],
    [key.replace('log a', 'log  a'), 'not a key and a value: log  a'],
    [key.replace('log a', 'log a '), 'not a key and a value: log a '],
    [key.replace('log a', 'log'), 'not a key and a value: log'],
    [key.replace('log a', 'x'.repeat(81)), `not a key and a value: ${'x'.repeat(80)}`],
    [key.replace('log a', 'Log a'), 'the line "log" is missing, or not in its place'],
    [key.replace('log a\n', 'log a\nlog b\n'), 'the line "time" is missing, or not in its place'],
    ['fairball/key/v2\nlog a\n', 'the line "time" is missing, or not in its place'],
    [`${key}more 1\n`, 'a line too many: more 1'],
    [`${key}more ${'1'.repeat(80)}\n`, `a line too many: more ${'1'.repeat(75)}`],
  ])('a text with a fault is no statement: %j', (text, why) => {
    expect(refusalOf(() => readStatement(text))).toBe(`StatementError: ${why}`)
  })

  it('a value of one character, or with spaces inside, is a value', () => {
    const text = TEXTS.find(([type]) => type === 'chain')?.[1].text.replace(/name .*/, 'name a  b') ?? ''
    expect(readStatementOf('chain', text).name).toBe('a  b')
    expect(readStatementOf('key', key).log).toBe('a')
  })

  it('a statement with a value that cannot be read is not written', () => {
    const statement = readStatementOf('key', key)
    expect(writeStatement(statement)).toBe(key)
    expect(refusalOf(() => writeStatement({ ...statement, time: -1 }))).toBe('StatementError: not a number: -1')
  })

  it('a statement of another type than asked for is refused', () => {
    expect(refusalOf(() => readStatementOf('log', key))).toBe('StatementError: not a log but a key')
    expect(isStatementError(new StatementError('why'))).toBe(true)
    expect(isStatementError(new Error('why'))).toBe(false)
  })

  it('a log may name the log it follows after a loss of data', () => {
    const text = `${key.replace('/key/', '/log/')}after old.example/fairball 7 ${'c'.repeat(64)}\n`
    const log = readStatementOf('log', text)
    expect(log.after).toEqual({ origin: 'old.example/fairball', size: 7, root: 'c'.repeat(64) })
    expect(writeStatement(log)).toBe(text)
  })

  const promise = (pay: string): string =>
    (TEXTS.find(([type]) => type === 'promise')?.[1].text ?? '').replace(/(?:pay .*\n)+/, `pay ${pay}\n`)
  it.each([
    ['none', { by: 'none' }],
    ['bitcoin bc1qexample', { by: 'bitcoin', address: 'bc1qexample' }],
    [`lightning ${'d'.repeat(64)}`, { by: 'lightning', hash: 'd'.repeat(64) }],
  ])('an order is paid by "%s"', (text, pay) => {
    const read = readStatementOf('promise', promise(text))
    expect(read.pay).toEqual([pay])
    expect(writeStatement(read)).toBe(promise(text))
  })

  it.each([
    ['nothing', 'not a way to pay: nothing'],
    ['none none', 'not a way to pay: none none'],
    ['bitcoinx', 'not a way to pay: bitcoinx'],
    ['bitcoin', 'not a way to pay: bitcoin'],
    ['cash here', 'not a way to pay: cash here'],
    ['bitcoin a b', 'not a word: a b'],
    ['lightning a', 'not 64 hex digits: a'],
    [`lightning ${'d'.repeat(64)} a`, `not 64 hex digits: ${'d'.repeat(64)} a`],
  ])('an order is not paid by "%s"', (text, why) => {
    expect(refusalOf(() => readStatement(promise(text)))).toBe(`StatementError: ${why}`)
  })

  it('a player’s paper cannot be a leaf of the log', () => {
    for (const [type, { text }] of TEXTS) {
      const isPaper = type === 'promise' || type === 'receipt'
      expect(attempt(() => readLogStatement(text)) === null).toBe(isPaper)
    }
  })
})

describe('rules', () => {
  const changed: Partial<Rules>[] = [
    { pick: 0 },
    { pick: 9 },
    { pool: 65 },
    { tier: [] },
    { tier: TEST_RULES.tier.slice(1) },
    { tier: [...TEST_RULES.tier, { matches: 1, kind: 'free', minor: 0 }] },
    { tier: [...TEST_RULES.tier, { matches: 0, kind: 'jackpot', minor: 0 }] },
    { split: { prizes: 80, donation: 5, fee: 16 } },
    { at: [] },
  ]
  it.each(changed)('rules with %j are rejected', (change) => {
    expect(readRules(writeRules(TEST_RULES))).toEqual(TEST_RULES)
    expect(() => writeRules({ ...TEST_RULES, ...change })).toThrow(StatementError)
  })
})

function exchanged(lines: readonly string[], place: number): string[] {
  const [one = '', other = ''] = lines.slice(place, place + 2)
  return lines.toSpliced(place, 2, other, one)
}

function attempt<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof StatementError) return null
    throw error
  }
}
