import { queryOptions } from '@tanstack/react-query'
import type { LegalName } from '@fairball/contract/legal-names'
import type { Api } from '../api.ts'

/** A legal text in a version; undefined for the one in force. */
export function legalTextQuery(api: Api, name: LegalName, version: string | undefined) {
  return queryOptions({
    queryKey: ['legal', name, version ?? ''],
    queryFn: ({ signal }) =>
      api.call('getLegalText', { params: { name }, query: version === undefined ? {} : { version }, signal }),
    staleTime: 60_000,
  })
}
