import { acceptSpends, listPayouts, lookAtWallets, retryAllPayouts } from '@fairball/server/testing/lottery'
import { Broken } from './checks.ts'
import type { SeedDatabase } from './database.ts'
import { createPrng } from './prng.ts'
import type { Process } from './processes.ts'
import type { World } from './world.ts'

const LIKELIHOOD = 0.3
/** Before and while the first draw pays. */
const EARLIEST_SECONDS = 800
const LATEST_SECONDS = 1_440
/**
 * What the wallet spent is compared within half a minute before anything is signed, by a clock that may be set meanwhile. Time
 * that slips by in the middle of work does not count.
 */
export const UNNOTICED_SECONDS = 60

/** What somebody with the keys of the payouts' wallet does in a seed. */
export interface InsideJob {
  /** seconds from the start of the seed */
  readonly after: number
  /** whether he pays an order of his own with our coins; otherwise he only moves them */
  readonly buys: boolean
}

/** What somebody with our keys does in a seed; null where nobody does. @param isSeen whether the provider tells whose coins pay an order */
export function insideJobOf(seed: number, isSeen: boolean): InsideJob | null {
  const prng = createPrng(`${seed} insider`) // its own, so that the other faults of a seed stay what they are
  if (!prng.chance(LIKELIHOOD)) return null
  return { after: prng.between(EARLIEST_SECONDS, LATEST_SECONDS), buys: prng.chance(0.5) && isSeen }
}

/**
 * The operator says of spends that were found that they paid nobody for us, and lets payouts go on. The wallets are followed
 * as well, which workers do each minute, and seldom here: then the fee of what was moved is booked.
 *
 * @returns whether payouts were stopped
 */
export async function acceptWhatWasSpent(worker: Process): Promise<boolean> {
  return await worker.ask(async ({ desk, lottery }) => {
    const { unaccepted, stopReason } = await listPayouts(desk)
    if (unaccepted.length > 0) await acceptSpends(desk, unaccepted, false)
    if (stopReason !== null) await retryAllPayouts(desk)
    await lookAtWallets(lottery.treasury)
    return stopReason !== null
  })
}

/** Coins of ours paid no order. @throws Broken */
export async function assertOwnCoinsPayNothing({ observer }: SeedDatabase, world: World): Promise<void> {
  const { rows } = await observer.query<{ id: string; status: string }>(
    `select o.id, o.status from payments p join orders o on o.id = p.order_id where split_part(p.outpoint, ':', 1) = any($1)`,
    [world.spentByInsider],
  )
  if (rows.length > 0)
    throw new Broken(rows.map(({ id, status }) => `order ${id}, which was paid with coins of ours, is ${status}`))
}
