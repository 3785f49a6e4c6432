import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../src/db/embedded-postgres.ts'
import { testRuntime } from '../src/runtime/test-runtime.ts'
import type { SimulationServer } from './database.ts'
import { openServer } from './simulation.ts'

/** Starts a PostgreSQL for simulations in a folder of which nothing stays. */
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
