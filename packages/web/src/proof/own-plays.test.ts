import type { Play } from '@fairball/contract/schemas/game'
import { expect, it } from 'vitest'
import type { Api } from '../shared/api.ts'
import { playsOfDraw } from './own-plays.ts'

const PAGE = 10

const aPlay = (start: number, isDrawn: boolean, copy = 0): Play => ({
  id: `play-${start}-${copy}`,
  date: start,
  draw: isDrawn ? { id: start, number: start, numbers: [1, 2, 3, 4, 5] } : null,
  tickets: [[1, 2, 3, 4, 5]],
  is_win: false,
  win_type: null,
  is_claimed: false,
})

/** An API with these plays, in the server's order: those not yet drawn first, newest first. Counts its calls. */
function apiWith(plays: readonly Play[]) {
  const sorted = plays.toSorted(
    (one, other) => Number(one.draw !== null) - Number(other.draw !== null) || other.date - one.date,
  )
  let calls = 0
  const call = async (_name: string, { query }: { query: { _page: number } }) => {
    calls += 1
    const results = sorted.slice((query._page - 1) * PAGE, query._page * PAGE)
    return { ok: true, data: { results, total_pages: Math.ceil(sorted.length / PAGE) } }
  }
  return { api: { call } as unknown as Api, calls: () => calls }
}

const ids = (plays: readonly Play[]) => plays.map(({ id }) => id)

it('the plays of a draw are found on any page, without those of other draws', async () => {
  // Draws 1 to 60 are drawn, 61 to 80 are not; every third has two plays.
  const plays = Array.from({ length: 80 }, (_, index) => index + 1).flatMap((start) => [
    aPlay(start, start <= 60),
    ...(start % 3 === 0 ? [aPlay(start, start <= 60, 1)] : []),
  ])
  for (let start = 1; start <= 80; start += 1) {
    const { api } = apiWith(plays)
    const found = await playsOfDraw(api, { game: 'g', number: start, startAt: start, isDrawn: start <= 60 })
    expect(ids(found).toSorted()).toEqual(ids(plays.filter((play) => play.date === start)).toSorted())
  }
})

it('the search finds plays of one draw that fill several pages', async () => {
  const many = Array.from({ length: 34 }, (_, copy) => aPlay(50, true, copy))
  const { api } = apiWith([...many, aPlay(49, true), aPlay(51, true), aPlay(70, false)])
  expect(await playsOfDraw(api, { game: 'g', number: 50, startAt: 50, isDrawn: true })).toHaveLength(34)
})

it('the search finds nothing for a player without a play in the draw, or without any', async () => {
  const draw = { game: 'g', number: 5, startAt: 5, isDrawn: false }
  expect(await playsOfDraw(apiWith([]).api, draw)).toEqual([])
  expect(await playsOfDraw(apiWith([aPlay(4, true), aPlay(6, false)]).api, draw)).toEqual([])
})

it('a search among a thousand plays takes at most a dozen calls', async () => {
  const { api, calls } = apiWith(Array.from({ length: 1000 }, (_, index) => aPlay(index + 1, index < 900)))
  await playsOfDraw(api, { game: 'g', number: 100, startAt: 100, isDrawn: true })
  expect(calls()).toBeLessThanOrEqual(12)
})
