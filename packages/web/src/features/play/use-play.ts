import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ApiError } from '@fairball/contract/client'
import { rememberPaidOrder } from '../../proof/paid-order.ts'
import { sightTime } from '../../proof/sight-time.ts'
import { useApi } from '../../shared/api.ts'
import { useClock } from '../../shared/use-clock.ts'
import { useConfig } from '../../shared/config.ts'
import { cryptoAccountQuery } from '../../shared/data/crypto-account.ts'
import type { Game } from '../../shared/data/games.ts'
import { RESPONSIBLE_PLAY_KEY } from '../../shared/data/responsible-play.ts'
import { msToFirstLook, takeEarlyLook } from '../../shared/order/early-look.ts'
import { forgetOrdered } from '../../shared/order/kept-order.ts'
import { runtime } from '../../shared/runtime.ts'
import { expectTicket } from '../../shared/seen-draws.ts'
import { useSession } from '../../shared/session/use-session.ts'
import type { DrawPrices } from './draw-prices.ts'
import { pricesOf } from './money-of-game.ts'
import { ORDER_TEXTS } from './order-messages.ts'
import { lookAgainAfterMs } from './payment-view.ts'

/** Delay before the next status check after one that failed, in ms. */
const FAILED_MS = 5_000

/** Refusals that the player can act on; every other failure has the specification's one sentence. */
const EXPLAINED = [
  'GAME_NOT_AVAILABLE',
  'RATE_UNAVAILABLE',
  'TOO_MANY_REQUESTS',
  'LIMIT_REACHED',
  'SELF_EXCLUDED',
  'ACCOUNT_BLOCKED',
]

/** @returns the query of the lines the player has saved; without a player it stays idle */
export function useSavedNumbers(gameKey: string) {
  const api = useApi()
  const { status } = useSession()
  return useQuery({
    queryKey: savedKey(gameKey),
    queryFn: async ({ signal }) => (await api.call('getSavedNumbers', { params: { key: gameKey }, signal })).data,
    enabled: status === 'player',
  })
}

/** @returns the query of the lines of the player's last paid order; without a player it stays idle */
export function useLastPlayedNumbers(gameKey: string) {
  const api = useApi()
  const { status } = useSession()
  return useQuery({
    queryKey: lastPlayedKey(gameKey),
    queryFn: ({ signal }) => api.call('getLastPlayedNumbers', { params: { key: gameKey }, signal }),
    enabled: status === 'player',
  })
}

/** @returns the mutation that replaces the saved lines */
export function useSaveNumbers(gameKey: string) {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (lines: number[][]) => api.call('saveNumbers', { params: { key: gameKey }, body: { lines } }),
    onSuccess: ({ data }) => queryClient.setQueryData(savedKey(gameKey), data),
  })
}

/** @returns the mutation that deletes the saved lines */
export function useDeleteSavedNumbers(gameKey: string) {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => api.call('deleteSavedNumbers', { params: { key: gameKey } }),
    onSuccess: ({ data }) => queryClient.setQueryData(savedKey(gameKey), data),
  })
}

/** One attempt to pay an order. */
interface PaymentAttempt {
  /** The same for every try of this attempt, so that it makes one order. */
  attemptId: string
  key: string
  days: number[]
  weeks: number
  tickets: { isLuckyDip: boolean; numbers: number[] }[]
}

/** The terms of an order as shown before it was made. */
interface ShownOrder {
  game: Game
  /** Number of entries paid with free tickets. */
  free: number
  /** What a line costs in each draw; empty if all cost the same. */
  drawPrices: DrawPrices
}

/** The device has no network, so the order was not sent. */
class OfflineError extends Error {}

/**
 * @returns the mutation that makes the order; its result is the payment page, once the promise in the answer fits the
 *   order. Without a network it fails and sends nothing.
 */
export function useStartPayment({ game, free, drawPrices }: ShownOrder) {
  const api = useApi()
  const clock = useClock()
  const queryClient = useQueryClient()
  const { profile } = useSession()
  const { publicUrl } = useConfig()
  return useMutation({
    mutationFn: async ({ attemptId, key, ...order }: PaymentAttempt) => {
      if (!runtime.isOnline()) throw new OfflineError()
      // The code that checks the promise is not part of the page: it loads at the press.
      const [{ placeOrder }, { keptStore }, account] = await Promise.all([
        import('../../proof/place-order.ts'),
        import('../../proof/kept-store.ts'),
        queryClient.fetchQuery({ ...cryptoAccountQuery(api), staleTime: 0 }),
      ])
      return await placeOrder(
        { api, runtime, store: keptStore(), sightAt: sightTime(clock, runtime) },
        {
          ...order,
          attempt: attemptId,
          game: key,
          player: profile?.username ?? '',
          firstDraw: game.next_draw.number,
          free,
          price: pricesOf(game),
          drawPrices,
          payto: account.btc_address ?? '',
          isOwnPage: (address) => address.startsWith(`${publicUrl}/`),
        },
      )
    },
    onSuccess: () => {
      expectTicket()
      // What is left of the weekly limit.
      return queryClient.invalidateQueries({ queryKey: RESPONSIBLE_PLAY_KEY, refetchType: 'none' })
    },
  })
}

/** @returns the text for an order that could not be made (specification, section 8) */
export function paymentErrorText(error: unknown): string {
  if (error instanceof OfflineError) return ORDER_TEXTS.offline
  if (isPromiseError(error)) return ORDER_TEXTS.notPromised(error.message)
  if (!(error instanceof ApiError)) return ORDER_TEXTS.paymentFailed
  const isExplained = error.reason !== null || EXPLAINED.includes(error.code)
  return isExplained ? error.message : ORDER_TEXTS.paymentFailed
}

/**
 * @returns whether the promise differs from the order; recognised by name, because the module that throws the error
 *   loads at the press
 */
export function isPromiseError(error: unknown): error is Error {
  return error instanceof Error && error.name === 'PromiseError'
}

/** @returns whether a call was refused because of a limit, which its message names */
export function isLimit(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'LIMIT_REACHED'
}

/**
 * @returns the place to correct a refused order: the player's limits and pauses, or its lines; null if neither helps
 */
export function remedyOf(error: unknown): 'own limits' | 'lines' | null {
  if (!(error instanceof ApiError)) return null
  if (error.code === 'SELF_EXCLUDED' || error.reason === 'WEEKLY_LIMIT') return 'own limits'
  return error.reason === 'GAME_LINES' || error.reason === 'EQUAL_LINES' ? 'lines' : null
}

/**
 * @returns the query of a payment. Its status is first asked for a second after the return from the payment, then again
 *   until nothing can change, so that the page turns to "confirmed" automatically.
 */
export function usePaymentStatus(gameKey: string, transactionId: string) {
  const api = useApi()
  const clock = useClock()
  const { status } = useSession()
  const queryClient = useQueryClient()
  const [isDue, setDue] = useState(() => msToFirstLook(transactionId) === 0)
  useEffect(() => runtime.after(msToFirstLook(transactionId), () => setDue(true)), [transactionId])
  const query = useQuery({
    queryKey: ['payment', transactionId],
    queryFn: ({ signal }) => api.call('getPayment', { query: { transaction_id: transactionId }, signal }),
    initialData: () => takeEarlyLook(transactionId),
    refetchOnMount: false,
    enabled: isDue && status === 'player',
    refetchInterval: ({ state }) =>
      state.status === 'error' ? againAfterMs(state.error) : lookAgainAfterMs(state.data?.status),
    staleTime: 0,
    // The answer of an earlier visit would show before the check that is announced.
    gcTime: 0,
  })
  const paymentStatus = query.data?.status
  const isPaid = paymentStatus === 'PAID'
  // The lines are bought: the next order begins empty.
  const isBought = isPaid || paymentStatus === 'PROCESSING'
  useEffect(() => {
    if (isBought) forgetOrdered(sessionStorage, transactionId)
  }, [isBought, transactionId])
  useEffect(() => {
    if (!isPaid) return
    expectTicket()
    void queryClient.invalidateQueries({ queryKey: ['tickets'] })
    void rememberPaidOrder(transactionId, sightTime(clock, runtime))
    // Fetched again when lines are chosen.
    void queryClient.invalidateQueries({ queryKey: ['games'], refetchType: 'none' })
    void queryClient.invalidateQueries({ queryKey: lastPlayedKey(gameKey) })
  }, [isPaid, gameKey, transactionId, clock, queryClient])
  return query
}

/** Whether there is no such order for this player: asking again would not help. */
export function isGone(error: Error): boolean {
  return error instanceof ApiError && error.code === 'NOT_FOUND'
}

/** Delay before a payment that could not be read is asked for again, in ms; false if there is none. */
function againAfterMs(error: Error | null): number | false {
  return error !== null && isGone(error) ? false : FAILED_MS
}

function savedKey(gameKey: string) {
  return ['saved-numbers', gameKey]
}

function lastPlayedKey(gameKey: string) {
  return ['last-played-numbers', gameKey]
}

/**
 * @returns the address of the payment page, ours or the payment provider's; undefined until it is known, or when it is
 * not needed
 */
export function useCheckoutUrl(transactionId: string, isAsked: boolean): string | undefined {
  const api = useApi()
  const params = { transaction_id: transactionId }
  const query = useQuery({
    queryKey: ['checkout-address', transactionId],
    queryFn: ({ signal }) => api.call('getCheckoutAddress', { params, signal }),
    enabled: isAsked,
  })
  return isAsked ? query.data?.checkout_url : undefined
}
