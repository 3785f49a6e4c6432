import { describe, expect, it } from 'vitest'
import type { WatchData, WatchPrize } from '@fairball/contract/schemas/game'
import { GAMES } from '@fairball/domain/seeds'
import {
  countDrawn,
  fetchAfterMs,
  gamesAfterMs,
  isOfAnotherDraw,
  isPostponed,
  isWorthStreaming,
  liveStateAt,
  mergedWatch,
  withOwnTickets,
} from './watch-state.ts'

const prize = (matches: number, youWin: boolean): WatchPrize => ({
  type: 'PRIZE',
  matches: [matches],
  crypto: { value: '0.00300000', code: 'BTC' },
  fiat: {},
  number_of_wins: 1,
  youWin,
  partners: [],
})
const data = (draw: WatchData['draw'], prizes: WatchData['prizes'] = false): WatchData => ({ draw, prizes })

describe('the known data of a draw', () => {
  it('the first answer is taken over', () => {
    expect(mergedWatch(null, data([true, false]))).toEqual(data([true, false]))
  })

  it('a ball goes from not drawn to being drawn to its number', () => {
    expect(mergedWatch(data([false, false]), data([true, false])).draw).toEqual([true, false])
    expect(mergedWatch(data([true, false]), data([7, true])).draw).toEqual([7, true])
  })

  it('an older answer that arrives later changes nothing', () => {
    expect(mergedWatch(data([7, true]), data([true, false])).draw).toEqual([7, true])
    expect(mergedWatch(data([7, 9], [prize(2, false)]), data([7, 9])).prizes).toEqual([prize(2, false)])
  })

  it('a win of the player stays, although the stream lacks it', () => {
    const known = data([7, 9], [prize(2, true), prize(1, false)])
    const streamed = data([7, 9], [prize(2, false), prize(1, false)])
    expect(mergedWatch(known, streamed).prizes).toEqual([prize(2, true), prize(1, false)])
    expect(mergedWatch(streamed, known).prizes).toEqual([prize(2, true), prize(1, false)])
  })

  it('a draw of another size replaces the known data', () => {
    expect(mergedWatch(data([7, 9]), data([false]))).toEqual(data([false]))
  })

  it('the games of everybody keep the free tickets that the player is known to have', () => {
    const games = [
      { key: 'treasure', tickets_won: 0 },
      { key: 'new-game', tickets_won: 0 },
    ]
    expect(withOwnTickets(games, [{ key: 'treasure', tickets_won: 2 }])).toEqual([
      { key: 'treasure', tickets_won: 2 },
      { key: 'new-game', tickets_won: 0 },
    ])
    expect(withOwnTickets(games)).toEqual(games)
  })

  it('the shown balls are counted', () => {
    expect(countDrawn([7, 9, true, false])).toBe(2)
  })
})

describe('an answer that does not say which draw it is of', () => {
  it.each([
    ['nothing is known yet', null, [false, false], false],
    ['the draw continues', [7, true], [7, 9], false],
    ['it was overtaken by a newer one', [7, true], [true, false], false],
    ['neither has begun', [false, false], [false, false], false],
    ['the draw has only now begun', [false, false], [true, false], false],
    ['a number is another one', [7, true], [8, true], true],
    ['it has not begun and the known draw has', [7, 9], [false, false], true],
    ['it has not begun and the known draw was waiting for its first ball', [true, false], [false, false], true],
    ['it has more balls', [7, 9], [7, 9, 3], true],
  ] as const)('if %s, with known %j and new %j, the answer is about another draw: %s', (_, known, arrived, isOther) => {
    expect(isOfAnotherDraw(known === null ? null : data([...known]), data([...arrived]))).toBe(isOther)
  })
})

describe('the state of a running draw', () => {
  const times = { closesAt: 400, startAt: 1000, endAt: 1000 + 2 * 20 + 60 }

  it.each([
    ['before the first answer', null, 1000, 'DRAWS'],
    ['while the server has not begun it', [false, false], 1002, 'BEGINS'],
    ['while the first ball is drawn', [true, false], 1029, 'DRAWS'],
    ['when the first ball is ten seconds late', [true, false], 1030, 'LATE'],
    ['after its end, without any ball', [true, false], 9000, 'LATE'],
    ['when a late draw has begun', [7, true], 9000, 'DRAWS'],
    ['when all balls are there', [7, 9], 1040, 'COUNTS'],
  ] as const)('the draw’s state %s, with balls %j at %i, is %s', (_, balls, now, state) => {
    expect(liveStateAt(times, balls, now)).toBe(state)
  })

  it('a draw is delayed when it starts a quarter of an hour or more after its sales closed', () => {
    expect(isPostponed({ closesAt: 1000, startAt: 1899 })).toBe(false)
    expect(isPostponed({ closesAt: 1000, startAt: 1900 })).toBe(true)
  })

  it('a draw that starts as planned is not delayed', () => {
    for (const { closesBeforeSeconds } of GAMES)
      expect(isPostponed({ closesAt: 5000 - closesBeforeSeconds, startAt: 5000 })).toBe(false)
  })
})

describe('how a draw is followed', () => {
  it.each([
    ['PLAY', false, false],
    ['STARTS_SOON', false, false],
    ['LIVE', false, 1_000],
    ['LIVE', true, 10_000],
    ['ENDED', false, 10_000],
  ] as const)('%s with events arriving: %s is fetched again after %s ms', (phase, isStreaming, ms) => {
    expect(fetchAfterMs(phase, isStreaming)).toBe(ms)
  })

  it.each([
    ['PLAY', false, false],
    ['PLAY', true, true],
    ['STARTS_SOON', true, true],
    ['LIVE', false, true],
    ['ENDED', true, false],
  ] as const)('%s, starting within the hour and not ended: %s, follows the stream: %s', (phase, canWatch, streams) => {
    expect(isWorthStreaming(phase, canWatch)).toBe(streams)
  })

  it.each([
    ['PLAY', [false, false], 30_000],
    ['STARTS_SOON', [false, false], 30_000],
    ['LIVE', null, false],
    ['LIVE', [false, false], 5_000],
    ['LIVE', [true, false], false],
    ['ENDED', [7, 9], false],
  ] as const)('%s with balls %j: the games are fetched after %s ms, as a draw can be delayed', (phase, balls, ms) => {
    expect(gamesAfterMs(phase, balls)).toBe(ms)
  })
})
