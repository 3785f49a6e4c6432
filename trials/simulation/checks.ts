import type pg from 'pg'
import {
  countWins,
  findRevocations,
  findSealed,
  findSealedViolations,
  findViolations,
  findViolationsOfNew,
  STATEMENTS,
  streamLeaves,
} from '@fairball/server/testing/lottery'
import type { SeedDatabase } from './database.ts'
import { NEARLY_RIGHT_SECONDS } from './faults.ts'
import { lightningApart } from './lightning-books.ts'
import { LEFT_TO_DO, LIVENESS } from './liveness.ts'
import type { World } from './world.ts'

/** An invariant or a promise does not hold. */
export class Broken extends Error {
  override readonly name = 'Broken'
  readonly what: readonly string[]

  constructor(what: readonly string[]) {
    super(what.join('\n'))
    this.what = what
  }
}

type Checked = keyof typeof STATEMENTS | 'I8'

/**
 * A table that a statement writes. A commit can only change an invariant that reads a table it wrote. Words that are
 * not tables (`for update of`, `on conflict do update set`) match no table that is read.
 */
const WRITTEN = /\b(?:insert\s+into|update|delete\s+from|merge\s+into)\s+(?:only\s+)?(\w+)/gi
/** Functions that write are called, so no table is named. No trigger writes. */
const WRITERS = [
  { called: /\bforget_addresses\b/, table: 'player_addresses' },
  { called: /\bforget_destinations\b/, table: 'player_destinations' },
]

const writtenBy = new Map<string, readonly string[]>()

/** The tables that a statement writes, parsed from its text. Each text is parsed once. */
export function writtenTables(text: string): readonly string[] {
  const known = writtenBy.get(text)
  if (known !== undefined) return known
  const tables = [...text.matchAll(WRITTEN)].map((match) => (match[1] ?? '').toLowerCase())
  for (const { called, table } of WRITERS) if (called.test(text)) tables.push(table)
  writtenBy.set(text, tables)
  return tables
}

const I8_TEXT = [findSealed, findRevocations, streamLeaves, countWins].map(({ text }) => text).join(' ')

/** What each invariant reads: every word of its text. That includes its tables, and words of its messages. */
const READ_BY = new Map<Checked, ReadonlySet<string>>([
  ...Object.entries(STATEMENTS).map(([id, { text }]) => [id as keyof typeof STATEMENTS, wordsOf(text)] as const), // its own keys
  ['I8', wordsOf(I8_TEXT)],
])

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.match(/\w+/g))
}

/** From this many statements on, one query for all is faster. */
const MANY = 6

/** The invariants that commits to these tables can break. */
export function invariantsOf(tables: Iterable<string>): Checked[] {
  const written = [...tables]
  return [...READ_BY].flatMap(([id, read]) => (written.some((table) => read.has(table)) ? [id] : []))
}

/**
 * Checks after each commit every invariant that reads a table written since its last check. The others read nothing
 * that changed, so they still hold.
 *
 * @throws Broken
 */
export async function assertInvariants({ db }: SeedDatabase, tables: Iterable<string>): Promise<void> {
  const ids = invariantsOf(tables)
  const broken: string[] = []
  const single = ids.filter((id) => id !== 'I8')
  if (single.length >= MANY)
    for (const { invariant, what } of await findViolations(db)) broken.push(`${invariant}: ${what}`)
  else for (const id of single) for (const { what } of await db.run(STATEMENTS[id], [])) broken.push(`${id}: ${what}`)
  if (ids.includes('I8')) for (const { what } of await findSealedViolations(db)) broken.push(`I8: ${what}`)
  if (broken.length > 0) throw new Broken(broken)
}

/** Checks every invariant, whatever was written, and as the minute's check does. @throws Broken */
export async function assertAllInvariants({ db }: SeedDatabase): Promise<void> {
  const violations = [
    ...(await findViolations(db)),
    ...(await findSealedViolations(db)),
    ...(await findViolationsOfNew(db)),
  ]
  if (violations.length > 0) throw new Broken(violations.map(({ invariant, what }) => `${invariant}: ${what}`))
}

/**
 * Checks that after a phase without faults everything is done, and every coin is where the books say.
 *
 * @throws Broken
 */
export async function assertLiveness({ observer }: SeedDatabase, world: World, nowAt: number): Promise<void> {
  const { rows } = await observer.query<{ what: string }>(LIVENESS, [nowAt])
  const broken = [...rows.map(({ what }) => what), ...(await coinsApart(observer, world))]
  if (broken.length > 0) throw new Broken(broken.map((what) => `liveness: ${what}`))
}

/** Whether nothing is left to do, so that more time without faults shows nothing new. */
export async function isAllDone({ observer }: SeedDatabase, world: World, nowAt: number): Promise<boolean> {
  const left = await observer.query(LEFT_TO_DO, [nowAt])
  return left.rows.length === 0 && (await coinsApart(observer, world)).length === 0
}

/** Compares the wallets with the ledger, and each payment sent with the amount due. */
async function coinsApart(observer: pg.Client, world: World): Promise<string[]> {
  const apart: string[] = []
  const ledger = await observer.query<{ sats: string }>(
    `select -coalesce(sum(amount_sats), 0) as sats from postings p join ledger_accounts a on a.id = p.account_id where a.kind = 'wallet'`,
  )
  const ledgerSats = BigInt(ledger.rows[0]?.sats ?? 0)
  if (ledgerSats !== world.heldSats())
    apart.push(`the ledger's wallet has ${ledgerSats} sats, but the wallets hold ${world.heldSats()}`)
  const paid = await observer.query<{ address: string; sats: string }>(
    `select address, sum(sats - fee_share_sats) as sats from payouts where kind = 'chain' and sent_at is not null and cancelled_at is null group by address`,
  )
  for (const { address, sats } of paid.rows) {
    const minedSats = world.node.minedTo(address).reduce((sum, one) => sum + one, 0n)
    if (minedSats !== BigInt(sats)) apart.push(`${address} should have received ${sats} sats, but got ${minedSats}`)
  }
  if (world.lightning !== null) apart.push(...(await lightningApart(observer, world.lightning)))
  return apart
}

/** No process with a fast clock closed, postponed or voided a draw early, or dated a statement ahead. @throws Broken */
export async function assertNothingEarly(observer: pg.Client, nowAt: number): Promise<void> {
  const { rows } = await observer.query<{ what: string }>({
    name: 'nothing-early',
    text: `select 'F7: a ' || type || ' statement is dated ' || at - $1::bigint || ' seconds ahead' as what from log_leaves where at > $1 + ${NEARLY_RIGHT_SECONDS}
      union all select 'F7: draw ' || number || ' of ' || game_key || ' is ' || status || ' before it closes' from draws
        where status <> 'open' and closes_at > $1 + ${NEARLY_RIGHT_SECONDS}`,
    values: [nowAt],
  })
  if (rows.length > 0) throw new Broken(rows.map(({ what }) => what))
}

/** No log line or mail contains the seed of a draw before the close statement publishes it. @throws Broken */
export function assertNoSeedTold(seeds: readonly string[], logsAndMails: readonly string[]): void {
  const texts = logsAndMails.join('\n')
  const told = seeds.filter((seed) => texts.includes(seed))
  if (told.length > 0) throw new Broken(told.map(() => 'I10: the seed of a draw was logged or mailed'))
}

/** Mails that are noted as sent were taken by their server. @throws Broken */
export async function assertMailsTaken(observer: pg.Client, taken: ReadonlySet<bigint>): Promise<void> {
  const { rows } = await observer.query<{ id: bigint }>(
    // What the simulation itself writes has no subject.
    `select id from mail_outbox where sent_at is not null and subject <> '' and not id = any($1::bigint[])`,
    [[...taken]],
  )
  if (rows.length > 0) throw new Broken(rows.map(({ id }) => `mail ${id} is noted as sent and was never taken`))
}

/**
 * A fast worker does not keep the others from selling and drawing: a process with nearly the right time never considers
 * its clock slow.
 *
 * @param logged the log lines of a seed in which no process is slow
 * @throws Broken
 */
export function assertNobodyHeldUp(logged: readonly string[]): void {
  const held = logged.filter((line) => line.includes('the clock is slow'))
  if (held.length > 0) throw new Broken(held.map((line) => `F7: ${line.split(' ', 1)[0]} considered its clock slow`))
}

/** Failed jobs are retried within a minute, by nearly right clocks; mail takes longer. @throws Broken */
export async function assertTriedAgain(observer: pg.Client, nowAt: number): Promise<void> {
  const { rows } = await observer.query<{ what: string }>(
    `select 'F10: job ' || key || ' failed ' || attempts || ' times and waits ' || run_at - $1::bigint || ' s' as what from jobs
      where last_error is not null and leased_until is null and kind not like 'messages.%' and run_at > $1 + ${60 + NEARLY_RIGHT_SECONDS}`,
    [nowAt],
  )
  if (rows.length > 0) throw new Broken(rows.map(({ what }) => what))
}

/** A player who began an exclusion gets no plays except for payments seen before it. @throws Broken */
export async function assertNobodyPlaysExcluded(observer: pg.Client, world: World): Promise<void> {
  for (const [playerId, at] of world.excluded) {
    const { rows } = await observer.query<{ id: string }>(
      `select o.id from orders o where o.player_id = $1 and o.status = 'PAID' and o.times_reversed = 0 and o.due_sats >
        (select coalesce(sum(p.sats), 0) from payments p where p.order_id = o.id and least(p.seen_at, p.earlier_at[1]) <= $2)`,
      [playerId, at],
    )
    if (rows.length > 0) throw new Broken(rows.map(({ id }) => `order ${id} plays for an excluded player`))
  }
}

/** Orders paid in full before they expired are PAID, even if the payers raised the fee afterwards. @throws Broken */
export async function assertPromisesKept(observer: pg.Client, world: World): Promise<void> {
  const { rows } = await observer.query<{ id: string; status: string }>(
    `select o.id, o.status from orders o join invoices i on i.order_id = o.id
      where i.address = any($1) and o.status <> 'PAID' and o.ended_because is null`,
    [[...world.promised]],
  )
  if (rows.length > 0)
    throw new Broken(rows.map(({ id, status }) => `order ${id}, which was paid in time, is ${status}`))
}

/** No order was sold at a wrong rate: a pound was always worth 1,000 sats. @throws Broken */
export async function assertPrices(observer: pg.Client): Promise<void> {
  const { rows } = await observer.query<{ id: string; rate_sats: bigint }>(
    'select id, rate_sats from orders where rate_sats <> 1000',
  )
  if (rows.length > 0)
    throw new Broken(rows.map(({ id, rate_sats: sats }) => `F10: order ${id} was sold at ${sats} sats a pound`))
}

/** Plays of a story: one order, in two draws. */
const STORY_PLAYS = 2

/**
 * Of a story's two orders, one is paid and one is refunded, whatever crashed. Nothing was bought or paid twice.
 *
 * @throws Broken
 */
export async function assertStoryTold(observer: pg.Client): Promise<void> {
  const { rows } = await observer.query<{ orders: string; plays: number; ends: number }>(`
    select (select string_agg(status, ' ' order by status) from orders) as orders, (select count(*)::int from plays) as plays,
      (select count(*)::int from game_versions where kinds = '{retire}') as ends`)
  const [{ orders, plays, ends } = { orders: '', plays: 0, ends: 0 }] = rows
  if (orders !== 'PAID REFUNDED' || plays !== STORY_PLAYS || ends !== 1)
    throw new Broken([`F1: the orders are ${orders}, with ${plays} plays, and ${ends} games end`])
}
