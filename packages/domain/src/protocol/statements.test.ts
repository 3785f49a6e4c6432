import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readRules, type Rules, writeRules } from './rules.ts'
import { TEST_RULES } from './operator-fixture.ts'
import { StatementError } from './statement-codecs.ts'
import { readLogStatement, readStatement, readStatementOf, type StatementOf, writeStatement } from './statements.ts'
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

  it('a statement has at most 4096 bytes, and one of a long type 65,535', () => {
    const game = 'g'.repeat(2) // the only free text of a short statement is its origin
    const open = (length: number): string =>
      `fairball/key/v2\nlog ${game.padEnd(length, 'x')}\ntime 1\nkey ${'a'.repeat(64)}\nnext ${'a'.repeat(64)}\n`
    const rest = open(10).length - 10
    expect(() => readStatement(open(4096 - rest))).not.toThrow()
    expect(() => readStatement(open(4097 - rest))).toThrow(StatementError)
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
