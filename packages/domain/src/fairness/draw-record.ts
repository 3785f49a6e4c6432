import { attempt } from './checks.ts'
import { type Chain, QUICKNET, roundDueAt } from './chain.ts'
import type { LoggedNote, LoggedNoteOf } from './log.ts'
import type { LoggedStatement, StatementOf } from './statements.ts'

/** Everything a log says about one draw, in the order of the log. */
export interface DrawRecord {
  /** more than one is fraud; the first counts */
  readonly opens: readonly LoggedNoteOf<'open'>[]
  readonly open: LoggedNoteOf<'open'>
  readonly postpones: readonly LoggedNoteOf<'postpone'>[]
  readonly closes: readonly LoggedNoteOf<'close'>[]
  /** the last close; it is in force unless `isReopened` */
  readonly close: LoggedNoteOf<'close'> | null
  /** whether a postponement came after the last close, so that another close must follow */
  readonly isReopened: boolean
  readonly voids: readonly LoggedNoteOf<'void'>[]
  /** those that name one of the closes */
  readonly results: readonly LoggedNoteOf<'result'>[]
  readonly state: 'open' | 'closed' | 'settled' | 'void'
  /** of the last postponement, or as opened; epoch seconds */
  readonly startAt: number
  /** of the last postponement, or as opened */
  readonly round: bigint
}

/** Gathers what a log says about a draw; null where it never opens it. */
export function drawRecord(statements: readonly LoggedNote[], game: string, draw: number): DrawRecord | null {
  const opens = ofType(statements, 'open').filter(({ statement }) => statement.game === game && statement.draw === draw)
  const [open] = opens
  if (open === undefined) return null
  const isOfDraw = ({ statement }: LoggedNoteOf<'postpone' | 'close' | 'void'>): boolean => statement.open === open.hash
  const postpones = ofType(statements, 'postpone').filter(isOfDraw)
  const closes = ofType(statements, 'close').filter(isOfDraw)
  const voids = ofType(statements, 'void').filter(isOfDraw)
  const closeHashes = new Set(closes.map(({ hash }) => hash))
  const results = ofType(statements, 'result').filter(({ statement }) => closeHashes.has(statement.close))
  const close = closes.at(-1) ?? null
  const lastPostpone = postpones.at(-1)?.statement
  return {
    opens,
    open,
    postpones,
    closes,
    close,
    isReopened: close !== null && lastPostpone !== undefined && lastPostpone.seq > close.statement.seq,
    voids,
    results,
    state: stateOf({ isVoid: voids.length > 0, isSettled: results.length > 0, isClosed: close !== null }),
    startAt: lastPostpone?.start ?? open.statement.start,
    round: lastPostpone?.round ?? open.statement.round,
  }
}

/** The round that was in force when a statement was made: the last one said before it (fairness section 9). */
export function roundBefore(record: DrawRecord, seq: number): bigint {
  const earlier = record.postpones.filter(({ statement }) => statement.seq < seq)
  return earlier.at(-1)?.statement.round ?? record.open.statement.round
}

/** The beacon chain a draw names: the one that is compiled in, or else as the log describes it. */
export interface KnownChain {
  readonly chain: Chain
  /** false: a chain of the operator's own, which shows the arithmetic, not the honesty (fairness section 4) */
  readonly isPublic: boolean
}

/** Finds the chain of a draw; null where neither the log up to its opening nor this program knows it. */
export function chainOf(statements: readonly LoggedNote[], open: StatementOf<'open'>): KnownChain | null {
  if (open.chain === QUICKNET.hash) return { chain: QUICKNET, isPublic: true }
  const described = ofType(statements, 'chain').find(
    ({ statement }) => statement.hash === open.chain && statement.seq < open.seq,
  )?.statement
  if (described === undefined || described.scheme !== QUICKNET.scheme) return null
  const chain: Chain = {
    name: described.name,
    hash: described.hash,
    publicKey: described.public_key,
    periodSeconds: described.period,
    genesisAt: described.genesis,
    groupHash: described.group_hash,
    beaconId: described.beacon_id,
    scheme: QUICKNET.scheme,
  }
  return { chain, isPublic: false }
}

/** When a round is due, epoch seconds; null where that is beyond any time. Never throws. */
export function dueAtOf(round: bigint, chain: Chain): number | null {
  return attempt(() => roundDueAt(round, chain))
}

/** The statements of one kind, in their order. */
export function ofType<K extends LoggedStatement['type']>(
  statements: readonly LoggedNote[],
  type: K,
): LoggedNoteOf<K>[] {
  // The type of a statement says its kind; a filter over a kind that is not known yet cannot.
  const found: LoggedNote[] = statements.filter(({ statement }) => statement.type === type)
  return found as LoggedNoteOf<K>[]
}

function stateOf({ isVoid, isSettled, isClosed }: { isVoid: boolean; isSettled: boolean; isClosed: boolean }) {
  if (isVoid) return 'void'
  if (isSettled) return 'settled'
  return isClosed ? 'closed' : 'open'
}
