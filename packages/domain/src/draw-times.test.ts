import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { latestCloseAt, newStartAt, nextRoundRequestAt, plannedCloseAt, witnessesCountedAt } from './draw-times.ts'

const DAY = 86_400

describe('the times of a draw', () => {
  it('a postponed draw closes as long before its new start as before the first one', () => {
    expect(plannedCloseAt({ startAt: 9_000, scheduledAt: 6_000, closesAt: 5_700 })).toBe(8_700)
  })

  it('a close is committed a minute before its round is due, and its witnesses are counted 15 seconds later', () => {
    expect([latestCloseAt(6_000), witnessesCountedAt(6_000)]).toEqual([5_940, 5_955])
  })

  it.each([
    ['immediately', 0, 1],
    ['after a twentieth of its delay', 2_000, 100],
    ['every ten minutes at least', DAY, 600],
    ['when the draw becomes void at the latest', 7 * DAY - 30, 30],
  ])('a late round is requested again %s', (_when, late, pause) => {
    const now = 6_000 + late
    expect(nextRoundRequestAt({ now, dueAt: 6_000, voidAt: 6_000 + 7 * DAY }) - now).toBe(pause)
  })
})

describe('the new start of a postponed draw', () => {
  const draw = { number: 5, lengthSeconds: 160, decidedAt: 6_000 }

  it('the new start is the first whole minute 900 seconds or more after the decision, if no draw is near', () => {
    expect(newStartAt({ ...draw, others: [] })).toBe(6_900)
  })

  it('the new start ignores an earlier draw that is itself about to be postponed', () => {
    const others = [{ number: 4, startAt: 6_900, endAt: 7_060, isUnderWay: false }]
    expect(newStartAt({ ...draw, others })).toBe(6_900)
  })

  it('the new start is ten minutes after a later draw that it would overlap', () => {
    const others = [{ number: 6, startAt: 7_200, endAt: 7_360, isUnderWay: false }]
    expect(newStartAt({ ...draw, others })).toBe(7_980)
  })

  it('the new start is a whole minute, ten minutes apart from every draw that keeps its time', () => {
    const other = fc
      .record({ number: fc.integer({ min: 1, max: 9 }), gap: fc.nat(2_000), length: fc.integer({ min: 60, max: 900 }) })
      .chain((one) => fc.record({ isUnderWay: fc.boolean() }).map((more) => ({ ...one, ...more })))
    fc.assert(
      fc.property(fc.array(other, { maxLength: 8 }), fc.nat(100_000), (gaps, decidedAt) => {
        let from = decidedAt
        const others = gaps
          .filter(({ number }) => number !== draw.number)
          .map(({ number, gap, length, isUnderWay }) => {
            const startAt = from + gap
            from = startAt + length
            return { number, startAt, endAt: from, isUnderWay }
          })
        const startAt = newStartAt({ ...draw, decidedAt, others })
        expect(startAt % 60).toBe(0)
        expect(startAt).toBeGreaterThanOrEqual(decidedAt + 900)
        for (const one of others.filter(({ number, isUnderWay }) => number > draw.number || isUnderWay))
          expect(startAt + draw.lengthSeconds + 600 <= one.startAt || startAt >= one.endAt + 600).toBe(true)
      }),
    )
  })
})
