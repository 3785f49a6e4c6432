import type { DrawMoney } from '@fairball/contract/schemas/game'
import type { LedgerAccountKind } from '../ledger/accounts.ts'
import type { TransferSums } from '../ledger/service.ts'
import { amountOf } from '../payments/service.ts'
import type { DrawRates } from './draw-views.ts'

/** Everything the ledger posts for one draw, from its close to its settlement (decisions section 5). */
export const DRAW_EVENTS = [
  'draw.closed',
  'draw.covered',
  'draw.fixed-prizes',
  'draw.floored',
  'draw.jackpot',
  'draw.fee-released',
  'draw.donated',
  'draw.returned',
] as const

type DrawEvent = (typeof DRAW_EVENTS)[number]

/** Where the money of a draw came from and where it went, in sats. */
interface DrawMoneySats {
  readonly stakes: bigint
  readonly fromPool: bigint
  readonly fromBankroll: bigint
  readonly donation: bigint
  readonly fee: bigint
  readonly prizePoolShare: bigint
  readonly prizes: bigint
  readonly jackpot: bigint
  readonly toNext: bigint
  readonly releasedFee: bigint
  readonly releasedDonation: bigint
}

/**
 * Calculates the money of a draw from what the ledger has posted for it. Nothing is made or lost: `stakes + fromPool +
 * fromBankroll === donation + fee + prizes + jackpot + toNext`, and `prizePoolShare === stakes - donation - fee`.
 *
 * @param moved what {@link DRAW_EVENTS} of the draw have moved
 */
export function moneyMoved(moved: readonly TransferSums[]): DrawMoneySats {
  const of = (event: DrawEvent, kind: LedgerAccountKind): TransferSums | undefined =>
    moved.find((sums) => sums.event === event && sums.kind === kind)
  const gained = (event: DrawEvent, kind: LedgerAccountKind): bigint => of(event, kind)?.gainedSats ?? 0n
  const given = (event: DrawEvent, kind: LedgerAccountKind): bigint => of(event, kind)?.givenSats ?? 0n
  const prizePoolShare = gained('draw.closed', 'prize_pool')
  return {
    stakes: given('draw.closed', 'stakes_held'),
    // The pot takes the whole prize pool, including the draw's own share of the stakes.
    fromPool: gained('draw.closed', 'pot') - prizePoolShare,
    fromBankroll: gained('draw.covered', 'pot') + gained('draw.floored', 'pot'),
    donation: gained('draw.closed', 'donation_pool'),
    fee: gained('draw.closed', 'fee_reserve'),
    prizePoolShare,
    prizes: given('draw.fixed-prizes', 'pot'),
    jackpot: given('draw.jackpot', 'pot'),
    toNext: gained('draw.returned', 'prize_pool'),
    releasedFee: gained('draw.fee-released', 'operator_fee'),
    releasedDonation: gained('draw.donated', 'partner'),
  }
}

/** The money of a draw in API bodies. */
export function drawMoneyOf(
  money: DrawMoneySats,
  rates: DrawRates,
  { isJackpotWon }: { isJackpotWon: boolean },
): DrawMoney {
  const amount = (sats: bigint): DrawMoney['stakes'] => amountOf(sats, rates)
  return {
    stakes: amount(money.stakes),
    from_pool: amount(money.fromPool),
    from_bankroll: amount(money.fromBankroll),
    donation: amount(money.donation),
    fee: amount(money.fee),
    prize_pool_share: amount(money.prizePoolShare),
    prizes: amount(money.prizes),
    jackpot: amount(money.jackpot),
    to_next: amount(money.toNext),
    released: isJackpotWon ? { fee: amount(money.releasedFee), donation: amount(money.releasedDonation) } : null,
  }
}
