import { ADDRESS_SEALS } from '@fairball/server/testing/fixtures'
import { listPayouts, retryAddress } from '@fairball/server/testing/lottery'
import pg from 'pg'
import { strangerAddress } from './addresses.ts'
import { Broken } from './checks.ts'
import type { SeedDatabase } from './database.ts'
import { createPrng } from './prng.ts'
import type { Process } from './processes.ts'
import type { World } from './world.ts'

/** The address to which an intruder with database access redirects prizes. */
const THIEF = strangerAddress(4_000)
const LIKELIHOOD = 0.5
const LATEST_SECONDS = 1_200

/** When an intruder changes the players' addresses in a seed, in seconds from its start; null for never. */
export function intrusionOf(seed: number): number | null {
  const prng = createPrng(`${seed} intruder`) // a separate stream, so that the seed's other faults stay the same
  return prng.chance(LIKELIHOOD) ? prng.between(0, LATEST_SECONDS) : null
}

/** Redirects every prize to one address, as an owner of the database can. */
export async function changeAddresses(url: string): Promise<void> {
  await asOwner(url, [
    `create table addresses_before as select id, address from player_addresses`,
    `update player_addresses set address = '${THIEF}'`,
  ])
}

/** The operator's first repair: restores the rows. */
export async function restoreAddresses(url: string): Promise<void> {
  await asOwner(url, [`update player_addresses a set address = b.address from addresses_before b where b.id = a.id`])
}

/**
 * The second repair: every player set aside is checked again. An earlier planned payout may set a player aside once
 * more, until the next check.
 */
export async function releaseSetAside(worker: Process): Promise<void> {
  await worker.ask(async ({ desk }) => {
    const { setAside } = await listPayouts(desk)
    for (const address of new Set(setAside.map((one) => one.address))) await retryAddress(desk, address)
  })
}

/** No payout went to the intruder's address, and every address is the one its player was notified of. @throws Broken */
export async function assertNothingStolen({ db }: SeedDatabase, world: World): Promise<void> {
  const stolen = world.node.minedTo(THIEF).length > 0 ? ['I12: a payout went to an address written by an intruder'] : []
  const breaches = await ADDRESS_SEALS.breaches(db)
  if (stolen.length + breaches.length > 0) throw new Broken([...stolen, ...breaches.map((what) => `I12: ${what}`)])
}

/** Uses a separate connection, because it may have to wait for a transaction of the program. */
async function asOwner(url: string, texts: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const text of [`set session_replication_role = replica`, ...texts]) await client.query(text)
  } finally {
    await client.end()
  }
}
