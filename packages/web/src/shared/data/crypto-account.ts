import { queryOptions, useQuery } from '@tanstack/react-query'
import { useApi } from '../api.ts'
import type { Api } from '../api.ts'

/** The player's saved bitcoin address, where prizes go. */
export function cryptoAccountQuery(api: Api) {
  return queryOptions({
    queryKey: ['crypto-account'],
    queryFn: ({ signal }) => api.call('getCryptoAccountDetails', { signal }),
    select: (answer) => answer.btc_address,
  })
}

/** @returns the query of the saved bitcoin address, null before one is saved */
export function useCryptoAccount() {
  return useQuery(cryptoAccountQuery(useApi()))
}
