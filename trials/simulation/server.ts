import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Db, startEmbeddedPostgres } from '@fairball/server/testing/database'
import { TEST_BITCOIN } from '@fairball/server/testing/fixtures'
import { beginLottery, createLottery, fundDemoBankroll } from '@fairball/server/testing/lottery'
import { fixedRates, localOutbox } from '@fairball/server/testing/ports'
import { testRuntime } from '@fairball/server/testing/runtime'
import { prepareServer, type SimulationServer } from './database.ts'
import { SETTINGS } from './processes.ts'
import { simulatedChain } from './beacon-relays.ts'

/**
 * Wednesday 1 January 2025, 16:44 UTC: the demo's first draw is a quarter of an hour later, and the next one is at
 * 18:00.
 */
export const START_AT = 1_735_749_840

/** Starts a PostgreSQL for simulations in a temporary folder. */
export async function startServer(): Promise<{ server: SimulationServer; stop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'fairball-sim-'))
  await chmod(folder, 0o711)
  const postgres = await startEmbeddedPostgres({ dataFolder: folder, runtime: testRuntime(), isDurable: false })
  const stop = async (): Promise<void> => {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
  const { host, user } = postgres.address
  try {
    const url = `postgres://${user}@localhost/postgres?host=${encodeURIComponent(host)}`
    return { server: await openServer(url), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * Prepares a PostgreSQL for seeds.
 *
 * @param url of its maintenance database
 * @param base a template to begin with; without one all migrations run
 */
export function openServer(url: string, base?: string): Promise<SimulationServer> {
  return prepareServer(url, beginFirst, base)
}

/** The lottery after its first start: games, draws, keys, rates and the operator's bankroll. */
async function beginFirst(db: Db): Promise<void> {
  const runtime = testRuntime({ startAt: START_AT, seed: 'simulation' })
  const lottery = await createLottery({
    db,
    runtime,
    ...SETTINGS,
    bitcoin: TEST_BITCOIN,
    rateSource: fixedRates,
    mailer: localOutbox(),
    beacon: { current: 'drand', relays: [], chain: simulatedChain(START_AT) },
  })
  await beginLottery(lottery)
  await db.transaction((tx) => fundDemoBankroll(tx, START_AT))
}
