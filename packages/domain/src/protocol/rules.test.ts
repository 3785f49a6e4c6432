import { describe, expect, it } from 'vitest'
import { MAX_POOL, STATEMENT_BYTES } from './numbers.ts'
import { TEST_RULES } from './operator-fixture.ts'
import { refusalOf } from './refusal-fixture.ts'
import { readRules, writeRules } from './rules.ts'

const TEXT = writeRules(TEST_RULES)

/** What a verifier makes of the rules with one line replaced. */
function withLine(from: string, to: string): string {
  expect(TEXT).toContain(`\n${from}\n`)
  return refusalOf(() => readRules(TEXT.replace(`\n${from}\n`, `\n${to}\n`)))
}

describe('rules of a game', () => {
  it('are read as they were written', () => {
    expect(readRules(TEXT)).toEqual(TEST_RULES)
    expect(TEXT).toContain('\ntier 3 jackpot\ntier 2 fixed 300\ntier 1 free\n')
  })

  it.each([
    ['pick 3', 'pick 0', 'no draw of 0 from 9'],
    ['pool 9', 'pool 3', 'no draw of 3 from 3'],
    ['pool 9', `pool ${MAX_POOL + 1}`, `no draw of 3 from ${MAX_POOL + 1}`],
    ['tier 3 jackpot', 'tier 4 jackpot', 'the first tier is not the jackpot of all numbers'],
    ['tier 3 jackpot', 'tier 3 fixed 1', 'the first tier is not the jackpot of all numbers'],
    ['tier 2 fixed 300', 'tier 2 jackpot', 'two jackpots'],
    ['tier 2 fixed 300', 'tier 3 fixed 300', 'the matches of the tiers do not fall'],
    ['tier 1 free', 'tier 2 free', 'the matches of the tiers do not fall'],
    ['split 80 5 15', 'split 80 5 14', 'the split does not add up to 100'],
  ])('that cannot be played are refused: %s as %s', (from, to, reason) => {
    expect(withLine(from, to)).toBe(`StatementError: ${reason}`)
  })

  it.each([
    ['pool 9', 'pool 4'],
    ['pool 9', `pool ${MAX_POOL}`],
    ['tier 1 free', 'tier 0 free'],
  ])('at their limits are played: %s as %s', (from, to) => {
    expect(withLine(from, to)).toBe('accepted')
  })

  it('of a single number are played', () => {
    const [jackpot] = TEST_RULES.tier
    const rules = { ...TEST_RULES, pick: 1, tier: jackpot === undefined ? [] : [{ ...jackpot, matches: 1 }] }
    expect(refusalOf(() => writeRules(rules))).toBe('accepted')
  })

  it.each(['2 fixed', '2 fixed 300 1', '2 free 300', '2 jackpot 300', '2 half', '2'])('have no tier "%s"', (tier) => {
    expect(withLine('tier 2 fixed 300', `tier ${tier}`)).toBe(`StatementError: not a tier: ${tier}`)
  })

  it('begin with their version', () => {
    const other = TEXT.replace('fairball/rules/v2', 'fairball/rules/v3')
    expect(refusalOf(() => readRules(other))).toBe('StatementError: no rules of version 2')
  })

  it('have as many bytes as a statement at most', () => {
    const ofLength = (length: number) => {
      const more = length - TEXT.length
      const starts = Math.floor(more / 5) - 1
      return `${TEXT}${'at 0\n'.repeat(starts)}at ${'1'.padEnd(more - 5 * starts - 4, '0')}\n`
    }
    expect(ofLength(STATEMENT_BYTES)).toHaveLength(STATEMENT_BYTES)
    expect(refusalOf(() => readRules(ofLength(STATEMENT_BYTES)))).toBe('accepted')
    expect(refusalOf(() => readRules(ofLength(STATEMENT_BYTES + 1)))).toBe('StatementError: too long')
  })
})
