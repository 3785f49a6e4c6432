import { fromHex, toHex, viewOf } from '@fairball/domain/protocol/bytes'
import { BATCH_SECONDS } from '@fairball/domain/protocol/numbers'
import {
  LEAF,
  revokedListBytes,
  revokedSummary,
  stakeOf,
  writePlayLeaf,
  writeRevocationLeaf,
} from '@fairball/domain/protocol/plays'
import { leafHash } from '@fairball/domain/protocol/tree'
import type { Tx } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import type { Jobs } from '../../jobs/queue.ts'
import { appendStatement, appendToTree, NODE_HASH, playsTree, rootAt } from '../fairness/service.ts'
import type { DrawsContext } from './context.ts'
import * as queries from './queries.ts'
import type { DrawRow } from './queries.ts'
import { presentRate } from './rates.ts'

/** Plays read and written at a time. */
const PLAYS_A_STEP = 5000
/**
 * Shortest time between two batches of a draw. A play waits for at most this long, which leaves a late batch within the
 * protocol's time limit.
 */
const BETWEEN_BATCHES_SECONDS = BATCH_SECONDS / 2
/** Delay between a play and its batch if the draw had none lately: plays that are paid together share one. */
const FIRST_PLAY_SECONDS = 20

/** What the leaves of a draw add up to, without the revoked ones. */
interface LeafTotals {
  readonly leaves: number
  readonly lines: number
  readonly free: number
  readonly carried: number
  readonly stakeSats: bigint
}

/** The last batch of a draw. */
interface LastBatch extends LeafTotals {
  /** of all leaves, hex */
  readonly root: string
  /** the newest `sold` statement; null if nothing was ever sold */
  readonly soldHash: string | null
  readonly revoked: { readonly count: number; readonly list: string }
  /** the list as it is served */
  readonly revokedList: Uint8Array
}

/**
 * Has the plays of draws appended soon, in the transaction that makes them: one job a draw, however many ask. Where few
 * play, a player has the receipt within seconds; where many do, the log has no more batches for that.
 *
 * The caller holds the draws. A batch locks its draw before it reads the plays, so one that has begun waits for them;
 * were it waited for in turn, neither would continue.
 */
export async function appendSoon(
  jobs: Jobs,
  tx: Tx,
  draws: readonly { readonly drawId: bigint; readonly lastBatchAt: number | null }[],
  nowAt: number,
): Promise<void> {
  const wanted = draws.map(({ drawId, lastBatchAt }) => ({
    key: `draws.append:${drawId}`,
    payload: { drawId: String(drawId) },
    runAt: Math.max(nowAt + FIRST_PLAY_SECONDS, Math.min(lastBatchAt ?? 0, nowAt) + BETWEEN_BATCHES_SECONDS),
  }))
  await jobs.addUnlessWaiting(tx, 'draws.append', wanted)
}

/** Appends what an open draw has sold since its last batch, and logs the batch (fairness section 6). Idempotent. */
export async function appendBatch(ctx: DrawsContext, tx: Tx, drawId: bigint): Promise<void> {
  const draw = await tx.one(queries.lockDraw, [drawId])
  if (draw.status !== 'open') return
  const totals = await appendNewPlays(tx, draw, totalsOf(draw))
  if (totals.leaves > draw.leaves) await logBatch(ctx, tx, draw, totals)
}

/**
 * Appends the rest of a draw that is closing: the plays without a leaf, then a revocation of each leaf whose payment
 * has left the chain. The caller holds the draw.
 */
export async function appendLast(ctx: DrawsContext, tx: Tx, draw: DrawRow): Promise<LastBatch> {
  const sold = await appendNewPlays(tx, draw, totalsOf(draw))
  const { totals, revoked } = await appendRevocations(tx, draw, sold)
  const soldHash = totals.leaves > draw.leaves ? await logBatch(ctx, tx, draw, totals) : draw.soldHash
  const root = await rootAt(tx, playsTree(draw.openHash), totals.leaves)
  return {
    ...totals,
    root: toHex(root),
    soldHash,
    revoked: revokedSummary(revoked),
    revokedList: revokedListBytes(revoked),
  }
}

/** What the leaves in a draw's tree add up to. */
function totalsOf(draw: DrawRow): LeafTotals {
  return {
    leaves: draw.leaves,
    lines: draw.leafLines,
    free: draw.leafFree,
    carried: draw.leafCarried,
    stakeSats: draw.leafStakeSats,
  }
}

async function appendNewPlays(tx: Tx, draw: DrawRow, before: LeafTotals): Promise<LeafTotals> {
  let totals = before
  const openHash = fromHex(draw.openHash)
  for await (const plays of tx.stream(queries.streamNewPlays, [draw.id], PLAYS_A_STEP)) {
    const leaves = plays.map((play) => leafOf(play, openHash))
    const start = totals.leaves
    const ids = plays.map((play) => play.id)
    await tx.execute(queries.insertLeaves, {
      drawId: draw.id,
      start,
      ids,
      playIds: plays.map((play) => play.playId),
      leaves,
    })
    await appendLeaves(tx, draw, start, leaves)
    totals = plays.reduce(
      (sum, { lineCount: lines, freeCount: free, rateSats: rate }) => {
        const stakeSats = stakeOf(lines - free, Number(draw.priceMinor), rate)
        return added(sum, { lines, free, carried: rate === 0 ? lines - free : 0, stakeSats })
      },
      { ...totals, leaves: start + leaves.length },
    )
  }
  return totals
}

async function appendRevocations(tx: Tx, draw: DrawRow, before: LeafTotals) {
  const gone = await tx.run(queries.findTakenBack, [draw.id])
  const revoked = gone.map((play, place) => ({ index: play.leafIndex, by: before.leaves + place }))
  if (gone.length === 0) return { totals: before, revoked }
  const openHash = fromHex(draw.openHash)
  const leaves = gone.map(({ leafIndex: index, playId, txid }) =>
    writeRevocationLeaf({ openHash, playId, index, transaction: fromHex(txid, 32) }),
  )
  const playIds = gone.map((play) => play.playId)
  await tx.execute(queries.insertRevocations, [draw.id, before.leaves, playIds, leaves])
  await appendLeaves(tx, draw, before.leaves, leaves)
  const totals = gone.reduce(
    (sum, { leaf }) => {
      const view = viewOf(leaf)
      const [lines, free, rate] = [view.getUint16(LEAF.lines), view.getUint16(LEAF.free), view.getUint32(LEAF.rate)]
      const stakeSats = -stakeOf(lines - free, Number(draw.priceMinor), rate)
      return added(sum, { lines: -lines, free: -free, carried: 0, stakeSats })
    },
    { ...before, leaves: before.leaves + leaves.length },
  )
  return { totals, revoked }
}

async function appendLeaves(tx: Tx, draw: DrawRow, start: number, leaves: readonly Uint8Array[]): Promise<void> {
  const hashes = leaves.map((leaf) => leafHash(NODE_HASH, leaf))
  await appendToTree(tx, playsTree(draw.openHash), start, hashes)
}

/** Logs a batch: size, root and stake of all leaves so far, at the present rate. @returns the hash of the statement */
async function logBatch(ctx: DrawsContext, tx: Tx, draw: DrawRow, totals: LeafTotals): Promise<string> {
  const root = await rootAt(tx, playsTree(draw.openHash), totals.leaves)
  const { hash } = await appendStatement(ctx.fairness, tx, {
    type: 'sold',
    open: draw.openHash,
    size: totals.leaves,
    root: toHex(root),
    stake: totals.stakeSats,
    rate: await presentRate(tx, draw.currency),
  })
  await tx.execute(queries.insertBatch, [draw.id, totals.leaves, hash])
  await tx.execute(queries.keepBatch, { id: draw.id, ...totals, soldHash: hash })
  return hash
}

function leafOf(play: RowOf<typeof queries.streamNewPlays>, openHash: Uint8Array): Uint8Array {
  return writePlayLeaf({
    openHash,
    playId: play.playId,
    rate: play.rateSats,
    free: play.freeCount,
    // PostgreSQL returns a mask as a signed number of the same 64 bits.
    masks: play.masks.map((mask) => BigInt.asUintN(64, mask)),
    ownerTag: play.ownerTag,
  })
}

function added(sum: LeafTotals, more: Omit<LeafTotals, 'leaves'>): LeafTotals {
  return {
    leaves: sum.leaves,
    lines: sum.lines + more.lines,
    free: sum.free + more.free,
    carried: sum.carried + more.carried,
    stakeSats: sum.stakeSats + more.stakeSats,
  }
}
