import { type Prizes, prizesOf, satsOf } from '@fairball/domain/protocol/money'
import type { Rules } from '@fairball/domain/protocol/rules'
import type { ResultTier } from '@fairball/domain/protocol/statement-codecs'
import type { StatementOf } from '@fairball/domain/protocol/statements'
import type { DrawRow } from './queries.ts'

const WIN_TYPES = { jackpot: 'JACKPOT', fixed: 'PRIZE', free: 'FREE_TICKET' } as const

/** The winners of a draw, and what is paid for them. Amounts in satoshis. */
export interface Outcome {
  readonly tiers: readonly ResultTier[]
  readonly prizes: Prizes
  readonly winners: readonly number[]
  readonly areScaled: boolean
}

/** @param counted the winners by tier in each piece of the draw */
export function outcomeOf(
  rules: Rules,
  close: StatementOf<'close'>,
  counted: readonly { readonly winners: readonly number[] }[],
): Outcome {
  const winners = rules.tier.map((_, tier) => counted.reduce((sum, piece) => sum + (piece.winners[tier] ?? 0), 0))
  const prizes = prizesOf(rules, winners, { ...close, rate: close.rate.value })
  const each = (tier: number): bigint => prizes.each[tier] ?? 0n
  return {
    prizes,
    winners,
    tiers: rules.tier.map(({ matches, kind }, tier) => ({
      matches,
      kind,
      winners: winners[tier] ?? 0,
      each: each(tier),
    })),
    areScaled: rules.tier.some(
      ({ kind, minor }, tier) => kind === 'fixed' && each(tier) < satsOf(minor, close.rate.value),
    ),
  }
}

/** The tiers that were won, as the statements that write wins take them: one place per tier. */
export function winningOf({ tiers }: Outcome): { matches: number[]; winTypes: string[]; sats: bigint[] } {
  const winning = tiers.filter(({ winners }) => winners > 0)
  return {
    matches: winning.map(({ matches }) => matches),
    winTypes: winning.map(({ kind }) => WIN_TYPES[kind]),
    sats: winning.map(({ each }) => each),
  }
}

/** What a drawn draw must have: the close and the drawing wrote all of it. */
export function drawnFigures(row: DrawRow) {
  const { drawnMask, closeHash, beaconSignature, numbers } = row
  if (drawnMask === null || closeHash === null || beaconSignature === null || numbers === null)
    throw new Error(`draw ${row.id} is ${row.status} without its figures`)
  return { drawnMask, closeHash, signature: beaconSignature, numbers }
}
