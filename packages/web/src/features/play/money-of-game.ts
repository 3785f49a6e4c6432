import { formatMoney } from '@fairball/domain/fiat'
import type { Game } from '../../shared/data/games.ts'
import { amountIn } from '../../shared/player-view.ts'

/** The ticket price of a game in one currency. */
interface TicketPrice {
  /** In hundredths of the currency's unit. */
  readonly minor: number
  /** Writes an amount of hundredths: "£6.00". */
  readonly write: (minor: number) => string
}

/** @returns the ticket price, and the format of its sums */
export function ticketPriceOf(game: Pick<Game, 'ticket_price'>, currencyCode: string): TicketPrice {
  const price = amountIn(game.ticket_price.fiat, currencyCode)
  return {
    minor: Math.round((price?.value ?? 0) * 100),
    write: (minor) => (price === null ? '' : formatMoney({ ...price, value: minor / 100 })),
  }
}

/** @returns what a line costs in a game, or in one of its draws, by currency, in hundredths of the currency's unit */
export function pricesOf({ ticket_price: { fiat } }: Pick<Game, 'ticket_price'>): Record<string, number> {
  return Object.fromEntries(Object.entries(fiat).map(([code, { value }]) => [code, Math.round(value * 100)]))
}
