import { describe, expect, it } from 'vitest'
import type { Findings, Outcome, Report } from './report.ts'
import { NO_TRUST } from './trust.ts'
import { bundleOf, DEFAULT_TRUST, JUDGED_BUNDLES, trustOf, VECTOR_ROUNDS, vectorText } from './vectors-fixture.ts'
import { openOf, verdictOf, verdictOfDraw } from './verdict.ts'
import { verifyBundle, verifyBundleText } from './verify.ts'

// The curve makes its tables once, which is no part of any test.
verifyBundle(bundleOf('honest'), NO_TRUST, VECTOR_ROUNDS)

/** Of each outcome at least one. */
const SOME = ['honest', 'honest-void', 'A1', 'A1w', 'A6', 'A11', 'B5', 'B9', 'C1']

describe('what is said of a bundle', () => {
  it('is that nobody chose the numbers where it is proved, and only there', () => {
    for (const judged of JUDGED_BUNDLES.filter(({ id }) => SOME.includes(id))) {
      const report = verifyBundleText(vectorText(judged.file), trustOf(judged), VECTOR_ROUNDS)
      for (const said of [verdictOf(report), ...report.draws.map(verdictOfDraw)]) {
        expect(said.includes('nobody chose'), judged.id).toBe(said.startsWith('Proved: nobody'))
      }
      expect(verdictOf(report).startsWith('Proved'), judged.id).toBe(judged.outcome === 'proved')
    }
  })

  it('names what keeps it from being proved, each once', () => {
    expect(verdictOf(verifyBundle(bundleOf('honest')))).toBe('Holds, but when it was sealed is not proved.')
    expect(verdictOf(verifyBundle(bundleOf('honest'), DEFAULT_TRUST, { isRoundSigned: null }))).toBe(
      'Holds, but its random number was not checked here.',
    )
  })

  it('is of a void draw that everything goes back', () => {
    const [first] = verifyBundle(bundleOf('honest-void'), DEFAULT_TRUST, VECTOR_ROUNDS).draws
    expect(first === undefined ? '' : verdictOfDraw(first)).toMatch(/^Proved: it was given up .* goes back\.$/)
  })
})

describe('what is said of each outcome', () => {
  const draw = (outcome: Outcome, numbers: number[] | null = null) => ({ open: '', outcome, checks: {}, numbers })
  const report = (outcome: Outcome, draws: Report['draws'] = []): Report => {
    return { outcome, reasons: [], checks: {}, draws, failed: [], warned: [], broken: [] }
  }

  it.each<[Outcome, string]>([
    ['holds', 'Holds: nothing speaks against it, but it is not proved.'],
    ['not yet', 'Not yet: the draw is not over.'],
    ['failed', 'Failed: what the operator signed breaks the rules. Keep this file: it is evidence.'],
    ['broken', 'Broken: this file is not what the operator signed, or lacks a part of it. It accuses nobody.'],
  ])('%s', (outcome, sentence) => {
    expect(verdictOf(report(outcome))).toBe(sentence)
    for (const numbers of [null, [1, 2, 3]]) expect(verdictOfDraw(draw(outcome, numbers))).toBe(sentence)
  })

  it('proved, with numbers or void', () => {
    const [drawn, given] = [draw('proved', [1, 2, 3]), draw('proved')]
    expect(verdictOfDraw(drawn)).toMatch(/^Proved: nobody chose these numbers/)
    expect(verdictOfDraw(given)).toMatch(/^Proved: it was given up/)
    expect(verdictOf(report('proved', [given, drawn]))).toBe(verdictOfDraw(drawn))
    expect(verdictOf(report('proved', [given, given]))).toBe(verdictOfDraw(given))
  })
})

describe('what is said of a draw that holds', () => {
  const said = (checks: Findings) => verdictOfDraw({ outcome: 'holds', checks, numbers: null })
  const unknown = (why = '') => ({ status: 'unknown', why }) as const

  it.each<[Findings, string]>([
    [{ 'open.postponed': unknown() }, 'when it was sealed is not proved'],
    [{ 'plays.root': unknown('only 1 of 2 sections were counted here') }, 'only 1 of 2 sections were counted here'],
    [{ 'beacon.chain': unknown() }, 'its random number comes from a private beacon'],
    [{ 'void.reason': unknown() }, 'why it was given up is not proved'],
  ])('with %o', (checks, caveat) => {
    expect(said(checks)).toBe(`Holds, but ${caveat}.`)
  })

  it('is not that its witnesses are missing where a trusted one saw it', () => {
    const isSeen: Findings = { 'seal.witnesses': unknown(), 'seal.seen': { status: 'pass', why: '' } }
    expect(said({ ...isSeen, 'beacon.chain': unknown() })).toBe(
      'Holds, but its random number comes from a private beacon.',
    )
  })

  it('is that its sealing is not proved where nobody trusted saw it', () => {
    expect(said({ 'seal.witnesses': unknown(), 'seal.seen': { status: 'warn', why: '' } })).toBe(
      'Holds, but when it was sealed is not proved.',
    )
  })

  it('names several reasons', () => {
    expect(said({ 'seal.seen': unknown(), 'void.reason': unknown() })).toBe(
      'Holds, but when it was sealed is not proved; why it was given up is not proved.',
    )
  })

  it('is no word of what keeps no draw from being proved', () => {
    expect(said({ 'promise.kept': unknown('nothing shows that') })).toBe(
      'Holds: nothing speaks against it, but it is not proved.',
    )
  })
})

describe('the announcement of a draw in a bundle', () => {
  const bundle = bundleOf('honest')
  it('has its game and number', () => {
    expect(bundle.draws.map(({ open }) => openOf(bundle, open))).toMatchObject([{ draw: 1 }, { draw: 2 }])
  })

  it('is none where the statement is another one, or not there', () => {
    expect(openOf(bundle, bundle.draws[0]?.seal?.statements[0] ?? '')).toBeNull()
    expect(openOf({ ...bundle, statements: [] }, bundle.draws[0]?.open ?? '')).toBeNull()
  })
})
