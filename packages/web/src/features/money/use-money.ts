import { queryOptions, useQuery } from '@tanstack/react-query'
import type { DrawMoney } from '@fairball/contract/schemas/game'
import { useApi } from '../../shared/api.ts'
import type { Api } from '../../shared/api.ts'
import type { Game } from '../../shared/data/games.ts'

/** Number of draws shown, of all games together. */
const DRAWS_SHOWN = 4
/** Interval at which the sums of the ledger and the newest draws are fetched, in ms. */
const AGAIN_MS = 30_000

/** A draw with its money. */
export interface NewestDraw {
  gameKey: string
  gameName: string
  number: number
  datetime: number
  entries: number
  money: DrawMoney
  isJackpotWon: boolean
}

/** The newest settled draws of all games with their money, newest first. */
export function newestDrawsQuery(api: Api, games: readonly Pick<Game, 'key' | 'name'>[]) {
  return queryOptions({
    queryKey: ['newest-draws', games.map(({ key }) => key)],
    queryFn: async ({ signal }): Promise<NewestDraw[]> => {
      const lists = await Promise.all(
        games.map(async ({ key, name }) => {
          const { results } = await api.call('getDraws', { params: { key }, signal })
          return results.map(({ number, datetime }) => ({ key, name, number, datetime }))
        }),
      )
      const newest = lists
        .flat()
        .toSorted((one, other) => other.datetime - one.datetime)
        .slice(0, DRAWS_SHOWN)
      const draws = await Promise.all(
        newest.map(async ({ key, name, number, datetime }) => {
          const { money, entries, jackpot } = await api.call('getDraw', { params: { key, number }, signal })
          const of = { gameKey: key, gameName: name, number, datetime, entries: entries ?? 0 }
          return money === null ? [] : [{ ...of, money, isJackpotWon: jackpot !== false }]
        }),
      )
      return draws.flat()
    },
    staleTime: AGAIN_MS,
  })
}

/** @returns the query of the newest draws; it is idle until the games are known */
export function useNewestDraws(games: readonly Game[] | undefined) {
  return useQuery({
    ...newestDrawsQuery(useApi(), games ?? []),
    enabled: games !== undefined,
    refetchInterval: AGAIN_MS,
  })
}

/** The operator's assets and debts. */
export function solvencyQuery(api: Api) {
  return queryOptions({ queryKey: ['solvency'], queryFn: ({ signal }) => api.call('getSolvency', { signal }) })
}

/** @returns the query of the operator's assets and debts, refetched while the page is open */
export function useSolvency() {
  return useQuery({ ...solvencyQuery(useApi()), refetchInterval: AGAIN_MS })
}
