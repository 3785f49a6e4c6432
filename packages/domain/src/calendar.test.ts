import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type CalendarVersion,
  drawsOfOrder,
  drawsOfVersions,
  firstOpenDrawNotIn,
  openAhead,
  type OpenDraw,
  postponedStartAt,
} from './calendar.ts'
import { weekdayOf } from './weekday.ts'
import type { GameRules, GameWithRules } from './games.ts'
import { GAMES } from './seeds.ts'

const [lotto, hero] = GAMES as readonly [GameWithRules, GameWithRules, ...GameWithRules[]]
/** A game that never changes. */
const unchanged = (rules: GameRules): CalendarVersion[] => [{ ...rules, version: 1, fromAt: 0 }]
const scheduledDrawsAfter = (rules: GameRules, afterAt: number, count: number, extraStartAt: number | null = null) => [
  ...drawsOfVersions(unchanged(rules), afterAt, extraStartAt).take(count),
]
const regularDrawsAfter = (rules: GameRules, afterAt: number, count: number) =>
  scheduledDrawsAfter(rules, afterAt, count)
/** Seconds of a UTC time, as in `at('2026-01-07T20:00')`, a Wednesday. */
const at = (text: string): number => Date.parse(`${text}:00Z`) / 1000
const show = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 16)
const numbered = (draws: readonly Omit<OpenDraw, 'number'>[]): OpenDraw[] =>
  draws.map((draw, place) => ({ ...draw, number: place + 1 }))
const game = fc.constantFrom(...GAMES)
const moment = fc.integer({ min: at('2025-01-01T00:00'), max: at('2030-01-01T00:00') })

describe('the days of the week', () => {
  it.each([
    ['1970-01-01T00:00', 4],
    ['2026-01-05T00:00', 1],
    ['2026-01-07T23:59', 3],
    ['2026-01-11T12:00', 7],
    ['1969-12-28T12:00', 7],
  ])('the weekday of %s is %d', (text, day) => {
    expect(weekdayOf(at(text))).toBe(day)
  })
})

describe('a calendar', () => {
  it('a calendar has the draws that start after a moment, with their close and end', () => {
    const draws = regularDrawsAfter(lotto, at('2026-01-07T20:00'), 3)
    expect(draws.map((draw) => show(draw.startAt))).toEqual([
      '2026-01-10T20:00',
      '2026-01-14T20:00',
      '2026-01-17T20:00',
    ])
    expect(draws[0]).toEqual({
      startAt: at('2026-01-10T20:00'),
      closesAt: at('2026-01-10T19:50'),
      endAt: at('2026-01-10T20:03'),
      weekday: 6,
      version: 1,
    })
    expect(show(regularDrawsAfter(lotto, at('2026-01-07T20:00') - 1, 1)[0]?.startAt ?? 0)).toBe('2026-01-07T20:00')
  })

  it('draws ascend without a gap or an overlap', () => {
    fc.assert(
      fc.property(game, moment, fc.nat(30), (rules, nowAt, count) => {
        const draws = regularDrawsAfter(rules, nowAt, count)
        expect(draws).toHaveLength(count)
        draws.forEach((draw, place) => {
          expect(draw.startAt).toBeGreaterThan(draws[place - 1]?.endAt ?? nowAt)
          expect(draw.weekday).toBe(weekdayOf(draw.startAt))
        })
      }),
    )
  })

  it.each([
    ['2026-01-07T10:15', '2026-01-07T10:00', ['07T10:15', '07T18:00', '08T18:00']],
    ['2026-01-07T17:30', '2026-01-07T17:15', ['07T17:30', '08T18:00', '09T18:00']],
    ['2026-01-07T17:00', '2026-01-07T16:45', ['07T17:00', '08T18:00', '09T18:00']], // 60 minutes apart: left out
    ['2026-01-07T16:59', '2026-01-07T16:44', ['07T16:59', '07T18:00', '08T18:00']],
    ['2026-01-07T18:10', '2026-01-07T17:55', ['07T18:10', '08T18:00', '09T18:00']],
    ['2026-01-07T18:00', '2026-01-07T17:45', ['07T18:00', '08T18:00', '09T18:00']],
    ['2026-01-08T00:05', '2026-01-07T23:50', ['08T00:05', '08T18:00', '09T18:00']],
    ['2026-01-07T17:30', '2026-01-07T17:31', ['08T18:00', '09T18:00', '10T18:00']], // the extra draw is over
  ])('a calendar has the demo’s extra draw at %s, seen at %s', (extra, now, starts) => {
    const draws = scheduledDrawsAfter(hero, at(now), 3, at(extra))
    expect(draws.map((draw) => show(draw.startAt).slice(8))).toEqual(starts)
  })

  it('a calendar has no draws for a game without draw times, and never more than requested', () => {
    expect(regularDrawsAfter({ ...lotto, drawTimes: [] }, 0, 5)).toEqual([])
    expect(() => regularDrawsAfter(lotto, 0.5, 1)).toThrow(RangeError)
  })
})

describe('the draws of an order', () => {
  /** Wednesday before the close of the day's draw, and after it. */
  const before = at('2026-01-07T19:49')
  const after = at('2026-01-07T19:50')
  // 1 Wed 7th, 2 Sat 10th, 3 Wed 14th, 4 Sat 17th, …
  const openDraws = numbered(regularDrawsAfter(lotto, at('2026-01-07T00:00'), 12))

  it.each([
    ['one week of a day still to come', before, [6], 1, [2]],
    ['today while sales are open', before, [3], 1, [1]],
    ['four weeks of both days', before, [3, 6], 4, [1, 2, 3, 4, 5, 6, 7, 8]],
    ['today after the close: the first open draw of the game', after, [3], 1, [2]],
    ['today after the close and the other day: the first that is not otherwise in the order', after, [3, 6], 1, [2, 3]],
    ['two weeks of today after the close: its second week stays on the weekday', after, [3], 2, [2, 3]],
    ['two weeks of both days after the close', after, [3, 6], 2, [2, 3, 4, 5]],
    ['four weeks of both days after the close', after, [6, 3], 4, [2, 3, 4, 5, 6, 7, 8, 9]],
    ['a day twice', before, [6, 6], 1, [2]],
  ])('the draws of an order: %s', (_, nowAt, days, weeks, numbers) => {
    expect(drawsOfOrder({ game: lotto, openDraws, days, weeks, nowAt })).toEqual(numbers)
  })

  it('an order has days × weeks draws: open, distinct and ascending', () => {
    const arbitrary = game.chain((rules) =>
      fc.record({
        rules: fc.constant(rules),
        nowAt: moment,
        days: fc.uniqueArray(fc.constantFrom(...rules.drawTimes.map((time) => time.day)), { minLength: 1 }),
        weeks: fc.integer({ min: 1, max: rules.weeksAhead }),
      }),
    )
    fc.assert(
      fc.property(arbitrary, ({ rules, nowAt, days, weeks }) => {
        const open = numbered(openAhead(unchanged(rules), rules.weeksAhead, nowAt))
        const numbers = drawsOfOrder({ game: rules, openDraws: open, days, weeks, nowAt })
        expect(numbers).toHaveLength(days.length * weeks)
        expect(numbers).toEqual([...new Set(numbers)].toSorted((one, other) => one - other))
        expect(numbers.every((number) => open.some((draw) => draw.number === number && nowAt < draw.closesAt))).toBe(
          true,
        )
      }),
    )
  })

  it.each([
    ['no day', [], 1],
    ['a day without a draw', [2], 1],
    ['day 8', [8], 1],
    ['week 0', [3], 0],
    ['a week too many', [3], 5],
    ['half a week', [3], 1.5],
  ])('an order is refused as INVALID_PAYLOAD for %s', (_, days, weeks) => {
    expect(() => drawsOfOrder({ game: lotto, openDraws, days, weeks, nowAt: before })).toThrow(
      expect.objectContaining({ code: 'INVALID_PAYLOAD' }),
    )
  })

  it('an order is refused when too few draws are open', () => {
    const few = openDraws.slice(0, 2)
    expect(() => drawsOfOrder({ game: lotto, openDraws: few, days: [3], weeks: 2, nowAt: before })).toThrow(
      expect.objectContaining({ code: 'INVALID_PAYLOAD', fields: { weeks: 'At most 1 week.' } }),
    )
    expect(() => drawsOfOrder({ game: lotto, openDraws: [], days: [3], weeks: 1, nowAt: after })).toThrow(
      expect.objectContaining({ code: 'GAME_NOT_AVAILABLE' }),
    )
  })

  it('entries move to the first later open draw that the order is not in', () => {
    expect(firstOpenDrawNotIn(openDraws, new Set([2]), after)?.number).toBe(3)
    expect(firstOpenDrawNotIn(openDraws, new Set(), before)?.number).toBe(1)
    expect(firstOpenDrawNotIn([], new Set(), before)).toBeNull()
  })
})

describe('the draws opened ahead', () => {
  it.each([
    ['bitcoin-lotto', 9],
    ['bitcoin-hero', 15],
    ['treasure', 9],
    ['ether-lotto', 9],
    ['mega-ball', 9],
    ['super-game', 9],
  ])('%s has %d open draws at any time: those that an order can name now and one more', (key, count) => {
    const rules = GAMES.find((known) => known.key === key) ?? lotto
    fc.assert(fc.property(moment, (nowAt) => openAhead(unchanged(rules), rules.weeksAhead, nowAt).length === count))
  })

  it('the open draws are exactly those that some order names, and the first one after them', () => {
    const withExtra = fc.record({ nowAt: moment, extraIn: fc.option(fc.integer({ min: -100_000, max: 900 })) })
    fc.assert(
      fc.property(game, withExtra, (rules, { nowAt, extraIn }) => {
        const extraStartAt = rules.key === 'bitcoin-hero' && extraIn !== null ? nowAt + extraIn : null
        const open = numbered(openAhead(unchanged(rules), rules.weeksAhead, nowAt, extraStartAt))
        const further = numbered(scheduledDrawsAfter(rules, nowAt, 60, extraStartAt).filter((d) => nowAt < d.closesAt))
        expect(open).toEqual(further.slice(0, open.length))
        const named = new Set(
          everyOrder(rules).flatMap((order) => drawsOfOrder({ game: rules, openDraws: further, ...order, nowAt })),
        )
        expect(open.length).toBe(named.size + 1)
        expect(open.filter((draw) => named.has(draw.number))).toHaveLength(named.size)
        for (const order of everyOrder(rules)) {
          expect(drawsOfOrder({ game: rules, openDraws: open, ...order, nowAt })).toEqual(
            drawsOfOrder({ game: rules, openDraws: further, ...order, nowAt }),
          )
        }
      }),
      { numRuns: 60 },
    )
  })
})

describe('a postponed draw', () => {
  it('a postponed draw starts at the first whole minute at least 900 s after the decision', () => {
    expect(postponedStartAt(6000, [])).toBe(6900)
    expect(postponedStartAt(6001, [])).toBe(6960)
  })

  it('a postponed draw starts at least 600 s after the end of every earlier unfinished draw', () => {
    expect(postponedStartAt(6000, [6400, 5000])).toBe(7020)
  })
})

/** Every order of a game by its days and weeks: at most 127 × 2 in bitcoin-hero, 3 × 4 or 1 × 8 in the others. */
function everyOrder(rules: GameRules): { days: number[]; weeks: number }[] {
  const all = rules.drawTimes.map((time) => time.day)
  const choices = Array.from({ length: 2 ** all.length - 1 }, (_, bits) =>
    all.filter((_day, place) => ((bits + 1) >> place) & 1),
  )
  const weeks = Array.from({ length: rules.weeksAhead }, (_, place) => place + 1)
  return choices.flatMap((days) => weeks.map((count) => ({ days, weeks: count })))
}
