import { momentLabel } from '@fairball/domain/draw-time-label'
import { CURRENCIES, DEFAULT_CURRENCY_CODE, formatMoney } from '@fairball/domain/fiat'
import { satsToBtc } from '@fairball/domain/money'
import { utcOffsetSeconds, zoneCity } from '@fairball/domain/time-zone'
import { fiatOf } from '../payments/service.ts'

/** The format of amounts and times for one player, readable anywhere and at any time. */
export interface PlayerWords {
  /** In the player's currency alone: "£5.00"; in bitcoin if no rate is known. */
  readonly short: (sats: bigint) => string
  /** "£5.00 (0.00005000 BTC)". */
  readonly money: (sats: bigint) => string
  /** "Wed, Nov 25, 8:00 PM (London)". @param at epoch seconds */
  readonly time: (at: number) => string
}

/**
 * The formats of a player.
 *
 * @param player the time zone as an IANA name
 * @param rates satoshis per unit by currency
 * @param nowAt epoch seconds
 */
export function wordsOf(
  { zone, currencyId }: { readonly zone: string; readonly currencyId: number },
  rates: ReadonlyMap<string, bigint>,
  nowAt: number,
): PlayerWords {
  const code = CURRENCIES.find(({ id }) => id === currencyId)?.code ?? DEFAULT_CURRENCY_CODE
  const btc = (sats: bigint): string => `${satsToBtc(sats)} BTC`
  const fiat = (sats: bigint): string | null => {
    const amounts = fiatOf(sats, rates)
    const amount = amounts[code] ?? amounts[DEFAULT_CURRENCY_CODE]
    return amount === undefined ? null : formatMoney(amount)
  }
  return {
    short: (sats) => fiat(sats) ?? btc(sats),
    money: (sats) => {
      const amount = fiat(sats)
      return amount === null ? btc(sats) : `${amount} (${btc(sats)})`
    },
    time: timeIn(zone, nowAt),
  }
}

/** How a player can be paid. */
export interface Payee {
  /** on the chain */
  readonly address: string | null
  /** over Lightning, if the player is paid there first */
  readonly destination: string | null
  readonly isVerified: boolean
}

/** @returns what a player has to do to be paid, as a sentence; null if nothing is missing */
export function whatPaymentNeeds(payee: Payee): string | null {
  if (placeOf(payee) === null) return 'Add a payout address to receive it.'
  return payee.isVerified ? null : 'Verify your email address to receive it.'
}

/**
 * Where a player is paid: a bitcoin address, or "ann@wallet.example over Lightning"; null if nowhere.
 *
 * @param shownAs how the address or destination is written
 */
export function placeOf({ address, destination }: Payee, shownAs: (text: string) => string = String): string | null {
  if (destination !== null) return `${shownAs(destination)} over Lightning`
  return address === null ? null : shownAs(address)
}

/**
 * Formats moments for a reader in a time zone (IANA), which it names: "Wed, Nov 25, 8:00 PM (London)". Times are epoch
 * seconds.
 */
export function timeIn(zone: string, nowAt: number): (at: number) => string {
  const utcOffsetAt = (at: number): number => utcOffsetSeconds(zone, at)
  return (at) => `${momentLabel({ at, nowAt, utcOffsetAt })} (${zoneCity(zone)})`
}
