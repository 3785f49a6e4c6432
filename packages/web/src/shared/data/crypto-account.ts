import { queryOptions, useQuery } from '@tanstack/react-query'
import { useApi } from '../api.ts'
import type { Api } from '../api.ts'

/** Where prizes go: the player's bitcoin address, otherwise the Lightning address. */
export function cryptoAccountQuery(api: Api) {
  return queryOptions({
    queryKey: ['crypto-account'],
    queryFn: ({ signal }) => api.call('getCryptoAccountDetails', { signal }),
    select: (answer) => answer.btc_address ?? answer.lightning?.value ?? null,
  })
}

/** @returns the query of where prizes go, null before that is saved */
export function useCryptoAccount() {
  return useQuery(cryptoAccountQuery(useApi()))
}

/** @returns whether prizes can be sent over Lightning, false until that is known */
export function useTakesLightning(): boolean {
  const kinds = useQuery({ ...cryptoAccountQuery(useApi()), select: (answer) => answer.lightning_kinds })
  return kinds.data !== undefined && kinds.data.length > 0
}
