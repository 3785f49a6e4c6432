import type { Tx } from '../../db/pool.ts'
import { bankroll, pot, prizePool, reserve } from '../ledger/accounts.ts'
import { balanceOf, postTransfer } from '../ledger/service.ts'
import { movePlaysOfVoidDraw } from '../orders/service.ts'
import type { DrawsContext } from './context.ts'
import { openDraws } from './opening.ts'
import * as queries from './queries.ts'
import type { DrawRow } from './queries.ts'

/** Void before the close: the entries move with their stakes, which never left `stakes held`. */
export async function voidOpen(ctx: DrawsContext, tx: Tx, draw: DrawRow, provenAt: number): Promise<void> {
  const voidHash = await ctx.fairness.voidDraw(tx, { openHash: draw.open_hash, reason: 'outage', notBefore: provenAt })
  await tx.execute(queries.voidDraw, [draw.id, ctx.runtime.clock.now(), voidHash])
  await moveOn(ctx, tx, draw, false)
}

/**
 * Void after the close: what was set aside returns, and the entries move without a stake, as their money is in the
 * prize pool (decisions section 5). The caller holds game and draw, and has seen that it is closed.
 */
export async function voidSealed(ctx: DrawsContext, tx: Tx, draw: DrawRow, reason: 'beacon' | 'outage'): Promise<void> {
  const now = await ctx.fairness.lockHead(tx)
  await returnMoney(tx, draw, now)
  const voidHash = await ctx.fairness.voidDraw(tx, { openHash: draw.open_hash, reason })
  await tx.execute(queries.voidDraw, [draw.id, now, voidHash])
  await moveOn(ctx, tx, draw, true)
  ctx.runtime.log.warn({ drawId: draw.id, reason }, 'a sealed draw is void')
}

async function moveOn(ctx: DrawsContext, tx: Tx, draw: DrawRow, wasClosed: boolean): Promise<void> {
  const { id, number, game_key: gameKey } = draw
  await openDraws(ctx, tx, gameKey)
  await movePlaysOfVoidDraw(ctx.orders, tx, { id, number, gameKey, wasClosed })
}

/** What is left of a draw's pot and reserve goes back to the prize pool and the bankroll (decisions section 5, settle 5). */
export async function returnMoney(tx: Tx, draw: Pick<DrawRow, 'id' | 'game_key'>, at: number): Promise<void> {
  const potLeftSats = await balanceOf(tx, pot(draw.id))
  const reserveLeftSats = await balanceOf(tx, reserve(draw.id))
  await postTransfer(tx, {
    event: 'draw.returned',
    subject: String(draw.id),
    at,
    moves: [
      { from: pot(draw.id), to: prizePool(draw.game_key), sats: potLeftSats },
      { from: reserve(draw.id), to: bankroll, sats: reserveLeftSats },
    ],
  })
}
