import { DEFAULT_CURRENCY_CODE } from '@fairball/domain/fiat'
import type { Db, Tx } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import { decimalText, fiatText } from './fiat.ts'
import type { Stretch } from './journal.ts'
import { linesOf } from './lines.ts'
import * as queries from './queries.ts'

/** How a report of the whole ledger is read: in one view of it, which takes longer than a page. */
export const WHOLE = { isolation: 'repeatable read', isReadOnly: true, statementTimeoutMs: 120_000 } as const

/** A balance in an answer: satoshis signed as in the postings, and the same as a decimal text of the currency. */
interface BalanceOnWire {
  readonly account: string
  readonly sats: number
  readonly fiat: string | null
}

/** A line in an answer. */
interface LineOnWire {
  readonly key: string
  readonly sats: number
  readonly fiat: string
  readonly events: readonly string[]
  readonly accounts: readonly { readonly account: string; readonly sats: number }[]
}

/** A month's statement in an answer. */
export interface MonthOnWire {
  readonly month: string
  readonly from: number
  readonly to: number
  readonly currency: string
  readonly opening: readonly BalanceOnWire[]
  readonly lines: readonly LineOnWire[]
  readonly closing: readonly BalanceOnWire[]
  readonly locked: boolean
  readonly lock: LockOnWire | null
}

/** A lock in an answer. */
export interface LockOnWire {
  readonly locked_at: number
  readonly last_transfer_id: number | null
  readonly journal_hash: string
}

/** What the lines of a statement do not explain of an account's change. */
interface Difference {
  readonly account: string
  readonly sats: number
}

/** `2026-11`, from its first second until before that of the next month (UTC); null for what is no month. */
export function stretchOf(month: string): Stretch | null {
  const match = /^(\d{4})-(\d{2})$/u.exec(month)
  const [year, number] = [Number(match?.[1]), Number(match?.[2])]
  if (match === null || number < 1 || number > 12 || year < 1970) return null
  return { from: Date.UTC(year, number - 1) / 1000, to: Date.UTC(year, number) / 1000 }
}

/**
 * The statement of a month, read in one transaction with one view of the database.
 *
 * @returns also by how much opening and movements miss the closing, empty if they do not
 */
export async function monthStatement(
  tx: Tx,
  month: string,
  { from, to }: Stretch,
  currency: string,
): Promise<{ statement: MonthOnWire; differences: Difference[] }> {
  const [opening, closing] = [await balancesAt(tx, from, currency), await balancesAt(tx, to, currency)]
  const lines = linesOf(await tx.run(queries.movements, [from, to, currency]))
  const lock = await tx.maybeOne(queries.findLock, [month])
  const statement = {
    month,
    from,
    to,
    currency,
    opening,
    lines: lines.map((line) => ({
      key: line.key,
      sats: Number(line.sats),
      fiat: decimalText(line.fiatMinor),
      events: line.events,
      accounts: [...line.accounts].map(([account, sats]) => ({ account, sats: Number(sats) })),
    })),
    closing,
    locked: lock !== null,
    lock: lock === null ? null : lockOnWire(lock),
  }
  return { statement, differences: differencesOf(statement) }
}

/** The balance of each kind of account over all that is dated before a moment, at the newest rate then. */
export async function balancesAt(tx: Tx, at: number, currency: string): Promise<BalanceOnWire[]> {
  const rate = await tx.maybeOne(queries.rateAt, [currency, at])
  const rows = await tx.run(queries.balancesByKind, [at])
  return rows.map(({ kind, sats }) => ({
    account: kind,
    sats: Number(sats),
    fiat: fiatText(sats, rate?.satsPerUnit ?? null),
  }))
}

/** A lock as answers have it. */
export function lockOnWire(lock: RowOf<typeof queries.findLock>): LockOnWire {
  const { lockedAt, lastTransferId, journalHash } = lock
  return {
    locked_at: lockedAt,
    last_transfer_id: lastTransferId === null ? null : Number(lastTransferId),
    journal_hash: journalHash,
  }
}

/** What of a month's balances its lines do not explain; empty for what is no month. @param month `2026-11` */
export async function differencesIn(db: Db, month: string): Promise<Difference[]> {
  const stretch = stretchOf(month)
  if (stretch === null) return []
  const { differences } = await db.transaction((tx) => monthStatement(tx, month, stretch, DEFAULT_CURRENCY_CODE), WHOLE)
  return differences
}

/** By what a statement misses, for a person. */
export function wordsOfDifferences(month: string, differences: readonly Difference[]): string {
  const words = differences.map(({ account, sats }) => `${account} by ${sats} satoshis`).join(', ')
  return `The statement of ${month} does not add up: ${words}.`
}

function differencesOf({ opening, lines, closing }: Pick<MonthOnWire, 'opening' | 'lines' | 'closing'>): Difference[] {
  const left = new Map<string, number>()
  const add = (account: string, sats: number): void => void left.set(account, (left.get(account) ?? 0) + sats)
  for (const { account, sats } of closing) add(account, sats)
  for (const { account, sats } of opening) add(account, -sats)
  for (const { accounts } of lines) for (const { account, sats } of accounts) add(account, -sats)
  return [...left].filter(([, sats]) => sats !== 0).map(([account, sats]) => ({ account, sats }))
}
