import type { DrawMoney } from '@fairball/contract/schemas/game'
import type { Amount } from '@fairball/contract/schemas/money'
import { btcToSats, satsToBtc } from '@fairball/domain/money'
import type { Tone } from '@fairball/ui/stacked-bar.tsx'

/** One part of the money of a draw. */
export interface MoneyPart {
  name: string
  amount: Amount
  tone: Tone
  /** Share of its side, in percent, rounded down to two decimals. */
  percent: number
}

/** Both sides of the money of a draw. */
export interface MoneySides {
  cameIn: MoneyPart[]
  wentOut: MoneyPart[]
  /** The total of each side, in BTC; null if nothing came in. */
  totalBtc: string | null
}

/** The page's names of the parts. */
interface MoneyNames {
  stakes: string
  fromPool: string
  fromBankroll: string
  prizes: string
  jackpot: string
  donation: string
  fee: string
  toNext: string
}

/**
 * Both sides add up to the same; the server has counted them. Sums are done here and not in components: there, the
 * React Compiler (oxc, 0.156) makes `undefined` of a literal like `0n`.
 *
 * @returns the sources and uses of a draw's money
 */
export function moneySides(money: DrawMoney, names: MoneyNames): MoneySides {
  const cameIn = [
    { name: names.stakes, amount: money.stakes, tone: 1 },
    { name: names.fromPool, amount: money.from_pool, tone: 5 },
    { name: names.fromBankroll, amount: money.from_bankroll, tone: 4 },
  ] as const
  const wentOut = [
    { name: names.prizes, amount: money.prizes, tone: 1 },
    { name: names.jackpot, amount: money.jackpot, tone: 2 },
    { name: names.donation, amount: money.donation, tone: 3 },
    { name: names.fee, amount: money.fee, tone: 4 },
    { name: names.toNext, amount: money.to_next, tone: 5 },
  ] as const
  const totalSats = cameIn.reduce((sum, part) => sum + satsOf(part.amount), 0n)
  const withPercent = (part: Omit<MoneyPart, 'percent'>): MoneyPart => ({
    ...part,
    percent: totalSats === 0n ? 0 : Number((satsOf(part.amount) * 10_000n) / totalSats) / 100,
  })
  return {
    cameIn: cameIn.map(withPercent),
    wentOut: wentOut.map(withPercent),
    totalBtc: totalSats === 0n ? null : satsToBtc(totalSats),
  }
}

/** @returns the parts that have money */
export function withoutEmpty(parts: readonly MoneyPart[]): MoneyPart[] {
  return parts.filter((part) => satsOf(part.amount) > 0n)
}

function satsOf(amount: Amount): bigint {
  return btcToSats(amount.crypto.value)
}
