import type { LedgerAccountKind } from '../ledger/accounts.ts'

/** Every event that the ledger posts. One that is missing here is in no line, and the statement of its month fails. */
export const LEDGER_EVENTS = [
  'deposit.reversed',
  'deposit.unknown',
  'draw.closed',
  'draw.covered',
  'draw.donated',
  'draw.fee-released',
  'draw.fixed-prizes',
  'draw.floored',
  'draw.jackpot',
  'draw.resealed',
  'draw.returned',
  'draw.surplus',
  'draw.topped-up',
  'draw.unsealed',
  'game.free-tickets-paid',
  'game.retired',
  'lightning.fee',
  'lightning.fees',
  'lightning.moved',
  'lightning.rounding',
  'money.unknown',
  'operator.deposit',
  'operator.own-transfer',
  'operator.transfer-fee',
  'operator.withdrawal',
  'order.excess',
  'order.goodwill',
  'order.paid',
  'order.refund',
  'payment.confirmed',
  'payment.reversed',
  'payout.cancelled',
  'payout.fee',
  'payout.made',
  'payout.sent',
  'play.returned',
  'provider.fee',
] as const

type LedgerEvent = (typeof LEDGER_EVENTS)[number]

/** A line of a month's statement: what some events moved on some kinds of account. */
interface LineRule {
  readonly key: string
  readonly accounts: readonly LedgerAccountKind[]
  /** null for all */
  readonly events: readonly LedgerEvent[] | null
}

/** What a month is asked for first, and then the rest of each account. A posting is in the first line that takes it. */
const RULES: readonly LineRule[] = [
  { key: 'stakes', accounts: ['stakes_held'], events: ['order.paid'] },
  { key: 'refunds', accounts: ['winnings'], events: ['order.refund', 'order.excess', 'play.returned'] },
  { key: 'fixed_prizes', accounts: ['winnings'], events: ['draw.fixed-prizes'] },
  { key: 'jackpots', accounts: ['winnings'], events: ['draw.jackpot'] },
  { key: 'free_tickets', accounts: ['winnings'], events: ['game.free-tickets-paid'] },
  { key: 'donations', accounts: ['partner'], events: ['draw.donated', 'game.retired'] },
  { key: 'donations_set_aside', accounts: ['donation_pool'], events: ['draw.closed'] },
  { key: 'donations_released', accounts: ['donation_pool'], events: null },
  { key: 'fees_set_aside', accounts: ['fee_reserve'], events: ['draw.closed'] },
  { key: 'fees_given', accounts: ['fee_reserve'], events: null },
  { key: 'fees_released', accounts: ['operator_fee'], events: ['draw.fee-released'] },
  { key: 'goodwill', accounts: ['operator_fee', 'winnings'], events: ['order.goodwill'] },
  { key: 'provider_fees', accounts: ['network_fees'], events: ['provider.fee'] },
  { key: 'network_fees', accounts: ['network_fees'], events: null },
  { key: 'losses', accounts: ['losses'], events: null },
  { key: 'deposits', accounts: ['bankroll'], events: ['operator.deposit'] },
  { key: 'withdrawals', accounts: ['bankroll', 'operator_fee'], events: ['operator.withdrawal'] },
  { key: 'lightning_earned', accounts: ['operator_fee'], events: ['lightning.fees', 'lightning.rounding'] },
  { key: 'payouts_made', accounts: ['winnings', 'partner'], events: ['payout.made', 'payout.cancelled'] },
  { key: 'winnings_taken_back', accounts: ['winnings'], events: null },
  {
    key: 'stakes_of_closed_draws',
    accounts: ['stakes_held'],
    events: ['draw.closed', 'draw.topped-up', 'draw.surplus'],
  },
  { key: 'stakes_taken_back', accounts: ['stakes_held'], events: null },
  { key: 'set_aside_for_draws', accounts: ['bankroll', 'reserve'], events: null },
  { key: 'prize_pools', accounts: ['prize_pool', 'pot'], events: null },
  { key: 'payments_received', accounts: ['received'], events: ['payment.confirmed'] },
  { key: 'payments_used', accounts: ['received'], events: null },
  { key: 'unknown_money', accounts: ['suspense'], events: null },
  { key: 'payouts_in_flight', accounts: ['in_flight'], events: null },
  { key: 'wallet', accounts: ['wallet'], events: null },
  { key: 'lightning', accounts: ['lightning'], events: null },
  { key: 'operator_fee', accounts: ['operator_fee'], events: null },
  { key: 'partners', accounts: ['partner'], events: null },
]

/** The line of stakes less that of each prize. */
const REVENUE = 'gross_gaming_revenue'
const PRIZES = ['fixed_prizes', 'jackpots', 'free_tickets']

/** What one event moved on one kind of account, signed as in the postings. */
interface Movement {
  readonly event: string
  readonly kind: string
  readonly sats: bigint
  /** hundredths; null if nothing of it has a rate */
  readonly fiatMinor: bigint | null
}

/** A line with what it comes to. */
interface StatementLine {
  readonly key: string
  readonly sats: bigint
  readonly fiatMinor: bigint
  readonly events: readonly string[]
  /** the same by kind of account; empty for a line that is calculated from others */
  readonly accounts: ReadonlyMap<string, bigint>
}

/** @returns the key of the line that a posting is in; null for an event that no line takes */
export function lineOf(event: string, kind: string): string | null {
  if (!(LEDGER_EVENTS as readonly string[]).includes(event)) return null
  const rule = RULES.find(
    ({ accounts, events }) =>
      (accounts as readonly string[]).includes(kind) &&
      (events === null || (events as readonly string[]).includes(event)),
  )
  return rule?.key ?? null
}

/**
 * The lines of a statement. Every movement is in exactly one of them, except in that of the gross gaming revenue, which
 * is calculated; a movement of an event that is not known is in none.
 */
export function linesOf(movements: readonly Movement[]): StatementLine[] {
  const taken = Map.groupBy(movements, ({ event, kind }) => lineOf(event, kind))
  const lines = RULES.map(({ key }) => sumOf(key, taken.get(key) ?? []))
  const of = (key: string) => lines.find((line) => line.key === key)
  const parts = [of('stakes'), ...PRIZES.map(of)].filter((line) => line !== undefined)
  const revenue: StatementLine = {
    key: REVENUE,
    sats: parts.reduce((left, { key, sats }) => (key === 'stakes' ? left + sats : left - sats), 0n),
    fiatMinor: parts.reduce((left, { key, fiatMinor: minor }) => (key === 'stakes' ? left + minor : left - minor), 0n),
    events: parts.flatMap(({ events }) => events),
    accounts: new Map(),
  }
  const place = lines.findIndex(({ key }) => key === 'free_tickets') + 1
  return lines.toSpliced(place, 0, revenue)
}

function sumOf(key: string, movements: readonly Movement[]): StatementLine {
  const accounts = new Map<string, bigint>()
  for (const { kind, sats } of movements) accounts.set(kind, (accounts.get(kind) ?? 0n) + sats)
  return {
    key,
    sats: movements.reduce((sum, { sats }) => sum + sats, 0n),
    fiatMinor: movements.reduce((sum, { fiatMinor }) => sum + (fiatMinor ?? 0n), 0n),
    events: eventsOf(key, movements),
    accounts,
  }
}

/** The events that a line is made of: those of its rule, or those that happened if it takes all. */
function eventsOf(key: string, movements: readonly Movement[]): readonly string[] {
  const rule = RULES.find((one) => one.key === key)
  return rule?.events ?? [...new Set(movements.map(({ event }) => event))].toSorted()
}
