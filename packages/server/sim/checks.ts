import type pg from 'pg'
import { findSealedViolations, findViolations } from '../src/modules/invariants/service.ts'
import { LEAST_DUST_SATS } from '../src/modules/payouts/batch.ts'
import type { SeedDatabase } from './database.ts'
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

/** Writes to anything but the tables that no invariant is about: after a commit of none of them nothing can have changed. */
const WRITES =
  /\b(insert into|update|delete from)\s+(?!jobs\b|wallet_readings\b|provider_cursors\b|system_state\b|beacon_chains\b|beacon_rounds\b|mail_outbox\b|messages\b|webhook_inbox\b|rates\b|games\b|set\b|skip\b)|seal_entries/i

/** Whether a statement can change what an invariant is about. */
export function isWatched(text: string): boolean {
  return WRITES.test(text)
}

/** What has to hold after each commit: every invariant that is a statement. @throws Broken */
export async function assertInvariants(database: SeedDatabase): Promise<void> {
  const violations = await findViolations(database.db)
  if (violations.length > 0) throw new Broken(violations.map(({ invariant, what }) => `${invariant}: ${what}`))
}

/** What has to hold of sealed draws. @throws Broken */
export async function assertSealedDraws(database: SeedDatabase): Promise<void> {
  const violations = await findSealedViolations(database.db)
  if (violations.length > 0) throw new Broken(violations.map(({ what }) => `I8: ${what}`))
}

/** What a refund bears of the network's fee at most: it has to leave that and more than dust to be paid. */
const LARGEST_FEE_SHARE_SATS = 300n

/** What must be so once nothing went wrong for long enough; one row a breach. */
const LIVENESS = `
  select 'order ' || id || ' is still ' || status as what from orders where status in ('PENDING', 'PROCESSING', 'UNDERPAID')
  union all select 'draw ' || number || ' of ' || game_key || ' is still ' || status from draws
    where status in ('closed', 'drawn') or (status = 'open' and closes_at < $1)
  union all select b.kind || ' ' || b.id || ' of ' || b.sats || ' sats is not paid' from payables b
    left join payouts p on p.id = b.payout_id
    where b.created_at < $1 - 3600 and p.sent_at is null
      and (select sum(o.sats) from payables o where o.player_id = b.player_id and o.payout_id is not distinct from b.payout_id)
        >= case when b.kind = 'prize' then ${LEAST_DUST_SATS} else ${LEAST_DUST_SATS + LARGEST_FEE_SHARE_SATS} end
  union all select 'payout batch ' || id || ' is ' || state || coalesce(': ' || reason, '') from payout_batches where state in ('HALTED', 'CANCELLING', 'WAITING_APPROVAL')
  union all select 'job ' || key || ' failed ' || attempts || ' times: ' || coalesce(last_error, 'lease') from jobs where run_at < $1 - 120
  union all select 'payouts are stopped: ' || value from system_state where key = 'payouts.stopped'
  union all select 'the address ' || address || ' is set aside: ' || reason from payout_set_aside
  union all select 'mail ' || id || ' was not sent' from mail_outbox where sent_at is null and created_at < $1 - 3600`

/** What has to hold after a time without faults: everything came to its end, and every coin is where the books say. @throws Broken */
export async function assertLiveness(database: SeedDatabase, world: World, nowAt: number): Promise<void> {
  const { rows } = await database.observer.query<{ what: string }>(LIVENESS, [nowAt])
  const broken = rows.map(({ what }) => what)
  broken.push(...(await coinsApart(database.observer, world)))
  if (broken.length > 0) throw new Broken(broken.map((what) => `liveness: ${what}`))
}

/** The wallets against the ledger, and each payment that left against what was to be paid. */
async function coinsApart(observer: pg.Client, world: World): Promise<string[]> {
  const apart: string[] = []
  const ledger = await observer.query<{ sats: string }>(
    `select -coalesce(sum(amount_sats), 0) as sats from postings p join ledger_accounts a on a.id = p.account_id where a.kind = 'wallet'`,
  )
  const ledgerSats = BigInt(ledger.rows[0]?.sats ?? 0)
  if (ledgerSats !== world.heldSats())
    apart.push(`the ledger's wallet stands at ${ledgerSats} sats, the wallets hold ${world.heldSats()}`)
  const paid = await observer.query<{ address: string; sats: string }>(
    `select address, sum(sats - fee_share_sats) as sats from payouts where sent_at is not null and cancelled_at is null group by address`,
  )
  for (const { address, sats } of paid.rows) {
    const minedSats = world.node.minedTo(address).reduce((sum, one) => sum + one, 0n)
    if (minedSats !== BigInt(sats)) apart.push(`${address} was to get ${sats} sats and got ${minedSats}`)
  }
  return apart
}
