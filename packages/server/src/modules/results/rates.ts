import { ratesAt } from '../payments/service.ts'
import type { ResultsContext } from './context.ts'
import type { DrawRates } from './draw-views.ts'

/** Finds the rates for each draw's amounts: those of its close, or else the newest ones. */
export async function ratesOf(
  ctx: ResultsContext,
  rows: readonly { rateAt: number | null }[],
): Promise<(row: { rateAt: number | null }) => DrawRates> {
  const nowAt = ctx.runtime.clock.now()
  const momentOf = (row: { rateAt: number | null }): number => row.rateAt ?? nowAt
  const moments = [...new Set(rows.map(momentOf))]
  const found = moments.length === 0 ? new Map<number, DrawRates>() : await ratesAt(ctx.db, moments)
  return (row) => found.get(momentOf(row)) ?? new Map()
}
