import { describe, expect, it } from 'vitest'
import { attempt, countText, failed, inputs, lengthText, passed, StepChecks, timeText, unchecked } from './checks.ts'
import type { Outcome, StepName } from './report.ts'
import { StatementError } from './statements.ts'

const FINDINGS = { passed: passed('yes'), failed: failed('no'), unchecked: unchecked('who knows') }

/** How a step ends whose checks end like this. */
function outcomeOf(name: StepName, checks: Readonly<Record<string, Outcome>>): Outcome {
  const step = new StepChecks(name, 'A step')
  for (const [id, outcome] of Object.entries(checks)) step.add(id, 'A check', FINDINGS[outcome])
  return step.step().outcome
}

describe('a step', () => {
  it('has its checks in their order, named by it', () => {
    const step = new StepChecks('close', 'The sealing')
    expect(step.add('root', 'The root is right', passed('It is.'), [{ name: 'root', value: 'ab' }])).toBe('passed')
    expect(step.add('seed', 'The seed is right', failed('It is not.'))).toBe('failed')
    expect(step.step()).toEqual({
      name: 'close',
      title: 'The sealing',
      outcome: 'failed',
      checks: [
        {
          id: 'close.root',
          title: 'The root is right',
          outcome: 'passed',
          detail: 'It is.',
          inputs: [{ name: 'root', value: 'ab' }],
        },
        { id: 'close.seed', title: 'The seed is right', outcome: 'failed', detail: 'It is not.', inputs: [] },
      ],
    })
  })

  // Fairness section 10: what each step stands on.
  it.each<[StepName, string[]]>([
    ['log', ['readable', 'signatures', 'chain', 'seeds']],
    ['open', ['once', 'chain', 'round', 'rules']],
    ['close', ['time', 'seed', 'order', 'count', 'lines', 'root']],
    ['beacon', ['signature']],
    ['numbers', ['derived', 'result']],
    ['prizes', ['tiers', 'free']],
  ])('%s passes once %j have, and not before', (name, needed) => {
    const all = Object.fromEntries(needed.map((id) => [id, 'passed' as const]))
    expect(outcomeOf(name, all)).toBe('passed')
    expect(outcomeOf(name, { ...all, more: 'unchecked' })).toBe('passed')
    expect(outcomeOf(name, { ...all, more: 'failed' })).toBe('failed')
    for (const id of needed) {
      expect(outcomeOf(name, { ...all, more: 'passed', [id]: 'unchecked' }), id).toBe('unchecked')
      expect(outcomeOf(name, { ...all, [id]: 'failed' }), id).toBe('failed')
      expect(outcomeOf(name, Object.fromEntries(Object.entries(all).filter(([other]) => other !== id)))).toBe(
        'unchecked',
      )
    }
  })

  it('of receipts passes once anything in it has', () => {
    expect(outcomeOf('receipts', {})).toBe('unchecked')
    expect(outcomeOf('receipts', { found: 'unchecked' })).toBe('unchecked')
    expect(outcomeOf('receipts', { found: 'unchecked', owner: 'passed' })).toBe('passed')
    expect(outcomeOf('receipts', { found: 'failed', owner: 'passed' })).toBe('failed')
  })
})

describe('the values of a check', () => {
  it('are texts, and those that are not there are left out', () => {
    expect(inputs({ a: 1, b: 2n, c: 'three', d: null, e: undefined, f: 0, g: '' })).toEqual([
      { name: 'a', value: '1' },
      { name: 'b', value: '2' },
      { name: 'c', value: 'three' },
      { name: 'f', value: '0' },
      { name: 'g', value: '' },
    ])
  })
})

describe('for people', () => {
  it.each([
    [0, '1970-01-01 00:00:00 UTC (0)'],
    [1_788_199_513, '2026-08-31 18:05:13 UTC (1788199513)'],
    [253_402_300_799, '9999-12-31 23:59:59 UTC (253402300799)'],
    [253_402_300_800, 'second 253402300800'],
    [-1, 'second -1'],
    [0.5, 'second 0.5'],
    [Number.NaN, 'second NaN'],
  ])('the time %d is %s', (at, text) => {
    expect(timeText(at)).toBe(text)
  })

  it.each([
    [0, '0 s'],
    [119, '119 s'],
    [120, '2 min'],
    [179, '2 min'],
    [7199, '119 min'],
    [7200, '2 h 0 min'],
    [3 * 3600 + 5 * 60 + 59, '3 h 5 min'],
    [172_799, '47 h 59 min'],
    [172_800, '2 days'],
    [10 * 86_400 + 86_399, '10 days'],
  ])('%d seconds are %s', (seconds, text) => {
    expect(lengthText(seconds)).toBe(text)
  })

  it('one is one, and any other count is many', () => {
    expect([0, 1, 2].map((count) => countText(count, 'entry', 'entries'))).toEqual([
      '0 entries',
      '1 entry',
      '2 entries',
    ])
  })
})

describe('what somebody else gave', () => {
  it('is null where it is refused, and a fault of ours is not hidden by that', () => {
    const throwing = (error: Error) => () => {
      throw error
    }
    expect(attempt(() => 7)).toBe(7)
    expect(attempt(throwing(new RangeError('too large')))).toBeNull()
    expect(attempt(throwing(new SyntaxError('no number')))).toBeNull()
    expect(() => attempt(throwing(new TypeError('our fault')))).toThrow(TypeError)
    expect(() => attempt(throwing(new StatementError('our fault')))).toThrow(StatementError)
  })
})
