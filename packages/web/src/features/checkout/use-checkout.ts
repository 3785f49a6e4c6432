import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { useApi } from '../../app/api.ts'
import { useNavigate } from '../../app/navigation.tsx'
import { runtime } from '../../app/runtime.ts'
import { useSession } from '../../app/session/use-session.ts'
import { pageOfAddress, pollAfterMs } from './checkout-state.ts'

/** How long the page says that the payment is confirmed before it goes on, in ms. */
const GO_ON_MS = 2_000

/** @returns the query of an order's payment; it is asked for again until nothing can change */
export function useCheckout(orderId: string) {
  const api = useApi()
  const { status } = useSession()
  return useQuery({
    queryKey: ['checkout', orderId],
    queryFn: ({ signal }) => api.call('getCheckout', { params: { transaction_id: orderId }, signal }),
    enabled: status === 'player',
    refetchInterval: (query) => pollAfterMs(query.state.data?.status),
    staleTime: 0,
  })
}

/** @returns the mutation that pays what is missing from the demo's test wallet */
export function usePayFromTestWallet(orderId: string) {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => api.call('payFromTestWallet', { body: { transaction_id: orderId } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['checkout', orderId] }),
  })
}

/** Goes back to the game by itself once the payment is confirmed. */
export function useGoOnWhenPaid(isPaid: boolean, returnUrl: string): void {
  const navigate = useNavigate()
  const goOn = useEffectEvent(() => navigate(pageOfAddress(returnUrl), { replace: true }))
  useEffect(() => (isPaid ? runtime.after(GO_ON_MS, () => goOn()) : undefined), [isPaid])
}
