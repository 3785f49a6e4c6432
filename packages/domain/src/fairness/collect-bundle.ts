import type { Bundle } from './bundle.ts'
import { BundleError } from './bundle-file.ts'
import { readLogged } from './log.ts'

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
 * Fetches everything that verifying a draw takes (fairness section 10): its record first, then the log up to the newest
 * statement in that record, so that what comes in meanwhile does not make the parts disagree. Nothing is verified.
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
  const record = await source.record(game, draw)
  const statements = record.notes.map((note) => readLogged(note)).filter((logged) => typeof logged !== 'string')
  const opened = statements.find(({ statement }) => statement.type === 'open')?.statement
  const newestSeq = Math.max(...statements.map(({ statement }) => statement.seq))
  if (opened?.type !== 'open') throw new BundleError('The operator has not opened this draw.')
  const isClosed = statements.some(({ statement }) => statement.type === 'close')
  const log = await logUpTo(source, newestSeq, start)
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

async function logUpTo(source: FairnessSource, seq: number, start: readonly string[]): Promise<string[]> {
  const log = start.slice(0, seq + 1)
  for (let pages = 0; log.length <= seq; pages += 1) {
    if (pages === MOST_PAGES) throw new BundleError('The log of the operator does not end.')
    const { notes, next } = await source.log(log.length)
    if (notes.length === 0 || (next === null && log.length + notes.length <= seq)) {
      throw new BundleError('The log of the operator ends before this draw.')
    }
    log.push(...notes)
  }
  return log.slice(0, seq + 1)
}

function roundOf(round: number): bigint {
  if (!Number.isSafeInteger(round) || round < 1) throw new BundleError('The operator names no round of the beacon.')
  return BigInt(round)
}
