import { isQuoted, isRate, lowerMedian } from '@fairball/domain/protocol/money'
import { QUOTE_AGE_SECONDS } from '@fairball/domain/protocol/numbers'
import type { CurrencyValue, Quote } from '@fairball/domain/protocol/statement-codecs'
import type { Queries, Tx } from '../../db/pool.ts'
import { readStatementOf } from '../fairness/service.ts'
import type { DrawsContext } from './context.ts'
import * as queries from './queries.ts'
import type { DrawRow } from './queries.ts'

/** A rate that a close may have (fairness section 9). */
interface QuotedRate {
  /** satoshis per unit of the draw's currency: the lower median of the quotes */
  readonly value: number
  readonly quotes: readonly Quote[]
}

/** The selling rate, as statements say it. @throws UnexpectedRowCount before the first rate was read */
export async function presentRate(from: Queries, currency: string): Promise<CurrencyValue> {
  const { satsPerUnit } = await from.one(queries.newestRate, [currency])
  return { currency, value: Number(satsPerUnit) }
}

/**
 * The rate of a close: the quotes of its currency, within the last 15 minutes, from the sources that its draw names.
 *
 * @param at when the close is dated, epoch seconds
 * @returns null if fewer than two of them gave any, or a unit is worth less than draws allow (fairness section 2): the
 *   close has to wait
 */
export async function quotedRate(
  ctx: DrawsContext,
  tx: Tx,
  draw: Pick<DrawRow, 'openHash' | 'currency'>,
  at: number,
): Promise<QuotedRate | null> {
  const { sources } = await readStatementOf(tx, 'open', draw.openHash)
  const quotes = (await ctx.rates.quotes(tx, at, draw.currency)).filter(
    (quote) => sources.includes(quote.source) && quote.at <= at && quote.at >= at - QUOTE_AGE_SECONDS,
  )
  if (!isQuoted(quotes, sources, at)) return null
  const value = lowerMedian(quotes.map(({ rate }) => rate))
  return isRate(value) ? { value, quotes } : null
}
