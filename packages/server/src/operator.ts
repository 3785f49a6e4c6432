import { readConfig } from './config.ts'
import { secretTexts } from './config/variables.ts'
import { keptSecretKey, takeDataFolder } from './db/data-folder.ts'
import { startEmbeddedPostgres } from './db/embedded-postgres.ts'
import { migrate } from './db/migrate.ts'
import { createDatabase, type DatabaseAddress, type Db } from './db/pool.ts'
import { explanationOf } from './explain.ts'
import { fairnessCommands } from './modules/fairness/commands.ts'
import { monitoringCommands } from './modules/monitoring/commands.ts'
import { paymentCommands } from './modules/payments/commands.ts'
import { payoutCommands } from './modules/payouts/commands.ts'
import { treasuryCommands } from './modules/treasury/commands.ts'
import { CommandError, type OperatorCommand } from './operator-command.ts'
import { readDemoClock } from './modules/demo/clock.ts'
import type { Runtime } from './runtime/runtime.ts'
import { createSeal } from './runtime/seal.ts'
import { systemRandom, systemRuntime } from './runtime/system-runtime.ts'

/**
 * What an operator does by hand, one command a run: `npm run operator -- <command>`. It reads the same
 * configuration as the program. With the embedded database the program has to be stopped: one process has the folder.
 */
const COMMANDS: Readonly<Record<string, OperatorCommand>> = {
  ...fairnessCommands,
  ...paymentCommands,
  ...payoutCommands,
  ...treasuryCommands,
  ...monitoringCommands,
}

/** What has to be put away at the end, the last one first. */
const cleanups: (() => Promise<void> | void)[] = []

process.exitCode = await run(process.argv.slice(2))

async function run([name = '', ...args]: readonly string[]): Promise<number> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined || args.length !== command.args.length) {
    process.stderr.write(`${usage()}\n`)
    return name === '' || name === 'help' ? 0 : 2
  }
  try {
    process.stdout.write(`${await inDatabase((house) => command.run(house, args))}\n`)
    return 0
  } catch (error) {
    process.stderr.write(`${explanationOf(error, [CommandError])}\n`)
    return 1
  } finally {
    for (const cleanup of cleanups.toReversed()) await cleanup()
  }
}

async function inDatabase(work: (house: Parameters<OperatorCommand['run']>[0]) => Promise<string>): Promise<string> {
  const config = readConfig(process.env)
  const runtime = systemRuntime({ logLevel: 'error', secrets: secretTexts(process.env) })
  const address = config.databaseUrl ?? (await startOwnDatabase(config.dataDir, runtime))
  const secretKey = config.secretKey ?? (await keptSecretKey(config.dataDir, () => systemRandom.bytes(32)))
  await migrate({ address, runtime })
  const db: Db = createDatabase({ address, runtime, poolSize: 3, applicationName: 'fairball operator' })
  cleanups.push(() => db.close())
  if (config.mode === 'demo') await readDemoClock({ db, runtime })
  return await work({ db, runtime, seal: createSeal(secretKey.subarray(0, 32), runtime.random), config })
}

async function startOwnDatabase(dataDir: string, runtime: Runtime): Promise<DatabaseAddress> {
  const folder = await takeDataFolder(dataDir)
  cleanups.push(() => folder.release())
  const server = await startEmbeddedPostgres({ dataFolder: folder.path, runtime })
  cleanups.push(() => server.stop())
  return server.address
}

function usage(): string {
  const rows = Object.entries(COMMANDS).map(([name, { args, summary }]) => {
    const written = [name, ...args.map((arg) => `<${arg}>`)].join(' ')
    return `  ${written.padEnd(34)}${summary}`
  })
  return ['Usage: npm run operator -- <command>', '', ...rows].join('\n')
}
