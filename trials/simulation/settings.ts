import { approveBatch, listPayouts } from '@fairball/server/testing/lottery'
import { Broken } from './checks.ts'
import type { SeedDatabase } from './database.ts'
import { createPrng } from './prng.ts'
import { isLost, type Process } from './processes.ts'

const LIKELIHOOD = 0.12
/** The limit changes before the first draw pays. */
const EARLIEST_SECONDS = 60
const LATEST_SECONDS = 700
/** Above the new limit a payout waits for a person: every payout does. */
export const NEW_LIMIT_SATS = 1n
/** After this a job is over that a worker began before it compared. Its clock may be off by what is allowed. */
export const NOTICED_SECONDS = 120

/** When the operator starts a worker with another approval limit, in seconds from the start of a seed; null never. */
export function newLimitOf(seed: number): number | null {
  const prng = createPrng(`${seed} settings`) // its own, so that the other faults of a seed stay what they are
  return prng.chance(LIKELIHOOD) ? prng.between(EARLIEST_SECONDS, LATEST_SECONDS) : null
}

/**
 * A worker compares its settings with those of the newest one, as it does every five seconds.
 *
 * @returns false where the worker died or lost its database meanwhile
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

/** The operator approves the prizes that wait for it. Returns wait on: an excess of all that the wallet holds is among them. */
export async function approvePrizes(worker: Process): Promise<void> {
  await worker.ask(async ({ desk }) => {
    const { batches } = await listPayouts(desk)
    for (const { id, class: kind, state } of batches)
      if (kind === 'prizes' && state === 'WAITING_APPROVAL') await approveBatch(desk, id)
  })
}

/** No batch was made by the old limit. @param since when every worker had noticed, epoch seconds @throws Broken */
export async function assertLimitKept({ observer }: SeedDatabase, since: number): Promise<void> {
  const { rows } = await observer.query<{ id: string }>(
    'select id from payout_batches where not needs_approval and created_at >= $1 order by id',
    [since],
  )
  if (rows.length > 0)
    throw new Broken(rows.map(({ id }) => `payout batch ${id} waited for no approval, by the old limit`))
}
