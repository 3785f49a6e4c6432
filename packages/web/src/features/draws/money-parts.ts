import { btcToSats, satsToBtc } from '@fairball/domain/money'
import type { DrawMoney } from '@fairball/contract/schemas/game'
import type { Tone } from '../../ui/stacked-bar.tsx'
import { DRAWS_TEXTS } from './messages.ts'
import type { Amount } from './use-draws.ts'

/** One part of the money of a draw. */
export interface MoneyPart {
  name: string
  amount: Amount
  tone: Tone
  /** Of its side, in percent, rounded down to two decimals. */
  percent: number
}

/** Both sides of the money of a draw. */
export interface MoneySides {
  cameIn: MoneyPart[]
  wentOut: MoneyPart[]
  /** What each side adds up to, in BTC; null where nothing came in. */
  totalBtc: string | null
}

/**
 * Both sides add up to the same; the server has counted them. Sums are done here and not in components: there, the React Compiler (oxc, 0.156)
 * makes `undefined` of a literal like `0n`.
 *
 * @returns where the money of a draw came from and where it went
 */
export function moneySides(money: DrawMoney, entries: number): MoneySides {
  const cameIn = [
    { name: DRAWS_TEXTS.stakes(entries), amount: money.stakes, tone: 1 },
    { name: DRAWS_TEXTS.fromPool, amount: money.from_pool, tone: 5 },
    { name: DRAWS_TEXTS.fromBankroll, amount: money.from_bankroll, tone: 4 },
  ] as const
  const wentOut = [
    { name: DRAWS_TEXTS.fixedPrizes, amount: money.prizes, tone: 1 },
    { name: DRAWS_TEXTS.jackpot, amount: money.jackpot, tone: 2 },
    { name: DRAWS_TEXTS.toPartners, amount: money.donation, tone: 3 },
    { name: DRAWS_TEXTS.toOperator, amount: money.fee, tone: 4 },
    { name: DRAWS_TEXTS.toNext, amount: money.to_next, tone: 5 },
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

function satsOf(amount: Amount): bigint {
  return btcToSats(amount.crypto.value)
}
