import { DEFAULT_CURRENCY_CODE, formatMoney } from '@fairball/domain/fiat'
import type { FiatAmount, PrizeAmount } from '@fairball/contract/schemas/money'
import type { Game } from '../../app/data/games.ts'

/** @returns the amount in a currency; in the default currency where the answer does not know that one */
export function amountIn<Amount extends FiatAmount | PrizeAmount>(
  fiat: Readonly<Record<string, Amount>>,
  code: string,
): Amount | null {
  return fiat[code] ?? fiat[DEFAULT_CURRENCY_CODE] ?? null
}

/** The ticket price of a game in one currency. */
export interface TicketPrice {
  /** In hundredths of the currency's unit. */
  readonly minor: number
  /** Writes an amount of hundredths: "£6.00". */
  readonly write: (minor: number) => string
}

/** @returns what a ticket costs, and how sums of it are written */
export function ticketPriceOf(game: Pick<Game, 'ticket_price'>, currencyCode: string): TicketPrice {
  const price = amountIn(game.ticket_price.fiat, currencyCode)
  return {
    minor: Math.round((price?.value ?? 0) * 100),
    write: (minor) => (price === null ? '' : formatMoney({ ...price, value: minor / 100 })),
  }
}
