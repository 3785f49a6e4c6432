import { roundDueAt } from '@fairball/domain/fairness/chain'
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
import type { Following } from './following.ts'
import type { Opening } from './opening.ts'
import type { Postponing } from './postponing.ts'
import * as queries from './queries.ts'
import type { DrawRow } from './queries.ts'

/** The close must be committed this long before its round is due (fairness.md section 7). */
const CLOSE_BEFORE_ROUND_SECONDS = 60

/** What closing a draw needs. */
export interface ClosingDeps extends Pick<DrawsDeps, 'ledger' | 'jobs' | 'fairness' | 'beacons' | 'clock'> {
  readonly openDraws: Opening['openDraws']
  readonly postponing: Postponing
  readonly following: Following
}

/** Seals draws, once and in time for their round (fairness section 7). */
export function createClosing(deps: ClosingDeps) {
  const { ledger, jobs, fairness, beacons, clock, openDraws, postponing } = deps

  /**
   * Seals a draw: its entries in their tree, its money in its pot, its seed published, all in one signed statement.
   * Too late for its round it is postponed or void instead; while the clock is slow or fast it waits. Again changes nothing.
   */
  async function close(tx: Tx, drawId: bigint): Promise<void> {
    const found = await tx.one(queries.findDraw, [drawId])
    await tx.one(queries.lockGame, [found.game_key])
    const draw = await tx.one(queries.lockDraw, [drawId])
    if (draw.status !== 'open') return
    const waitsUntil = await clock.waitsUntil(tx)
    if (waitsUntil !== null) {
      // A fast clock may have taken the job up before its time: whoever takes it next closes the draw.
      const runAt = Math.max(waitsUntil, plannedCloseAt(draw))
      await jobs.add(tx, 'draws.close', { drawId: String(drawId) }, { key: `draws.close:${drawId}`, runAt })
      return
    }
    const provenAt = await clock.provenNow(tx)
    if (provenAt > latestCloseAt(draw)) await postponing.missOpen(tx, draw, provenAt)
    else await seal(tx, draw)
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
    await ledger.lock(tx, bankroll) // the operator takes from it as well
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
    await deps.following.afterSeal(tx, { ...draw, close_hash: closeHash })
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
    const latestNow = Math.max(now, await clock.provenNow(tx))
    if (latestNow <= latestCloseAt(draw) && known === null) return
    throw new Error(`the close of draw ${draw.id} came too late for round ${draw.round}`)
  }

  /** The last moment at which a close may be committed (fairness.md section 7). */
  function latestCloseAt(draw: DrawRow): number {
    return roundDueAt(draw.round, beacons.of(draw.chain_hash).chain) - CLOSE_BEFORE_ROUND_SECONDS
  }

  return { close }
}

/** When the close of a draw comes: as long before its start as it was planned, also where it was put off. Epoch seconds. */
export function plannedCloseAt(draw: Pick<DrawRow, 'start_at' | 'scheduled_at' | 'closes_at'>): number {
  return draw.start_at - (draw.scheduled_at - draw.closes_at)
}

/** The accounts a close or its sales post to often, each shortened in a transaction of its own: no two wait in a circle. */
function checkpointsOf(gameKey: string): LedgerAccount[] {
  const ofGame = [stakesHeld(gameKey), prizePool(gameKey), donationPool(gameKey), feeReserve(gameKey)]
  return [...ofGame, wallet, received, bankroll, inFlight]
}
