import { isRoundSigned } from '@fairball/domain/protocol/beacon'
import type { RoundCheck } from '@fairball/domain/protocol/verify-result'
import { Alarms } from './alarms.ts'
import { type Command, helpText, readArguments, type ServeCommand } from './arguments.ts'
import { type ConfiguredLog, readLogs } from './configured-logs.ts'
import { lockFolder } from './folder-lock.ts'
import { FolderError } from './journal.ts'
import { KeptLog } from './kept-log.ts'
import { folderOf, logsFolder, openLog } from './open-log.ts'
import { MAX_REQUEST_BYTES } from './request.ts'
import type { Runtime } from './runtime.ts'
import { summarise, summaryLines } from './summary.ts'
import { createTeller, printable, type Teller } from './teller.ts'
import { UsageError } from './usage-error.ts'
import { VerifiedDraws } from './verified-draws.ts'
import { Witness } from './witness.ts'
import { keyOf, witnessVerifierKey } from './witness-key.ts'

/** 0 success, 1 there were alarms, 2 the command cannot be done. */
type ExitStatus = 0 | 1 | 2

/**
 * Runs the program.
 *
 * @param signal ends serving
 * @param isRound checks a beacon's signature
 * @returns the exit status, explained in README.md
 */
export async function runProgram(
  args: readonly string[],
  runtime: Runtime,
  signal: AbortSignal,
  isRound: RoundCheck = isRoundSigned,
): Promise<ExitStatus> {
  try {
    return await perform(readArguments(args), runtime, signal, isRound)
  } catch (error) {
    if (error instanceof UsageError) runtime.err(`${printable(error.message)} See fairball-witness --help.`)
    else if (error instanceof FolderError) runtime.err(printable(error.message))
    else if (isSystemError(error)) runtime.err(`The folder or the port cannot be used: ${printable(error.message)}`)
    else throw error
    return 2
  }
}

async function perform(
  command: Command,
  runtime: Runtime,
  signal: AbortSignal,
  isRound: RoundCheck,
): Promise<ExitStatus> {
  switch (command.verb) {
    case 'help':
      runtime.out(helpText().trimEnd())
      return 0
    case 'key':
      return showKey(command, runtime)
    case 'check':
      return check(command, runtime, isRound)
    case 'serve':
      return await serve(command, runtime, signal, isRound)
  }
}

function showKey({ state, name, isJson }: Extract<Command, { verb: 'key' }>, runtime: Runtime): ExitStatus {
  const { key } = keyOf(runtime, state, name)
  const text = witnessVerifierKey(key)
  runtime.out(isJson ? JSON.stringify({ name: key.name, witness: text }) : text)
  return 0
}

function check(
  { state, isJson }: Extract<Command, { verb: 'check' }>,
  runtime: Runtime,
  isRound: RoundCheck,
): ExitStatus {
  const { files } = runtime
  const isReadOnly = { isReadOnly: true }
  const origins = files.names(logsFolder(state)).map((name) => decodeURIComponent(name))
  if (origins.length === 0) throw new FolderError(`Nothing was read yet in ${state}.`)
  const summaries = origins.map((origin) => {
    const folder = folderOf(state, origin)
    const kept = KeptLog.open({ files, folder, origin, isRound, ...isReadOnly })
    const alarms = Alarms.open({ folder, runtime, teller: SILENT, command: null, webhook: null }, isReadOnly)
    const { all } = new VerifiedDraws({ runtime, folder, get: async () => null, isRound }, isReadOnly)
    return summarise(origin, kept, alarms, all)
  })
  if (isJson) for (const summary of summaries) runtime.out(JSON.stringify(summary))
  else for (const line of summaries.flatMap(summaryLines)) runtime.out(printable(line))
  return summaries.some(({ alarms }) => alarms.length > 0) ? 1 : 0
}

async function serve(
  command: ServeCommand,
  runtime: Runtime,
  signal: AbortSignal,
  isRound: RoundCheck,
): Promise<ExitStatus> {
  const teller = createTeller({
    isJson: command.isJson,
    now: () => Math.floor(runtime.nowMs() / 1000),
    out: (line) => runtime.out(line),
    err: (line) => runtime.err(line),
  })
  const logs = logsIn(command.logs, runtime)
  const unlock = lockFolder(runtime, command.state)
  try {
    const { key, isNew } = keyOf(runtime, command.state, command.name)
    const witness = witnessVerifierKey(key)
    if (isNew) teller.say('key', `Made a key. Give it to operators and verifiers: ${witness}`, { witness })
    if (command.clock === 'log') {
      teller.warn('clock', 'COSIGNATURES ARE DATED BY THE LOGS. They prove nothing: for demonstrations only.')
    }
    const opened = logs.map((log) => [log.origin, openLog(log, { runtime, command, key, teller, isRound })] as const)
    const serving = new Witness(new Map(opened))
    const at = { host: command.host, port: command.port, mostBytes: MAX_REQUEST_BYTES }
    const listening = await runtime.listen(at, (request) => serving.answer(request))
    try {
      const origins = logs.map(({ origin }) => origin)
      const text = `${key.name} cosigns ${origins.join(', ')} at ${command.host}, port ${listening.port}.`
      teller.say('start', text, { witness, origins, port: listening.port })
      await serving.watch(runtime, command.intervalSeconds, signal)
    } finally {
      await listening.close()
    }
    return 0
  } finally {
    unlock()
  }
}

function logsIn(path: string, runtime: Runtime): ConfiguredLog[] {
  const bytes = runtime.files.read(path)
  if (bytes === null) throw new UsageError(`There is no file ${path}.`)
  return readLogs(new TextDecoder().decode(bytes))
}

const SILENT: Teller = { say: () => undefined, warn: () => undefined, alarm: () => undefined }

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).code === 'string'
}
