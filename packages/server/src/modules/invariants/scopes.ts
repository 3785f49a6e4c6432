import { DEBIT_KINDS, type LedgerAccountKind } from '../ledger/accounts.ts'

/** What rows of a rule belong to, and what the nightly pass cuts it by. */
export type Subject = 'order' | 'draw' | 'game' | 'player' | 'payout' | 'batch' | 'transfer' | 'account'

/** What a rule looks at: everything, what new postings touched, or a range of ids. */
export interface Scope {
  /** The condition that the subject in a column, such as `p.order_id`, is in the scope. */
  readonly has: (subject: Subject, column: string) => string
  /** That a partner is, an output by its outpoint, a statement of the log by its time. */
  readonly hasPartner: (column: string) => string
  readonly hasOutput: (column: string) => string
  readonly hasTime: (column: string) => string
  /** That an order is, where orders that wait for money are added to those touched. */
  readonly hasOrWaits: (column: string) => string
  /** The ids of games and draws in the scope narrow what is read from the whole of transfers: a condition of `t.key`. */
  readonly keys: (events: readonly string[], subject: 'game' | 'draw') => string
  /** Ends a lateral query that looks up single rows: whatever a plan expects, it reads no whole table for them. */
  readonly fence: string
  /** Accounts of some kinds with the sums of their postings; debit kinds are below zero. For `with balances as (…)`. */
  readonly balances: (kinds: readonly LedgerAccountKind[]) => string
}

const always = (): string => 'true'

/** Everything there is. */
export const EVERYTHING: Scope = {
  has: always,
  hasPartner: always,
  hasOutput: always,
  hasTime: always,
  hasOrWaits: always,
  keys: always,
  fence: '',
  balances: (kinds) => `select a.kind, a.subject, coalesce(sum(p.amount_sats), 0) as sats
      from ledger_accounts a left join postings p on p.account_id = a.id where a.kind in (${listed(kinds)}) group by a.id`,
}

const TOUCHED_IDS: Readonly<Record<Subject, string>> = {
  transfer: '$transfers::bigint[]',
  account: '$accounts::bigint[]',
  order: '$orders::uuid[]',
  draw: '$draws::bigint[]',
  game: '$games::text[]',
  player: '$players::bigint[]',
  payout: '$payouts::bigint[]',
  batch: '$batches::bigint[]',
}

/** Minus one for accounts that are held as a negative sum. */
export const sign = `case when a.kind in (${listed(DEBIT_KINDS)}) then -1 else 1 end`

const isTouched = (subject: Subject, column: string): string => `${column} = any(${TOUCHED_IDS[subject]})`

/**
 * What new postings touched, by the parameters of `changedViolations`. Balances are the sums verified up to the watermark
 * and what came after it.
 */
export const TOUCHED: Scope = {
  has: isTouched,
  hasPartner: (column) => `${column} = any($partners::text[])`,
  hasOutput: (column) => `${column} = any($outpoints::text[])`,
  hasTime: (column) => `${column} >= $sinceAt::bigint`,
  hasOrWaits: (column) => `${column} in (select id from orders where status in ('PENDING', 'PROCESSING', 'UNDERPAID')
        union select unnest(${TOUCHED_IDS.order}))`,
  keys: (events, subject) => `t.key = any(array(
        select e.event || ':' || s.id from unnest(array[${listed(events)}]) e (event), unnest(${TOUCHED_IDS[subject]}) s (id)))`,
  fence: 'offset 0',
  balances: (kinds) => `select a.kind, a.subject, ${sign} * coalesce(v.natural_sats, 0)
        + coalesce((select sum(p.amount_sats) from postings p where p.account_id = a.id and p.id > $verifiedPostingId::bigint), 0) as sats
      from ledger_accounts a left join ledger_verified v on v.account_id = a.id
      where a.id = any($accounts::bigint[]) and a.kind in (${listed(kinds)})`,
}

/** The subjects with ids from after `$from` to `$to`. Only what belongs to one subject can be cut. */
export function rangeOf(cut: Subject): Scope {
  const type = cut === 'order' ? 'uuid' : 'bigint'
  const cannot = (): never => {
    throw new Error(`a rule that is cut by ${cut} reads something else`)
  }
  return {
    ...EVERYTHING,
    has: (subject, column) =>
      subject === cut ? `${column} > $from::text::${type} and ${column} <= $to::text::${type}` : cannot(),
    fence: 'offset 0',
    hasPartner: cannot,
    hasOutput: cannot,
    hasTime: cannot,
    hasOrWaits: cannot,
    keys: cannot,
    balances: cannot,
  }
}

function listed(values: readonly string[]): string {
  return values.map((value) => `'${value}'`).join(', ')
}
