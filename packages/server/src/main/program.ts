import { startApplication } from './app.ts'
import { readConfig, type Config, type ConfigAsRead } from '../config/config.ts'
import { secretTexts } from '../config/variables.ts'
import { keptSecretKey, takeDataFolder } from '../db/data-folder.ts'
import { startEmbeddedPostgres } from '../db/embedded-postgres.ts'
import { awaitMigrated, migrate } from '../db/migrate.ts'
import type { DatabaseAddress } from '../db/connection-settings.ts'
import { createDatabase, type Db } from '../db/pool.ts'
import { demoInvites } from '../modules/console/demo-people.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { systemRandom, systemRuntime } from '../runtime/system-runtime.ts'
import { type DemoConsole, placeOfConsole, startDemoConsole } from './demo-console.ts'
import type { Life } from './life.ts'
import { portError, portToUse } from './ports.ts'
import { VERSION } from './version.ts'

/** Starts the site, its worker, or both. @throws ConfigError, and whatever else keeps it from starting */
export async function startProgram(life: Life, env: Record<string, string | undefined>, args: readonly string[]) {
  const read = readConfig(env, args)
  const runtime = systemRuntime({ logLevel: read.logLevel, secrets: secretTexts(env) })
  life.endOnBugs(runtime)
  const { signal } = life
  const address = read.databaseUrl ?? (await startOwnDatabase(life, read, runtime))
  const config = await complete(read)
  const place = await placeOfConsole(read, env, config.port)
  life.allowSeconds(config.drainSeconds)
  signal.throwIfAborted()
  // A login that only sells may not change the schema; no worker can reach an embedded database.
  if (config.role === 'web' && read.databaseUrl !== null)
    await awaitMigrated({ address, runtime, signal, waiter: 'web', mode: read.mode })
  else await migrate({ address, runtime, mode: read.mode })
  signal.throwIfAborted()
  const db = createDatabase({
    address,
    runtime,
    poolSize: config.databasePoolSize,
    applicationName: `fairball ${VERSION} ${config.role}`,
  })
  life.atEnd(() => db.close())
  const application = await startApplication({
    config: { ...config, consoleUrl: place?.url ?? config.consoleUrl },
    runtime,
    db,
    signal,
  }).catch((error: unknown) => {
    throw portError(error, config.port, 'PORT')
  })
  life.atEnd(() => application.close())
  signal.throwIfAborted()
  if (config.role !== 'worker') process.stdout.write(`\nFairball is ready: ${application.address}\n\n`)
  else process.stdout.write('\nThe worker is ready.\n\n')
  if (place !== null) await besideIt(life, { place, config, env, address, runtime, db })
}

/** Starts the console along with the site. Its troubles are not the site's. */
async function besideIt(
  life: Life,
  deps: Omit<DemoConsole, 'onServing'> & { readonly runtime: Runtime; readonly db: Db },
): Promise<void> {
  try {
    const [owner] = await demoInvites({ ...deps, consoleUrl: deps.place.url })
    const onServing = (): void => void process.stdout.write(`The console: ${owner?.url}\n\n`)
    const close = await startDemoConsole({ ...deps, onServing })
    if (close !== null) life.atEnd(close)
  } catch (error) {
    deps.runtime.log.error({ err: error }, 'the console could not be started')
  }
}

/** Takes the data folder, makes sure that the port is free before anything slow happens, and starts the database. */
async function startOwnDatabase(life: Life, read: ConfigAsRead, runtime: Runtime): Promise<DatabaseAddress> {
  const folder = await takeDataFolder(read.dataDir)
  life.atEnd(() => folder.release())
  await sitePort(read)
  const server = await startEmbeddedPostgres({
    dataFolder: folder.path,
    runtime,
    maxConnections: read.databasePoolSize + 30, // migrations, the listener, the console, and a person who looks
  })
  life.atEnd(() => server.stop())
  void server.died.then((reason) => {
    runtime.log.fatal({ reason }, 'the embedded database ended unasked')
    process.exit(1)
  })
  return server.address
}

async function complete(read: ConfigAsRead): Promise<Config> {
  const port = await sitePort(read)
  return {
    ...read,
    port,
    publicUrl: read.publicUrl ?? `http://localhost:${port}`,
    secretKey: read.secretKey ?? (await keptSecretKey(read.dataDir, () => systemRandom.bytes(32))),
  }
}

/** The site's port, a free one for 0; a worker has none. @throws PortTaken */
async function sitePort({ port, host, role }: ConfigAsRead): Promise<number> {
  return role === 'worker' ? port : await portToUse(port, host, 'PORT')
}
