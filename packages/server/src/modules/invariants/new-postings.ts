import type { Db, Tx } from '../../db/pool.ts'
import * as queries from './new-postings-queries.ts'

// The ledger's invariants (I1, I2, I14) for what was posted since the last look, at a cost by what is new. The watermark
// only moves over postings to which nothing can be added any more: a transaction may commit long after it drew its ids.

/** Postings or transfers in one transaction: about a second. */
const PIECE = 100_000n
/** Minimum time between two checks, in seconds, however many processes ask. */
const LEAST_SECONDS = 50
const NO_END = 2n ** 63n - 1n

interface LedgerViolation {
  readonly invariant: 'I1' | 'I2' | 'I14'
  /** the row it is about, and what is wrong with it; for the operator */
  readonly what: string
}

/** Where the next check begins. */
interface Ids {
  readonly postingId: bigint
  readonly transferId: bigint
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
): Promise<{ readonly violations: LedgerViolation[]; readonly done: () => Promise<void> } | null> {
  await db.execute(queries.beginWatermark, [])
  if ((await db.execute(queries.claimWatermark, [nowAt, LEAST_SECONDS])) === 0) return null
  for (;;) {
    const piece = await db.transaction((tx) => checkPiece(tx, pieceSize))
    if (piece !== 'more') return { violations: piece, done: () => settle(db, piece.length === 0) }
  }
}

/**
 * Verifies the next piece and moves the watermark behind it; once there is none, what lies beyond.
 *
 * @returns `more`, or what breaks an invariant; then the watermark stays before it
 */
async function checkPiece(tx: Tx, pieceSize: bigint): Promise<LedgerViolation[] | 'more'> {
  const mark = await tx.one(queries.lockWatermark, [])
  const to: Ids = {
    postingId: least(mark.postingId + pieceSize, mark.finalPostingId),
    transferId: least(mark.transferId + pieceSize, mark.finalTransferId),
  }
  const isLast = to.postingId === mark.postingId && to.transferId === mark.transferId
  const end = isLast ? NO_END : null
  const range = [mark.postingId, end ?? to.postingId, mark.transferId, end ?? to.transferId] as const
  const unbalanced = (await tx.run(queries.unbalancedAmong, [...range])).map(({ what }) => ({
    invariant: 'I1' as const,
    what,
  }))
  if (isLast || unbalanced.length > 0)
    return [...unbalanced, ...(await tx.run(queries.violationsAfter, [mark.postingId, mark.totalSats, NO_END]))]
  await tx.execute(queries.advanceWatermark, [mark.postingId, to.postingId, to.transferId])
  return 'more'
}

/** Remembers what was right, and names where the watermark may move to once all that is in progress has ended. */
async function settle(db: Db, isWhole: boolean): Promise<void> {
  if (isWhole)
    await db.transaction(async (tx) => {
      const { postingId } = await tx.one(queries.lockWatermark, [])
      await tx.execute(queries.keepCheckpoints, [postingId])
    })
  const newest = await db.one(queries.findNewest, [])
  await db.execute(queries.nameNext, [newest.postingId, newest.transferId])
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}
