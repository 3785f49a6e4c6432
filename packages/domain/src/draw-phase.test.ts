import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  ballDueAt,
  ballsShown,
  canWatch,
  DRAW_STATUSES,
  drawStatusesBefore,
  gameOfHome,
  homeButtonsAt,
  isOpenForSale,
  nextDrawOf,
  revealEndAt,
  watchPhaseAt,
} from './draw-phase.ts'

const start = 10_000
const draw = { closesAt: start - 300, startAt: start, endAt: start + 160, pick: 5 }
const numbers = [9, 3, 36, 1, 20]

describe('the status of a draw', () => {
  it('a draw moves from open to closed, drawn and settled, or becomes void before it is drawn', () => {
    expect(DRAW_STATUSES.map(drawStatusesBefore)).toEqual([[], ['open'], ['closed'], ['drawn'], ['open', 'closed']])
  })
})

describe('the balls of a draw', () => {
  const shown = (nowAt: number, change: { numbers?: number[] | null; revealFromAt?: number } = {}) =>
    ballsShown({ ...draw, numbers, nowAt, ...change })

  it.each([
    [-1, [false, false, false, false, false]],
    [0, [true, false, false, false, false]],
    [19, [true, false, false, false, false]],
    [20, [9, true, false, false, false]],
    [40, [9, 3, true, false, false]],
    [99, [9, 3, 36, 1, true]],
    [100, [9, 3, 36, 1, 20]],
    [100_000, [9, 3, 36, 1, 20]],
  ])('a ball is shown every 20 seconds: %d s after the start %j', (after, balls) => {
    expect(shown(start + after)).toEqual(balls)
  })

  it('ball i is shown from start + i × (end − start − 60) / n on, even if that is no whole second', () => {
    const odd = { startAt: 0, endAt: 67, pick: 3, numbers: [1, 2, 3] } // a ball every 2⅓ s
    const count = (nowAt: number) => ballsShown({ ...odd, nowAt }).filter((ball) => typeof ball === 'number').length
    expect([0, 2, 3, 4, 5, 6, 7].map(count)).toEqual([0, 0, 1, 1, 2, 2, 3])
  })

  it('a ball is due in the second from which it is shown', () => {
    fc.assert(
      fc.property(fc.integer({ min: 61, max: 900 }), fc.integer({ min: 1, max: 9 }), (seconds, pick) => {
        const times = {
          startAt: start,
          endAt: start + seconds,
          pick,
          numbers: Array.from({ length: pick }, (_, i) => i + 1),
        }
        const count = (nowAt: number) =>
          ballsShown({ ...times, nowAt }).filter((ball) => typeof ball === 'number').length
        for (let ball = 1; ball <= pick; ball += 1) {
          const due = ballDueAt(times, pick, ball)
          expect(count(due)).toBeGreaterThanOrEqual(ball)
          expect(count(due - 1)).toBeLessThan(ball)
        }
      }),
    )
  })

  it('the first ball is being drawn until the beacon round arrives', () => {
    expect(shown(start - 1, { numbers: null })).toEqual([false, false, false, false, false])
    expect(shown(start + 5000, { numbers: null })).toEqual([true, false, false, false, false])
  })

  it('a beacon round before the first ball is due delays nothing', () => {
    expect(shown(start + 20, { revealFromAt: start + 3 })).toEqual([9, true, false, false, false])
    expect(revealEndAt({ ...draw, revealFromAt: start + 20 })).toBe(start + 100)
  })

  it('balls follow at the same pace after a late beacon round', () => {
    const revealFromAt = start + 1000
    expect(shown(revealFromAt - 1, { revealFromAt })).toEqual([true, false, false, false, false])
    expect(shown(revealFromAt, { revealFromAt })).toEqual([9, true, false, false, false])
    expect(shown(revealFromAt + 79, { revealFromAt })).toEqual([9, 3, 36, 1, true])
    expect(shown(revealFromAt + 80, { revealFromAt })).toEqual(numbers)
    expect(revealEndAt({ ...draw, revealFromAt })).toBe(revealFromAt + 80)
  })

  it('all balls are shown 60 seconds before the end', () => {
    expect(revealEndAt(draw)).toBe(draw.endAt - 60)
  })

  it('a shown ball stays shown, and the last one is shown exactly at the end of the reveal', () => {
    fc.assert(
      fc.property(
        fc.nat(300),
        fc.nat(300),
        fc.integer({ min: 1, max: 7 }),
        fc.nat(500),
        (one, more, pick, revealAfter) => {
          const drawn = Array.from({ length: pick }, (_, place) => place + 1)
          const reveal = { startAt: start, endAt: start + 20 * pick + 60, pick, revealFromAt: start + revealAfter }
          const count = (nowAt: number) =>
            ballsShown({ ...reveal, numbers: drawn, nowAt }).filter((b) => typeof b === 'number').length
          expect(count(start + one + more)).toBeGreaterThanOrEqual(count(start + one))
          expect(count(revealEndAt(reveal))).toBe(pick)
          expect(count(revealEndAt(reveal) - 1)).toBe(pick - 1)
        },
      ),
    )
  })

  it('there are as many balls as a line has numbers', () => {
    expect(() => shown(start, { numbers: [1] })).toThrow(RangeError)
  })
})

describe('the watch page', () => {
  const all = { ...draw, balls: numbers, hasPrizes: true }
  const waiting = { ...draw, balls: [false, false, false, false, false], hasPrizes: false }
  const pending = { ...draw, balls: [9, true, false, false, false], hasPrizes: false }

  it.each([
    ['says PLAY before sales close', pending, draw.closesAt - 1, 'PLAY'],
    ['says STARTS SOON from the close', waiting, draw.closesAt, 'STARTS_SOON'],
    ['says STARTS SOON until the start', waiting, start - 1, 'STARTS_SOON'],
    ['is LIVE with a ball that is being drawn, even if this clock is behind', pending, start - 1, 'LIVE'],
    ['is LIVE from the start', pending, start, 'LIVE'],
    ['is LIVE before anything was fetched', { ...draw, balls: null, hasPrizes: false }, start + 1, 'LIVE'],
    ['is LIVE while prizes are pending', { ...all, hasPrizes: false }, start + 110, 'LIVE'],
    ['is LIVE after the end while balls are pending', pending, draw.endAt + 500, 'LIVE'],
    ['has ENDED when all balls are shown and prizes have arrived', all, start + 101, 'ENDED'],
    ['has ENDED at the end', { ...all, hasPrizes: false }, draw.endAt, 'ENDED'],
  ] as const)('the watch page %s', (_, watched, nowAt, phase) => {
    expect(watchPhaseAt(watched, nowAt)).toBe(phase)
  })
})

describe('the home page', () => {
  it.each([
    ['an hour and a second before the start', start - 3601, true, false, false],
    ['an hour before the start', start - 3600, true, true, false],
    ['at the close', start - 300, false, true, false],
    ['a second before the end', start + 159, false, true, false],
    ['at the end', start + 160, false, false, true],
  ])('the home page has the right buttons %s', (_, nowAt, play, watch, drawHistory) => {
    expect(homeButtonsAt(draw, nowAt)).toEqual({ play, watch, drawHistory, results: true })
    expect(canWatch(draw, nowAt)).toBe(watch)
    expect(isOpenForSale(draw, nowAt)).toBe(play)
  })

  it('the home page opens with the game whose sales close soonest, or the first if none is open', () => {
    const games = [{ closesAt: 300 }, { closesAt: 100 }, { closesAt: 200 }]
    expect(gameOfHome(games, 0)).toBe(games[1])
    expect(gameOfHome(games, 100)).toBe(games[2])
    expect(gameOfHome(games, 300)).toBe(games[0])
    expect(gameOfHome([], 0)).toBeNull()
  })
})

describe('next_draw', () => {
  const draws = [
    { number: 1, endAt: 1000, status: 'settled' },
    { number: 2, endAt: 2000, status: 'void' },
    { number: 3, endAt: 3000, status: 'open' },
  ] as const

  it('next_draw stays on a draw until 10 minutes after its end', () => {
    expect(nextDrawOf(draws, 1599)?.number).toBe(1)
    expect(nextDrawOf(draws, 1600)?.number).toBe(3)
    expect(nextDrawOf(draws, 3600)).toBeNull()
  })
})
