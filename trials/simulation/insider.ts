import { acceptSpends, listPayouts, lookAtWallets, retryAllPayouts } from '@fairball/server/testing/lottery'
import { Broken } from './checks.ts'
import type { SeedDatabase } from './database.ts'
import { createPrng } from './prng.ts'
import type { Process } from './processes.ts'
import type { World } from './world.ts'

const LIKELIHOOD = 0.3
/** Bounds in seconds, before and during the first draw's payouts. */
const EARLIEST_SECONDS = 800
const LATEST_SECONDS = 1_440
/**
 * Time by which a spend must be noticed, in seconds. The wallet's spends are compared at most half a minute before
 * anything is signed, by a clock that may be set meanwhile. Time that slips during work does not count.
 */
export const UNNOTICED_SECONDS = 60

/** What an insider with the keys of the payouts' wallet does in a seed. */
export interface InsideJob {
  /** seconds from the start of the seed */
  readonly after: number
  /** whether the insider pays for an order with our coins; otherwise the coins only move */
  readonly buys: boolean
}

/** The insider of a seed; null if there is none. @param isSeen whether the provider reports whose coins pay an order */
export function insideJobOf(seed: number, isSeen: boolean): InsideJob | null {
  const prng = createPrng(`${seed} insider`) // a separate stream, so that the seed's other faults stay the same
  if (!prng.chance(LIKELIHOOD)) return null
  return { after: prng.between(EARLIEST_SECONDS, LATEST_SECONDS), buys: prng.chance(0.5) && isSeen }
}

/**
 * The operator confirms that detected spends paid no one on our behalf, and resumes payouts. It also follows the
 * wallets, so that the fee of moved coins is booked; workers do that every minute, but rarely here.
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

/** Our own coins paid no order. @throws Broken */
export async function assertOwnCoinsPayNothing({ observer }: SeedDatabase, world: World): Promise<void> {
  const { rows } = await observer.query<{ id: string; status: string }>(
    `select o.id, o.status from payments p join orders o on o.id = p.order_id where split_part(p.outpoint, ':', 1) = any($1)`,
    [world.spentByInsider],
  )
  if (rows.length > 0)
    throw new Broken(rows.map(({ id, status }) => `order ${id}, which was paid with our own coins, is ${status}`))
}
