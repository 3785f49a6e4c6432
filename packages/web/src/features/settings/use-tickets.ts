import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useApi } from '../../shared/api.ts'
import { ticketsQuery } from '../../shared/data/tickets.ts'

/** @returns the query of a page of the player's tickets; while a page loads, the previous one stays */
export function useTickets(page: number) {
  return useQuery({ ...ticketsQuery(useApi(), page), placeholderData: keepPreviousData })
}
