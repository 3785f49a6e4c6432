import { formatMoney } from '@fairball/domain/fiat'
import type { Game } from '../../shared/data/games.ts'
import { fiatIn } from '../../shared/player-view.ts'

/** @returns the ticket price for a button: "£2", and with both decimals if it is not a whole amount, "£1.50" */
export function priceOfTicket(game: Pick<Game, 'ticket_price'>, currencyCode: string): string {
  const price = fiatIn(game.ticket_price.fiat, currencyCode)
  return formatMoney(price, { stripZeros: Number.isInteger(price.value) })
}
