import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import type { Api } from '../../shared/api.ts'
import { drawAt, heroGame } from '../../testing/hero-game.ts'
import { DAY, NOON } from '../../testing/pounds.ts'
import { load } from './results-screen.tsx'

const NEXT = { ...drawAt(NOON), number: 9 }

it.each([
  ['the draw before the next one', { last_draw_at: NOON - DAY }, [['getTickets', 8]]],
  ['the next draw itself, once its balls are shown', { last_draw_at: NOON }, [['getTickets', 9]]],
  ['no draw before the first', { last_draw_at: null }, []],
])('together with the lists the page asks for the tickets of %s', async (_what, changes, tickets) => {
  const asked: unknown[] = []
  const api = {
    call: async (name: string, { query = {} }: { query?: { draw?: number; _page?: number } } = {}) => {
      asked.push([name, query.draw ?? query._page])
      if (name === 'getGames') return [heroGame(NOON, { next_draw: NEXT, ...changes })]
      return { ok: true, data: [], results: [], total_pages: 0 }
    },
  } as unknown as Api // a stand-in that answers by name
  await load({ api, queryClient: new QueryClient() }, { gameKey: 'bitcoin-hero', page: 1, winsPage: 1, playId: null })
  expect(asked).toEqual([['getGames', undefined], ...tickets, ['getWins', undefined], ['getPlays', 1]])
})
