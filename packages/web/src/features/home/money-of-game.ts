import { DEFAULT_CURRENCY_CODE, formatMoney } from '@fairball/domain/fiat'
import type { Fiat, FiatAmount } from '@fairball/contract/schemas/money'
import type { Game } from '../../app/data/games.ts'

/** @returns the amount in a currency; in the default currency where the answer does not know that one */
export function amountIn(fiat: Fiat, currencyCode: string): FiatAmount {
  return fiat[currencyCode] ?? fiat[DEFAULT_CURRENCY_CODE] ?? { value: 0, symbol: '', position_of_symbol: 'LEFT' }
}

/** @returns what a ticket costs, for a button: "£2", and with both decimals where it is no whole amount, "£1.50" */
export function priceOfTicket(game: Pick<Game, 'ticket_price'>, currencyCode: string): string {
  const price = amountIn(game.ticket_price.fiat, currencyCode)
  return formatMoney(price, { stripZeros: Number.isInteger(price.value) })
}
