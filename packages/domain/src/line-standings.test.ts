import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countByMatches, linesHolding, nextStepOf, standingsOf } from './line-standings.ts'
import { lineMask, matchesOf } from './lines.ts'

const [PICK, POOL] = [5, 36]
const numbers = fc.uniqueArray(fc.integer({ min: 1, max: POOL }), { minLength: PICK, maxLength: PICK })
const lines = fc.array(numbers, { maxLength: 60 })
const soFar = fc.tuple(numbers, fc.integer({ min: 0, max: PICK })).map(([all, count]) => all.slice(0, count))

describe('lines beside the balls drawn so far', () => {
  it('each line is there once, with as many matches as its mask has with that of the balls', () => {
    fc.assert(
      fc.property(lines, soFar, (held, drawn) => {
        const standings = standingsOf(held, drawn)
        expect(standings.map(({ place }) => place).toSorted((one, other) => one - other)).toEqual([...held.keys()])
        for (const { place, numbers: own, matches } of standings) {
          expect(own).toBe(held[place])
          expect(matches).toBe(matchesOf(lineMask(own), lineMask(drawn)))
        }
      }),
    )
  })

  it('more matches come first, and equal ones in the order of the letters', () => {
    fc.assert(
      fc.property(lines, soFar, (held, drawn) => {
        const standings = standingsOf(held, drawn)
        for (const [index, after] of standings.slice(1).entries()) {
          const before = standings[index]
          const isInOrder =
            before !== undefined &&
            (before.matches > after.matches || (before.matches === after.matches && before.place < after.place))
          expect(isInOrder).toBe(true)
        }
      }),
    )
  })

  it('a ball raises the matches of exactly the lines that hold it', () => {
    fc.assert(
      fc.property(lines, soFar, fc.integer({ min: 1, max: POOL }), (held, drawn, ball) => {
        fc.pre(!drawn.includes(ball))
        const total = (balls: readonly number[]) =>
          standingsOf(held, balls).reduce((sum, { matches }) => sum + matches, 0)
        expect(total([...drawn, ball]) - total(drawn)).toBe(linesHolding(held, ball))
      }),
    )
  })

  it('the counts by matches are those of all lines', () => {
    fc.assert(
      fc.property(lines, soFar, (held, drawn) => {
        const standings = standingsOf(held, drawn)
        const counts = countByMatches(standings, PICK)
        expect(counts).toHaveLength(PICK + 1)
        for (const [matches, count] of counts.entries())
          expect(count).toBe(standings.filter((line) => line.matches === matches).length)
      }),
    )
  })
})

describe('what the next ball would do for the best line', () => {
  const PRIZED = [5, 4, 3, 2]

  it('with that ball the line would hold the prize that is named, and no line would have more', () => {
    fc.assert(
      fc.property(lines, soFar, (held, drawn) => {
        const step = nextStepOf(standingsOf(held, drawn), { drawn, pick: PICK }, PRIZED)
        if (step === null) return
        expect(drawn).not.toContain(step.number)
        expect(PRIZED).toContain(step.matches)
        const then = standingsOf(held, [...drawn, step.number])
        expect(then.find(({ place }) => place === step.place)?.matches).toBe(step.matches)
        expect(then[0]?.matches).toBe(step.matches)
      }),
    )
  })

  const F = [4, 7, 16, 25, 31]
  it.each([
    ['nothing while four balls are to come', [7], PRIZED, null],
    ['the next match once three are', [7, 25], PRIZED, { number: 4, place: 0, matches: 3 }],
    ['the last one', [7, 25, 4, 16], PRIZED, { number: 31, place: 0, matches: 5 }],
    ['nothing where the next match has no prize', [1, 2, 3], PRIZED, null],
    ['nothing after the last ball', [7, 25, 4, 16, 1], PRIZED, null],
  ])('it is %s', (_what, drawn, prized, step) => {
    expect(nextStepOf(standingsOf([F], drawn), { drawn, pick: PICK }, prized)).toEqual(step)
  })

  it('it is nothing without a line', () => {
    expect(nextStepOf([], { drawn: [7, 25], pick: PICK }, PRIZED)).toBeNull()
  })
})
