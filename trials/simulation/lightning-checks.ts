import { ADDRESS_SEALS } from '@fairball/server/testing/fixtures'
import { approveLightning, followProvider, listPayouts, lookAtWallets } from '@fairball/server/testing/lottery'
import { testRuntime } from '@fairball/server/testing/runtime'
import type pg from 'pg'
import { Broken } from './checks.ts'
import type { SeedDatabase } from './database.ts'
import type { SimulatedLightning } from './lightning.ts'
import { isLost, type Process } from './processes.ts'

/** The bounds of what a wallet takes, in msat. */
const WALLET = { minMsat: 1_000n, maxMsat: 10n ** 11n }
/**
 * Time after which an attempt is decided, in seconds: once its invoice is over, or its last call, for clocks that
 * differ, for two looks a minute apart, and for the look before them.
 */
const DECIDED_SECONDS = 120 + 60 + 60 + 60

/** A player's wallet over Lightning. */
function walletOf(name: string): string {
  return `${name}@${name}.example`
}

/** Players who want to be paid over Lightning first, and were told so. @param at epoch seconds */
export async function saveWallets(
  { observer, db }: SeedDatabase,
  players: readonly { readonly id: bigint; readonly name: string }[],
  at: number,
): Promise<void> {
  const { destinations: seals } = ADDRESS_SEALS
  for (const { id: playerId, name } of players) {
    const value = walletOf(name)
    const { rows } = await observer.query<{ id: bigint }>(
      `insert into player_destinations (player_id, created_at, usable_from, min_msat, max_msat, kind, value)
        values ($1, $2, $2, $3, $4, 'ADDRESS', $5) returning id`,
      [playerId, at, WALLET.minMsat, WALLET.maxMsat, value],
    )
    const id = rows[0]?.id ?? 0n
    const saved = { id, playerId, kind: 'ADDRESS', value, ...WALLET, createdAt: at, usableFrom: at } as const
    const to = `${name}@example.org`
    await observer.query(
      `insert into mail_outbox (created_at, category, to_address, subject, text, html, links, key, sent_at, destination_id, address_proof)
        values ($1, 'account', $2, '', '', '', '{}', 'destination ' || $3::bigint, $1, $3, $4)`,
      [at, to, id, seals.noticeProof(saved, to)],
    )
    await db.transaction((tx) => seals.sealTold(tx, id, testRuntime({ startAt: at })))
    await observer.query(
      `insert into player_pay_first (player_id, created_at, usable_from, pay_first) values ($1, $2, $2, 'LIGHTNING')`,
      [playerId, at],
    )
  }
}

/**
 * The operator approves what waits, and has a worker look at node and wallets. Workers do that every ten seconds and
 * every minute, but rarely here.
 */
export async function tendLightning(worker: Process): Promise<void> {
  try {
    await worker.ask(async ({ desk, lottery }) => {
      const { overLightning } = await listPayouts(desk)
      for (const { id, state } of overLightning) if (state === 'WAITING_APPROVAL') await approveLightning(desk, id)
      await followProvider(lottery.payments)
      await lookAtWallets(lottery.treasury)
    })
  } catch (error) {
    if (!isLost(error)) throw error
  }
}

/**
 * Whatever the node paid so far was one invoice of each payout, and of none that was given up; and what is booked is what
 * it took.
 *
 * @throws Broken
 */
export async function assertPaidOnce(observer: pg.Client, lightning: SimulatedLightning): Promise<void> {
  const paid = lightning.paid()
  const { rows } = await observer.query<{ what: string }>({
    name: 'paid-once',
    text: `with paid as (select * from unnest($1::text[], $2::bigint[]) as p (payment_hash, msat))
      select 'payout ' || payout_id || ' was paid by ' || count(*) || ' invoices' as what
        from ln_attempts join paid using (payment_hash) group by payout_id having count(*) > 1
      union all select 'payout ' || p.id || ' was paid, and is owed again'
        from ln_attempts a join paid using (payment_hash) join payouts p on p.id = a.payout_id where p.cancelled_at is not null
      union all select 'payout ' || payout_id || ' took ' || coalesce(paid.msat, 0) || ' msat, and ' || sent_msat || ' are booked'
        from ln_attempts left join paid using (payment_hash) where outcome = 'complete' and sent_msat is distinct from paid.msat`,
    values: [paid.map(({ hash }) => hash), paid.map(({ amountMsat, feeMsat }) => amountMsat + feeMsat)],
  })
  if (rows.length > 0) throw new Broken(rows.map(({ what }) => what))
}

/**
 * No attempt is undecided for long after its invoice, and after the node held it.
 *
 * @param nowAt without the time that slipped, epoch seconds
 * @param quietFrom when the faults ended
 * @throws Broken
 */
export async function assertDecided(
  observer: pg.Client,
  lightning: SimulatedLightning,
  nowAt: number,
  quietFrom: number,
): Promise<void> {
  const { rows } = await observer.query<{ payout_id: bigint; payment_hash: string }>(
    `select payout_id, payment_hash from ln_attempts
      where outcome is null and greatest(expires_at, sent_at + 30, $2) + ${DECIDED_SECONDS} < $1`,
    [nowAt, quietFrom],
  )
  const open = rows.filter(({ payment_hash: hash }) => (lightning.endedAt(hash) ?? nowAt) + DECIDED_SECONDS < nowAt)
  if (open.length > 0)
    throw new Broken(open.map(({ payout_id: id }) => `liveness: nobody decides whether payout ${id} was paid`))
}
