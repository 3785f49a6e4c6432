import { describe, expect, it } from 'vitest'
import { readBundle, readEvidence, writeBundle, writeEvidence } from './bundle.ts'
import { EXIT_CODES } from './report.ts'
import { NO_TRUST } from './trust.ts'
import {
  bundleOf,
  checksOf,
  checksOfJudged,
  DEFAULT_TRUST,
  JUDGED_BUNDLES,
  trustOf,
  vector,
  VECTOR_ROUNDS,
  vectorText,
} from './vectors-fixture.ts'
import { isProven, verifyBundle, verifyBundleText } from './verify.ts'

// The curve builds its tables once, outside the time of the tests.
verifyBundle(bundleOf('honest'), NO_TRUST, VECTOR_ROUNDS)

const sorted = (ids: readonly string[]): string[] => ids.toSorted()

describe('the judged bundles', () => {
  it.each(JUDGED_BUNDLES.map((judged) => ({ ...judged })))('judged bundle $id ends "$outcome": $attack', (judged) => {
    const report = verifyBundleText(vectorText(judged.file), trustOf(judged), VECTOR_ROUNDS)
    expect(report.outcome).toBe(judged.outcome)
    const { log, draws } = checksOf(report)
    expect({ log, draws }).toEqual(checksOfJudged(judged.id))
    expect(sorted(report.failed)).toEqual(sorted(judged.failed))
    expect(sorted(report.broken)).toEqual(sorted(judged.broken))
    expect(sorted(report.warned)).toEqual(sorted(judged.warned))
    // The reason for a file that is not a bundle differs between verifiers.
    if (!judged.id.startsWith('C')) expect(report.reasons).toEqual(judged.reasons)
    const [, id, status] = /^(\S+) \((\w+)\)$/.exec(judged.check ?? '') ?? []
    if (id !== undefined) expect([log, ...draws].map((findings) => findings[id])).toContain(status)
  })

  it('the honest bundle gives the whole report of the vectors', () => {
    const { outcome, reasons, checks, draws, failed, warned, broken } = verifyBundle(
      bundleOf('honest'),
      DEFAULT_TRUST,
      VECTOR_ROUNDS,
    )
    const withoutOutcomes = draws.map((draw) => ({ open: draw.open, checks: draw.checks, numbers: draw.numbers }))
    const report = { outcome, reasons, checks, draws: withoutOutcomes, failed, warned, broken }
    expect(report).toEqual(vector('honest-report.json'))
    expect(draws.map((draw) => draw.outcome)).toEqual(['proved', 'proved'])
  })

  const honest = JUDGED_BUNDLES.filter(({ outcome }) => outcome === 'proved')
  it.each(honest.map((judged) => ({ ...judged })))('judged bundle $id is not proved without trust', ({ file }) => {
    expect(verifyBundleText(vectorText(file), NO_TRUST, VECTOR_ROUNDS).outcome).toBe('holds')
  })

  const failed = JUDGED_BUNDLES.filter(({ outcome, trust }) => outcome === 'failed' && trust === 'default')
  it.each(failed.map((judged) => ({ ...judged })))('judged bundle $id fails without any trust', (judged) => {
    const report = verifyBundleText(vectorText(judged.file), NO_TRUST, VECTOR_ROUNDS)
    expect(sorted(report.failed)).toEqual(sorted(judged.failed))
  })

  it('a bundle that is written is read back unchanged', () => {
    expect(readBundle(writeBundle(bundleOf('honest')))).toEqual(bundleOf('honest'))
  })

  it('each outcome has its exit code', () => {
    expect(EXIT_CODES).toEqual({ proved: 0, failed: 1, broken: 2, holds: 3, 'not yet': 4 })
  })
})

describe('evidence', () => {
  const key = DEFAULT_TRUST.key ?? ''
  const of = (id: string, failed: readonly string[]) =>
    readEvidence(writeEvidence({ kind: 'draw', failed, bundle: bundleOf(id), notes: [], key }))

  it('evidence of a fork is two heads of one size, signed by one key', () => {
    const fork = readEvidence(vectorText('fork.json'))
    expect(isProven(fork)).toBe(true)
    expect(isProven({ ...fork, notes: [fork.notes[0] ?? '', fork.notes[0] ?? ''] })).toBe(false)
    expect(isProven({ ...fork, key: 'ab'.repeat(32) })).toBe(false)
  })

  it('evidence of a draw fails without any trust in each check it names', () => {
    expect(isProven(of('A11', ['promise.kept']), VECTOR_ROUNDS)).toBe(true)
    expect(isProven(of('A11', ['promise.kept', 'seal.once']), VECTOR_ROUNDS)).toBe(false)
    expect(isProven(of('A11', []), VECTOR_ROUNDS)).toBe(false)
  })

  it('evidence with an honest or broken bundle proves nothing', () => {
    expect(isProven(of('honest', ['promise.kept']), VECTOR_ROUNDS)).toBe(false)
    expect(isProven(of('B5', ['plays.leaves']), VECTOR_ROUNDS)).toBe(false)
  })

  it('evidence with a key that is not the log’s proves nothing', () => {
    expect(isProven({ ...of('A11', ['promise.kept']), key: 'ab'.repeat(32) })).toBe(false)
  })
})
