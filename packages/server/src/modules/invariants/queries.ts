import { sql, t } from '../../db/sql.ts'
import { DEBIT_KINDS } from '../ledger/accounts.ts'
import { DRAW_RULES } from './draw-rules.ts'
import { brokenGuards } from './guards.ts'
import { ORDER_RULES } from './order-rules.ts'
import { PAYOUT_RULES } from './payout-rules.ts'
import { type Rule, unionOf } from './rules.ts'
import { EVERYTHING } from './scopes.ts'

/** I1: every transfer sums to zero. */
const transfersBalance: Rule = {
  id: 'I1',
  cut: 'transfer',
  minute: false,
  text: ({
    has,
  }) => `select 'transfer ' || t.key || ' has ' || count(p.id) || ' postings that sum to ' || coalesce(sum(p.amount_sats), 0) as what
    from transfers t left join postings p on p.transfer_id = t.id where ${has('transfer', 't.id')}
    group by t.id having count(p.id) < 2 or sum(p.amount_sats) <> 0`,
}

/** I1: the ledger sums to zero, and the database still refuses what must never be written or changed. */
const ledgerBalances: Rule = {
  id: 'I1',
  cut: null,
  minute: false,
  text: () => `select 'the ledger sums to ' || sum(amount_sats) as what from postings having sum(amount_sats) <> 0
    union all ${brokenGuards}`,
}

/** I2: no account that must not be negative is. */
const noneNegative: Rule = {
  id: 'I2',
  cut: 'account',
  minute: false,
  text: ({ has }) => `with balances as (
      select a.kind, a.subject, coalesce(sum(p.amount_sats), 0) as sats
      from ledger_accounts a left join postings p on p.account_id = a.id
      where ${has('account', 'a.id')} group by a.id)
    select kind || ' ' || subject || ' stands at ' || sats || ' sats' as what from balances
    where case when kind in (${DEBIT_KINDS.map((kind) => `'${kind}'`).join(', ')}) then sats > 0 else sats < 0 end`,
}

/**
 * I14: an account's newest checkpoint, from which balances are read, is the sum of its postings up to it; the last of
 * them is its own.
 */
const checkpointsHold: Rule = {
  id: 'I14',
  cut: 'account',
  minute: false,
  text: ({ has }) => `with newest as (
      select distinct on (account_id) account_id, upto_posting_id, balance_sats from ledger_checkpoints
      where ${has('account', 'account_id')} order by account_id, upto_posting_id desc
    ), posted as (
      select n.account_id, n.upto_posting_id, n.balance_sats, sum(p.amount_sats) as sats, max(p.id) as last_id
      from newest n left join postings p on p.account_id = n.account_id and p.id <= n.upto_posting_id group by 1, 2, 3
    )
    select 'the checkpoint of ' || a.kind || ' ' || a.subject || ' at posting ' || p.upto_posting_id || ' says ' || p.balance_sats
      || ' sats, its postings come to ' || coalesce(p.sats, 0) as what
    from posted p join ledger_accounts a on a.id = p.account_id
    where p.sats is distinct from p.balance_sats or p.last_id is distinct from p.upto_posting_id`,
}

/** Every rule. Those of the ledger have a minute's check of their own, in new-postings.ts. */
export const RULES: readonly Rule[] = [
  transfersBalance,
  ledgerBalances,
  noneNegative,
  checkpointsHold,
  ...ORDER_RULES,
  ...DRAW_RULES,
  ...PAYOUT_RULES,
]

/** One violation, described so that a person finds it. */
const row = { what: t.text }

const statement = <N extends string>(name: N, id: string) =>
  sql({
    name: `invariants.${name}`,
    text: `select what from (${unionOf(
      RULES.filter((rule) => rule.id === id),
      EVERYTHING,
    )}) found`,
    row,
  })

/** The invariants of trust.md that are statements; I8, which recomputes everything, is in sealed-draws.ts. */
export const STATEMENTS = {
  I1: statement('transfers-balance', 'I1'),
  I2: statement('none-negative', 'I2'),
  I3: statement('paid-orders-play', 'I3'),
  I4: statement('money-counted-once', 'I4'),
  I5: statement('prizes-paid-once', 'I5'),
  I6: statement('pools-add-up', 'I6'),
  I7: statement('wallets-cover', 'I7'),
  I9: statement('free-tickets-add-up', 'I9'),
  I10: statement('log-is-whole', 'I10'),
  I11: statement('sessions-have-one-token', 'I11'),
  I13: statement('stakes-as-signed', 'I13'),
  I14: statement('checkpoints-hold', 'I14'),
  I15: statement('states-as-ledger', 'I15'),
  I16: statement('draws-as-announced', 'I16'),
  I17: statement('retired-leave-nothing', 'I17'),
  I18: statement('attempts-one-by-one', 'I18'),
} as const

/** The names of those, in the order of their numbers. */
// Object.keys is typed as string[]; the table above has exactly these keys.
export const STATEMENT_IDS = Object.keys(STATEMENTS) as readonly (keyof typeof STATEMENTS)[]

/** A violation, and the invariant it breaks. */
export const violationRow = { invariant: t.oneOf(STATEMENT_IDS), what: t.text }

/** All of them in one snapshot: nothing moves between two of them. */
export const allViolations = sql({
  name: 'invariants.all',
  text: unionOf(RULES, EVERYTHING),
  row: violationRow,
})
