import { base64 } from '@scure/base'
import type { Bundle, OwnReceipt, OwnRecord, Sight } from './bundle.ts'
import { ENTRY_RECORD_BYTES } from './entry.ts'
import { type Fork, findFork, readLogged, verifyLog } from './log.ts'
import type { Report } from './report.ts'
import { RECEIPT_MAX_BYTES, STATEMENT_MAX_BYTES } from './statements.ts'

/** A file that is no bundle. The message says what is wrong, for people. */
export class BundleError extends Error {
  override readonly name = 'BundleError'
}

/** The `format` of a saved bundle, and of evidence, which holds one. */
export const BUNDLE_FORMAT = 'fairball/bundle/v1'
export const EVIDENCE_FORMAT = 'fairball/evidence/v1'

/** The most of everything a file may hold: beyond, it is refused before anything is looked at. */
const MOST = {
  characters: 400_000_000,
  notes: 500_000,
  entries: 4_000_000,
  witnessLines: 100,
  sights: 10_000,
  receipts: 1000,
  entriesOfReceipt: 5000,
  pathHashes: 64,
} as const
/** What signature lines may add to a statement. */
const SIGNATURES_MAX = 16_384
const ANY_WORD_MAX = 1024

/** What a bundle is saved as: `fairball-bitcoin-lotto-17.bundle.json`. */
export function bundleFileName({ game, draw }: Pick<Bundle, 'game' | 'draw'>): string {
  return `fairball-${game}-${draw}.bundle.json`
}

/** What evidence against an operator is saved as: `fairball-bitcoin-lotto-17.evidence.json`. */
export function evidenceFileName({ game, draw }: Pick<Bundle, 'game' | 'draw'>): string {
  return `fairball-${game}-${draw}.evidence.json`
}

/** A bundle as the text of a file: JSON, ended by a line feed. `parseBundle` gives the same bundle back. */
export function bundleText(bundle: Bundle): string {
  return `${JSON.stringify(bundleJson(bundle), null, 1)}\n`
}

/**
 * What shows an operator's fault to others (fairness section 10): the report, the bundle it is about, and two statements
 * signed with one number where there are.
 *
 * @param other notes from elsewhere, which are held against the log
 */
export function evidenceText(
  report: Report,
  bundle: Bundle,
  other: { readonly notes: readonly string[] } = { notes: [] },
) {
  const failedIds = report.steps.flatMap(({ checks }) =>
    checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id),
  )
  const fork = forkIn(bundle, other.notes)
  const evidence = {
    format: EVIDENCE_FORMAT,
    failed: failedIds,
    report: reportJson(report),
    bundle: bundleJson(bundle),
    fork: fork === null ? null : fork.notes,
  }
  return `${JSON.stringify(evidence, null, 1)}\n`
}

/** A report as plain JSON values: rounds and amounts, which may be larger than a JSON number holds, are texts. */
export function reportJson(report: Report): unknown {
  return JSON.parse(JSON.stringify(report, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)))
}

/**
 * Reads the text of a bundle's file, or the bundle in a file of evidence. What is read is of the right shape and within
 * limits; nothing of it is verified.
 *
 * @throws BundleError for anything else, with a message for people
 */
export function parseBundle(text: string): Bundle {
  if (text.length > MOST.characters) throw new BundleError('This file is too large to be a bundle.')
  const file = record(parseJson(text), 'The file')
  if (file['format'] === EVIDENCE_FORMAT) return readBundle(record(file['bundle'], 'The bundle in the evidence'))
  return readBundle(file)
}

function readBundle(file: Fields): Bundle {
  if (file['format'] !== BUNDLE_FORMAT)
    throw new BundleError(`This file is not a bundle of the format ${BUNDLE_FORMAT}.`)
  return {
    game: word(file['game'], 'The game'),
    draw: wholeNumber(file['draw'], 'The number of the draw'),
    log: list(file['log'], 'The log', MOST.notes).map((note) => longText(note, 'A statement', STATEMENT_MAX_BYTES)),
    rules: longText(file['rules'], 'The text of the rules', STATEMENT_MAX_BYTES),
    witnesses: list(file['witnesses'], 'The witness lines', MOST.witnessLines).map((line) =>
      word(line, 'A witness line'),
    ),
    beacon: file['beacon'] === null ? null : readBeacon(record(file['beacon'], 'The beacon')),
    entries: file['entries'] === null ? null : readEntriesText(file['entries']),
    own: file['own'] === null || file['own'] === undefined ? null : readOwn(record(file['own'], 'The own record')),
  }
}

/**
 * Reads receipts as they were saved: one as `GET /plays/{play_id}/receipt` answers it, a list of such, or a signed note
 * alone.
 *
 * @throws BundleError for anything else, with a message for people
 */
export function parseReceipts(text: string): OwnReceipt[] {
  if (text.length > MOST.characters) throw new BundleError('This file is too large to be a receipt.')
  if (text.startsWith('fairball/receipt/v1\n')) {
    return [{ receipt: longText(text, 'The receipt', RECEIPT_MAX_BYTES), close: null, entries: [] }]
  }
  const file = parseJson(text)
  return Array.isArray(file) ? list(file, 'The receipts', MOST.receipts).map(readReceipt) : [readReceipt(file)]
}

/** Two statements with one number: one of the log, one that came from elsewhere. */
function forkIn(bundle: Bundle, others: readonly string[]): Fork | null {
  const { head, statements } = verifyLog(bundle.log)
  const keys = head?.keys.map(({ publicKey }) => publicKey) ?? []
  for (const note of [...others, ...(bundle.own?.receipts ?? []).flatMap(({ close }) => close ?? [])]) {
    const shown = readLogged(note)
    const logged = typeof shown === 'string' ? undefined : statements[shown.statement.seq]
    const fork = logged === undefined ? null : findFork(logged.note, note, keys)
    if (fork !== null) return fork
  }
  return null
}

function bundleJson(bundle: Bundle): unknown {
  const { game, draw, log, rules, witnesses, beacon, entries, own } = bundle
  return {
    format: BUNDLE_FORMAT,
    game,
    draw,
    log,
    rules,
    witnesses,
    beacon: beacon === null ? null : { round: String(beacon.round), signature: beacon.signature },
    entries: entries === null ? null : base64.encode(entries),
    own: own === null ? null : ownJson(own),
  }
}

function ownJson({ key, username, sights, receipts }: OwnRecord): unknown {
  return { key, username, sights: sights.map(({ hash, seenAt }) => ({ hash, seen_at: seenAt })), receipts }
}

type Fields = Readonly<Record<string, unknown>>

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new BundleError('This file is not JSON: it may have been cut off or changed.')
  }
}

function readBeacon(beacon: Fields): Bundle['beacon'] {
  const round = beacon['round']
  if (typeof round !== 'string' || !/^[1-9][0-9]{0,19}$/.test(round)) {
    throw new BundleError('The round of the beacon is not a number.')
  }
  return { round: BigInt(round), signature: word(beacon['signature'], 'The signature of the beacon') }
}

function readEntriesText(text: unknown): Uint8Array {
  if (typeof text !== 'string') throw new BundleError('The entries are not a text.')
  if (text.length > MOST.entries * ENTRY_RECORD_BYTES * 1.4) throw new BundleError('There are too many entries.')
  try {
    return base64.decode(text)
  } catch {
    throw new BundleError('The entries are not base64: the file may have been changed.')
  }
}

function readOwn(own: Fields): OwnRecord {
  return {
    key: own['key'] === null ? null : word(own['key'], 'The key seen first'),
    username: own['username'] === null ? null : word(own['username'], 'The username'),
    sights: list(own['sights'], 'The sights', MOST.sights).map(readSight),
    receipts: list(own['receipts'], 'The receipts', MOST.receipts).map(readReceipt),
  }
}

function readSight(sight: unknown): Sight {
  const { hash, seen_at: seenAt } = record(sight, 'A sight')
  return { hash: word(hash, 'The hash of a sight'), seenAt: wholeNumber(seenAt, 'The time of a sight') }
}

function readReceipt(sent: unknown): OwnReceipt {
  const { receipt, close, entries } = record(sent, 'A receipt')
  return {
    receipt: longText(receipt, 'A receipt', RECEIPT_MAX_BYTES),
    close: close === null ? null : longText(close, 'The seal with a receipt', STATEMENT_MAX_BYTES),
    entries: list(entries, 'The entries of a receipt', MOST.entriesOfReceipt).map((entry) => {
      const { id, index, size, path } = record(entry, 'An entry of a receipt')
      return {
        id: word(id, 'The id of an entry'),
        index: wholeNumber(index, 'The place of an entry'),
        size: wholeNumber(size, 'The number of entries'),
        path: list(path, 'The path of an entry', MOST.pathHashes).map((hash) => word(hash, 'A hash of a path')),
      }
    }),
  }
}

function record(value: unknown, what: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new BundleError(`${what} is not an object.`)
  return value as Fields // the line above has just held it against that
}

function list(value: unknown, what: string, most: number): readonly unknown[] {
  if (!Array.isArray(value)) throw new BundleError(`${what}: not a list.`)
  if (value.length > most) throw new BundleError(`${what}: more than ${most}.`)
  return value
}

function longText(value: unknown, what: string, most: number): string {
  if (typeof value !== 'string') throw new BundleError(`${what} is not a text.`)
  if (value.length > most + SIGNATURES_MAX) throw new BundleError(`${what} is too long.`)
  return value
}

function word(value: unknown, what: string): string {
  if (typeof value !== 'string' || value.length > ANY_WORD_MAX) throw new BundleError(`${what} is not a short text.`)
  return value
}

function wholeNumber(value: unknown, what: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw new BundleError(`${what} is not a whole number from 0.`)
  }
  return value
}
