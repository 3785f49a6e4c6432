import type { Bundle } from './bundle.ts'
import { BundleError } from './bundle-file.ts'
import { drawRecord } from './draw-record.ts'
import { type LoggedNote, readLogged } from './log.ts'

/** The most pages of a log that are fetched for one bundle; a source that goes on for ever is given up. */
const MOST_PAGES = 5000

/** Where the parts of a bundle come from: an operator's public calls (fairness section 10), or anybody's copy of them. */
export interface FairnessSource {
  /** `GET /fairness/log?from=` */
  log(from: number): Promise<{ readonly notes: readonly string[]; readonly next: number | null }>
  /** `GET /fairness/rules/{hash}` */
  rules(hash: string): Promise<string>
  /** `GET /fairness/draws/{game}/{number}` */
  record(
    game: string,
    number: number,
  ): Promise<{
    readonly notes: readonly string[]
    readonly witnesses: readonly string[]
    readonly beacon: { readonly round: number; readonly signature: string } | null
  }>
  /** `GET /fairness/draws/{game}/{number}/entries`; null before the close */
  entries(game: string, number: number): Promise<Uint8Array | null>
}

/**
 * Fetches everything that verifying a draw takes (fairness section 10): its record and the log to its head, where the keys of
 * later receipts stand. Where the draw went on meanwhile, its record is fetched again, so that the parts agree. Nothing is
 * verified.
 *
 * @param start notes of the log from seq 0 that are at hand already; only those after them are fetched
 * @throws BundleError where the source does not know the draw, or its log does not reach it
 */
export async function collectBundle(
  source: FairnessSource,
  game: string,
  draw: number,
  start: readonly string[] = [],
): Promise<Bundle> {
  let record = await source.record(game, draw)
  let statements = readAll(record.notes)
  const opened = statements.find(({ statement }) => statement.type === 'open')?.statement
  if (opened?.type !== 'open') throw new BundleError('The operator has not opened this draw.')
  let log = await logToHead(source, start)
  if (newestSeq(log, statements, { game, draw }) > newestOf(statements)) {
    record = await source.record(game, draw)
    statements = readAll(record.notes)
  }
  // What the record names was in the log before it; what the log has got since may be more than the record knows.
  if (log.length <= newestOf(statements)) {
    log = (await logToHead(source, log)).slice(0, newestOf(statements) + 1)
    if (log.length <= newestOf(statements)) throw new BundleError('The log of the operator ends before this draw.')
  }
  const isClosed = statements.some(({ statement }) => statement.type === 'close')
  const [rules, entries] = await Promise.all([
    source.rules(opened.rules),
    isClosed ? source.entries(game, draw) : Promise.resolve(null),
  ])
  const { beacon, witnesses } = record
  return {
    game,
    draw,
    log,
    rules,
    witnesses,
    beacon: beacon === null ? null : { round: roundOf(beacon.round), signature: beacon.signature },
    entries,
    own: null,
  }
}

async function logToHead(source: FairnessSource, start: readonly string[]): Promise<string[]> {
  const log = [...start]
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const { notes, next } = await source.log(log.length)
    log.push(...notes)
    if (next === null) return log
    if (notes.length === 0) throw new BundleError('The log of the operator has a page with nothing on it.')
  }
  throw new BundleError('The log of the operator does not end.')
}

function readAll(notes: readonly string[]): LoggedNote[] {
  return notes.map((note) => readLogged(note)).filter((logged) => typeof logged !== 'string')
}

function newestOf(statements: readonly LoggedNote[]): number {
  return Math.max(...statements.map(({ statement }) => statement.seq))
}

/** The newest statement of a draw in a log, which may be newer than those known of it. */
function newestSeq(
  log: readonly string[],
  known: readonly LoggedNote[],
  { game, draw }: { game: string; draw: number },
): number {
  const newer = readAll(log.slice(newestOf(known) + 1))
  const record = drawRecord([...known, ...newer], game, draw)
  if (record === null) return -1
  const { opens, postpones, closes, voids, results } = record
  return newestOf([...opens, ...postpones, ...closes, ...voids, ...results])
}

function roundOf(round: number): bigint {
  if (!Number.isSafeInteger(round) || round < 1) throw new BundleError('The operator names no round of the beacon.')
  return BigInt(round)
}
