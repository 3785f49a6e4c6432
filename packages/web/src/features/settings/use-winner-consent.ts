import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { WinnerConsent } from '@fairball/contract/schemas/account'
import { useApi } from '../../shared/api.ts'

export type { WinnerConsent }

const CONSENT_KEY = ['winner-consent']

/** @returns the query of whether the player's wins are public, under a masked name */
export function useWinnerConsent() {
  const api = useApi()
  return useQuery({ queryKey: CONSENT_KEY, queryFn: ({ signal }) => api.call('getWinnerConsent', { signal }) })
}

/** @returns the mutation that gives or withdraws this consent */
export function useSaveWinnerConsent() {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (consent: WinnerConsent) => api.call('saveWinnerConsent', { body: consent }),
    onSuccess: (saved) => queryClient.setQueryData(CONSENT_KEY, saved),
  })
}
