import { describe, expect, it } from 'vitest'
import { readBundle, readBundleOrEvidence, readEvidence, readServedSeal, writeBundle, writeEvidence } from './bundle.ts'
import { evidenceOfDraw } from './evidence.ts'
import { refusalOf } from './refusal-fixture.ts'
import { bundleOf, VECTOR_ROUNDS } from './vectors-fixture.ts'

const BUNDLE = bundleOf('A11')
const TEXT = writeBundle(BUNDLE)
const EVIDENCE = evidenceOfDraw(BUNDLE, VECTOR_ROUNDS)

describe('the file of a bundle, and of evidence', () => {
  it('is read as it was written', () => {
    expect(readBundle(TEXT)).toEqual({ ...BUNDLE, format: 'fairball/bundle/v2' })
    if (EVIDENCE === null) throw new Error('no evidence')
    const written = writeEvidence(EVIDENCE)
    expect(readEvidence(written)).toMatchObject({ ...EVIDENCE, bundle: BUNDLE })
    expect(readBundleOrEvidence(TEXT)).toEqual({ bundle: readBundle(TEXT) })
    expect(readBundleOrEvidence(written)).toEqual({ evidence: readEvidence(written) })
    const fork = { ...EVIDENCE, kind: 'fork', bundle: null } as const
    expect(readEvidence(writeEvidence(fork)).bundle).toBeNull()
  })

  it.each([
    ['[]', 'The bundle is not an object.'],
    ['{}', 'The bundle lacks the key "format".'],
    ['{"format":"fairball/bundle/v1"}', 'The bundle, format is not one of: fairball/bundle/v2.'],
    ['{"format":"fairball/evidence/v2"}', 'The evidence lacks the key "kind".'],
  ])('of neither is refused with a reason: %s', (file, reason) => {
    expect(refusalOf(() => readBundleOrEvidence(file))).toBe(`ShapeError: ${reason}`)
  })

  it('is refused by the reader of the other', () => {
    const wrong = '{"format":"none"}'
    expect(refusalOf(() => readBundle(wrong))).toMatch(/^ShapeError: The bundle, format is not one of/u)
    expect(refusalOf(() => readEvidence(wrong))).toMatch(/^ShapeError: The evidence, format is not one of/u)
    expect(refusalOf(() => readServedSeal('[]'))).toBe('ShapeError: The seal is not an object.')
  })
})
