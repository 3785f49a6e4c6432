import { newStartAt, plannedCloseAt } from '@fairball/domain/draw-times'
import { roundOf } from '@fairball/domain/protocol/chain'
import { MAX_POSTPONEMENTS } from '@fairball/domain/protocol/numbers'
import type { StatementOf } from '@fairball/domain/protocol/statements'
import type { Tx } from '../../db/pool.ts'
import { appendStatement, lockHead, readStatementOf } from '../fairness/service.ts'
import { bankroll, reserve } from '../ledger/accounts.ts'
import { balanceOf, postTransfer } from '../ledger/service.ts'
import { DRAWS_CHANNEL, type DrawsContext } from './context.ts'
import { afterSeal, isWitnessed, scheduleWitnessCount, witnessDeadlineOf } from './following.ts'
import { guaranteeAt, keptGuarantee, rulesOfDraw, setAsideSats } from './guarantee.ts'
import * as queries from './queries.ts'
import type { DrawRow, GameRow } from './queries.ts'
import { quotedRate } from './rates.ts'
import { keepState } from './state.ts'
import { voidOpen, voidSealed } from './voiding.ts'

/** A draw that has a close. */
type ClosedDraw = DrawRow & { readonly closeHash: string }

/**
 * Postpones a draw that could not be sealed in time. If it has no plays, it is void instead, which no one misses. The
 * caller holds game and draw.
 *
 * @param provenAt the moment that made it too late, which the clock may not have reached: the statement is not dated
 *   before it
 */
export async function missOpen(
  ctx: DrawsContext,
  tx: Tx,
  game: GameRow,
  draw: DrawRow,
  provenAt: number,
): Promise<void> {
  const { hasPlays } = await tx.one(queries.hasPlays, [draw.id])
  if (!hasPlays || draw.postponed >= MAX_POSTPONEMENTS) return await voidOpen(ctx, tx, game, draw, provenAt)
  const time = Math.max(await lockHead(ctx.fairness, tx), provenAt)
  const { startAt, endAt, round } = await postpone(ctx, tx, draw, 'outage', time)
  await tx.execute(queries.postponeDraw, { id: draw.id, startAt, endAt, round })
  // The close comes at its usual distance before the start: several overdue draws then return what they set aside from
  // the bankroll one after the other.
  const runAt = Math.max(ctx.runtime.clock.now(), plannedCloseAt({ ...draw, startAt }))
  await ctx.jobs.add(tx, 'draws.close', { drawId: String(draw.id) }, { key: `draws.close:${draw.id}:${runAt}`, runAt })
}

/**
 * Decides, once the time for it is over, whether enough witnesses have cosigned the close. If not, the draw gets a new
 * round and a further close with the same seal, in one transaction: no other statement with a state of the game may
 * come between. Its plays, its seed and its pot are public and fixed. Idempotent.
 */
export async function countWitnesses(ctx: DrawsContext, tx: Tx, drawId: bigint): Promise<void> {
  const found = await tx.one(queries.findDraw, [drawId])
  const game = await tx.one(queries.lockGame, [found.gameKey])
  const { closeHash, ...draw } = await tx.one(queries.lockDraw, [drawId])
  if (draw.status !== 'closed' || closeHash === null) return
  const closed = { ...draw, closeHash }
  if (ctx.runtime.clock.now() < witnessDeadlineOf(ctx, closed)) return // sealed again meanwhile: its own time comes
  if (await isWitnessed(ctx, tx, closed)) return
  const waitsUntil = await ctx.clock.waitsUntil(tx)
  if (waitsUntil !== null) {
    const runAt = Math.max(waitsUntil, witnessDeadlineOf(ctx, closed))
    return await scheduleWitnessCount(ctx, tx, drawId, runAt)
  }
  const mayWait = draw.entries !== 0 && draw.postponed < MAX_POSTPONEMENTS
  // A further close needs a rate of its own time: if none is available either, the draw is void.
  const time = await lockHead(ctx.fairness, tx)
  const isResealed = mayWait && (await quotedRate(ctx, tx, draw, time)) !== null
  if (isResealed) await reseal(ctx, tx, closed, time)
  else await voidSealed(ctx, tx, game, closed, 'outage')
  await tx.notify(DRAWS_CHANNEL, draw.gameKey)
}

async function reseal(ctx: DrawsContext, tx: Tx, draw: ClosedDraw, time: number): Promise<void> {
  const { id } = draw
  const before = await readStatementOf(tx, 'close', draw.closeHash)
  const { startAt, endAt, round } = await postpone(ctx, tx, draw, 'witness', time)
  await returnReserve(tx, draw, round, time)
  const guarantee = await guaranteeAt(ctx, tx, draw, await rulesOfDraw(tx, draw), time)
  await postTransfer(tx, {
    event: 'draw.resealed',
    subject: `${id}:${round}`,
    at: time,
    moves: [{ from: bankroll, to: reserve(id), sats: setAsideSats(guarantee) }],
  })
  // What preceded the postponed close is repeated: same size, root and seed, same state.
  const { log: _log, time: _time, ...repeated } = before
  const { hash: closeHash } = await appendStatement(ctx.fairness, tx, { ...repeated, ...guarantee, round }, time)
  await keepState(tx, draw.gameKey, before.state, closeHash)
  await tx.execute(queries.resealDraw, { id, startAt, endAt, round, closeHash, ...keptGuarantee(guarantee, time) })
  await afterSeal(ctx, tx, { ...draw, round, closeHash })
  ctx.runtime.log.warn({ drawId: id, startAt }, 'draw postponed: witnesses missing')
}

/**
 * What was set aside for a draw at another rate returns to the bankroll, until its further close sets aside what it
 * needs.
 */
async function returnReserve(tx: Tx, draw: DrawRow, round: number, at: number): Promise<void> {
  const sats = await balanceOf(tx, reserve(draw.id))
  const moves = [{ from: reserve(draw.id), to: bankroll, sats }]
  await postTransfer(tx, { event: 'draw.unsealed', subject: `${draw.id}:${round}`, at, moves })
}

/** Logs that a draw is postponed, at which time, and until when (fairness section 7, decisions section 4). */
async function postpone(
  ctx: DrawsContext,
  tx: Tx,
  draw: DrawRow,
  reason: StatementOf<'postpone'>['reason'],
  time: number,
): Promise<{ startAt: number; endAt: number; round: number }> {
  const lengthSeconds = draw.endAt - draw.startAt
  const others = await tx.run(queries.findTimesOfOthers, [draw.gameKey, draw.id])
  const startAt = newStartAt({
    number: draw.number,
    lengthSeconds,
    decidedAt: time,
    others: others.map(({ number, startAt, endAt, status, postponed }) => {
      return { number, startAt, endAt, isUnderWay: status !== 'open' || postponed > 0 }
    }),
  })
  const round = roundOf(ctx.beacons.of(draw.chainHash).chain, startAt)
  const fields = { type: 'postpone', open: draw.openHash, reason, start: startAt, round } as const
  await appendStatement(ctx.fairness, tx, fields, time)
  return { startAt, endAt: startAt + lengthSeconds, round }
}
