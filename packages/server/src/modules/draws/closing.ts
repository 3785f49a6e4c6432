import { latestCloseAt, plannedCloseAt } from '@fairball/domain/draw-times'
import { toHex } from '@fairball/domain/protocol/bytes'
import { afterClose, poolOf, shareStake } from '@fairball/domain/protocol/money'
import { NO_HASH } from '@fairball/domain/protocol/statement-codecs'
import type { Tx } from '../../db/pool.ts'
import { appendStatement, lockHead, SEED_PURPOSE } from '../fairness/service.ts'
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
import { balanceOf, lockAccount, type Move, postTransfer } from '../ledger/service.ts'
import { appendLast } from './appending.ts'
import { DRAWS_CHANNEL, type DrawsContext } from './context.ts'
import { afterSeal, dueAtOf } from './following.ts'
import { guaranteeAt, keptGuarantee, rulesOfDraw, setAsideSats } from './guarantee.ts'
import { openDraws } from './opening.ts'
import { missOpen } from './postponing.ts'
import * as queries from './queries.ts'
import type { DrawRow, GameRow } from './queries.ts'
import { quotedRate } from './rates.ts'
import { takeEndedPools } from './retiring.ts'
import { keepState, stateOf } from './state.ts'

/** Delay before the retry of a close that waits for an earlier draw or a rate. */
const TRY_AGAIN_SECONDS = 10

/**
 * Seals a draw: the last of its plays in their tree, its money in its pot, its seed published, all in one statement of
 * the log. If it is too late for its round, it is postponed or void instead. It waits while the clock is slow or fast,
 * an earlier draw of the game is open, or no rate is available. Idempotent.
 */
export async function closeDraw(ctx: DrawsContext, tx: Tx, drawId: bigint): Promise<void> {
  const found = await tx.one(queries.findDraw, [drawId])
  const game = await tx.one(queries.lockGame, [found.gameKey])
  const draw = await tx.one(queries.lockDraw, [drawId])
  if (draw.status !== 'open') return
  const waitsUntil = await ctx.clock.waitsUntil(tx)
  // A fast clock may have started the job early: the next worker that takes it closes the draw.
  if (waitsUntil !== null) return await closeAt(ctx, tx, draw, Math.max(waitsUntil, plannedCloseAt(draw)))
  // Draws of a game close in order: each carries the state of the game on to the next.
  const earlier = await tx.maybeOne(queries.findEarlierOpen, [draw.gameKey, draw.number])
  const again = ctx.runtime.clock.now() + TRY_AGAIN_SECONDS
  if (earlier !== null) return await closeAt(ctx, tx, draw, Math.max(again, plannedCloseAt(earlier)))
  const provenAt = await ctx.clock.provenNow(tx)
  if (provenAt > latestCloseAt(dueAtOf(ctx, draw))) {
    await missOpen(ctx, tx, game, draw, provenAt)
  } else {
    const rate = await quotedRate(ctx, tx, draw, provenAt)
    if (rate === null) return await closeAt(ctx, tx, draw, again)
    await seal(ctx, tx, game, draw)
  }
  await openDraws(ctx, tx, draw.gameKey)
  await tx.notify(DRAWS_CHANNEL, draw.gameKey)
}

/** The moment is part of the key: the job that runs still holds its own. */
async function closeAt(ctx: DrawsContext, tx: Tx, { id }: DrawRow, runAt: number): Promise<void> {
  await ctx.jobs.add(tx, 'draws.close', { drawId: String(id) }, { key: `draws.close:${id}:${runAt}`, runAt })
}

async function seal(ctx: DrawsContext, tx: Tx, game: GameRow, draw: DrawRow): Promise<void> {
  const batch = await appendLast(ctx, tx, draw)
  // From here on the log's head is held: closes and settlements of all games lock the bankroll one after the other.
  const now = await lockHead(ctx.fairness, tx)
  await assertInTime(ctx, tx, draw, now)
  const rules = await rulesOfDraw(tx, draw)
  const known = stateOf(game)
  const { lines, free, carried, stakeSats: stake } = batch
  await matchMovedStakes(tx, draw, now)
  await takeEndedPools(tx, draw.gameKey, now)
  // Postings to the prize pool besides the draws' own money are in no state yet.
  const added = (await balanceOf(tx, prizePool(draw.gameKey))) - known.state.pot
  const pool = poolOf(known.state, added, stake, rules.split)
  const guarantee = await guaranteeAt(ctx, tx, draw, rules, now)
  await postTransfer(tx, {
    event: 'draw.closed',
    subject: String(draw.id),
    at: now,
    moves: closingMoves(draw, shareStake(stake, rules.split), pool, lines === 0 ? 0n : setAsideSats(guarantee)),
  })
  const state = afterClose(known.state, { free, carried })
  const { leaves: size, root, soldHash, revoked } = batch
  const { hash: closeHash } = await appendStatement(
    ctx.fairness,
    tx,
    {
      type: 'close',
      open: draw.openHash,
      round: draw.round,
      sold: soldHash ?? NO_HASH,
      size,
      root,
      lines,
      free,
      carried,
      revoked,
      seed: toHex(ctx.fairness.seal.open(draw.seedSealed, SEED_PURPOSE)),
      stake,
      ...guarantee,
      added,
      pool,
      last: known.last,
      state,
    },
    now,
  )
  await keepState(tx, draw.gameKey, state, closeHash)
  await tx.execute(queries.closeDraw, {
    id: draw.id,
    now,
    lines,
    stakeSats: stake,
    potSats: pool,
    ...keptGuarantee(guarantee, now),
    closeHash,
    revoked: batch.revokedList,
  })
  const { id: drawId, gameKey, number: drawNumber, startAt } = draw
  const about = { drawId, gameKey, drawNumber, startAt }
  await ctx.facts.record(tx, 'draw.moved', { ...about, to: 'closed', entries: lines, stakeSats: stake })
  await afterSeal(ctx, tx, { ...draw, closeHash })
  for (const account of checkpointsOf(draw.gameKey)) {
    const { kind, subject } = account
    await ctx.jobs.add(tx, 'ledger.checkpoint', { kind, subject }, { key: `ledger.checkpoint:${kind}:${subject}` })
  }
}

/**
 * Plays that moved keep their stakes, but their leaves count at the price of this draw. What the stakes lack of that
 * comes from the bankroll; what they have beyond it goes to the prize pool.
 */
async function matchMovedStakes(tx: Tx, { id, gameKey, priceMinor }: DrawRow, at: number): Promise<void> {
  const { kept, counted } = await tx.one(queries.sumMovedStakes, [id, priceMinor])
  const subject = String(id)
  if (counted > kept) {
    await lockAccount(tx, bankroll)
    const moves = [{ from: bankroll, to: stakesHeld(gameKey), sats: counted - kept }]
    await postTransfer(tx, { event: 'draw.topped-up', subject, at, moves })
  }
  if (kept > counted) {
    const moves = [{ from: stakesHeld(gameKey), to: prizePool(gameKey), sats: kept - counted }]
    await postTransfer(tx, { event: 'draw.surplus', subject, at, moves })
  }
}

/**
 * Where the money of a draw goes at its close: the pot takes the whole prize pool, and the bankroll sets aside what it
 * can of floor and cover. A draw without lines has no winner, so it sets nothing aside.
 */
function closingMoves(draw: DrawRow, split: ReturnType<typeof shareStake>, pool: bigint, reserveSats: bigint): Move[] {
  const { id, gameKey } = draw
  return [
    { from: stakesHeld(gameKey), to: donationPool(gameKey), sats: split.donation },
    { from: stakesHeld(gameKey), to: feeReserve(gameKey), sats: split.fee },
    { from: stakesHeld(gameKey), to: prizePool(gameKey), sats: split.share },
    { from: prizePool(gameKey), to: pot(id), sats: pool },
    { from: bankroll, to: reserve(id), sats: reserveSats },
  ]
}

/**
 * Sealing takes time, and so does the wait for the log's head: a draw that was in time may now be too late. Then the
 * transaction is rolled back, and the retried close postpones the draw.
 */
async function assertInTime(ctx: DrawsContext, tx: Tx, draw: DrawRow, now: number): Promise<void> {
  const known = await tx.maybeOne(queries.findRound, [draw.chainHash, draw.round])
  const latestNow = Math.max(now, await ctx.clock.provenNow(tx))
  if (latestNow <= latestCloseAt(dueAtOf(ctx, draw)) && known === null) return
  throw new Error(`the close of draw ${draw.id} came too late for round ${draw.round}`)
}

/**
 * The accounts that a close or its sales often post to. Each is shortened in a transaction of its own, so no two wait
 * in a circle.
 */
function checkpointsOf(gameKey: string): LedgerAccount[] {
  const ofGame = [stakesHeld(gameKey), prizePool(gameKey), donationPool(gameKey), feeReserve(gameKey)]
  return [...ofGame, wallet, received, bankroll, inFlight]
}
