import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { EmailPreferences } from '@fairball/contract/schemas/account'
import { useApi } from '../../shared/api.ts'

export type { EmailPreferences }

const PREFERENCES_KEY = ['email-preferences']

/** @returns the query of which mails the player wants */
export function useEmailPreferences() {
  const api = useApi()
  return useQuery({ queryKey: PREFERENCES_KEY, queryFn: ({ signal }) => api.call('getEmailPreferences', { signal }) })
}

/** @returns the mutation that saves which mails the player wants */
export function useSaveEmailPreferences() {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (preferences: EmailPreferences) => {
      await api.call('saveEmailPreferences', { body: preferences })
      return preferences
    },
    onSuccess: (saved) => queryClient.setQueryData(PREFERENCES_KEY, saved),
  })
}
