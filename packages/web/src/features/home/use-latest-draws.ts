import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useApi } from '../../app/api.ts'
import { latestDrawsQuery } from './use-home.ts'

/** @returns the query of a game's newest draws; while another game's load, those shown before stay */
export function useLatestDraws(gameKey: string) {
  const api = useApi()
  return useQuery({ ...latestDrawsQuery(api, gameKey), placeholderData: keepPreviousData })
}
