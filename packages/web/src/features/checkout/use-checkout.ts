import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import type { Checkout } from '@fairball/contract/schemas/order'
import { rememberPaidOrder } from '../../proof/paid-order.ts'
import { sightTime } from '../../proof/sight-time.ts'
import { useApi } from '../../shared/api.ts'
import type { Api } from '../../shared/api.ts'
import { useClock } from '../../shared/use-clock.ts'
import { useNavigate } from '../../shared/navigation.tsx'
import { runtime } from '../../shared/runtime.ts'
import { pageOfAddress, pollAfterMs } from './checkout-state.ts'

/** Time for which the page shows a confirmed payment before it continues, in ms. */
const GO_ON_MS = 2_000

/** @returns the query of an order's payment, for the server and the browser alike */
export function checkoutQuery(api: Api, orderId: string) {
  return queryOptions({
    queryKey: ['checkout', orderId],
    queryFn: ({ signal }) => api.call('getCheckout', { params: { transaction_id: orderId }, signal }),
    staleTime: 0,
  })
}

/** @returns the query of an order's payment; it refetches until nothing can change */
export function useCheckout(orderId: string) {
  const api = useApi()
  return useQuery({
    ...checkoutQuery(api, orderId),
    refetchInterval: (query) => (isGone(query.state.error) ? false : pollAfterMs(query.state.data?.status)),
  })
}

/**
 * Whether there is no such payment: asking again would not help. Recognised by the code, since the server's own client
 * throws errors of another build.
 */
export function isGone(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('code' in error)) return false
  return error.code === 'NOT_FOUND' || error.code === 'INVALID_PAYLOAD'
}

/**
 * @returns the query of this browser's check of a payment before it is made: whether the operator has promised it. The
 *   code that checks it loads with the answer, after the page itself.
 */
export function usePaymentCheck(checkout: Checkout) {
  const api = useApi()
  const clock = useClock()
  const { transaction_id: id, address, uri, lightning } = checkout
  const invoice = lightning?.state === 'open' ? lightning.bolt11 : null
  return useQuery({
    queryKey: ['payment-check', id, address, uri, invoice],
    queryFn: async () => {
      const [{ checkPayment }, { keptStore }] = await Promise.all([
        import('../../proof/check-payment.ts'),
        import('../../proof/kept-store.ts'),
      ])
      const parts = { api, runtime, store: keptStore(), sightAt: sightTime(clock, runtime) }
      return await checkPayment(parts, checkout)
    },
    // The promise for an order does not change.
    staleTime: Infinity,
  })
}

/** @returns the mutation that pays the missing amount from the demo's test wallet */
export function usePayFromTestWallet(orderId: string) {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => api.call('payFromTestWallet', { body: { transaction_id: orderId } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['checkout', orderId] }),
  })
}

/** Records in this browser that its order was paid. */
export function useRememberPaid(isPaid: boolean, orderId: string): void {
  const clock = useClock()
  useEffect(() => {
    if (isPaid) void rememberPaidOrder(orderId, sightTime(clock, runtime))
  }, [isPaid, orderId, clock])
}

/** Goes back to the game once the payment is confirmed. */
export function useGoOnWhenPaid(isPaid: boolean, returnUrl: string): void {
  const navigate = useNavigate()
  const goOn = useEffectEvent(() => navigate(pageOfAddress(returnUrl), { replace: true }))
  useEffect(() => (isPaid ? runtime.after(GO_ON_MS, () => goOn()) : undefined), [isPaid])
}
