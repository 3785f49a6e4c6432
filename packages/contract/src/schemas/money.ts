/** Amounts of money on the wire. */
import * as z from 'zod/mini'

/** An amount of bitcoin: a decimal text with 8 places, so that no reader rounds it. */
export const cryptoSchema = z.object({ value: z.string(), code: z.literal('BTC') })
export type CryptoAmount = z.output<typeof cryptoSchema>

const symbol = { symbol: z.string(), position_of_symbol: z.enum(['LEFT', 'RIGHT']) }

/** An amount in one currency, in its whole units: 2.5 is two pounds fifty. */
export const fiatAmountSchema = z.object({ value: z.number(), ...symbol })
export type FiatAmount = z.output<typeof fiatAmountSchema>

/** An amount in every currency of `/currencies`, by currency code. */
export const fiatSchema = z.record(z.string(), fiatAmountSchema)
export type Fiat = z.output<typeof fiatSchema>

/** An amount of bitcoin and its view in every currency. */
export const amountSchema = z.object({ crypto: cryptoSchema, fiat: fiatSchema })
export type Amount = z.output<typeof amountSchema>

/** A prize table's value in one currency: an amount, or a word if the prize has no fixed amount. */
export const prizeAmountSchema = z.object({
  value: z.union([z.number(), z.literal('Jackpot'), z.literal('Free ticket')]),
  ...symbol,
})
export type PrizeAmount = z.output<typeof prizeAmountSchema>
