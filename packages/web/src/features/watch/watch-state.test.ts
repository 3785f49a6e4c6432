import { describe, expect, it } from 'vitest'
import type { WatchData, WatchPrize } from '@fairball/contract/schemas/game'
import { countDrawn, fetchAfterMs, isWorthStreaming, mergedWatch } from './watch-state.ts'

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

describe('what is known of a draw', () => {
  it('is the first answer at first', () => {
    expect(mergedWatch(null, data([true, false]))).toEqual(data([true, false]))
  })

  it('goes from not drawn to being drawn to the number', () => {
    expect(mergedWatch(data([false, false]), data([true, false])).draw).toEqual([true, false])
    expect(mergedWatch(data([true, false]), data([7, true])).draw).toEqual([7, true])
  })

  it('never goes back, when an older answer arrives later', () => {
    expect(mergedWatch(data([7, true]), data([true, false])).draw).toEqual([7, true])
    expect(mergedWatch(data([7, 9], [prize(2, false)]), data([7, 9])).prizes).toEqual([prize(2, false)])
  })

  it('keeps a win of the player, which the stream knows nothing of', () => {
    const known = data([7, 9], [prize(2, true), prize(1, false)])
    const streamed = data([7, 9], [prize(2, false), prize(1, false)])
    expect(mergedWatch(known, streamed).prizes).toEqual([prize(2, true), prize(1, false)])
    expect(mergedWatch(streamed, known).prizes).toEqual([prize(2, true), prize(1, false)])
  })

  it('starts anew with a draw of another size', () => {
    expect(mergedWatch(data([7, 9]), data([false]))).toEqual(data([false]))
  })

  it('counts the balls that are shown', () => {
    expect(countDrawn([7, 9, true, false])).toBe(2)
  })
})

describe('how a draw is followed', () => {
  it.each([
    ['PLAY', false, false, false],
    ['STARTS_SOON', false, false, true],
    ['LIVE', false, 1_000, true],
    ['LIVE', true, 10_000, true],
    ['ENDED', false, 10_000, false],
  ] as const)(
    '%s with a stream open: %s is fetched again after %s ms, and streams: %s',
    (phase, isOpen, ms, streams) => {
      expect(fetchAfterMs(phase, isOpen)).toBe(ms)
      expect(isWorthStreaming(phase)).toBe(streams)
    },
  )
})
