import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useApi } from '../../app/api.ts'
import type { Api } from '../../app/api.ts'
import type { ContactValues } from './contact-rules.ts'

/** @returns the query of the countries to choose from */
export function countriesQuery(api: Api) {
  return queryOptions({ queryKey: ['countries'], queryFn: () => api.call('getCountries'), staleTime: 'static' })
}

/** @returns the countries to choose from */
export function useCountries() {
  return useQuery(countriesQuery(useApi()))
}

/** @returns the mutation that sends a message to the support */
export function useSendMessage() {
  const api = useApi()
  return useMutation({
    mutationFn: ({ name, email, countryId, message }: ContactValues) =>
      api.call('sendContactMessage', { body: { name, email: email.trim(), country_id: countryId, message } }),
  })
}
