import { describe, expect, it } from 'vitest'
import type { Findings, Outcome, Report } from './report.ts'
import { NO_TRUST } from './trust.ts'
import { bundleOf, DEFAULT_TRUST, JUDGED_BUNDLES, trustOf, VECTOR_ROUNDS, vectorText } from './vectors-fixture.ts'
import { openOf, verdictOf, verdictOfDraw } from './verdict.ts'
import { verifyBundle, verifyBundleText } from './verify.ts'

// The curve builds its tables once, outside the time of the tests.
verifyBundle(bundleOf('honest'), NO_TRUST, VECTOR_ROUNDS)

/** At least one of each outcome. */
const SOME = ['honest', 'honest-void', 'A1', 'A1w', 'A6', 'A11', 'B5', 'B9', 'C1']

describe('the verdict on a bundle', () => {
  it('only the verdict on a proved bundle says that nobody chose the numbers', () => {
    for (const judged of JUDGED_BUNDLES.filter(({ id }) => SOME.includes(id))) {
      const report = verifyBundleText(vectorText(judged.file), trustOf(judged), VECTOR_ROUNDS)
      for (const said of [verdictOf(report), ...report.draws.map(verdictOfDraw)]) {
        expect(said.includes('nobody chose'), judged.id).toBe(said.startsWith('Proved: nobody'))
      }
      expect(verdictOf(report).startsWith('Proved'), judged.id).toBe(judged.outcome === 'proved')
    }
  })

  it('the verdict names each reason for the missing proof once', () => {
    expect(verdictOf(verifyBundle(bundleOf('honest')))).toBe('Holds, but when it was sealed is not proved.')
    expect(verdictOf(verifyBundle(bundleOf('honest'), DEFAULT_TRUST, { isRoundSigned: null }))).toBe(
      'Holds, but its random number was not checked here.',
    )
  })

  it('the verdict on a void draw says that everything goes back', () => {
    const [first] = verifyBundle(bundleOf('honest-void'), DEFAULT_TRUST, VECTOR_ROUNDS).draws
    expect(first === undefined ? '' : verdictOfDraw(first)).toMatch(/^Proved: it was given up .* goes back\.$/)
  })
})

describe('the verdict on an outcome', () => {
  const draw = (outcome: Outcome, numbers: number[] | null = null) => ({ open: '', outcome, checks: {}, numbers })
  const report = (outcome: Outcome, draws: Report['draws'] = []): Report => {
    return { outcome, reasons: [], checks: {}, draws, failed: [], warned: [], broken: [] }
  }

  it.each<[Outcome, string]>([
    ['holds', 'Holds: nothing speaks against it, but it is not proved.'],
    ['not yet', 'Not yet: the draw is not over.'],
    ['failed', 'Failed: what the operator signed breaks the rules. Keep this file: it is evidence.'],
    ['broken', 'Broken: this file is not what the operator signed, or lacks a part of it. It accuses nobody.'],
  ])('the outcome "%s" has its sentence', (outcome, sentence) => {
    expect(verdictOf(report(outcome))).toBe(sentence)
    for (const numbers of [null, [1, 2, 3]]) expect(verdictOfDraw(draw(outcome, numbers))).toBe(sentence)
  })

  it('the outcome "proved" has a sentence for draws with numbers and one for void draws', () => {
    const [drawn, given] = [draw('proved', [1, 2, 3]), draw('proved')]
    expect(verdictOfDraw(drawn)).toMatch(/^Proved: nobody chose these numbers/)
    expect(verdictOfDraw(given)).toMatch(/^Proved: it was given up/)
    expect(verdictOf(report('proved', [given, drawn]))).toBe(verdictOfDraw(drawn))
    expect(verdictOf(report('proved', [given, given]))).toBe(verdictOfDraw(given))
  })
})

describe('the verdict on a draw that holds', () => {
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

  it('the verdict does not mention missing witnesses if a trusted one saw the close', () => {
    const isSeen: Findings = { 'seal.witnesses': unknown(), 'seal.seen': { status: 'pass', why: '' } }
    expect(said({ ...isSeen, 'beacon.chain': unknown() })).toBe(
      'Holds, but its random number comes from a private beacon.',
    )
  })

  it('the verdict says that the sealing is not proved if no trusted witness saw it', () => {
    expect(said({ 'seal.witnesses': unknown(), 'seal.seen': { status: 'warn', why: '' } })).toBe(
      'Holds, but when it was sealed is not proved.',
    )
  })

  it('the verdict names several reasons', () => {
    expect(said({ 'seal.seen': unknown(), 'void.reason': unknown() })).toBe(
      'Holds, but when it was sealed is not proved; why it was given up is not proved.',
    )
  })

  it('the verdict omits checks that no proof needs', () => {
    expect(said({ 'promise.kept': unknown('nothing shows that') })).toBe(
      'Holds: nothing speaks against it, but it is not proved.',
    )
  })
})

describe('the announcement of a draw in a bundle', () => {
  const bundle = bundleOf('honest')
  it('the announcement of a draw has its game and number', () => {
    expect(bundle.draws.map(({ open }) => openOf(bundle, open))).toMatchObject([{ draw: 1 }, { draw: 2 }])
  })

  it('there is no announcement if the statement is of another type or missing', () => {
    expect(openOf(bundle, bundle.draws[0]?.seal?.statements[0] ?? '')).toBeNull()
    expect(openOf({ ...bundle, statements: [] }, bundle.draws[0]?.open ?? '')).toBeNull()
  })
})
