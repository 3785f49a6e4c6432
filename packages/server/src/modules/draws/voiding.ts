import { afterVoid, afterVoidOfClose } from '@fairball/domain/protocol/money'
import { NO_HASH } from '@fairball/domain/protocol/statement-codecs'
import type { StatementOf } from '@fairball/domain/protocol/statements'
import type { Tx } from '../../db/pool.ts'
import { appendStatement, lockHead, readStatementOf } from '../fairness/service.ts'
import { bankroll, pot, prizePool, reserve } from '../ledger/accounts.ts'
import { balanceOf, postTransfer } from '../ledger/service.ts'
import { movePlaysOfVoidDraw } from '../orders/service.ts'
import type { DrawsContext } from './context.ts'
import { openDraws } from './opening.ts'
import * as queries from './queries.ts'
import type { DrawRow, GameRow } from './queries.ts'
import { keepState, stateOf } from './state.ts'

/**
 * Voids a draw before the close: the plays move with their stakes, which never left `stakes held`. The caller holds
 * game and draw.
 *
 * @param provenAt the moment that made it too late, which the clock may not have reached: the statement is not dated
 *   before it
 */
export async function voidOpen(
  ctx: DrawsContext,
  tx: Tx,
  game: GameRow,
  draw: DrawRow,
  provenAt: number,
): Promise<void> {
  const known = stateOf(game)
  const time = Math.max(await lockHead(ctx.fairness, tx), provenAt)
  await logVoid(
    ctx,
    tx,
    draw,
    { close: NO_HASH, reason: 'outage', last: known.last, state: afterVoid(known.state) },
    time,
  )
  await moveOn(ctx, tx, draw, false)
}

/**
 * Voids a draw after the close. What was set aside returns, and the plays are carried over, as their money is in the
 * pot (fairness section 7). The caller holds game and draw, and has checked that it is closed.
 */
export async function voidSealed(
  ctx: DrawsContext,
  tx: Tx,
  game: GameRow,
  draw: DrawRow & { readonly closeHash: string },
  reason: 'beacon' | 'outage',
): Promise<void> {
  const known = stateOf(game)
  const time = await lockHead(ctx.fairness, tx)
  await returnMoney(tx, draw, time)
  const close = await readStatementOf(tx, 'close', draw.closeHash)
  const state = afterVoidOfClose(known.state, close)
  await logVoid(ctx, tx, draw, { close: draw.closeHash, reason, last: known.last, state }, time)
  await moveOn(ctx, tx, draw, true)
  ctx.runtime.log.warn({ drawId: draw.id, reason }, 'a sealed draw is void')
}

async function logVoid(
  ctx: DrawsContext,
  tx: Tx,
  draw: DrawRow,
  fields: Pick<StatementOf<'void'>, 'close' | 'reason' | 'last' | 'state'>,
  time: number,
): Promise<void> {
  const { hash } = await appendStatement(ctx.fairness, tx, { type: 'void', open: draw.openHash, ...fields }, time)
  await tx.execute(queries.voidDraw, [draw.id, time, hash])
  await keepState(tx, draw.gameKey, fields.state, hash)
  const { id: drawId, gameKey, number: drawNumber, startAt } = draw
  const { reason } = fields
  await ctx.facts.record(tx, 'draw.moved', { drawId, gameKey, drawNumber, startAt, to: 'void', reason })
}

async function moveOn(ctx: DrawsContext, tx: Tx, draw: DrawRow, wasClosed: boolean): Promise<void> {
  const { id, number, gameKey } = draw
  await openDraws(ctx, tx, gameKey)
  await movePlaysOfVoidDraw(ctx.orders, tx, { id, number, gameKey, wasClosed })
}

/**
 * What is left of a draw's pot and reserve returns to the prize pool and the bankroll (decisions section 5, settle 5).
 */
export async function returnMoney(tx: Tx, draw: Pick<DrawRow, 'id' | 'gameKey'>, at: number): Promise<void> {
  const potLeftSats = await balanceOf(tx, pot(draw.id))
  const reserveLeftSats = await balanceOf(tx, reserve(draw.id))
  await postTransfer(tx, {
    event: 'draw.returned',
    subject: String(draw.id),
    at,
    moves: [
      { from: pot(draw.id), to: prizePool(draw.gameKey), sats: potLeftSats },
      { from: reserve(draw.id), to: bankroll, sats: reserveLeftSats },
    ],
  })
}
