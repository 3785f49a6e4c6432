import { parseNote } from '@fairball/domain/fairness/signed-note'
import { successionProblem } from '@fairball/domain/fairness/statements'
import { expect, it } from 'vitest'
import { testLottery } from '../../../test/lottery.ts'

it('is a log without gaps, a hundred notes a page, each naming the one before', async () => {
  const { lottery, moveTo, runtime } = await testLottery()
  await moveTo(runtime.clock.now() + 10 * 86_400)
  const first = await lottery.fairness.logFrom(0)
  expect(first.notes).toHaveLength(100)
  expect(first.next).toBe(100)
  const second = await lottery.fairness.logFrom(100)
  expect(second.next).toBeNull()
  const texts = [...first.notes, ...second.notes].map((note) => parseNote(note)?.text ?? '')
  texts.forEach((text, index) => expect(successionProblem(texts[index - 1] ?? null, text)).toBeNull())
})
