import { satsToBtc } from '@fairball/domain/money'
import type { DepositCoin, DepositCoins, UnsignedTx } from '../../ports/wallet/deposit-coins.ts'

/** Size of the input that spends a coin of the deposits (wpkh), in virtual bytes. */
const COIN_VBYTES = 68n
/** Sizes of coins, as upper limits in sats; larger coins are the last size. */
const SIZES = [1_000n, 10_000n, 100_000n, 1_000_000n]
/** Rates for which costs are shown beside the present one, in sats per virtual byte. */
const RATES = [5n, 50n]
/** Coins above this are not small: joining them saves next to nothing. */
const MAX_SMALL_SATS = 1_000_000n
/** Inputs of one transaction: 68,000 virtual bytes, two thirds of what nodes relay. */
const MAX_JOINED = 1_000

/** The coins of the deposits by size, and what spending all of them would cost. */
export interface DepositSummary {
  /** epoch seconds */
  readonly readAt: number
  readonly sizes: readonly { readonly upToSats: bigint | null; readonly coins: number; readonly sats: bigint }[]
  readonly costs: readonly { readonly rate: 'now' | `${bigint}`; readonly sats: bigint }[]
}

/** @param rate the present one, in sats per 1,000 virtual bytes */
export function summaryOf(coins: readonly DepositCoin[], rate: bigint, readAt: number): DepositSummary {
  const costAt = (perKilobyte: bigint): bigint => (BigInt(coins.length) * COIN_VBYTES * perKilobyte) / 1000n
  const sizes = [...SIZES, null].map((upToSats, place) => {
    const above = SIZES[place - 1] ?? 0n
    const own = coins.filter(({ sats }) => sats > above && (upToSats === null || sats <= upToSats))
    return { upToSats, coins: own.length, sats: sumOf(own) }
  })
  const fixed = RATES.map((one) => ({ rate: `${one}` as const, sats: costAt(one * 1000n) }))
  return { readAt, sizes, costs: [{ rate: 'now', sats: costAt(rate) }, ...fixed] }
}

/** The small coins that are worth joining at a rate, smallest first. @param rate in sats per 1,000 virtual bytes */
export function coinsToJoin(coins: readonly DepositCoin[], rate: bigint): DepositCoin[] {
  return coins
    .filter(({ sats }) => sats <= MAX_SMALL_SATS && sats * 1000n > COIN_VBYTES * rate)
    .toSorted((one, other) => (one.sats < other.sats ? -1 : one.sats > other.sats ? 1 : 0))
    .slice(0, MAX_JOINED)
}

/** A transaction that joins small coins, to sign elsewhere, and what it does. */
export interface SweepPlan extends UnsignedTx {
  readonly coins: number
  readonly sats: bigint
  readonly address: string
}

/**
 * Plans a transaction that joins the small coins of the deposits at an address of the operator.
 *
 * @param rate sats per 1,000 virtual bytes
 * @returns null if fewer than two coins are small and worth their fee
 */
export async function planSweep(
  deps: { readonly coins: DepositCoins; readonly operatorAddress: () => Promise<string> },
  rate: bigint,
): Promise<SweepPlan | null> {
  const chosen = coinsToJoin(await deps.coins.list(), rate)
  if (chosen.length < 2) return null
  const address = await deps.operatorAddress()
  const unsigned = await deps.coins.join(chosen, address, rate)
  return { ...unsigned, coins: chosen.length, sats: sumOf(chosen), address }
}

/** A summary as it is stored: JSON has no bigints. */
export function summaryText(summary: DepositSummary): string {
  return JSON.stringify(summary, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))
}

/** @param text of `summaryText` */
export function parseSummary(text: string): DepositSummary {
  return JSON.parse(text, (_key, value: unknown) =>
    typeof value === 'string' && /^\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value,
  ) as DepositSummary // only `summaryText` writes it
}

/** What the operator reads of the deposits' coins. */
export function summaryLines({ sizes, costs }: DepositSummary): string[] {
  return [
    'Coins of the deposits, by size',
    ...sizes.map(({ upToSats, coins, sats }) => {
      const size = upToSats === null ? 'larger' : `to ${satsToBtc(upToSats)} BTC`
      return `  ${size.padEnd(20)}${String(coins).padStart(8)} coins  ${satsToBtc(sats)} BTC`
    }),
    ...costs.map(({ rate, sats }) => {
      const at = rate === 'now' ? 'at the present rate' : `at ${rate} sats/vB`
      return `  spending all ${at} costs ${satsToBtc(sats)} BTC`
    }),
  ]
}

function sumOf(coins: readonly DepositCoin[]): bigint {
  return coins.reduce((sum, { sats }) => sum + sats, 0n)
}
