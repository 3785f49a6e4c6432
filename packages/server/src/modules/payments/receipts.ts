import type { PlayPapers } from '@fairball/contract/schemas/fairness'
import { LotteryError } from '@fairball/domain/errors'
import { toHex } from '@fairball/domain/protocol/bytes'
import { textHash } from '@fairball/domain/protocol/hash'
import { readNote } from '@fairball/domain/protocol/note'
import { NO_HASH } from '@fairball/domain/protocol/statement-codecs'
import { writeStatement } from '@fairball/domain/protocol/statements'
import { leafHash } from '@fairball/domain/protocol/tree'
import type { RowOf } from '../../db/sql.ts'
import { inclusionPath, NODE_HASH, playsTree, paperSigner } from '../fairness/service.ts'
import type { PaymentsContext } from './context.ts'
import { isRowId } from './orders-to-pay.ts'
import { promiseOfOrder } from './promises.ts'
import * as queries from './receipt-queries.ts'

type PaperedPlay = RowOf<typeof queries.findPlay>

/**
 * The papers of a player's own play: the promise of its order, and its receipts, oldest first. A receipt is made at the
 * first request, and stored: one for each draw the play was in (fairness section 10).
 *
 * @throws LotteryError NOT_FOUND for an unknown play, and for another's
 */
export async function papersOf(ctx: PaymentsContext, playId: string, playerId: bigint): Promise<PlayPapers> {
  const play = isRowId(playId) ? await ctx.db.maybeOne(queries.findPlay, [playId, playerId]) : null
  if (play === null) throw new LotteryError('NOT_FOUND', 'No such play.')
  const promise = await promiseOfOrder(ctx, play.orderId)
  await makeReceipt(ctx, play, promise)
  const receipts = await ctx.db.run(queries.findReceipts, [play.orderId, play.place])
  return {
    promise,
    secret: toHex(play.secret),
    username: play.username,
    receipts: await Promise.all(
      receipts.map(async ({ note, openHash, index, size }) => {
        const path = await inclusionPath(ctx.db, playsTree(openHash), index, size)
        return { note, path: path.map(toHex) }
      }),
    ),
  }
}

/** The papers of all plays of a player, for the personal data export. */
export async function allPapersOf(ctx: PaymentsContext, playerId: bigint) {
  const papers: (PlayPapers & { readonly play_id: string })[] = []
  for (const { id } of await ctx.db.run(queries.listPlays, [playerId]))
    papers.push({ play_id: id, ...(await papersOf(ctx, id, playerId)) })
  return { papers }
}

/** Signs the receipt of a play for the draw it is in, unless it has no place there yet, or has a receipt. */
async function makeReceipt(ctx: PaymentsContext, play: PaperedPlay, promiseNote: string): Promise<void> {
  const { leaf, leafIndex: index, batchHash: statement, batchSize: size } = play
  if (leaf === null || index === null || statement === null || size === null || play.hasReceipt) return
  const { orderId: order, place, drawId, moveReason: reason } = play
  const promise = textHash(readNote(promiseNote)?.text ?? '')
  const now = ctx.runtime.clock.now()
  const text = writeStatement({
    type: 'receipt',
    log: ctx.orders.fairness.origin,
    time: now,
    order,
    promise,
    open: play.openHash,
    play: toHex(play.playId),
    leaf: toHex(leafHash(NODE_HASH, leaf)),
    index,
    statement,
    // In a draw that its promise does not name, a play's receipt replaces its receipt before, or the promise.
    supersedes: reason === null ? NO_HASH : (play.lastReceipt ?? promise),
    reason: reason ?? 'none',
  })
  const note = (await paperSigner(ctx.orders.fairness, ctx.db))(text)
  await ctx.db.execute(queries.insertReceipt, { order, place, drawId, now, size, index, hash: textHash(text), note })
}
