/** The kinds of ledger account (decisions section 5). */
export type LedgerAccountKind =
  | 'wallet'
  | 'lightning'
  | 'received'
  | 'stakes_held'
  | 'prize_pool'
  | 'donation_pool'
  | 'fee_reserve'
  | 'pot'
  | 'reserve'
  | 'winnings'
  | 'partner'
  | 'bankroll'
  | 'operator_fee'
  | 'in_flight'
  | 'network_fees'
  | 'losses'
  | 'suspense'

/** One account of the ledger: its kind, and its owner if there are many. */
export interface LedgerAccount {
  readonly kind: LedgerAccountKind
  /** a game's key, a draw's, player's or partner's id; empty if there is only one */
  readonly subject: string
}

const only = (kind: LedgerAccountKind): LedgerAccount => ({ kind, subject: '' })

export const wallet = only('wallet')
/** Everything that the operator's Lightning node holds. */
export const lightning = only('lightning')
/** Money of orders that are not PAID yet. */
export const received = only('received')
/** Money that came in without an order it belongs to. */
export const suspense = only('suspense')
export const bankroll = only('bankroll')
export const operatorFee = only('operator_fee')
/** Payouts made and not yet sent. */
export const inFlight = only('in_flight')
export const networkFees = only('network_fees')
export const losses = only('losses')

/** Stakes of a game's draws that have not closed. */
export const stakesHeld = (gameKey: string): LedgerAccount => ({ kind: 'stakes_held', subject: gameKey })
export const prizePool = (gameKey: string): LedgerAccount => ({ kind: 'prize_pool', subject: gameKey })
export const donationPool = (gameKey: string): LedgerAccount => ({ kind: 'donation_pool', subject: gameKey })
export const feeReserve = (gameKey: string): LedgerAccount => ({ kind: 'fee_reserve', subject: gameKey })
/** The prize pool at a draw's close, until that draw is settled. */
export const pot = (drawId: bigint): LedgerAccount => ({ kind: 'pot', subject: String(drawId) })
/** What the operator set aside at a draw's close: its guaranteed jackpot and its cover of fixed prizes. */
export const reserve = (drawId: bigint): LedgerAccount => ({ kind: 'reserve', subject: String(drawId) })
/** What a player is owed: prizes, refunds and excess payments. */
export const winnings = (playerId: bigint): LedgerAccount => ({ kind: 'winnings', subject: String(playerId) })
export const partner = (partnerId: string): LedgerAccount => ({ kind: 'partner', subject: partnerId })

/** Accounts whose balance is what was put in less what was taken out; every other is a liability. */
export const DEBIT_KINDS: readonly LedgerAccountKind[] = ['wallet', 'lightning', 'network_fees', 'losses']

/** The balance as a person reads it: debit accounts hold minus the sum of their postings. */
export function naturalBalance(kind: LedgerAccountKind, sumSats: bigint): bigint {
  return DEBIT_KINDS.includes(kind) ? -sumSats : sumSats
}
