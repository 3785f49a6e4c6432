// Everything the product has acknowledged. All of it must survive whatever happens.
import { lineMask } from '@fairball/domain/lines'
import type pg from 'pg'

/**
 * A setting: the last acknowledged value, and later requests without an answer, which may or may not have been applied.
 */
interface Setting {
  acknowledged: string
  open: string[]
}

/** Everything that was acknowledged to players. */
export interface Promises {
  /** email addresses of accounts */
  readonly accounts: Set<string>
  readonly verified: Set<string>
  /** payout addresses by email */
  readonly addresses: Map<string, Setting>
  /** saved lines by email address, as masks in order, comma-separated */
  readonly numbers: Map<string, Setting>
  /** order ids by idempotency key */
  readonly orders: Map<string, string>
  /** orders that were answered PAID */
  readonly paid: Set<string>
  /** statements of the log as shown, by index */
  readonly notes: string[]
  /** epoch seconds */
  clockAt: number
}

export function noPromises(): Promises {
  return {
    accounts: new Set(),
    verified: new Set(),
    addresses: new Map(),
    numbers: new Map(),
    orders: new Map(),
    paid: new Set(),
    notes: [],
    clockAt: 0,
  }
}

/** Number of acknowledged items. */
export function countOf(promises: Promises): number {
  const { accounts, verified, addresses, numbers, orders, paid, notes } = promises
  return accounts.size + verified.size + addresses.size + numbers.size + orders.size + paid.size + notes.length
}

/** Records a setting before its request is sent. */
export function ask(settings: Map<string, Setting>, email: string, value: string): void {
  settings.get(email)?.open.push(value)
}

/** Records that a setting was acknowledged: only this value is valid now. */
export function acknowledge(settings: Map<string, Setting>, email: string, value: string): void {
  settings.set(email, { acknowledged: value, open: [] })
}

/** Lines in a comparable form. */
export function masksOf(lines: readonly (readonly number[])[]): string {
  return lines.map((line) => lineMask([...line])).join(',')
}

/** Acknowledged rows that are missing; $1 to $4 are lists. */
const MISSING = `
  select 'account ' || e as what from unnest($1::text[]) e where not exists (select from players where email = e)
  union all select 'the verified address of ' || e from unnest($2::text[]) e
    where not exists (select from players where email = e and email_verified_at is not null)
  union all select 'order ' || o from unnest($3::uuid[]) o where not exists (
    select from orders where id = o and line_count = (select sum(cardinality(masks)) from order_lines where order_id = o))
  union all select 'the payment of order ' || o from unnest($4::uuid[]) o
    where not exists (select from orders where id = o and status = 'PAID')
  union all select 'plays of the paid order ' || o from unnest($4::uuid[]) o
    where (select count(*) from plays where order_id = o) <> (select cardinality(draw_ids) from orders where id = o)`

/** Money sent twice, or to the wrong address: what an address received beyond its payouts. */
const PAID_TWICE = `
  select left_sats.address || ' got ' || left_sats.sats || ' sats, and ' || coalesce(owed.sats, 0) || ' were to be paid' as what
  from (select address, sum(sats) as sats from test_wallet_txs where direction = 'out' group by address) left_sats
  left join (select address, sum(sats - fee_share_sats) as sats from payouts where cancelled_at is null group by address) owed
    using (address)
  where left_sats.sats > coalesce(owed.sats, 0)`

const SETTINGS = `
  select p.email, (select address from player_addresses a where a.player_id = p.id order by a.id desc limit 1) as address,
    (select array_to_string(masks, ',') from saved_numbers s where s.player_id = p.id) as numbers
  from players p where p.email is not null`

const CLOCK = `select coalesce((select value from system_state where key = 'demo.clock-offset'), '0')::bigint as seconds`

/**
 * Finds acknowledged items that are missing.
 *
 * @param client a connection that observes while the product works
 * @returns one line for each; empty if nothing was lost
 */
export async function lostOf(promises: Promises, client: pg.Client): Promise<string[]> {
  const { accounts, verified, orders, paid, addresses, numbers } = promises
  // Copied before the queries: anything acknowledged meanwhile is checked next time.
  const asked = [[...accounts], [...verified], [...orders.values()], [...paid]]
  const settings = [structuredClone(addresses), structuredClone(numbers)] as const
  const clockAt = promises.clockAt
  const lost: string[] = []
  const missing = await client.query<{ what: string }>(MISSING, asked)
  lost.push(...missing.rows.map(({ what }) => `lost: ${what}`))
  const twice = await client.query<{ what: string }>(PAID_TWICE)
  lost.push(...twice.rows.map(({ what }) => `paid twice: ${what}`))
  const kept = await client.query<{ email: string; address: string | null; numbers: string | null }>(SETTINGS)
  for (const { email, address, numbers: saved } of kept.rows) {
    if (!isOneOf(address, settings[0].get(email), addresses.get(email)))
      lost.push(`lost: the payout address of ${email}`)
    if (!isOneOf(saved, settings[1].get(email), numbers.get(email))) lost.push(`lost: the saved numbers of ${email}`)
  }
  const clock = await client.query<{ seconds: bigint }>(CLOCK)
  const nowAt = Math.floor(Date.now() / 1000) + Number(clock.rows[0]?.seconds ?? 0)
  if (nowAt < clockAt) lost.push(`lost: the clock is ${clockAt - nowAt} s behind a time it had shown`)
  return lost
}

/** Whether a value was acknowledged last or requested since, in the state before or after the queries. */
function isOneOf(found: string | null, before: Setting | undefined, after: Setting | undefined): boolean {
  if (before === undefined) return true
  return [before, after].some((one) => one?.acknowledged === found || one?.open.includes(found ?? ''))
}
