import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Mail } from '@fairball/contract/calls/demo'
import { useApi } from '../../shared/api.ts'
import { useClock } from '../../shared/use-clock.ts'

/** Number of mails shown. */
const MAILS_SHOWN = 10

/** A move of the clock, forward by seconds or to a moment, and the draw that can be watched then. */
export interface ClockMove {
  to: { advance: number } | { to: number }
  /** The game whose draw is near afterwards; null for none. */
  watchable: string | null
}

/**
 * @returns the mutation that moves the system's clock. Everything on the page is then reloaded, because all of it may
 *   have changed.
 */
export function useMoveClock() {
  const api = useApi()
  const clock = useClock()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ to }: ClockMove) => api.call('moveClock', { body: to }),
    onSuccess: async ({ now }) => {
      clock.correct(now)
      await queryClient.invalidateQueries()
    },
  })
}

/** A mail of the demo with an id. */
export type OutboxMail = Mail & { id: string }

/** @returns the query of all mails, newest first */
export function useOutbox() {
  return useMailQuery(withIds)
}

/** @returns the query of the newest mails */
export function useMails() {
  return useMailQuery(newestWithIds)
}

function useMailQuery(select: (mails: Mail[]) => OutboxMail[]) {
  const api = useApi()
  return useQuery({
    queryKey: ['demo-mails'],
    queryFn: ({ signal }) => api.call('getMail', { signal }),
    select,
    staleTime: 0,
  })
}

/** Counted from the oldest, so that a mail keeps its id when newer ones come. */
function withIds(mails: Mail[]): OutboxMail[] {
  return mails.map((mail, place) => ({ ...mail, id: `${mail.sent_at} ${mails.length - place}` }))
}

function newestWithIds(mails: Mail[]): OutboxMail[] {
  return withIds(mails).slice(0, MAILS_SHOWN)
}

/** @returns the query of the test wallet's payments in and out */
export function useTestWallet() {
  const api = useApi()
  return useQuery({
    queryKey: ['demo-wallet'],
    queryFn: ({ signal }) => api.call('getTestWallet', { signal }),
    staleTime: 0,
  })
}
