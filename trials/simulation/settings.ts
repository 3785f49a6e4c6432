import { approveBatch, listPayouts } from '@fairball/server/testing/lottery'
import { Broken } from './checks.ts'
import type { SeedDatabase } from './database.ts'
import { createPrng } from './prng.ts'
import { isLost, type Process } from './processes.ts'

const LIKELIHOOD = 0.12
/** Bounds of the limit's change in seconds, before the first draw pays. */
const EARLIEST_SECONDS = 60
const LATEST_SECONDS = 700
/** Payouts above the new limit wait for a person, which means every payout. */
export const NEW_LIMIT_SATS = 1n
/**
 * Time after which any job that a worker started before its comparison is over, in seconds, including the allowed clock
 * error.
 */
export const NOTICED_SECONDS = 120

/**
 * When the operator starts a worker with another approval limit, in seconds from the start of a seed; null for never.
 */
export function newLimitOf(seed: number): number | null {
  const prng = createPrng(`${seed} settings`) // a separate stream, so that the seed's other faults stay the same
  return prng.chance(LIKELIHOOD) ? prng.between(EARLIEST_SECONDS, LATEST_SECONDS) : null
}

/**
 * Makes a worker compare its settings with the newest worker's, as it does every five seconds.
 *
 * @returns false if the worker crashed or lost its database meanwhile
 */
export async function compareSettings(worker: Process): Promise<boolean> {
  try {
    await worker.ask(async ({ settings }) => await settings?.compare())
    return true
  } catch (error) {
    if (isLost(error)) return false
    throw error
  }
}

/**
 * The operator approves waiting prizes. Returns keep waiting: one of them may be an overpayment of the wallet's whole
 * balance.
 */
export async function approvePrizes(worker: Process): Promise<void> {
  await worker.ask(async ({ desk }) => {
    const { batches } = await listPayouts(desk)
    for (const { id, class: kind, state } of batches)
      if (kind === 'prizes' && state === 'WAITING_APPROVAL') await approveBatch(desk, id)
  })
}

/**
 * No batch was made under the old limit.
 *
 * @param since when every worker had noticed the new one, epoch seconds
 * @throws Broken
 */
export async function assertLimitKept({ observer }: SeedDatabase, since: number): Promise<void> {
  const { rows } = await observer.query<{ id: string }>(
    'select id from payout_batches where not needs_approval and created_at >= $1 order by id',
    [since],
  )
  if (rows.length > 0) throw new Broken(rows.map(({ id }) => `payout batch ${id} skipped approval under the old limit`))
  const sent = await observer.query<{ id: string }>(
    `select id from payouts p where kind = 'lightning' and sent_at is not null and created_at >= $1
      and not exists (select from operator_actions a where a.action = 'payouts-approve' and a.subject = 'ln:' || p.id) order by id`,
    [since],
  )
  if (sent.rows.length > 0)
    throw new Broken(sent.rows.map(({ id }) => `payout ${id} over Lightning skipped approval under the old limit`))
}
