import { describe, expect, it } from 'vitest'
import { checkpointText } from './checkpoint.ts'
import { evidenceOfDraw, evidenceOfFork } from './evidence.ts'
import { nobleHash } from './hash.ts'
import { signNote } from './note.ts'
import { TEST_ROUNDS, TestOperator } from './operator-fixture.ts'
import { bundleOf, JUDGED_BUNDLES, VECTOR_ROUNDS } from './vectors-fixture.ts'
import { isProven, verifyEvidence } from './verify.ts'

describe('the evidence of a bundle', () => {
  const failed = JUDGED_BUNDLES.filter(({ outcome, trust }) => outcome === 'failed' && trust === 'default')

  it.each(failed.map((judged) => ({ ...judged })))(
    'a failed bundle gives evidence that proves its failures: $id',
    (judged) => {
      const evidence = evidenceOfDraw(bundleOf(judged.id), VECTOR_ROUNDS)
      expect(evidence?.failed.toSorted()).toEqual(judged.failed.toSorted())
      expect(evidence !== null && isProven(evidence, VECTOR_ROUNDS)).toBe(true)
    },
  )

  it('a bundle gives no evidence if nothing fails without trust, or it shows no log', () => {
    for (const id of ['honest', 'B19', 'B5']) expect(evidenceOfDraw(bundleOf(id), VECTOR_ROUNDS), id).toBeNull()
    expect(evidenceOfDraw({ ...bundleOf('A11'), statements: [] }, VECTOR_ROUNDS)).toBeNull()
    expect(evidenceOfFork({ ...bundleOf('A11'), statements: [] }, [])).toBeNull()
  })
})

describe('the evidence of a fork', async () => {
  const operator = new TestOperator()
  const draw = operator.openDraw()
  operator.closeDraw(draw)
  await operator.seal(draw)
  const bundle = await operator.bundle()
  const size = Number(bundle.head.split('\n')[1])
  const other = (seed: number, at = size) =>
    signNote(
      checkpointText('test.example/fairball', { size: at, root: nobleHash() }),
      'test.example/fairball',
      new Uint8Array(32).fill(seed),
    )

  it('a kept head and the bundle’s head of the same size with different roots are evidence', () => {
    const evidence = evidenceOfFork(bundle, ['no head', bundle.head, other(1)])
    expect(evidence?.notes).toEqual([other(1), bundle.head])
    expect(evidence !== null && verifyEvidence(evidence, TEST_ROUNDS)).toMatchObject({
      outcome: 'failed',
      failed: ['log.remembered'],
    })
  })

  it('the first statement gives the key, wherever it stands in the file', () => {
    const turned = { ...bundle, statements: bundle.statements.toReversed() }
    expect(evidenceOfFork(turned, [other(1)])?.notes).toEqual([other(1), bundle.head])
    const unread = bundle.statements.map((one) => (one.index === 0 ? { ...one, text: 'no statement' } : one))
    expect(evidenceOfFork({ ...bundle, statements: unread }, [other(1)])).toBeNull()
  })

  it('a kept head is evidence against the head of a seal, or of a postponement, of its size', async () => {
    const honest = new TestOperator()
    const [sealed, postponed] = [honest.openDraw(), honest.openDraw()]
    honest.closeDraw(sealed)
    await honest.seal(sealed)
    await honest.postpone(postponed)
    honest.openDraw()
    const shown = await honest.bundle([sealed, postponed])
    const heads = [sealed.seal, ...postponed.postpones].map((seal) => seal?.checkpoint ?? '')
    const sizes = [...heads, shown.head].map((head) => Number(head.split('\n')[1]))
    expect(new Set(sizes).size).toBe(3)
    for (const [place, head] of heads.entries()) {
      const kept = other(1, sizes[place])
      expect(evidenceOfFork(shown, [kept])?.notes).toEqual([kept, head])
    }
  })

  it('a kept head is no evidence if the log did not sign it, or the bundle shows no head of its size', () => {
    expect(evidenceOfFork(bundle, [other(2), other(1, size + 1)])).toBeNull()
  })
})
