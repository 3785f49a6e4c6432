import { postponedStartAt } from '@fairball/domain/calendar'
import { roundOf } from '@fairball/domain/fairness/chain'
import type { Tx } from '../../db/pool.ts'
import { plannedCloseAt } from './closing.ts'
import { DRAWS_CHANNEL, type DrawsDeps } from './draws-deps.ts'
import type { Following } from './following.ts'
import * as queries from './queries.ts'
import type { DrawRow } from './queries.ts'
import type { Voiding } from './voiding.ts'

/** Draws of one game never overlap, and are this far apart (decisions section 4). */
const PAUSE_BETWEEN_DRAWS_SECONDS = 600
/** The third failure to close in time makes the draw void (fairness section 9). */
const MOST_POSTPONEMENTS = 2

/** What putting draws off needs. */
export interface PostponingDeps extends Pick<DrawsDeps, 'runtime' | 'jobs' | 'fairness' | 'beacons' | 'clock'> {
  readonly voiding: Voiding
  readonly following: Following
}

export type Postponing = ReturnType<typeof createPostponing>

/** Puts draws off whose close is not valid in time, until the third time (fairness section 9). */
export function createPostponing(deps: PostponingDeps) {
  const { runtime, jobs, fairness, beacons, clock, voiding, following } = deps

  /**
   * A draw that could not be sealed in time. Nobody misses one without entries. The caller holds game and draw.
   *
   * @param provenAt the moment that made it too late, which the clock may not have reached: the statement is not dated before it
   */
  async function missOpen(tx: Tx, draw: DrawRow, provenAt: number): Promise<void> {
    const { entries } = await tx.one(queries.countPlays, [draw.id])
    if (entries === 0 || draw.postponed >= MOST_POSTPONEMENTS) return await voiding.voidOpen(tx, draw, provenAt)
    const time = Math.max(await fairness.lockHead(tx), provenAt)
    const { startAt, endAt, round } = await newTimes(tx, draw, time)
    const postponeHash = await fairness.postpone(tx, {
      openHash: draw.open_hash,
      reason: 'outage',
      startAt,
      round,
      time,
    })
    await tx.execute(queries.postponeDraw, [draw.id, startAt, endAt, round, postponeHash])
    // The close comes as usual, as long before the start as it was planned: what several overdue draws set aside from
    // the bankroll is given back one after the other.
    const runAt = Math.max(runtime.clock.now(), plannedCloseAt({ ...draw, start_at: startAt }))
    await jobs.add(tx, 'draws.close', { drawId: String(draw.id) }, { key: `draws.close:${draw.id}`, runAt })
  }

  /**
   * Decides, once the time for them is over, whether enough witnesses have signed the close in force. Without them the
   * draw gets a new round and a second close with the same seal, in one transaction: its entries, its seed and its money
   * are public and fixed. Again changes nothing.
   */
  async function countWitnesses(tx: Tx, drawId: bigint): Promise<void> {
    const found = await tx.one(queries.findDraw, [drawId])
    await tx.one(queries.lockGame, [found.game_key])
    const draw = await tx.one(queries.lockDraw, [drawId])
    const { close_hash } = draw
    if (draw.status !== 'closed' || close_hash === null) return
    if (runtime.clock.now() < following.countsWitnessesAt(draw)) return // resealed meanwhile: its own time comes
    if (await following.isWitnessed(tx, { ...draw, close_hash })) return
    const waitsUntil = await clock.waitsUntil(tx)
    if (waitsUntil !== null) {
      const runAt = Math.max(waitsUntil, following.countsWitnessesAt(draw))
      return await following.countWitnessesAt(tx, drawId, runAt)
    }
    if (draw.entries === 0 || draw.postponed >= MOST_POSTPONEMENTS) await voiding.voidSealed(tx, draw, 'outage')
    else await reseal(tx, draw)
    await tx.notify(DRAWS_CHANNEL, draw.game_key)
  }

  async function reseal(tx: Tx, draw: DrawRow): Promise<void> {
    const { id, open_hash: openHash } = draw
    const time = await fairness.lockHead(tx)
    const { startAt, endAt, round } = await newTimes(tx, draw, time)
    const postponeHash = await fairness.postpone(tx, { openHash, reason: 'witness', startAt, round, time })
    const closeHash = await fairness.close(tx, { openHash, sealedSeed: draw.seed_sealed, round, ...sealOf(draw) })
    await tx.execute(queries.resealDraw, [id, startAt, endAt, round, postponeHash, closeHash])
    await following.afterSeal(tx, { ...draw, round, close_hash: closeHash })
    runtime.log.warn({ drawId: id, startAt }, 'witnesses were missing: a draw was put off')
  }

  /** The new start, end and round of a draw that is put off at a time (fairness section 9, decisions section 4). */
  async function newTimes(tx: Tx, draw: DrawRow, time: number) {
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
    const round = roundOf(startAt, beacons.of(draw.chain_hash).chain)
    return { startAt, endAt: startAt + lengthSeconds, round }
  }

  return { missOpen, countWitnesses }
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
