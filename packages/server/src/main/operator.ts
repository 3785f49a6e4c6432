import { realpath } from 'node:fs/promises'
import { type ConfigAsRead, readConfig } from '../config/config.ts'
import { secretTexts } from '../config/variables.ts'
import { DataFolderTaken, keptSecretKey, takeDataFolder } from '../db/data-folder.ts'
import { runningPostgres, startEmbeddedPostgres } from '../db/embedded-postgres.ts'
import { migrate } from '../db/migrate.ts'
import type { DatabaseAddress } from '../db/connection-settings.ts'
import { createDatabase, type Db } from '../db/pool.ts'
import { Refused } from '../kernel/errors.ts'
import { commandBy } from '../modules/console/command-people.ts'
import { readDemoClock } from '../modules/demo/clock.ts'
import { openInstallation } from '../modules/fairness/installation.ts'
import type { OperatorCommand } from '../modules/operator/command.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { systemRandom, systemRuntime } from '../runtime/system-runtime.ts'
import { explanationOf } from './explain.ts'
import {
  ALONE,
  commandLine,
  OPERATOR_COMMANDS,
  readArguments,
  WITHOUT_DATABASE,
  signaturesFor,
} from './operator-commands.ts'
import { restoreForGood } from './backup/commands.ts'
import { askAtTerminal } from './setup/ask.ts'
import { doctorIn, psqlAsAdministrator, setUp } from './setup/setup.ts'

/** Width of the commands in the usage, in characters. */
const USAGE_COLUMN = 34
/** The clean-up at the end, last one first. */
const cleanups: (() => Promise<void> | void)[] = []

process.exitCode = await run(process.argv.slice(2))

async function run([name = '', ...typed]: readonly string[]): Promise<number> {
  if (Object.hasOwn(WITHOUT_DATABASE, name)) return await runWithoutDatabase(name, typed)
  const command = Object.hasOwn(OPERATOR_COMMANDS, name) ? OPERATOR_COMMANDS[name] : undefined
  const given = command === undefined ? null : readArguments(command, typed)
  if (command === undefined || given === null) {
    process.stderr.write(`${usage()}\n`)
    return name === '' || name === 'help' ? 0 : 2
  }
  try {
    process.stdout.write(`${await inDatabase((context) => runBy(command, context, given))}\n`)
    return 0
  } catch (error) {
    process.stderr.write(`${explanationOf(error, [Refused])}\n`)
    return 1
  } finally {
    for (const cleanup of cleanups.toReversed()) await cleanup()
  }
}

async function runWithoutDatabase(name: string, args: readonly string[]): Promise<number> {
  const say = (line: string): void => void process.stdout.write(`${line}\n`)
  try {
    const runtime = systemRuntime({ logLevel: 'error' })
    if (name === 'restore') say(await restoreForGood(runtime, args))
    else await setUp(args, { runtime, ask: askAtTerminal, say, psql: psqlAsAdministrator, doctor: doctorIn })
    return 0
  } catch (error) {
    process.stderr.write(`${explanationOf(error, [Refused])}\n`)
    return 1
  }
}

/** Runs a command as the person who says so. @throws Refused where the console would ask for more people */
async function runBy(
  command: OperatorCommand<ConfigAsRead>,
  context: Parameters<OperatorCommand<ConfigAsRead>['run']>[0],
  { args, options }: NonNullable<ReturnType<typeof readArguments>>,
): Promise<string> {
  const signatures = signaturesFor(command, args)
  if (signatures === undefined) return await command.run(context, args, options)
  const { as = null, reason = '', [ALONE]: alone } = options
  const by = await commandBy(context.db, { as, reason, signatures, isEmergency: alone !== undefined })
  return await command.run({ ...context, by }, args, options)
}

async function inDatabase(
  work: (context: Parameters<OperatorCommand<ConfigAsRead>['run']>[0]) => Promise<string>,
): Promise<string> {
  const config = readConfig(process.env)
  const runtime = systemRuntime({ logLevel: 'error', secrets: secretTexts(process.env) })
  const address = config.databaseUrl ?? (await ownDatabase(config.dataDir, runtime))
  const secretKey = config.secretKey ?? (await keptSecretKey(config.dataDir, () => systemRandom.bytes(32)))
  await migrate({ address, runtime, mode: config.mode })
  const db: Db = createDatabase({ address, runtime, poolSize: 3, applicationName: 'fairball operator' })
  cleanups.push(() => db.close())
  if (config.mode === 'demo') await readDemoClock({ db, runtime })
  const seal = await openInstallation({ db, runtime, secretKey })
  return await work({ db, runtime, seal, config: { ...config, secretKey } })
}

/** The database of the data folder: that of the running program, or a server of our own. */
async function ownDatabase(dataDir: string, runtime: Runtime): Promise<DatabaseAddress> {
  const folder = await takeDataFolder(dataDir).catch((error: unknown) => {
    if (error instanceof DataFolderTaken) return null
    throw error
  })
  if (folder === null) return await runningPostgres(await realpath(dataDir))
  cleanups.push(() => folder.release())
  const server = await startEmbeddedPostgres({ dataFolder: folder.path, runtime })
  cleanups.push(() => server.stop())
  return server.address
}

function usage(): string {
  // The summary of a long command has a line of its own.
  const row = (line: string, summary: string): string =>
    line.length < USAGE_COLUMN
      ? `  ${line.padEnd(USAGE_COLUMN)}${summary}`
      : `  ${line}\n${' '.repeat(USAGE_COLUMN + 2)}${summary}`
  const rows = Object.entries(OPERATOR_COMMANDS).map(([name, command]) =>
    row(commandLine(name, command), command.summary),
  )
  const before = Object.values(WITHOUT_DATABASE).map(({ line, summary }) => row(line, summary))
  return ['Usage: npm run operator -- <command>', '', ...before, ...rows].join('\n')
}
