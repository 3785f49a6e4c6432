import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { TransactionRow } from '@fairball/contract/schemas/account'
import { useApi } from '../../shared/api.ts'

export type { TransactionRow }

/** @returns the query of a page of payments, refunds and prizes; while a page loads, the previous one stays */
export function useTransactions(page: number) {
  const api = useApi()
  return useQuery({
    queryKey: ['transactions', page],
    queryFn: ({ signal }) => api.call('getTransactions', { query: { _page: page }, signal }),
    placeholderData: keepPreviousData,
  })
}
