import type { Balance } from '@fairball/contract/schemas/account'
import type { Amount, Fiat } from '@fairball/contract/schemas/money'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../api.ts'

/** The key of the player's money. */
export const BALANCE_KEY = ['balance'] as const

/** How old a balance may be when another page shows it, in ms. */
const FRESH_MS = 60_000

/** @returns the query of the player's money */
export function useBalance() {
  const api = useApi()
  return useQuery({
    queryKey: BALANCE_KEY,
    queryFn: ({ signal }) => api.call('getBalance', { signal }),
    staleTime: FRESH_MS,
  })
}

function isZero({ crypto }: Amount): boolean {
  return Number(crypto.value) === 0
}

/** @returns what has not reached the player yet, in every currency; null if that is nothing */
export function owedFiat({ waiting, on_its_way: onItsWay }: Balance): Fiat | null {
  if (isZero(waiting.total) && isZero(onItsWay.total)) return null
  return Object.fromEntries(
    Object.entries(waiting.total.fiat).map(([code, amount]) => [
      code,
      { ...amount, value: amount.value + (onItsWay.total.fiat[code]?.value ?? 0) },
    ]),
  )
}
