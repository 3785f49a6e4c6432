import { useQuery } from '@tanstack/react-query'
import { namedWitnesses } from '../../proof/named-witnesses.ts'
import { useApi } from '../../shared/api.ts'
import { useGames } from '../../shared/data/games.ts'
import { runtime } from '../../shared/runtime.ts'

/** @returns the query of the witnesses that the operator names for the next draw of its first game; idle before there is a game */
export function useNamedWitnesses() {
  const api = useApi()
  const [first] = useGames().data ?? []
  const wanted = first === undefined ? null : { game: first.key, draw: first.next_draw.number }
  return useQuery({
    queryKey: ['named-witnesses', wanted?.game, wanted?.draw],
    queryFn: () => (wanted === null ? [] : namedWitnesses({ api, runtime }, wanted)),
    enabled: wanted !== null,
    staleTime: Infinity,
  })
}
