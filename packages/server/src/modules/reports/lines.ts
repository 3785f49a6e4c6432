import type { LedgerAccountKind } from '../ledger/accounts.ts'

/**
 * Every event that the ledger posts, with the kinds of account that it moves. One that is missing here is in no line, and
 * the statement of its month fails.
 */
export const MOVED_BY = {
  'deposit.reversed': ['suspense', 'wallet', 'losses'],
  'deposit.unknown': ['wallet', 'lightning', 'suspense'],
  'draw.closed': ['stakes_held', 'donation_pool', 'fee_reserve', 'prize_pool', 'pot', 'bankroll', 'reserve'],
  'draw.covered': ['reserve', 'pot'],
  'draw.donated': ['donation_pool', 'partner'],
  'draw.fee-released': ['fee_reserve', 'operator_fee'],
  'draw.fixed-prizes': ['pot', 'winnings'],
  'draw.floored': ['reserve', 'pot'],
  'draw.jackpot': ['pot', 'winnings'],
  'draw.resealed': ['bankroll', 'reserve'],
  'draw.returned': ['pot', 'prize_pool', 'reserve', 'bankroll'],
  'draw.surplus': ['stakes_held', 'prize_pool'],
  'draw.topped-up': ['bankroll', 'stakes_held'],
  'draw.unsealed': ['reserve', 'bankroll'],
  'game.free-tickets-paid': ['bankroll', 'winnings'],
  'game.retired': ['prize_pool', 'donation_pool', 'fee_reserve', 'partner'],
  'lightning.fee': ['network_fees', 'lightning'],
  'lightning.fees': ['lightning', 'operator_fee', 'network_fees'],
  'lightning.moved': ['wallet', 'lightning', 'network_fees'],
  'lightning.rounding': ['lightning', 'operator_fee'],
  'money.unknown': ['wallet', 'lightning', 'suspense'],
  'operator.deposit': ['suspense', 'bankroll'],
  'operator.own-transfer': ['suspense', 'wallet'],
  'operator.transfer-fee': ['network_fees', 'wallet'],
  'operator.withdrawal': ['operator_fee', 'bankroll', 'suspense', 'losses', 'wallet', 'network_fees'],
  'order.excess': ['received', 'winnings', 'losses'],
  'order.goodwill': ['operator_fee', 'winnings'],
  'order.paid': ['received', 'stakes_held', 'losses'],
  'order.refund': ['received', 'winnings', 'losses'],
  'payment.confirmed': ['wallet', 'lightning', 'received'],
  'payment.reversed': ['received', 'winnings', 'stakes_held', 'losses', 'wallet'],
  'payout.cancelled': ['wallet', 'in_flight', 'network_fees', 'winnings', 'partner'],
  'payout.fee': ['network_fees', 'wallet'],
  'payout.made': ['winnings', 'partner', 'in_flight'],
  'payout.sent': ['in_flight', 'wallet', 'lightning', 'network_fees', 'operator_fee'],
  'play.returned': ['stakes_held', 'bankroll', 'winnings'],
  'provider.fee': ['network_fees', 'wallet'],
} as const satisfies Readonly<Record<string, readonly LedgerAccountKind[]>>

type LedgerEvent = keyof typeof MOVED_BY

export const LEDGER_EVENTS = Object.keys(MOVED_BY) as readonly LedgerEvent[]

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
  if (!Object.hasOwn(MOVED_BY, event)) return null
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
  // The rest of an account is no line where no event is left that moves it.
  const lines = RULES.map(({ key }) => sumOf(key, taken.get(key) ?? [])).filter(({ events }) => events.length > 0)
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

/** The events that a line is made of: those of its rule, and of a line of the rest also others that happened. */
function eventsOf(key: string, movements: readonly Movement[]): readonly string[] {
  const rule = RULES.find((one) => one.key === key)
  return rule?.events ?? [...new Set([...restOf(key), ...movements.map(({ event }) => event)])].toSorted()
}

/** The events of which a line takes what they move. */
function restOf(key: string): readonly string[] {
  return LEDGER_EVENTS.filter((event) => MOVED_BY[event].some((kind) => lineOf(event, kind) === key))
}
