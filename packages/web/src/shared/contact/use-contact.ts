import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useApi } from '../api.ts'
import type { Api } from '../api.ts'
import type { ContactValues } from './contact-rules.ts'

/** @returns the query of the countries to choose from */
export function countriesQuery(api: Api) {
  return queryOptions({ queryKey: ['countries'], queryFn: () => api.call('getCountries'), staleTime: 'static' })
}

/** @returns the countries to choose from */
export function useCountries() {
  return useQuery(countriesQuery(useApi()))
}

/**
 * @param before prefix of every message, such as its subject
 * @returns the mutation that sends a message to support
 */
export function useSendMessage(before = '') {
  const api = useApi()
  return useMutation({
    mutationFn: ({ name, email, countryId, message }: ContactValues) =>
      api.call('sendContactMessage', {
        body: { name, email: email.trim(), country_id: countryId, message: before + message },
      }),
  })
}
