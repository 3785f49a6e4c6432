import { createServer } from 'node:net'
import { startApplication } from './app.ts'
import { readConfig, type Config, type ConfigAsRead } from '../config/config.ts'
import { secretTexts } from '../config/variables.ts'
import { keptSecretKey, takeDataFolder } from '../db/data-folder.ts'
import { startEmbeddedPostgres } from '../db/embedded-postgres.ts'
import { awaitMigrated, migrate } from '../db/migrate.ts'
import { createDatabase, type DatabaseAddress } from '../db/pool.ts'
import { explanationOf } from './explain.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { monotonicTime, systemRandom, systemRuntime } from '../runtime/system-runtime.ts'
import { VERSION } from './version.ts'

/** Time limit for the clean-up after a signal, in addition to `DRAIN_SECONDS`; then the process ends as it is. */
const SHUTDOWN_LIMIT_MS = 25_000
let shutdownLimitMs = SHUTDOWN_LIMIT_MS

const SAME_SIGNAL_MS = 500

/** The clean-up at the end, last one first. */
type Cleanup = () => Promise<void> | void

class PortTaken extends Error {
  constructor(port: number, cause: unknown) {
    super(`Port ${port} is taken by another program. Set PORT to another one, or stop that program.`, { cause })
    this.name = 'PortTaken'
  }
}

/** A signal ended the start. */
class Stopped extends Error {}

const cleanups: Cleanup[] = []
const stop = new AbortController()

await run()

/** The life of the process: start, serve until a signal, clean up, end. */
async function run(): Promise<never> {
  let status = 0
  stopOnSignals()
  try {
    const read = readConfig(process.env, process.argv.slice(2))
    const runtime = systemRuntime({ logLevel: read.logLevel, secrets: secretTexts(process.env) })
    endOnBugs(runtime)
    await start(read, runtime)
    await new Promise<void>((resolve) => onStop(resolve))
    process.stdout.write('Stopping …\n')
  } catch (error) {
    if (!isStopped(error)) {
      explain(error)
      status = 1
    }
  }
  await putAway()
  // What a library left open (a timer, a keep-alive socket) must not hold up the end.
  process.exit(status)
}

async function start(read: ConfigAsRead, runtime: Runtime): Promise<void> {
  const address = read.databaseUrl ?? (await startOwnDatabase(read, runtime))
  const config = await complete(read)
  shutdownLimitMs += config.drainSeconds * 1000
  stop.signal.throwIfAborted()
  // A login that only sells may not change the schema; no worker can reach an embedded database.
  if (config.role === 'web' && read.databaseUrl !== null) await awaitMigrated({ address, runtime, signal: stop.signal })
  else await migrate({ address, runtime })
  stop.signal.throwIfAborted()
  const db = createDatabase({
    address,
    runtime,
    poolSize: config.databasePoolSize,
    applicationName: `fairball ${VERSION} ${config.role}`,
  })
  cleanups.push(() => db.close())
  const application = await startApplication({ config, runtime, db, signal: stop.signal }).catch((error: unknown) => {
    throw isTaken(error) ? new PortTaken(config.port, error) : error
  })
  cleanups.push(() => application.close())
  stop.signal.throwIfAborted()
  if (config.role !== 'worker') process.stdout.write(`\nFairball is ready: ${application.address}\n\n`)
  else process.stdout.write('\nThe worker is ready.\n\n')
}

/** Takes the data folder, makes sure that the port is free before anything slow happens, and starts the database. */
async function startOwnDatabase(read: ConfigAsRead, runtime: Runtime): Promise<DatabaseAddress> {
  const folder = await takeDataFolder(read.dataDir)
  cleanups.push(() => folder.release())
  await portToUse(read)
  const server = await startEmbeddedPostgres({
    dataFolder: folder.path,
    runtime,
    maxConnections: read.databasePoolSize + 20, // migrations, the listener, and a person who looks
  })
  cleanups.push(() => server.stop())
  void server.died.then((reason) => {
    runtime.log.fatal({ reason }, 'the embedded database ended unasked')
    process.exit(1)
  })
  return server.address
}

async function complete(read: ConfigAsRead): Promise<Config> {
  const port = await portToUse(read)
  return {
    ...read,
    port,
    publicUrl: read.publicUrl ?? `http://localhost:${port}`,
    secretKey: read.secretKey ?? (await keptSecretKey(read.dataDir, () => systemRandom.bytes(32))),
  }
}

/** The port, a free one for 0. @throws PortTaken */
async function portToUse({ port, host, role }: ConfigAsRead): Promise<number> {
  if (role === 'worker') return port
  const probe = createServer()
  return new Promise((resolve, reject) => {
    probe.once('error', (error) => reject(isTaken(error) ? new PortTaken(port, error) : error))
    probe.listen({ port, host, exclusive: true }, () => {
      const bound = probe.address()
      probe.close(() => resolve(typeof bound === 'object' && bound !== null ? bound.port : port))
    })
  })
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
}

/**
 * The first signal ends in order; a second one, immediately (the embedded database's guard then stops the database). A
 * Ctrl-C comes twice, from the terminal and passed on by `npm start`: what follows within a moment is the same one.
 */
function stopOnSignals(): void {
  let stoppedMs = 0
  const onStopWanted = (): void => {
    if (stop.signal.aborted && monotonicTime.nowMs() - stoppedMs > SAME_SIGNAL_MS) process.exit(1)
    if (stop.signal.aborted) return
    stoppedMs = monotonicTime.nowMs()
    stop.abort(new Stopped())
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onStopWanted)
  process.on('disconnect', onStopWanted) // `npm start`, our parent, was killed
}

function isStopped(error: unknown): boolean {
  return stop.signal.aborted && (error instanceof Stopped || error === stop.signal.reason)
}

function onStop(action: () => void): void {
  if (stop.signal.aborted) action()
  else stop.signal.addEventListener('abort', () => action(), { once: true })
}

/** An uncaught failure leaves the process in an unknown state: report it and end. */
function endOnBugs({ log }: Runtime): void {
  process.on('unhandledRejection', (error) => {
    log.fatal({ err: error }, 'a promise was rejected and nobody looked')
    process.exit(1)
  })
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'an error was thrown and nobody caught it')
    process.exit(1)
  })
}

function explain(error: unknown): void {
  process.stderr.write(`\n${explanationOf(error, [PortTaken])}\n`)
}

async function putAway(): Promise<void> {
  const all = async (): Promise<'done'> => {
    for (const cleanup of cleanups.toReversed()) await Promise.resolve().then(cleanup).catch(explain)
    return 'done'
  }
  const outcome = await Promise.race([all(), monotonicTime.sleep(shutdownLimitMs).then(() => 'late' as const)])
  if (outcome === 'late') process.stderr.write(`Not everything could be put away within ${shutdownLimitMs / 1000} s.\n`)
}
