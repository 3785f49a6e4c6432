import type { Db, Tx } from '../../db/pool.ts'
import { violationsOfTouched } from './changed.ts'
import * as queries from './new-postings-queries.ts'
import type { STATEMENT_IDS } from './queries.ts'

// The invariants for what was posted since the last look, at a cost by what is new: the ledger's own (I1, I2, I14) by its
// postings, the others by what those postings touched. The watermark only moves over postings to which nothing can be
// added any more: a transaction may commit long after it drew its ids.

/** Postings or transfers in one transaction: about a second. */
const PIECE = 100_000n
/** The same where what they touched is checked too. */
const FOLLOWED_PIECE = 20_000n
/** How far back the first look goes for changes without a posting, in seconds. */
const FIRST_SECONDS = 86_400
/** How far back before the last look: a transaction may commit after a look that it began before. */
const OVERLAP_SECONDS = 600
/**
 * A look reads one snapshot: a settlement may commit between its statements, and make accounts that the first one did not
 * see. What is new may be much.
 */
const LOOK = { isolation: 'repeatable read', attempts: 3, statementTimeoutMs: 600_000 } as const
/** Minimum time between two checks, in seconds, however many processes ask. */
const LEAST_SECONDS = 50
const NO_END = 2n ** 63n - 1n
const LEDGERS_OWN: ReadonlySet<string> = new Set(['I1', 'I2', 'I14'])

interface NewViolation {
  readonly invariant: (typeof STATEMENT_IDS)[number]
  /** the row it is about, and what is wrong with it; for the operator */
  readonly what: string
}

/** Where the next check begins. */
export interface Ids {
  readonly postingId: bigint
  readonly transferId: bigint
}

/** What one look at a piece came to. */
interface Piece {
  readonly violations: NewViolation[]
  /** Where the watermark may move once they are stored; null if it stays. */
  readonly from: Ids
  readonly to: Ids | null
}

/**
 * Checks what was posted since the last check, unless one was made within the last minute. The first check reads the
 * whole ledger, in pieces; one that is interrupted continues there.
 *
 * @param nowAt epoch seconds
 * @param pieceSize default: 100,000
 * @returns what it found; until `done` the next check finds it again. Null if it was not time
 */
export async function checkNewPostings(
  db: Db,
  nowAt: number,
  pieceSize: bigint = PIECE,
): Promise<{ readonly violations: NewViolation[]; readonly done: () => Promise<void> } | null> {
  await db.execute(queries.beginWatermark, [])
  if ((await db.execute(queries.claimWatermark, [nowAt, LEAST_SECONDS])) === 0) return null
  // The first check finds its pieces named.
  if ((await lastLook(db)) === null) await nameNext(db, null)
  for (;;) {
    const piece = await db.transaction((tx) => checkPiece(tx, nowAt, pieceSize), LOOK)
    if (piece === 'more') continue
    const { violations, from, to } = piece
    return { violations, done: () => (to === null ? settle(db, nowAt, violations) : moveOn(db, from, to)) }
  }
}

/**
 * Verifies the next piece and moves the watermark behind it; once there is none, what lies beyond.
 *
 * @returns `more`, or what breaks an invariant; then the watermark stays before it
 */
async function checkPiece(tx: Tx, nowAt: number, pieceSize: bigint): Promise<Piece | 'more'> {
  const mark = await tx.one(queries.lockWatermark, [])
  // What was posted before this database had the columns is left to the pass over everything.
  const followed: Ids = { postingId: mark.followedPostingId, transferId: mark.followedTransferId }
  const isBefore = mark.postingId < followed.postingId || mark.transferId < followed.transferId
  const size = isBefore ? pieceSize : least(pieceSize, FOLLOWED_PIECE)
  const to: Ids = {
    postingId: least(mark.postingId + size, mark.finalPostingId),
    transferId: least(mark.transferId + size, mark.finalTransferId),
  }
  const isLast = to.postingId === mark.postingId && to.transferId === mark.transferId
  // Newer postings are checked before they are final. After a rush, the next look continues with the rest, in pieces.
  const upto: Ids = isLast
    ? { postingId: to.postingId + FOLLOWED_PIECE, transferId: to.transferId + FOLLOWED_PIECE }
    : to
  const unbalanced = await tx.run(queries.unbalancedAmong, [
    mark.postingId,
    upto.postingId,
    mark.transferId,
    upto.transferId,
  ])
  const touched = await violationsOfTouched(tx, {
    after: {
      postingId: most(mark.postingId, followed.postingId),
      transferId: most(mark.transferId, followed.transferId),
    },
    to: upto,
    verifiedPostingId: mark.postingId,
    sinceAt: sinceOf(mark.lookedAt, nowAt),
  })
  if (!isLast && unbalanced.length + touched.length === 0) {
    await tx.execute(queries.advanceWatermark, [mark.postingId, to.postingId, to.transferId])
    return 'more'
  }
  const beyond = await tx.run(queries.violationsAfter, [mark.postingId, mark.totalSats, NO_END])
  const violations = [...unbalanced.map(({ what }) => ({ invariant: 'I1' as const, what })), ...beyond, ...touched]
  return { violations, from: mark, to: isLast || unbalanced.length > 0 ? null : to }
}

/** Moves the watermark over a piece whose violations are stored. Another process may have done so. */
async function moveOn(db: Db, from: Ids, to: Ids): Promise<void> {
  await db.transaction(async (tx) => {
    const { postingId, transferId } = await tx.one(queries.lockWatermark, [])
    if (postingId === from.postingId && transferId === from.transferId)
      await tx.execute(queries.advanceWatermark, [postingId, to.postingId, to.transferId])
  })
}

/** Remembers what was right, and names where the watermark may move to once all that is in progress has ended. */
async function settle(db: Db, nowAt: number, violations: readonly NewViolation[]): Promise<void> {
  if (!violations.some(({ invariant }) => LEDGERS_OWN.has(invariant)))
    await db.transaction(async (tx) => {
      const { postingId } = await tx.one(queries.lockWatermark, [])
      await tx.execute(queries.keepCheckpoints, [postingId])
    })
  await nameNext(db, nowAt)
}

/** @param lookedAt when the look began that ends with this; null before the first */
async function nameNext(db: Db, lookedAt: number | null): Promise<void> {
  const { postingId, transferId } = await db.one(queries.findNewest, [])
  await db.execute(queries.nameNext, [postingId, transferId, lookedAt])
}

/** When the last look at what is new began, in epoch seconds; null before the first has ended. */
export async function lastLook(db: Db): Promise<number | null> {
  return (await db.maybeOne(queries.findLook, []))?.lookedAt ?? null
}

/** From when on changes without a posting are checked, in epoch seconds. */
function sinceOf(lookedAt: number | null, nowAt: number): number {
  return lookedAt === null || lookedAt > nowAt ? nowAt - FIRST_SECONDS : lookedAt - OVERLAP_SECONDS
}

function most(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}
