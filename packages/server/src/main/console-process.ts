import {
  dropOthers,
  type ConsoleConfig,
  type ConsoleConfigAsRead,
  readConsoleConfig,
} from '../config/console-config.ts'
import { secretTexts } from '../config/variables.ts'
import { awaitMigrated } from '../db/migrate.ts'
import { createDatabase } from '../db/pool.ts'
import { systemRuntime } from '../runtime/system-runtime.ts'
import { CONSOLE_POOL_SIZE, CONSOLE_STATEMENT_MS, createConsole } from './console-app.ts'
import type { Life } from './life.ts'
import { portError, portToUse } from './ports.ts'
import { VERSION } from './version.ts'

/**
 * Starts the process of the operator's console.
 *
 * @returns its address
 * @throws ConfigError; LoginMayMore for a login that is more than the console's; PortTaken; DatabaseUnavailable
 */
export async function startConsole(
  life: Life,
  env: Record<string, string | undefined>,
  args: readonly string[],
): Promise<string> {
  const dropped = dropOthers(env)
  const read = readConsoleConfig(env, args)
  const runtime = systemRuntime({ logLevel: read.logLevel, secrets: secretTexts(env) })
  life.endOnBugs(runtime)
  if (dropped.length > 0)
    runtime.log.warn(
      { variables: dropped },
      "the console needs none of these secrets and does not read them: start it without, since a process's environment stays readable",
    )
  const config = await complete(read)
  life.allowSeconds(config.drainSeconds)
  const { databaseUrl: address } = config
  await awaitMigrated({ address, runtime, signal: life.signal, waiter: 'console', mode: config.mode })
  const db = createDatabase({
    address,
    runtime,
    poolSize: CONSOLE_POOL_SIZE,
    statementTimeoutMs: CONSOLE_STATEMENT_MS,
    areStatementsReadOnly: true,
    applicationName: `fairball ${VERSION} console`,
  })
  life.atEnd(() => db.close())
  const { http, monitor, close } = await createConsole({ config, runtime, db })
  life.atEnd(close)
  life.signal.throwIfAborted()
  if (config.monitorPort !== null) await monitor?.listen({ port: config.monitorPort, host: config.host })
  await http.listen({ port: config.port, host: config.host }).catch((error: unknown) => {
    throw portError(error, config.port, 'CONSOLE_PORT')
  })
  return config.url
}

async function complete(read: ConsoleConfigAsRead): Promise<ConsoleConfig> {
  const port = await portToUse(read.port, read.host, 'CONSOLE_PORT')
  return { ...read, port, url: read.url ?? `http://localhost:${port}` }
}
