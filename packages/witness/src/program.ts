import { FolderError } from './journal.ts'
import { Alarms } from './alarms.ts'
import { type Command, type FollowOptions, helpText, readArguments, UsageError } from './arguments.ts'
import { compareLogs } from './compare.ts'
import { lockFolder } from './folder-lock.ts'
import { KeptLog } from './kept-log.ts'
import { createOperatorClient } from './operator-client.ts'
import { matchesKey } from './operator-key.ts'
import type { Runtime } from './runtime.ts'
import { Signatures } from './signatures.ts'
import { summarise, summaryLines } from './summary.ts'
import { createTeller, printable, type Teller } from './teller.ts'
import { VerifiedDraws } from './verify-draws.ts'
import { type RoundOutcome, Witness } from './witness.ts'
import { keyLine, keyOf, readKey } from './witness-key.ts'

/** 0 all is well, 1 an alarm, 2 it could not be told. */
type ExitStatus = 0 | 1 | 2

const STATUS_OF: Readonly<Record<RoundOutcome, ExitStatus>> = { well: 0, alarm: 1, unreached: 2 }

/** Runs the program. @param signal ends following. @returns the exit status; README.md says what each means */
export async function runProgram(args: readonly string[], runtime: Runtime, signal: AbortSignal): Promise<ExitStatus> {
  try {
    return await perform(readArguments(args), runtime, signal)
  } catch (error) {
    if (error instanceof UsageError) runtime.err(`${printable(error.message)} See fairball-witness --help.`)
    else if (error instanceof FolderError) runtime.err(printable(error.message))
    else if (isSystemError(error)) runtime.err(`The folder cannot be used: ${printable(error.message)}`)
    else throw error
    return 2
  }
}

async function perform(command: Command, runtime: Runtime, signal: AbortSignal): Promise<ExitStatus> {
  switch (command.verb) {
    case 'help':
      runtime.out(helpText().trimEnd())
      return 0
    case 'key':
      return showKey(command, runtime)
    case 'check':
      return check(command, runtime)
    case 'compare':
      return compare(command, runtime)
    case 'follow':
      return await follow(command, runtime, signal)
  }
}

function showKey({ state, name, isJson }: Extract<Command, { verb: 'key' }>, runtime: Runtime): ExitStatus {
  const { key } = keyOf(runtime, state, name)
  runtime.out(isJson ? JSON.stringify({ name: key.name, witness: keyLine(key) }) : keyLine(key))
  return 0
}

function check({ state, isJson }: Extract<Command, { verb: 'check' }>, runtime: Runtime): ExitStatus {
  const { files } = runtime
  const isReadOnly = { isReadOnly: true }
  const key = readKey(files, state)
  const { log } = KeptLog.open(files, state, { isReadOnly: true, verifiesAll: true })
  const teller = silentTeller()
  const alarms = Alarms.open({ folder: state, runtime, teller, command: null }, isReadOnly)
  const signatures = key === null ? null : Signatures.open(files, state, key, isReadOnly)
  const summary = summarise({ log, alarms, signatures, verified: VerifiedDraws.open(files, state, isReadOnly) })
  if (summary === null) throw new FolderError(`Nothing was seen yet in ${state}.`)
  if (isJson) runtime.out(JSON.stringify(summary))
  else for (const line of summaryLines(summary)) runtime.out(printable(line))
  return summary.alarms.length > 0 ? 1 : 0
}

function compare({ folders, isJson }: Extract<Command, { verb: 'compare' }>, runtime: Runtime): ExitStatus {
  const [one, other] = folders.map((folder) => {
    const { log } = KeptLog.open(runtime.files, folder, { isReadOnly: true })
    if (log.last === null) throw new FolderError(`Nothing was seen yet in ${folder}.`)
    return log.notes
  })
  const found = compareLogs(one ?? [], other ?? [])
  if (isJson) runtime.out(JSON.stringify(found))
  else for (const line of comparisonLines(found)) runtime.out(line)
  return found.outcome === 'same' ? 0 : 1
}

function comparisonLines(found: ReturnType<typeof compareLogs>): string[] {
  if (found.outcome === 'same') {
    return [`The same log: ${found.inBoth} statements in both, ${found.onlyInOne} more in one of them.`]
  }
  if (found.outcome === 'other-log') return [`Not one log. ${printable(found.reason)}`]
  const { seq, hashes, notes } = found.fork
  return [
    `FORK: the operator signed two different statements ${seq}, ${hashes[0]} and ${hashes[1]}. This is proof of fraud:`,
    '',
    ...notes,
  ]
}

async function follow(
  { url, state, follow: options }: Extract<Command, { verb: 'follow' }>,
  runtime: Runtime,
  signal: AbortSignal,
): Promise<ExitStatus> {
  const client = createOperatorClient(runtime, url)
  const ownNow = (): number => Math.floor(runtime.nowMs() / 1000)
  const now = (): number => (options.clock === 'operator' ? (client.operatorNow() ?? ownNow()) : ownNow())
  const teller = createTeller({
    isJson: options.isJson,
    now,
    out: (line) => runtime.out(line),
    err: (line) => runtime.err(line),
  })
  const unlock = lockFolder(runtime, state)
  try {
    const witness = openWitness({ url, state, options, runtime, client, now, teller })
    const waits = options.isOnce
    let outcome = await witness.round({ waits })
    while (!options.isOnce && !signal.aborted) {
      await runtime.sleep(options.intervalSeconds * 1000, signal)
      if (signal.aborted) break
      outcome = await witness.round({ waits })
    }
    return STATUS_OF[outcome]
  } finally {
    unlock()
  }
}

function openWitness(parts: {
  readonly url: string
  readonly state: string
  readonly options: FollowOptions
  readonly runtime: Runtime
  readonly client: ReturnType<typeof createOperatorClient>
  readonly now: () => number
  readonly teller: Teller
}): Witness {
  const { url, state: folder, options, runtime, client, now, teller } = parts
  const { key, isNew } = keyOf(runtime, folder, options.name)
  if (isNew) teller.say('key', `Made a key. Give this line to the operator: ${keyLine(key)}`, { witness: keyLine(key) })
  const { log, repairedBytes } = KeptLog.open(runtime.files, folder)
  if (repairedBytes > 0) teller.warn('repaired', `A line that was being written when the program ended was taken away.`)
  const firstKey = log.publicKeys[0]
  if (options.key !== null && firstKey !== undefined && !matchesKey(firstKey, options.key)) {
    throw new UsageError(`${folder} holds the log of another key, ${firstKey}, than the one you name.`)
  }
  if (options.clock === 'operator') {
    teller.warn(
      'clock',
      "THE CLOCK IS THE OPERATOR'S. What is seen and signed now proves nothing: for demonstrations only.",
    )
  }
  const alarms = Alarms.open({ folder, runtime, teller, command: options.alarmCommand })
  const seen = log.head === null ? 'nothing yet' : `${log.head.seq + 1} statements of ${log.head.operator}`
  if (!options.isOnce)
    teller.say('start', `${key.name} follows ${url}; kept so far: ${seen}.`, { url, statements: log.notes.length })
  return new Witness({
    runtime,
    folder,
    client,
    now,
    log,
    alarms,
    signatures: Signatures.open(runtime.files, folder, key),
    verified: VerifiedDraws.open(runtime.files, folder),
    teller,
    options: { ...options, url },
  })
}

function silentTeller(): Teller {
  return { say: () => undefined, warn: () => undefined, alarm: () => undefined }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).code === 'string'
}
