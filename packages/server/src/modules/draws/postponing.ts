import { newStartAt } from '@fairball/domain/draw-times'
import { roundOf } from '@fairball/domain/fairness/chain'
import { MAX_POSTPONEMENTS } from '@fairball/domain/fairness/protocol'
import type { Tx } from '../../db/pool.ts'
import { DRAWS_CHANNEL, type DrawsContext } from './context.ts'
import { afterSeal, witnessDeadlineOf, scheduleWitnessCount, isWitnessed, plannedCloseOf } from './following.ts'
import * as queries from './queries.ts'
import type { DrawRow } from './queries.ts'
import { voidOpen, voidSealed } from './voiding.ts'

/**
 * A draw that could not be sealed in time. Nobody misses one without entries. The caller holds game and draw.
 *
 * @param provenAt the moment that made it too late, which the clock may not have reached: the statement is not dated before it
 */
export async function missOpen(ctx: DrawsContext, tx: Tx, draw: DrawRow, provenAt: number): Promise<void> {
  const { entries } = await tx.one(queries.countPlays, [draw.id])
  if (entries === 0 || draw.postponed >= MAX_POSTPONEMENTS) return await voidOpen(ctx, tx, draw, provenAt)
  const time = Math.max(await ctx.fairness.lockHead(tx), provenAt)
  const { startAt, endAt, round } = await newTimes(ctx, tx, draw, time)
  const postponeHash = await ctx.fairness.postpone(tx, {
    openHash: draw.open_hash,
    reason: 'outage',
    startAt,
    round,
    time,
  })
  await tx.execute(queries.postponeDraw, { id: draw.id, startAt, endAt, round, postponeHash })
  // The close comes as usual, as long before the start as it was planned: what several overdue draws set aside from
  // the bankroll is given back one after the other.
  const runAt = Math.max(ctx.runtime.clock.now(), plannedCloseOf({ ...draw, start_at: startAt }))
  await ctx.jobs.add(tx, 'draws.close', { drawId: String(draw.id) }, { key: `draws.close:${draw.id}`, runAt })
}

/**
 * Decides, once the time for them is over, whether enough witnesses have signed the close in force. Without them the
 * draw gets a new round and a second close with the same seal, in one transaction: its entries, its seed and its money
 * are public and fixed. Idempotent.
 */
export async function countWitnesses(ctx: DrawsContext, tx: Tx, drawId: bigint): Promise<void> {
  const found = await tx.one(queries.findDraw, [drawId])
  await tx.one(queries.lockGame, [found.game_key])
  const draw = await tx.one(queries.lockDraw, [drawId])
  const { close_hash } = draw
  if (draw.status !== 'closed' || close_hash === null) return
  if (ctx.runtime.clock.now() < witnessDeadlineOf(ctx, draw)) return // resealed meanwhile: its own time comes
  if (await isWitnessed(ctx, tx, { ...draw, close_hash })) return
  const waitsUntil = await ctx.clock.waitsUntil(tx)
  if (waitsUntil !== null) {
    const runAt = Math.max(waitsUntil, witnessDeadlineOf(ctx, draw))
    return await scheduleWitnessCount(ctx, tx, drawId, runAt)
  }
  if (draw.entries === 0 || draw.postponed >= MAX_POSTPONEMENTS) await voidSealed(ctx, tx, draw, 'outage')
  else await reseal(ctx, tx, draw)
  await tx.notify(DRAWS_CHANNEL, draw.game_key)
}

async function reseal(ctx: DrawsContext, tx: Tx, draw: DrawRow): Promise<void> {
  const { id, open_hash: openHash } = draw
  const time = await ctx.fairness.lockHead(tx)
  const { startAt, endAt, round } = await newTimes(ctx, tx, draw, time)
  const postponeHash = await ctx.fairness.postpone(tx, { openHash, reason: 'witness', startAt, round, time })
  const closeHash = await ctx.fairness.close(tx, { openHash, sealedSeed: draw.seed_sealed, round, ...sealOf(draw) })
  await tx.execute(queries.resealDraw, { id, startAt, endAt, round, postponeHash, closeHash })
  await afterSeal(ctx, tx, { ...draw, round, close_hash: closeHash })
  ctx.runtime.log.warn({ drawId: id, startAt }, 'draw postponed: witnesses missing')
}

/** The new start, end and round of a draw that is put off at a time (fairness section 9, decisions section 4). */
async function newTimes(ctx: DrawsContext, tx: Tx, draw: DrawRow, time: number) {
  const lengthSeconds = draw.end_at - draw.start_at
  const others = await tx.run(queries.findTimesOfOthers, [draw.game_key, draw.id])
  const startAt = newStartAt({
    number: draw.number,
    lengthSeconds,
    decidedAt: time,
    others: others.map(({ number, start_at, end_at, status, postponed }) => {
      return { number, startAt: start_at, endAt: end_at, isUnderWay: status !== 'open' || postponed > 0 }
    }),
  })
  const round = roundOf(startAt, ctx.beacons.of(draw.chain_hash).chain)
  return { startAt, endAt: startAt + lengthSeconds, round }
}

/** What a close says of a sealed draw besides its round. */
function sealOf(draw: DrawRow) {
  const { entries, free_entries, root, stake_sats, pot_sats, bankroll_sats, floor_sats, rate_sats } = draw
  if (
    entries === null ||
    free_entries === null ||
    root === null ||
    stake_sats === null ||
    pot_sats === null ||
    bankroll_sats === null ||
    floor_sats === null ||
    rate_sats === null
  ) {
    throw new Error(`draw ${draw.id} is ${draw.status} without its seal`)
  }
  return {
    entries,
    freeEntries: free_entries,
    root,
    stakeSats: stake_sats,
    potSats: pot_sats,
    bankrollSats: bankroll_sats,
    floorSats: floor_sats,
    rateSats: rate_sats,
  }
}
