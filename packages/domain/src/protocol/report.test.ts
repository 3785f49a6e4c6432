import { describe, expect, it } from 'vitest'
import { Checks, outcomeOf, reasonsOf, type Status, worstOutcome, worstStatus } from './report.ts'

const WORST_FIRST: readonly Status[] = ['broken', 'fail', 'wait', 'unknown', 'warn', 'pass']

describe('findings', () => {
  it('the worst of several statuses counts, and none is a pass', () => {
    for (const [place, status] of WORST_FIRST.entries())
      for (const other of WORST_FIRST.slice(place)) {
        expect(worstStatus([other, status])).toBe(status)
        const checks = new Checks()
        checks.end('log.head', other)
        checks.end('log.head', status)
        checks.end('log.head', other)
        expect(checks.status('log.head')).toBe(status)
      }
    expect(worstStatus([])).toBe('pass')
  })

  it('the worst outcome of the draws is the bundle’s, and without one it is broken', () => {
    expect(worstOutcome(['proved', 'holds'])).toBe('holds')
    expect(worstOutcome(['holds', 'not yet', 'proved'])).toBe('not yet')
    expect(worstOutcome(['not yet', 'failed'])).toBe('failed')
    expect(worstOutcome(['broken', 'failed'])).toBe('broken')
    expect(worstOutcome([])).toBe('broken')
  })

  it('only what the proof needs keeps a draw from being proved', () => {
    const unknown = { status: 'unknown', why: 'not here' } as const
    expect(outcomeOf({ 'receipt.leaf': unknown })).toBe('proved')
    expect(outcomeOf({ 'log.remembered': unknown })).toBe('proved')
    expect(outcomeOf({ 'plays.leaves': unknown })).toBe('holds')
    expect(reasonsOf({ 'seal.range': unknown, 'promise.kept': unknown })).toEqual(['seal.range: not here'])
    const witnesses = { 'seal.witnesses': unknown }
    expect(reasonsOf(witnesses)).toEqual(['seal.witnesses: not here'])
    expect(reasonsOf({ ...witnesses, 'seal.seen': { status: 'pass', why: '' } })).toEqual([])
    expect(reasonsOf({ ...witnesses, 'seal.seen': { status: 'warn', why: '' } })).toEqual(['seal.witnesses: not here'])
  })
})
