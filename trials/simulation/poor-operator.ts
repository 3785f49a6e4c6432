import { bankroll, balanceOf, operatorFee, postTransfer } from '@fairball/server/testing/lottery'
import { Broken } from './checks.ts'
import type { SeedDatabase } from './database.ts'
import { createPrng } from './prng.ts'

const LIKELIHOOD = 0.12
/** Bounds in seconds: while the first draw sells. */
const EARLIEST_SECONDS = 20
const LATEST_SECONDS = 300
/** An order begun before the withdrawal may be checked before it too, and clocks may be off by some seconds. */
const BEGUN_SECONDS = 30

/** When the operator takes the whole free bankroll, in seconds from the start of a seed; null for never. */
export function withdrawalOf(seed: number): number | null {
  const prng = createPrng(`${seed} empty bankroll`) // a separate stream, so that the seed's other faults stay the same
  return prng.chance(LIKELIHOOD) ? prng.between(EARLIEST_SECONDS, LATEST_SECONDS) : null
}

/** The operator takes the whole free bankroll: what is reserved stays. @param at epoch seconds */
export async function withdrawBankroll({ db }: SeedDatabase, at: number): Promise<void> {
  await db.transaction(async (tx) => {
    const moves = [{ from: bankroll, to: operatorFee, sats: await balanceOf(tx, bankroll) }]
    await postTransfer(tx, { event: 'simulation.withdrawn', subject: 'bankroll', at, moves })
  })
}

/**
 * While the bankroll never again has what a game wants, no order for it is taken. A pound is worth 1,000 sats.
 *
 * @param since when it was withdrawn, epoch seconds
 * @throws Broken
 */
export async function assertNothingSoldUncarried({ observer }: SeedDatabase, since: number): Promise<void> {
  const { rows } = await observer.query<{ id: string }>(
    `with balances as (
        select t.event, p.id, sum(p.amount_sats) over (order by p.id) as sats
        from postings p join transfers t on t.id = p.transfer_id join ledger_accounts a on a.id = p.account_id where a.kind = 'bankroll'
      ), most as (
        select max(sats) as sats from balances where id >= (select max(id) from balances where event = 'simulation.withdrawn')
      ), wanted as (
        select game_key, max(guaranteed_minor + cover_minor) * 1000 / 100 * 5 / 4 as sats from draws group by game_key
      )
      select o.id from orders o join wanted w using (game_key) cross join most m
      where m.sats < w.sats and o.created_at > $1 + ${BEGUN_SECONDS}`,
    [since],
  )
  if (rows.length > 0)
    throw new Broken(rows.map(({ id }) => `order ${id} is for a game that the bankroll does not carry`))
}
