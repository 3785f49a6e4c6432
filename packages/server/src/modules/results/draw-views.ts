import type { Draw, Partner, WatchPrize, WinType } from '@fairball/contract/schemas/game'
import { monthName } from '@fairball/domain/month-names'
import type { StoredPartner, StoredTier } from '../draws/service.ts'
import { wordIn } from '../games/service.ts'
import { amountOf } from '../payments/service.ts'

/** The rates for a draw's amounts: satoshis per unit, by currency. */
export type DrawRates = ReadonlyMap<string, bigint>

const WIN_TYPES = { jackpot: 'JACKPOT', fixed: 'PRIZE', free: 'FREE_TICKET' } as const satisfies Record<
  StoredTier['kind'],
  WinType
>

/** The API's word for a tier's kind. */
export function winTypeOf(kind: StoredTier['kind']): WinType {
  return WIN_TYPES[kind]
}

/** The tiers of a settled draw, from the top; amounts are per winner. For visitors: `youWin` is false. */
export function prizesOf(
  draw: { readonly tiers: readonly StoredTier[] | null; readonly partners: readonly StoredPartner[] | null },
  rates: DrawRates,
): WatchPrize[] {
  return (draw.tiers ?? []).map((tier) => {
    const isPaidInMoney = tier.kind === 'fixed' || (tier.kind === 'jackpot' && tier.winners > 0)
    const amount = isPaidInMoney
      ? amountOf(BigInt(tier.satsEach), rates)
      : { crypto: null, fiat: wordIn(tier.kind === 'free' ? 'Free ticket' : 'Jackpot', rates) }
    return {
      type: winTypeOf(tier.kind),
      matches: [tier.matches],
      ...amount,
      number_of_wins: tier.winners,
      youWin: false,
      // The partners share in the jackpot, in no other tier.
      partners: tier.kind === 'jackpot' ? partnersOf(draw.partners) : [],
    }
  })
}

/** The same prizes as one player sees them. */
export function prizesOfPlayer(prizes: readonly WatchPrize[], wonMatches: ReadonlySet<number>): WatchPrize[] {
  return prizes.map((prize) => ({ ...prize, youWin: prize.matches.some((matches) => wonMatches.has(matches)) }))
}

/** A settled draw as the history shows it. */
export function drawOf(
  row: {
    readonly id: bigint
    readonly number: number
    readonly startAt: number
    readonly numbers: readonly number[] | null
    readonly jackpotSats: bigint | null
    readonly donationSats: bigint | null
    readonly partners: readonly StoredPartner[] | null
  },
  rates: DrawRates,
): Draw {
  return {
    id: Number(row.id),
    number: row.number,
    datetime: row.startAt,
    month_and_year: monthAndYear(row.startAt),
    numbers: [...(row.numbers ?? [])],
    jackpot: paidOrFalse(row.jackpotSats, rates),
    donation: paidOrFalse(row.donationSats, rates),
    partners: partnersOf(row.partners),
  }
}

/**
 * The jackpot of a settled draw, whether won or not: what was left of its pot after the fixed prizes, at least the
 * guaranteed jackpot (fairness.md section 8).
 */
export function jackpotOf(row: {
  readonly potSats: bigint | null
  readonly floorSats: bigint | null
  readonly tiers: readonly StoredTier[] | null
}): bigint {
  const fixedSats = (row.tiers ?? [])
    .filter((tier) => tier.kind === 'fixed')
    .reduce((sum, tier) => sum + BigInt(tier.winners) * BigInt(tier.satsEach), 0n)
  const leftSats = (row.potSats ?? 0n) - fixedSats
  const floorSats = row.floorSats ?? 0n
  return leftSats > floorSats ? leftSats : floorSats
}

function paidOrFalse(sats: bigint | null, rates: DrawRates): Draw['jackpot'] {
  return sats === null || sats === 0n ? false : amountOf(sats, rates)
}

function partnersOf(partners: readonly StoredPartner[] | null): Partner[] {
  return (partners ?? []).map(({ name, url }) => ({ name, url }))
}

/** The UTC month of a moment, like `November 2026`. */
function monthAndYear(at: number): string {
  return `${monthName(at)} ${new Date(at * 1000).getUTCFullYear()}`
}
