import { parseBundle, parseReceipts, BundleError, bundleText, reportJson } from '@fairball/domain/fairness/bundle-file'
import type { Bundle, OwnReceipt } from '@fairball/domain/fairness/bundle'
import { collectBundle } from '@fairball/domain/fairness/collect-bundle'
import type { Report } from '@fairball/domain/fairness/report'
import { verifyBundle } from '@fairball/domain/fairness/verify'
import { type CliArguments, readArguments, USAGE, UsageError } from './arguments.ts'
import { type Fetch, OperatorError, operatorSource } from './operator-source.ts'
import { ownRecordOf } from './own-record.ts'
import { cleanText, textReport } from './text-report.ts'

/** The world outside of the command. */
export interface CliWorld {
  readonly fetch: Fetch
  /** epoch seconds */
  readonly now: () => number
  readonly readFile: (path: string) => Promise<string>
  readonly writeFile: (path: string, text: string) => Promise<void>
  readonly write: (text: string) => void
  readonly writeError: (text: string) => void
  /** whether the output is a terminal that shows colours */
  readonly colours: boolean
}

/** Nothing failed; something failed; something could not be checked at all, and nothing failed. */
const EXIT = { good: 0, failed: 1, error: 2 } as const

/** One bundle and what became of it. */
type Verified = { readonly source: string } & ({ readonly report: Report } | { readonly error: string })

/** Runs the command. Never throws for what it is given. @returns the exit status */
export async function runCli(args: readonly string[], world: CliWorld): Promise<number> {
  try {
    const asked = readArguments(args)
    if (asked === null) {
      world.write(USAGE)
      return EXIT.good
    }
    const receipts = await readReceipts(asked, world)
    const verified = await (asked.from === null
      ? verifyFiles(asked, receipts, world)
      : verifyFrom(asked, receipts, world))
    show(verified, asked, world)
    return exitOf(verified)
  } catch (error) {
    if (!isForPeople(error)) throw error
    const where = error instanceof FileError ? `${error.path}: ` : ''
    world.writeError(`${cleanText(where + error.message)}\n${error instanceof UsageError ? `\n${USAGE}` : ''}`)
    return EXIT.error
  }
}

/** A file that cannot be read or written. */
class FileError extends Error {
  override readonly name = 'FileError'
  readonly path: string

  constructor(path: string, message: string, cause: unknown) {
    super(message, { cause })
    this.path = path
  }
}

async function verifyFiles(asked: CliArguments, receipts: readonly OwnReceipt[], world: CliWorld): Promise<Verified[]> {
  const verified: Verified[] = []
  for (const source of asked.files) {
    try {
      const bundle = parseBundle(await readText(source, world))
      // A saved bundle may be old: what is missing from it now may have come since, so no clock is held against it.
      verified.push({ source, report: reportOf(bundle, asked, receipts, null) })
    } catch (error) {
      if (!isForPeople(error)) throw error
      verified.push({ source, error: error.message })
    }
  }
  return verified
}

async function verifyFrom(asked: CliArguments, receipts: readonly OwnReceipt[], world: CliWorld): Promise<Verified[]> {
  if (asked.from === null) return []
  const { operator, game, draw } = asked.from
  const bundle = await collectBundle(operatorSource(operator, world.fetch), game, draw)
  if (asked.save !== null) await writeText(asked.save, bundleText(bundle), world)
  return [{ source: operator, report: reportOf(bundle, asked, receipts, world.now()) }]
}

function reportOf(
  bundle: Bundle,
  { key, username }: CliArguments,
  receipts: readonly OwnReceipt[],
  nowAt: number | null,
) {
  return verifyBundle(bundle, { own: ownRecordOf(bundle, { key, username, receipts }), nowAt })
}

async function readReceipts({ receipts }: CliArguments, world: CliWorld): Promise<OwnReceipt[]> {
  const read: OwnReceipt[] = []
  for (const file of receipts) read.push(...parseReceipts(await readText(file, world)))
  return read
}

function show(verified: readonly Verified[], { json, inputs }: CliArguments, world: CliWorld): void {
  if (json) {
    const reports = verified.map((one) =>
      'report' in one
        ? { source: one.source, report: reportJson(one.report) }
        : { source: one.source, error: one.error },
    )
    world.write(`${JSON.stringify({ format: 'fairball/reports/v1', status: exitOf(verified), reports }, null, 2)}\n`)
    return
  }
  for (const one of verified) {
    if (verified.length > 1) world.write(`\n${cleanText(one.source)}\n`)
    if ('report' in one) world.write(textReport(one.report, { colours: world.colours, inputs }))
    else world.writeError(`${cleanText(one.source)}: ${cleanText(one.error)}\n`)
  }
}

function exitOf(verified: readonly Verified[]): number {
  if (verified.some((one) => 'report' in one && one.report.outcome === 'failed')) return EXIT.failed
  return verified.some((one) => 'error' in one) ? EXIT.error : EXIT.good
}

async function readText(path: string, world: CliWorld): Promise<string> {
  try {
    return await world.readFile(path)
  } catch (error) {
    throw new FileError(path, 'The file cannot be read.', error)
  }
}

async function writeText(path: string, text: string, world: CliWorld): Promise<void> {
  try {
    await world.writeFile(path, text)
  } catch (error) {
    throw new FileError(path, 'The file cannot be written.', error)
  }
}

function isForPeople(error: unknown): error is Error {
  return (
    error instanceof BundleError ||
    error instanceof UsageError ||
    error instanceof OperatorError ||
    error instanceof FileError
  )
}
