import { openAhead, postponedStartAt } from '@fairball/domain/calendar'
import { revealEndAt } from '@fairball/domain/draw-phase'
import { randomnessOf, roundDueAt, roundOf } from '@fairball/domain/fairness/chain'
import { fromHex } from '@fairball/domain/fairness/bytes'
import { drawKey, drawNumbers } from '@fairball/domain/fairness/sampler'
import { checkGameRules, gameByKey, GAMES, type GameRules } from '@fairball/domain/games'
import { canTakeOrders, reserveOfDraw, settlePrizes, splitStakes } from '@fairball/domain/jackpot'
import { lineMask } from '@fairball/domain/lines'
import { satsOfMinor } from '@fairball/domain/money'
import { LotteryError } from '@fairball/domain/errors'
import type { Db, Tx } from '../../db/pool.ts'
import type { Jobs } from '../../jobs/queue.ts'
import type { Beacon } from '../../ports/beacon/beacon.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { Fairness } from '../fairness/service.ts'
import {
  bankroll,
  donationPool,
  feeReserve,
  inFlight,
  type LedgerAccount,
  operatorFee,
  partner,
  pot,
  prizePool,
  received,
  reserve,
  stakesHeld,
  wallet,
} from '../ledger/accounts.ts'
import type { Ledger } from '../ledger/service.ts'
import type { Orders } from '../orders/service.ts'
import * as queries from './queries.ts'

/** The close must be committed this long before its round is due (fairness.md section 7). */
const CLOSE_BEFORE_ROUND_SECONDS = 60
/** Draws of one game never overlap, and are this far apart (decisions section 4). */
const PAUSE_BETWEEN_DRAWS_SECONDS = 600
/** The third failure to close in time makes the draw void (fairness.md section 9). */
const MOST_POSTPONEMENTS = 2
/** Demo: bitcoin-hero's first draw starts this long after the first start of the server (decisions section 4). */
export const FIRST_DEMO_DRAW_SECONDS = 15 * 60
/** Other processes and the watch page hear of a draw's changes on this channel; the payload is the game's key. */
export const DRAWS_CHANNEL = 'draws'

/** A partner charity (operator's content). */
export interface Partner {
  readonly id: string
  readonly name: string
  readonly url: string
  /** where its share is paid to; null while it has none */
  readonly address: string | null
}

export interface DrawsDeps {
  readonly db: Db
  readonly runtime: Runtime
  readonly ledger: Ledger
  readonly jobs: Jobs
  readonly fairness: Fairness
  readonly beacon: Beacon
  readonly orders: Pick<Orders, 'movePlaysOfVoidDraw'>
  readonly partners: readonly Partner[]
  /** Called in the transaction in which winnings became owed. */
  readonly onOwed: (tx: Tx) => Promise<void>
  /** Tells one winner, inside a transaction. */
  readonly tellWinner: (tx: Tx, news: WinnerNews) => Promise<void>
}

/** What a winner is told about one draw. */
export interface WinnerNews {
  readonly playerId: bigint
  readonly gameKey: string
  readonly drawId: bigint
  readonly drawNumber: number
  /** all money prizes of the player in this draw, in sats */
  readonly sats: bigint
  readonly freeTickets: number
  readonly isJackpot: boolean
}

export type Draws = ReturnType<typeof createDraws>
type DrawRow = Awaited<ReturnType<Draws['find']>>

/** The life of a draw: open → closed → drawn → settled, or void (decisions section 4, fairness.md). */
export function createDraws(deps: DrawsDeps) {
  const { db, runtime, ledger, jobs, fairness, beacon } = deps

  /**
   * Enters the games and opens their draws. Safe at every start.
   *
   * @throws RangeError when a game's rules break decisions section 4
   */
  async function seedGames(options: { isDemo: boolean }): Promise<void> {
    for (const game of GAMES) checkGameRules(game)
    await db.transaction(async (tx) => {
      const { games } = await tx.one(queries.countGames, [])
      const extraStartAt = games === 0 && options.isDemo ? runtime.clock.now() + FIRST_DEMO_DRAW_SECONDS : null
      for (const [position, game] of GAMES.entries()) {
        const extra = game.key === 'bitcoin-hero' ? extraStartAt : null
        await tx.execute(queries.insertGame, [game.key, position, extra])
      }
    })
    for (const game of GAMES) await db.transaction((tx) => openDraws(tx, game.key))
  }

  /** Opens every draw that has to be open now: those an order can name, and one more (decisions section 4). */
  async function openDraws(tx: Tx, gameKey: string): Promise<void> {
    const game = rulesOf(gameKey)
    const { extra_start_at: extraStartAt } = await tx.one(queries.lockGame, [gameKey])
    const now = runtime.clock.now()
    const last = await tx.maybeOne(queries.findLastOpened, [gameKey])
    const missing = openAhead(game, now, extraStartAt).filter(
      (scheduled) => last === null || scheduled.startAt > last.scheduled_at,
    )
    let number = last?.number ?? 0
    for (const scheduled of missing) {
      number += 1
      const seed = runtime.random.bytes(32)
      const round = roundOf(scheduled.startAt, beacon.chain)
      const opening = await fairness.open(tx, {
        game,
        number,
        closesAt: scheduled.closesAt,
        startAt: scheduled.startAt,
        round,
        seed,
      })
      const { id } = await tx.one(queries.insertDraw, [
        gameKey,
        number,
        scheduled.weekday,
        scheduled.startAt,
        scheduled.startAt,
        scheduled.closesAt,
        scheduled.endAt,
        game.pick,
        game.pool,
        opening.rulesHash,
        opening.sealedSeed,
        opening.seedHash,
        beacon.chain.hash,
        round,
        opening.openHash,
        BigInt(game.guaranteedMinor),
        BigInt(game.coverMinor),
      ])
      await jobs.add(tx, 'draws.close', { drawId: String(id) }, { key: `draws.close:${id}`, runAt: scheduled.closesAt })
    }
    if (missing.length > 0) await tx.notify(DRAWS_CHANNEL, gameKey)
  }

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

  /**
   * Draws the numbers of a closed draw from its beacon round. The outside call comes first, without a transaction.
   *
   * @throws Error while the round's signature cannot be had: the job tries again
   */
  async function draw(drawId: bigint): Promise<void> {
    const found = await db.one(queries.findDraw, [drawId])
    if (found.status !== 'closed') return
    const stored = await db.maybeOne(queries.findRound, [found.chain_hash, found.round])
    const signature = stored?.signature ?? (await beacon.signatureOf(found.round))
    if (signature === null) throw new Error(`the beacon has not published round ${found.round} yet`)
    await db.transaction(async (tx) => {
      const row = await tx.one(queries.lockDraw, [drawId])
      if (row.status !== 'closed' || row.close_hash === null) return
      const now = runtime.clock.now()
      await tx.execute(queries.insertRound, [row.chain_hash, row.round, signature, now])
      const key = drawKey({
        seed: fairness.openSeal(row.seed_sealed),
        openHash: fromHex(row.open_hash),
        closeHash: fromHex(row.close_hash),
        round: row.round,
        randomness: randomnessOf(fromHex(signature)),
      })
      const numbers = drawNumbers(key, { pick: row.pick, pool: row.pool })
      await tx.execute(queries.drawNumbers, [drawId, numbers, storedMask(numbers), signature, now])
      const { start_at: startAt, end_at: endAt, pick } = row
      const runAt = revealEndAt({ startAt, endAt, pick, revealFromAt: now })
      await jobs.add(tx, 'draws.settle', { drawId: String(drawId) }, { key: `draws.settle:${drawId}`, runAt })
      await tx.notify(DRAWS_CHANNEL, row.game_key)
    })
  }

  /** Settles a drawn draw once its last ball is shown: wins, postings, free tickets, the result statement. */
  async function settle(tx: Tx, drawId: bigint): Promise<void> {
    const found = await tx.one(queries.findDraw, [drawId])
    await tx.one(queries.lockGame, [found.game_key])
    const row = await tx.one(queries.lockDraw, [drawId])
    if (row.status !== 'drawn') return
    const sealed = sealedFigures(row)
    const counts = await tx.run(queries.countByMatches, [drawId, sealed.drawnMask])
    const outcome = settlePrizes({
      tiers: await fairness.tiersOf(tx, row.rules_hash),
      winnersByMatches: new Map(counts.map((count) => [count.matches, count.entries])),
      poolSats: sealed.potSats,
      bankrollSats: sealed.bankrollSats,
      floorSats: sealed.floorSats,
      satsPerUnit: sealed.rateSats,
    })
    const winning = outcome.tiers.filter((tier) => tier.winners > 0)
    await tx.execute(queries.insertWins, [
      drawId,
      sealed.drawnMask,
      winning.map((tier) => tier.matches),
      winning.map((tier) => WIN_TYPES[tier.kind]),
      winning.map((tier) => tier.satsEach),
    ])
    await tx.execute(queries.addFreeTicketsWon, [drawId, row.game_key])
    await fairness.lockHead(tx)
    const now = runtime.clock.now()
    const money = await postSettlement(tx, row, outcome, now)
    await tx.execute(queries.insertPayablesOfWins, [drawId, now])
    const resultHash = await fairness.result(tx, {
      close: sealed.closeHash,
      signature: sealed.signature,
      numbers: sealed.numbers,
      tiers: outcome.tiers,
    })
    await tx.execute(queries.settleDraw, [
      drawId,
      now,
      outcome.tiers.map((tier) => ({ ...tier, satsEach: String(tier.satsEach) })),
      outcome.isScaled,
      money.jackpotSats,
      money.donationSats,
      money.donationSats === null ? [] : deps.partners.map(({ name, url }) => ({ name, url })),
      resultHash,
    ])
    await deps.onOwed(tx)
    await jobs.add(tx, 'draws.tell-winners', { drawId: String(drawId) }, { key: `draws.tell-winners:${drawId}` })
    await tx.notify(DRAWS_CHANNEL, row.game_key)
  }

  /** The postings of a settlement, in the order of decisions section 5. */
  async function postSettlement(
    tx: Tx,
    row: DrawRow,
    outcome: ReturnType<typeof settlePrizes>,
    now: number,
  ): Promise<{ jackpotSats: bigint | null; donationSats: bigint | null }> {
    const { id: drawId, game_key: gameKey } = row
    const subject = String(drawId)
    const post = (event: string, moves: Parameters<Ledger['post']>[1]['moves']) =>
      ledger.post(tx, { event, subject, at: now, moves })
    const { fixedSats, fixedFromReserveSats, jackpotPaidSats, jackpotFromReserveSats } = outcome

    await post('draw.covered', [{ from: reserve(drawId), to: pot(drawId), sats: fixedFromReserveSats }])
    await ledger.postPrizes(tx, {
      event: 'draw.fixed-prizes',
      drawId,
      winType: 'PRIZE',
      from: pot(drawId),
      totalSats: fixedSats,
      at: now,
    })
    let jackpotSats: bigint | null = null
    let donationSats: bigint | null = null
    if (outcome.isJackpotWon) {
      await post('draw.floored', [{ from: reserve(drawId), to: pot(drawId), sats: jackpotFromReserveSats }])
      await ledger.postPrizes(tx, {
        event: 'draw.jackpot',
        drawId,
        winType: 'JACKPOT',
        from: pot(drawId),
        totalSats: jackpotPaidSats,
        at: now,
      })
      jackpotSats = jackpotPaidSats
      const feeSats = await ledger.balance(tx, feeReserve(gameKey))
      await post('draw.fee-released', [{ from: feeReserve(gameKey), to: operatorFee, sats: feeSats }])
      donationSats = await donate(tx, row, now)
    }
    const potLeftSats = await ledger.balance(tx, pot(drawId))
    const reserveLeftSats = await ledger.balance(tx, reserve(drawId))
    await post('draw.returned', [
      { from: pot(drawId), to: prizePool(gameKey), sats: potLeftSats },
      { from: reserve(drawId), to: bankroll, sats: reserveLeftSats },
    ])
    return { jackpotSats, donationSats }
  }

  /** Shares the donation pool equally between the partners; the remainder stays. Without partners it stays whole. */
  async function donate(tx: Tx, row: DrawRow, now: number): Promise<bigint | null> {
    if (deps.partners.length === 0) return null
    const poolSats = await ledger.balance(tx, donationPool(row.game_key))
    const shareSats = poolSats / BigInt(deps.partners.length)
    if (shareSats === 0n) return null
    const moves = deps.partners.map(({ id }) => ({
      from: donationPool(row.game_key),
      to: partner(id),
      sats: shareSats,
    }))
    await ledger.post(tx, { event: 'draw.donated', subject: String(row.id), at: now, moves })
    for (const { id } of deps.partners) {
      const source = `donation:${row.id}:${id}`
      await tx.execute(queries.insertPayableOfPartner, [now, shareSats, id, row.id, source])
    }
    return shareSats * BigInt(deps.partners.length)
  }

  /** Messages and mails to everybody who won in a draw. */
  async function tellWinners(tx: Tx, drawId: bigint): Promise<void> {
    const row = await tx.one(queries.findDraw, [drawId])
    for (const winner of await tx.run(queries.findWinners, [drawId])) {
      await deps.tellWinner(tx, {
        playerId: winner.player_id,
        gameKey: row.game_key,
        drawId,
        drawNumber: row.number,
        sats: winner.sats,
        freeTickets: winner.free_tickets,
        isJackpot: winner.is_jackpot,
      })
    }
  }

  /**
   * Refuses new orders while the free bankroll is below 1.25 times the guaranteed jackpots and covers of all games'
   * next draws (decisions section 5).
   *
   * @throws LotteryError GAME_NOT_AVAILABLE
   */
  async function checkBankroll(tx: Tx): Promise<void> {
    const rate = await tx.maybeOne(queries.newestRate, ['GBP'])
    if (rate === null) throw new LotteryError('RATE_UNAVAILABLE')
    const covers = await tx.run(queries.findCovers, [])
    const neededSats = covers.reduce(
      (sum, cover) => sum + satsOfMinor(cover.guaranteed_minor + cover.cover_minor, rate.sats_per_unit),
      0n,
    )
    const freeBankrollSats = await ledger.balance(tx, bankroll)
    if (canTakeOrders({ freeBankrollSats, neededSats })) return
    runtime.log.error({ freeBankrollSats, neededSats }, 'the bankroll is too low: no orders are taken')
    throw new LotteryError('GAME_NOT_AVAILABLE')
  }

  return {
    seedGames,
    openDraws,
    close,
    draw,
    settle,
    tellWinners,
    checkBankroll,
    find: (tx: Db | Tx, drawId: bigint) => tx.one(queries.findDraw, [drawId]),
  }
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

const WIN_TYPES = { jackpot: 'JACKPOT', fixed: 'PRIZE', free: 'FREE_TICKET' } as const

function rulesOf(gameKey: string): GameRules {
  const game = gameByKey(gameKey)
  if (game === null) throw new Error(`the database names a game that is not ours: ${gameKey}`)
  return game
}

/** A mask as PostgreSQL's signed bigint holds it: the same 64 bits. */
function storedMask(numbers: readonly number[]): bigint {
  return BigInt.asIntN(64, lineMask(numbers))
}

/** What a drawn draw must have; the close and the draw wrote all of it. */
function sealedFigures(row: DrawRow) {
  const { pot_sats, bankroll_sats, floor_sats, rate_sats, drawn_mask, close_hash, beacon_signature, numbers } = row
  if (
    pot_sats === null ||
    bankroll_sats === null ||
    floor_sats === null ||
    rate_sats === null ||
    drawn_mask === null ||
    close_hash === null ||
    beacon_signature === null ||
    numbers === null
  ) {
    throw new Error(`draw ${row.id} is ${row.status} without its figures`)
  }
  return {
    potSats: pot_sats,
    bankrollSats: bankroll_sats,
    floorSats: floor_sats,
    rateSats: rate_sats,
    drawnMask: drawn_mask,
    closeHash: close_hash,
    signature: beacon_signature,
    numbers,
  }
}
