import { postponedStartAt } from '@fairball/domain/calendar'
import { roundDueAt, roundOf } from '@fairball/domain/fairness/chain'
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
import { DRAWS_CHANNEL, type DrawsDeps } from './draws-deps.ts'
import type { Opening } from './opening.ts'
import * as queries from './queries.ts'
import type { DrawRow } from './queries.ts'

/** The close must be committed this long before its round is due (fairness.md section 7). */
const CLOSE_BEFORE_ROUND_SECONDS = 60
/** Draws of one game never overlap, and are this far apart (decisions section 4). */
const PAUSE_BETWEEN_DRAWS_SECONDS = 600
/** The third failure to close in time makes the draw void (fairness.md section 9). */
const MOST_POSTPONEMENTS = 2

/** What closing a draw needs. */
export interface ClosingDeps extends Pick<DrawsDeps, 'runtime' | 'ledger' | 'jobs' | 'fairness' | 'beacon' | 'orders'> {
  readonly openDraws: Opening['openDraws']
}

/** Seals draws, or postpones them, or declares them void (fairness.md sections 7 and 9). */
export function createClosing(deps: ClosingDeps) {
  const { runtime, ledger, jobs, fairness, beacon, openDraws } = deps

  /**
   * Seals a draw: its entries in their tree, its money in its pot, its seed published, all in one signed statement.
   * Too late for its round, or with nobody in it, it is postponed or void instead. Again changes nothing.
   */
  async function close(tx: Tx, drawId: bigint): Promise<void> {
    const found = await tx.one(queries.findDraw, [drawId])
    await tx.one(queries.lockGame, [found.game_key])
    const draw = await tx.one(queries.lockDraw, [drawId])
    if (draw.status !== 'open') return
    const { entries } = await tx.one(queries.countPlays, [drawId])
    if (runtime.clock.now() > latestCloseAt(draw)) {
      if (entries === 0 || draw.postponed >= MOST_POSTPONEMENTS) await voidOpenDraw(tx, draw)
      else await postpone(tx, draw)
    } else {
      await seal(tx, draw)
    }
    await openDraws(tx, draw.game_key)
    await tx.notify(DRAWS_CHANNEL, draw.game_key)
  }

  async function seal(tx: Tx, draw: DrawRow): Promise<void> {
    const { root, entries, freeEntries } = await fairness.sealEntries(tx, draw)
    const { stake_sats: stakeSats } = await tx.one(queries.countPlays, [draw.id])
    // From here on the log's head is held: closes and settlements of all games take the bankroll one after the other.
    const now = await fairness.lockHead(tx)
    await assertInTime(tx, draw, now)
    const rate = await tx.one(queries.newestRate, ['GBP'])
    const split = splitStakes(stakeSats)
    const potSats = (await ledger.balance(tx, prizePool(draw.game_key))) + split.prizePoolSats
    const freeBankrollSats = await ledger.balance(tx, bankroll)
    const { floorSats, coverSats: bankrollSats } = reserveOfDraw({
      guaranteedMinor: draw.guaranteed_minor,
      coverMinor: draw.cover_minor,
      satsPerUnit: rate.sats_per_unit,
      freeBankrollSats,
    })
    await ledger.post(tx, {
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
    const closeHash = await fairness.close(tx, {
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
    await tx.execute(queries.closeDraw, [
      draw.id,
      now,
      entries,
      freeEntries,
      root,
      stakeSats,
      potSats,
      bankrollSats,
      floorSats,
      rate.sats_per_unit,
      rate.at,
      closeHash,
    ])
    const runAt = roundDueAt(draw.round, beacon.chain)
    await jobs.add(tx, 'draws.draw', { drawId: String(draw.id) }, { key: `draws.draw:${draw.id}`, runAt })
    for (const account of checkpointsOf(draw.game_key)) {
      const { kind, subject } = account
      await jobs.add(tx, 'ledger.checkpoint', { kind, subject }, { key: `ledger.checkpoint:${kind}:${subject}` })
    }
  }

  /**
   * Sealing takes time, and so does the wait for the log's head: what was in time before may be too late now. The
   * transaction is undone then, and the close tried again finds the draw to be postponed.
   */
  async function assertInTime(tx: Tx, draw: DrawRow, now: number): Promise<void> {
    const known = await tx.maybeOne(queries.findRound, [draw.chain_hash, draw.round])
    if (now <= latestCloseAt(draw) && known === null) return
    throw new Error(`the close of draw ${draw.id} came too late for round ${draw.round}`)
  }

  /** The last moment at which a close may be committed (fairness.md section 7). */
  function latestCloseAt(draw: DrawRow): number {
    return roundDueAt(draw.round, beacon.chain) - CLOSE_BEFORE_ROUND_SECONDS
  }

  /** A new start and round, as fairness.md section 9 and decisions section 4 say; sales stay closed. */
  async function postpone(tx: Tx, draw: DrawRow): Promise<void> {
    const time = await fairness.lockHead(tx)
    const lengthSeconds = draw.end_at - draw.start_at
    const others = await tx.run(queries.findTimesOfOthers, [draw.game_key, draw.id])
    const startAt = freeStartAt({
      startAt: postponedStartAt(
        time,
        others.filter((other) => other.number < draw.number && isUnderWay(other)).map((other) => other.end_at),
      ),
      lengthSeconds,
      // An earlier draw that was never closed is itself still to be postponed: its old time takes nobody's place.
      taken: others.filter((other) => other.number > draw.number || isUnderWay(other)),
    })
    const round = roundOf(startAt, beacon.chain)
    const postponeHash = await fairness.postpone(tx, {
      openHash: draw.open_hash,
      reason: 'outage',
      startAt,
      round,
      time,
    })
    await tx.execute(queries.postponeDraw, [draw.id, startAt, startAt + lengthSeconds, round, postponeHash])
    // The close comes as usual, as long before the start as it was planned: what several overdue draws set aside from
    // the bankroll is given back one after the other.
    const runAt = Math.max(runtime.clock.now(), startAt - (draw.scheduled_at - draw.closes_at))
    await jobs.add(tx, 'draws.close', { drawId: String(draw.id) }, { key: `draws.close:${draw.id}`, runAt })
  }

  /** Void before the close: the entries move with their stakes, which never left `stakes held`. */
  async function voidOpenDraw(tx: Tx, draw: DrawRow): Promise<void> {
    const voidHash = await fairness.voidDraw(tx, { openHash: draw.open_hash, reason: 'outage' })
    await tx.execute(queries.voidDraw, [draw.id, runtime.clock.now(), voidHash])
    await openDraws(tx, draw.game_key)
    const { id, number, game_key: gameKey } = draw
    await deps.orders.movePlaysOfVoidDraw(tx, { id, number, gameKey, wasClosed: false })
  }

  return { close }
}

/** The accounts a close or its sales post to often, each shortened in a transaction of its own: no two wait in a circle. */
function checkpointsOf(gameKey: string): LedgerAccount[] {
  const ofGame = [stakesHeld(gameKey), prizePool(gameKey), donationPool(gameKey), feeReserve(gameKey)]
  return [...ofGame, wallet, received, bankroll, inFlight]
}

function isUnderWay(draw: { readonly status: string; readonly postponed: number }): boolean {
  return draw.status !== 'open' || draw.postponed > 0
}

/** The first start from `startAt` on at which a draw is ten minutes apart from every other draw of its game. */
function freeStartAt(draw: {
  readonly startAt: number
  readonly lengthSeconds: number
  readonly taken: readonly { readonly start_at: number; readonly end_at: number }[]
}): number {
  let { startAt } = draw
  for (const other of draw.taken.toSorted((one, two) => one.start_at - two.start_at)) {
    const isBefore = startAt + draw.lengthSeconds + PAUSE_BETWEEN_DRAWS_SECONDS <= other.start_at
    const isAfter = startAt >= other.end_at + PAUSE_BETWEEN_DRAWS_SECONDS
    if (!isBefore && !isAfter) startAt = Math.ceil((other.end_at + PAUSE_BETWEEN_DRAWS_SECONDS) / 60) * 60
  }
  return startAt
}
