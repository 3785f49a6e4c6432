import { latestCloseAt } from '@fairball/domain/draw-times'
import { reserveOfDraw, splitStakes } from '@fairball/domain/jackpot'
import type { Tx } from '../../db/pool.ts'
import {
  bankroll,
  donationPool,
  feeReserve,
  inFlight,
  type LedgerAccount,
  pot,
  prizePool,
  received,
  reserve,
  stakesHeld,
  wallet,
} from '../ledger/accounts.ts'
import { balanceOf, lockAccount, postTransfer } from '../ledger/service.ts'
import { DRAWS_CHANNEL, type DrawsContext } from './context.ts'
import { afterSeal, dueAtOf, plannedCloseOf } from './following.ts'
import { openDraws } from './opening.ts'
import { missOpen } from './postponing.ts'
import * as queries from './queries.ts'
import type { DrawRow } from './queries.ts'

/**
 * Seals a draw: its entries in their tree, its money in its pot, its seed published, all in one signed statement.
 * Too late for its round it is postponed or void instead; while the clock is slow or fast it waits. Idempotent.
 */
export async function closeDraw(ctx: DrawsContext, tx: Tx, drawId: bigint): Promise<void> {
  const found = await tx.one(queries.findDraw, [drawId])
  await tx.one(queries.lockGame, [found.game_key])
  const draw = await tx.one(queries.lockDraw, [drawId])
  if (draw.status !== 'open') return
  const waitsUntil = await ctx.clock.waitsUntil(tx)
  if (waitsUntil !== null) {
    // A fast clock may have taken the job up before its time: the next worker that takes it closes the draw.
    const runAt = Math.max(waitsUntil, plannedCloseOf(draw))
    await ctx.jobs.add(tx, 'draws.close', { drawId: String(drawId) }, { key: `draws.close:${drawId}`, runAt })
    return
  }
  const provenAt = await ctx.clock.provenNow(tx)
  if (provenAt > latestCloseAt(dueAtOf(ctx, draw))) await missOpen(ctx, tx, draw, provenAt)
  else await seal(ctx, tx, draw)
  await openDraws(ctx, tx, draw.game_key)
  await tx.notify(DRAWS_CHANNEL, draw.game_key)
}

async function seal(ctx: DrawsContext, tx: Tx, draw: DrawRow): Promise<void> {
  const { root, entries, freeEntries } = await ctx.fairness.sealEntries(tx, draw)
  const { stake_sats: stakeSats } = await tx.one(queries.countPlays, [draw.id])
  // From here on the log's head is held: closes and settlements of all games take the bankroll one after the other.
  const now = await ctx.fairness.lockHead(tx)
  await assertInTime(ctx, tx, draw, now)
  const rate = await tx.one(queries.newestRate, ['GBP'])
  const split = splitStakes(stakeSats)
  const potSats = (await balanceOf(tx, prizePool(draw.game_key))) + split.prizePoolSats
  await lockAccount(tx, bankroll) // the operator takes from it as well
  const freeBankrollSats = await balanceOf(tx, bankroll)
  const { floorSats, coverSats: bankrollSats } = reserveOfDraw({
    guaranteedMinor: draw.guaranteed_minor,
    coverMinor: draw.cover_minor,
    satsPerUnit: rate.sats_per_unit,
    freeBankrollSats,
  })
  await postTransfer(tx, {
    event: 'draw.closed',
    subject: String(draw.id),
    at: now,
    moves: [
      { from: stakesHeld(draw.game_key), to: donationPool(draw.game_key), sats: split.donationSats },
      { from: stakesHeld(draw.game_key), to: feeReserve(draw.game_key), sats: split.feeSats },
      { from: stakesHeld(draw.game_key), to: prizePool(draw.game_key), sats: split.prizePoolSats },
      { from: prizePool(draw.game_key), to: pot(draw.id), sats: potSats },
      { from: bankroll, to: reserve(draw.id), sats: floorSats + bankrollSats },
    ],
  })
  const closeHash = await ctx.fairness.close(tx, {
    openHash: draw.open_hash,
    sealedSeed: draw.seed_sealed,
    round: draw.round,
    entries,
    freeEntries,
    root,
    stakeSats,
    potSats,
    bankrollSats,
    floorSats,
    rateSats: rate.sats_per_unit,
  })
  await tx.execute(queries.closeDraw, {
    id: draw.id,
    now,
    entries,
    freeEntries,
    root,
    stakeSats,
    potSats,
    bankrollSats,
    floorSats,
    rateSats: rate.sats_per_unit,
    rateAt: rate.at,
    closeHash,
  })
  await afterSeal(ctx, tx, { ...draw, close_hash: closeHash })
  for (const account of checkpointsOf(draw.game_key)) {
    const { kind, subject } = account
    await ctx.jobs.add(tx, 'ledger.checkpoint', { kind, subject }, { key: `ledger.checkpoint:${kind}:${subject}` })
  }
}

/**
 * Sealing takes time, and so does the wait for the log's head: what was in time before may be too late now. The
 * transaction is undone then, and the close tried again finds the draw to be postponed.
 */
async function assertInTime(ctx: DrawsContext, tx: Tx, draw: DrawRow, now: number): Promise<void> {
  const known = await tx.maybeOne(queries.findRound, [draw.chain_hash, draw.round])
  const latestNow = Math.max(now, await ctx.clock.provenNow(tx))
  if (latestNow <= latestCloseAt(dueAtOf(ctx, draw)) && known === null) return
  throw new Error(`the close of draw ${draw.id} came too late for round ${draw.round}`)
}

/** The accounts a close or its sales post to often, each shortened in a transaction of its own: no two wait in a circle. */
function checkpointsOf(gameKey: string): LedgerAccount[] {
  const ofGame = [stakesHeld(gameKey), prizePool(gameKey), donationPool(gameKey), feeReserve(gameKey)]
  return [...ofGame, wallet, received, bankroll, inFlight]
}
