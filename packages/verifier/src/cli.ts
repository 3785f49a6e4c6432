import { writeBundle } from '@fairball/domain/protocol/bundle'
import { collectBundle, type CollectHint, type DrawName } from '@fairball/domain/protocol/collect-bundle'
import type { Hash } from '@fairball/domain/protocol/hash'
import { JsonError } from '@fairball/domain/protocol/json'
import { RemoteError, RemoteLog, rootsOfHeads } from '@fairball/domain/protocol/remote-log'
import { EXIT_CODES, worstOutcome } from '@fairball/domain/protocol/report'
import { ShapeError } from '@fairball/domain/protocol/shapes'
import { NO_TRUST, readTrust, type Trust } from '@fairball/domain/protocol/trust'
import { type CliArguments, readArguments, USAGE, UsageError } from './arguments.ts'
import { type Judged, judgeBundle, judgeFile } from './judge.ts'
import { type Fetch, hintOf, OperatorError, operatorFiles } from './operator-files.ts'
import { cleanText, textReport } from './text-report.ts'

/** The command's environment. */
export interface CliWorld {
  readonly fetch: Fetch
  readonly hash: Hash
  /** a random whole number from 0 to `below` − 1 */
  readonly random: (below: number) => number
  readonly readFile: (path: string) => Promise<Uint8Array>
  readonly writeFile: (path: string, text: string) => Promise<void>
  readonly write: (text: string) => void
  readonly writeError: (text: string) => void
  /** whether the output is a terminal with colours */
  readonly colours: boolean
}

/** A file that cannot be read or written. */
class FileError extends Error {
  override readonly name = 'FileError'
}

/** A file or operator, with its report. */
type Named = Judged & { readonly source: string }

/** Runs the command. Never throws for invalid input. @returns the exit status (section 11) */
export async function runCli(args: readonly string[], world: CliWorld): Promise<number> {
  try {
    const asked = readArguments(args)
    if (asked === null) {
      world.write(USAGE)
      return EXIT_CODES.proved
    }
    const trust = asked.trust === null ? NO_TRUST : await readTrustFile(asked.trust, world)
    const judged =
      asked.from === null ? await judgeFiles(asked, trust, world) : [await judgeServed(asked, trust, world)]
    show(judged, asked, world)
    return EXIT_CODES[worstOutcome(judged.map(({ report }) => report.outcome))]
  } catch (error) {
    if (!isForPeople(error)) throw error
    world.writeError(`${cleanText(error.message)}\n${error instanceof UsageError ? `\n${USAGE}` : ''}`)
    return EXIT_CODES.broken
  }
}

async function judgeFiles({ files }: CliArguments, trust: Trust, world: CliWorld): Promise<Named[]> {
  const judged: Named[] = []
  for (const source of files) {
    judged.push({ source, ...judgeFile(await readBytes(source, world), trust, { hash: world.hash }) })
  }
  return judged
}

/** Collects a bundle from an operator and judges it, and compares the log with the kept heads. */
async function judgeServed({ from, save }: CliArguments, trust: Trust, world: CliWorld): Promise<Named> {
  if (from === null) throw new UsageError('--from names no operator.')
  const { operator, draws } = from
  const { hash, random } = world
  const get = operatorFiles(operator, world.fetch)
  const log = await RemoteLog.open(get, hash)
  const bundle = await collectBundle({ get, log, draws, random, hash, hint: await hintFor(operator, draws, world) })
  if (save !== null) await writeText(save, writeBundle(bundle), world)
  const roots = await rootsOfHeads(log, trust.heads)
  return { source: operator, ...judgeBundle(bundle, trust, { hash, roots }) }
}

async function hintFor(operator: string, draws: readonly DrawName[], world: CliWorld): Promise<CollectHint> {
  const hints = await Promise.all(
    draws.filter((name) => typeof name !== 'string').map((name) => hintOf(operator, name, world.fetch)),
  )
  return { statements: hints.flatMap((hint) => hint?.statements ?? []) }
}

function show(judged: readonly Named[], { json, from, save }: CliArguments, world: CliWorld): void {
  if (json) {
    const reports = judged.map(({ source, report }) => ({ source, ...report }))
    world.write(`${JSON.stringify(reports.length === 1 ? reports[0] : reports, null, 1)}\n`)
    return
  }
  for (const one of judged) {
    if (judged.length > 1) world.write(`\n${cleanText(one.source)}\n`)
    world.write(textReport(one, world.colours))
    const isLost = from !== null && save === null && one.report.outcome === 'failed'
    if (isLost) world.write('Nothing was kept: ask again with --save <file>.\n')
  }
}

async function readTrustFile(path: string, world: CliWorld): Promise<Trust> {
  try {
    return readTrust(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readBytes(path, world)))
  } catch (error) {
    if (error instanceof JsonError || error instanceof ShapeError || error instanceof TypeError) {
      throw new FileError(`${path}: ${error.message}`, { cause: error })
    }
    throw error
  }
}

async function readBytes(path: string, world: CliWorld): Promise<Uint8Array> {
  try {
    return await world.readFile(path)
  } catch (error) {
    throw new FileError(`${path}: The file cannot be read.`, { cause: error })
  }
}

async function writeText(path: string, text: string, world: CliWorld): Promise<void> {
  try {
    await world.writeFile(path, text)
  } catch (error) {
    throw new FileError(`${path}: The file cannot be written.`, { cause: error })
  }
}

function isForPeople(error: unknown): error is Error {
  const kinds = [UsageError, OperatorError, RemoteError, FileError]
  return kinds.some((kind) => error instanceof kind)
}
