import { btcToSats, satsToBtc } from '@fairball/domain/money'
import type { Win } from './use-results.ts'

/**
 * Winning entries of one play with the same prize: an order of a thousand lines can win a hundred times in one draw.
 */
export interface WinGroup {
  /** One of them, which represents the others. */
  win: Win
  /** Number of entries. */
  count: number
  /**
   * Their total in BTC; null for free tickets. In other currencies a sum of rounded amounts would differ from the
   * payout.
   */
  totalBtc: string | null
}

/** The order of groups within one play. */
const ORDER: Record<Win['win_type'], number> = { JACKPOT: 0, PRIZE: 1, FREE_TICKET: 2 }

/**
 * Groups equal wins of one play.
 *
 * @param wins newest first
 * @returns the groups, newest play first; within a play the jackpot, then larger prizes before smaller, then free
 *   tickets
 */
export function groupWins(wins: readonly Win[]): WinGroup[] {
  const byPlay = Map.groupBy(wins, (win) => win.play_id)
  return Array.from(byPlay.values()).flatMap((ofPlay) =>
    Array.from(Map.groupBy(ofPlay, kindOf).values(), groupOf).toSorted((a, b) => rankOf(a) - rankOf(b) || bySize(a, b)),
  )
}

function kindOf({ win_type, amount_won }: Win): string {
  return `${win_type} ${amount_won?.crypto.value ?? ''}`
}

function groupOf(wins: readonly Win[]): WinGroup {
  // A group is made of its first member, so it has one.
  const win = wins[0] as Win
  const sats = satsOf(win) * BigInt(wins.length)
  return { win, count: wins.length, totalBtc: win.amount_won === null ? null : satsToBtc(sats) }
}

function rankOf({ win }: WinGroup): number {
  return ORDER[win.win_type]
}

function bySize(a: WinGroup, b: WinGroup): number {
  return Number(satsOf(b.win) - satsOf(a.win))
}

function satsOf({ amount_won }: Win): bigint {
  return amount_won === null ? 0n : btcToSats(amount_won.crypto.value)
}
