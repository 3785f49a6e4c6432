import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../app/api.ts'
import { useClock } from '../../app/clock.ts'

/** How many mails are shown. */
const MAILS_SHOWN = 10

/** Where the clock goes: forward by seconds, or to a moment; and the draw that can be watched then. */
export interface ClockMove {
  to: { advance: number } | { to: number }
  /** The game whose draw is near afterwards; null for none. */
  watchable: string | null
}

/** @returns the mutation that moves the system's clock. Everything on show is loaded anew then: it may all have changed. */
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

/** @returns the query of the newest mails */
export function useMails() {
  const api = useApi()
  return useQuery({
    queryKey: ['demo-mails'],
    queryFn: ({ signal }) => api.call('getMail', { signal }),
    select: (mails) =>
      mails.slice(0, MAILS_SHOWN).map((mail, place) => ({ ...mail, id: `${mail.sent_at} ${mail.to} ${place}` })),
    staleTime: 0,
  })
}

/** @returns the query of what the test wallet took in and sent out */
export function useTestWallet() {
  const api = useApi()
  return useQuery({
    queryKey: ['demo-wallet'],
    queryFn: ({ signal }) => api.call('getTestWallet', { signal }),
    staleTime: 0,
  })
}
