import { LotteryError } from '@fairball/domain/errors'
import { CURRENCIES, DEFAULT_CURRENCY_CODE } from '@fairball/domain/fiat'
import type { Stretch } from './journal.ts'

type Query = Readonly<Record<string, unknown>>

/** Nothing is dated later, and what is later is a mistake in milliseconds. */
const LATEST_AT = 32_503_680_000

/** `format=`, JSON by default. @throws LotteryError INVALID_PAYLOAD */
export function formatOf({ format = 'json' }: Query): 'csv' | 'json' {
  if (format === 'json' || format === 'csv') return format
  throw invalid('format', 'Must be json or csv.')
}

/** `currency=`, the product's first by default. @throws LotteryError INVALID_PAYLOAD */
export function currencyOf({ currency = DEFAULT_CURRENCY_CODE }: Query): string {
  const known = CURRENCIES.find(({ code }) => code === currency)
  if (known === undefined) throw invalid('currency', 'Must be the code of one of /currencies.')
  return known.code
}

/** A moment in epoch seconds. @param otherwise what a missing one is; null if it must be given @throws LotteryError */
export function momentOf(query: Query, name: string, otherwise: number | null = null): number {
  const value = query[name]
  if (value === undefined && otherwise !== null) return otherwise
  const at = typeof value === 'string' && /^\d{1,11}$/u.test(value) ? Number(value) : Number.NaN
  if (!(at <= LATEST_AT)) throw invalid(name, 'Must be a time in epoch seconds.')
  return at
}

/** `from=` and `to=`, the end excluded. @throws LotteryError INVALID_PAYLOAD */
export function stretchOfQuery(query: Query): Stretch {
  const [from, to] = [momentOf(query, 'from'), momentOf(query, 'to')]
  if (to < from) throw invalid('to', 'Must not be before from.')
  return { from, to }
}

function invalid(name: string, problem: string): LotteryError {
  return new LotteryError('INVALID_PAYLOAD', undefined, { fields: { [name]: problem } })
}
