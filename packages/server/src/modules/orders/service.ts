import { createHash } from 'node:crypto'
import { drawsOfOrder, firstOpenDrawNotIn } from '@fairball/domain/calendar'
import { LotteryError } from '@fairball/domain/errors'
import { gameByKey, type GameRules, MOST_EQUAL_LINES } from '@fairball/domain/games'
import { checkLine, lineMask } from '@fairball/domain/lines'
import { INVOICE_SECONDS, latePaymentAccepted, type OrderStatus, statusesBefore } from '@fairball/domain/order-status'
import { priceSats, splitStake } from '@fairball/domain/price'
import type { Db, Tx } from '../../db/pool.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { losses, received, stakesHeld, wallet, winnings } from '../ledger/accounts.ts'
import type { Ledger, Move } from '../ledger/service.ts'
import { personalDataOf } from './personal-data.ts'
import * as queries from './queries.ts'

/** Orders a player may have open at once; decisions section 2 asks for at least 20. */
const MOST_OPEN_ORDERS = 40
/** Lines in one row of order_lines: rows stay small enough to be read without detoasting much. */
const LINES_A_ROW = 200

/** What POST /payment asks for, checked for shape by the contract and for the game's rules here. */
export interface OrderRequest {
  readonly playerId: bigint
  readonly gameKey: string
  readonly days: readonly number[]
  readonly weeks: number
  readonly tickets: readonly { readonly numbers: readonly number[]; readonly isLuckyDip: boolean }[]
  readonly idempotencyKey: string | null
}

/** What arrived for an order so far, as the payments module reads it. */
export interface PaymentTotals {
  /** all outpoints, confirmed or not, in sats */
  readonly seenSats: bigint
  /** confirmed and posted to `received`, in sats */
  readonly confirmedSats: bigint
  /** when what was seen first covered the order; null while it does not. Epoch seconds */
  readonly coveredAt: number | null
  readonly now: number
}

export interface OrdersDeps {
  readonly db: Db
  readonly runtime: Runtime
  readonly ledger: Ledger
  /** Newest rate of GBP in sats; throws RATE_UNAVAILABLE when it is too old to sell at. */
  readonly freshRate: (tx: Tx) => Promise<bigint>
  /** Throws LIMIT_REACHED or SELF_EXCLUDED (decisions section 6, responsible play). */
  readonly checkMayPlay: (tx: Tx, playerId: bigint, priceMinor: bigint) => Promise<void>
  /** Throws GAME_NOT_AVAILABLE while nothing may be sold: a slow clock, a bankroll that is too low. */
  readonly checkSales: (tx: Tx) => Promise<void>
  /** Whether the clock is slow: no payment becomes entries then (fairness section 9). */
  readonly isClockSlow: (tx: Tx) => Promise<boolean>
  /** Adds the look at the order's payments that lets it expire, in the transaction that makes the order. */
  readonly watchOrder: (tx: Tx, order: { orderId: string; expiresAt: number }) => Promise<void>
  /** Called in the transaction in which money became owed to a player. */
  readonly onOwed: (tx: Tx, playerId: bigint) => Promise<void>
  /** Tells the player what became of an order, inside the transaction that decided it. */
  readonly tell: (tx: Tx, news: OrderNews) => Promise<void>
}

/** A payment that counted and is in the chain no longer. */
export interface LostPayment {
  /** names it and which time it was lost: money can come back, and be lost again */
  readonly subject: string
  /** sats */
  readonly sats: bigint
  /** what is confirmed without it, in sats */
  readonly confirmedSats: bigint
  readonly now: number
}

/** What a player is told about an order. */
export interface OrderNews {
  readonly kind: 'paid' | 'refunded' | 'moved' | 'reversed'
  readonly orderId: string
  readonly playerId: bigint
  readonly gameKey: string
  readonly sats: bigint
  /** The draws its entries left and joined instead; with `paid` and `moved` only. */
  readonly moves: readonly MovedEntries[]
  /** Why they moved; null where nothing did. */
  readonly cause: 'paid-late' | 'draw-void' | null
  /** how often a payment of the order was reorganised away so far: what was told before is told again then */
  readonly timesReversed: number
}

/** The entries of an order in one draw that joined a later one. */
export interface MovedEntries {
  /** the number of the draw the order named */
  readonly from: number
  /** the number of the draw they are in now */
  readonly to: number
  /** when that one starts, in epoch seconds */
  readonly toStartAt: number
}

export type Orders = ReturnType<typeof createOrders>

/** Orders: what a player buys, from the request to the plays it becomes when PAID. */
export function createOrders(deps: OrdersDeps) {
  const { db, runtime, ledger } = deps

  /**
   * Makes an order, or gives the one that was made with the same idempotency key and body.
   *
   * @returns the order's id, and whether it was PAID at once because free tickets cover it
   * @throws LotteryError NOT_FOUND, INVALID_PAYLOAD, GAME_NOT_AVAILABLE, LIMIT_REACHED, SELF_EXCLUDED,
   *   RATE_UNAVAILABLE, IDEMPOTENCY_CONFLICT, TOO_MANY_REQUESTS
   */
  async function create(request: OrderRequest): Promise<{ orderId: string; gameKey: string; isPaid: boolean }> {
    const game = gameByKey(request.gameKey)
    if (game === null) throw new LotteryError('NOT_FOUND', 'No such game.')
    checkRequest(request, game)
    const requestHash = hashOf(request, game)
    const masks = request.tickets.map((ticket) => BigInt.asIntN(64, lineMask(ticket.numbers)))
    return await db.transaction(async (tx) => {
      const player = await tx.one(queries.lockPlayer, [request.playerId])
      const earlier = await findEarlier(tx, request, requestHash)
      if (earlier !== null) return earlier

      const now = runtime.clock.now()
      await checkOpenOrders(tx, request.playerId, now)
      await deps.checkSales(tx)
      const openDraws = await tx.run(queries.findOpenDraws, [game.key, now])
      const numbers = drawsOfOrder({
        game,
        openDraws: openDraws.map((draw) => ({
          number: draw.number,
          weekday: draw.weekday,
          startAt: draw.start_at,
          closesAt: draw.closes_at,
        })),
        days: request.days,
        weeks: request.weeks,
        nowAt: now,
      })
      const draws = openDraws.filter((draw) => numbers.includes(draw.number))
      const drawIds = draws.map((draw) => draw.id)
      await checkDrawLimits(tx, { playerId: request.playerId, game, drawIds, masks })

      const entryCount = masks.length * drawIds.length
      const freeCount = await holdFreeTickets(tx, request.playerId, game.key, entryCount)
      const rate = await deps.freshRate(tx)
      const priceMinor = BigInt(entryCount - freeCount) * BigInt(game.priceMinor)
      await deps.checkMayPlay(tx, request.playerId, priceMinor)
      const orderId = runtime.random.uuid()
      await tx.run(queries.insertOrder, [
        orderId,
        request.playerId,
        game.key,
        player.username,
        now,
        now + INVOICE_SECONDS,
        [...request.days],
        request.weeks,
        drawIds,
        masks.length,
        entryCount,
        freeCount,
        BigInt(game.priceMinor),
        priceMinor,
        rate,
        priceSats(priceMinor, rate),
        request.idempotencyKey,
        requestHash,
      ])
      const parts = masks.map((_, index) => Math.floor(index / LINES_A_ROW))
      await tx.run(queries.insertOrderLines, [orderId, parts, masks])
      const isPaid = priceMinor === 0n
      if (isPaid) await pay(tx, orderId, { seenSats: 0n, confirmedSats: 0n, coveredAt: now, now })
      else await deps.watchOrder(tx, { orderId, expiresAt: now + INVOICE_SECONDS })
      return { orderId, gameKey: game.key, isPaid }
    })
  }

  async function findEarlier(tx: Tx, request: OrderRequest, requestHash: Uint8Array) {
    if (request.idempotencyKey === null) return null
    const row = await tx.maybeOne(queries.findByIdempotencyKey, [request.playerId, request.idempotencyKey])
    if (row === null) return null
    if (Buffer.compare(row.request_hash, requestHash) !== 0) {
      throw new LotteryError('IDEMPOTENCY_CONFLICT', 'This idempotency key was used for another order.')
    }
    const order = await tx.one(queries.findOrder, [row.id])
    return { orderId: order.id, gameKey: order.game_key, isPaid: order.due_sats === 0n }
  }

  async function checkOpenOrders(tx: Tx, playerId: bigint, now: number): Promise<void> {
    const { open_orders, first_expires_at } = await tx.one(queries.countOpenOrders, [playerId])
    if (open_orders < MOST_OPEN_ORDERS) return
    throw new LotteryError('TOO_MANY_REQUESTS', 'Too many unpaid orders. Pay them or let them expire first.', {
      retryAfterSeconds: Math.max(1, (first_expires_at ?? now) - now),
    })
  }

  async function checkDrawLimits(
    tx: Tx,
    order: { playerId: bigint; game: GameRules; drawIds: readonly bigint[]; masks: readonly bigint[] },
  ): Promise<void> {
    const { playerId, game, masks } = order
    const drawIds = [...order.drawIds]
    for (const row of await tx.run(queries.countEntriesOfPlayer, [playerId, drawIds])) {
      if (row.entries + masks.length > game.maxEntriesPerDraw) throw tooManyEntries(game)
    }
    if (masks.length > game.maxEntriesPerDraw) throw tooManyEntries(game)

    const times = new Map<bigint, number>()
    for (const mask of masks) times.set(mask, (times.get(mask) ?? 0) + 1)
    const standing = await tx.run(queries.countEqualLines, [playerId, drawIds, [...times.keys()]])
    for (const row of standing) times.set(row.mask, (times.get(row.mask) ?? 0) + row.times)
    if (Math.max(...times.values()) > MOST_EQUAL_LINES) {
      throw new LotteryError('LIMIT_REACHED', `At most ${MOST_EQUAL_LINES} equal lines in one draw.`)
    }
  }

  async function holdFreeTickets(tx: Tx, playerId: bigint, gameKey: string, entries: number): Promise<number> {
    const row = await tx.maybeOne(queries.holdFreeTickets, [playerId, gameKey, entries])
    return row?.takes ?? 0
  }

  /**
   * Moves an order as its payments say, inside the caller's transaction. Calling it again changes nothing.
   * decisions section 5: underpaid, overpaid, expired, late. While the clock is slow what is covered waits: by that
   * clock draws may seem open whose time is over (fairness section 9).
   */
  async function applyPayments(tx: Tx, orderId: string, totals: PaymentTotals): Promise<OrderStatus> {
    const order = await tx.one(queries.lockOrder, [orderId])
    // The check constraint of the table holds the same list as the type.
    const status = order.status as OrderStatus
    const { coveredAt, now } = totals
    if (status === 'PAID' || status === 'REFUNDED') {
      await giveBack(tx, order, { kind: status === 'PAID' ? 'excess' : 'refund', totals })
      return status
    }
    const { seenSats, confirmedSats, dueSats } = await usableMoney(tx, order, totals)
    const isCovered = confirmedSats >= dueSats
    switch (status) {
      case 'EXPIRED':
        if (confirmedSats === 0n) return status
        if (isCovered && (await deps.isClockSlow(tx))) return status
        if (isCovered && (await canPayLate(tx, order, now)) && (await holdAgain(tx, order))) {
          await pay(tx, order.id, totals)
          return 'PAID'
        }
        // Something more may be on its way; what is confirmed goes back once nothing is pending.
        if (seenSats > confirmedSats) return status
        return await refund(tx, order, totals)
      case 'PENDING':
      case 'PROCESSING':
      case 'UNDERPAID':
        break
    }
    if (isCovered && (await deps.isClockSlow(tx))) return await moveTo(tx, order, 'PROCESSING', now)
    const coveredInTime = coveredAt !== null && coveredAt <= order.expires_at
    if (isCovered && coveredInTime) {
      await pay(tx, orderId, totals)
      return 'PAID'
    }
    if (now < order.expires_at || coveredInTime) {
      return await moveTo(tx, order, seenSats >= dueSats ? 'PROCESSING' : seenSats > 0n ? 'UNDERPAID' : 'PENDING', now)
    }
    // Expired, and what came did not cover it in time.
    if (seenSats === 0n) return await expire(tx, order, now)
    if (isCovered && (await canPayLate(tx, order, now))) {
      await pay(tx, orderId, totals)
      return 'PAID'
    }
    if (seenSats > confirmedSats) {
      return await moveTo(tx, order, seenSats >= dueSats ? 'PROCESSING' : 'UNDERPAID', now)
    }
    return await refund(tx, order, totals)
  }

  /** What of an order's money can still be used, and how much it needs: a reorganisation before may have left less. */
  async function usableMoney(tx: Tx, order: LockedOrder, totals: PaymentTotals) {
    const { seenSats, confirmedSats } = totals
    if (order.times_reversed === 0) return { seenSats, confirmedSats, dueSats: order.due_sats }
    const usableSats = confirmedSats - (await appliedSats(tx, order, 0n))
    const { stakeSats } = await standingPlays(tx, order)
    return {
      seenSats: usableSats + seenSats - confirmedSats,
      confirmedSats: usableSats,
      // Whoever took money back after a close pays for that draw too before the order is PAID again.
      dueSats: order.due_sats - stakeSats + order.lost_sats,
    }
  }

  /** Confirmed money of an order that is in `received` no longer. @param keptSats what the order keeps as stakes */
  async function appliedSats(tx: Tx, order: LockedOrder, keptSats: bigint): Promise<bigint> {
    if (order.applied_sats !== null) return order.applied_sats
    return keptSats + (await tx.one(queries.sumGivenBack, [order.id])).sats
  }

  /** The plays an order has although it is not PAID now, by their places, with what was staked and used for them. */
  async function standingPlays(tx: Tx, order: LockedOrder) {
    const plays = order.times_reversed === 0 ? [] : await tx.run(queries.findStandingPlays, [order.id])
    const { freeAt, stakeAt } = sharesOf(order)
    const places = plays.map((play) => play.place)
    return {
      drawIds: new Set(plays.map((play) => play.draw_id)),
      places: new Set(places),
      stakeSats: places.reduce((sum, place) => sum + stakeAt(place), 0n),
      freeCount: places.reduce((sum, place) => sum + freeAt(place), 0),
    }
  }

  /**
   * Books that a payment which counted is in the chain no longer (decisions section 5, payment reorganised away): out of
   * what still waits in `received`, then of what is owed back and not paid out, then of the stakes of draws that have not
   * closed, whose entries go; what is left is the operator's loss. An order whose entries go is PROCESSING again.
   * `applyPayments` has to follow: money that became free may be owed to the player.
   *
   * @returns what the operator lost, in sats
   */
  async function takeBack(tx: Tx, orderId: string, lost: LostPayment): Promise<bigint> {
    const order = await lockedOrder(tx, orderId)
    const { confirmedSats, now } = lost
    const applied = await appliedSats(tx, order, order.status === 'PAID' ? order.due_sats : 0n)
    const waitingSats = confirmedSats + lost.sats - applied
    const moves: Move[] = []
    let missingSats = lost.sats
    let leftSats = 0n
    const takeFrom = (from: Move['from'], sats: bigint): void => {
      const taken = sats < missingSats ? sats : missingSats
      moves.push({ from, to: wallet, sats: taken })
      missingSats -= taken
      leftSats += sats - taken
      if (from !== received) moves.push({ from, to: received, sats: sats - taken })
    }
    takeFrom(received, waitingSats)
    if (missingSats > 0n) takeFrom(winnings(order.player_id), await removeOwed(tx, order))
    const removed = missingSats > 0n && order.status === 'PAID' ? await removeOpenPlays(tx, order) : []
    takeFrom(
      stakesHeld(order.game_key),
      removed.reduce((sum, play) => sum + play.stake_sats, 0n),
    )
    moves.push({ from: losses, to: wallet, sats: missingSats })
    await tx.run(queries.keepReversedMoney, [orderId, confirmedSats - leftSats, order.lost_sats + missingSats, 1])
    await ledger.post(tx, { event: 'payment.reversed', subject: lost.subject, at: now, moves })
    if (removed.length === 0) return missingSats

    await moveTo(tx, order, 'PROCESSING', now)
    const { player_id: playerId, game_key: gameKey, times_reversed: timesReversed } = order
    const news = { orderId, playerId, gameKey, sats: lost.sats, moves: [], cause: null }
    await deps.tell(tx, { ...news, kind: 'reversed', timesReversed: timesReversed + 1 })
    return missingSats
  }

  /** Takes back what an order's player is owed of it and no payout has taken up. @returns sats */
  async function removeOwed(tx: Tx, order: LockedOrder): Promise<bigint> {
    const owed = await tx.run(queries.removeOwed, [order.id])
    const sumOf = (rows: typeof owed): bigint => rows.reduce((sum, row) => sum + row.sats, 0n)
    const refundSats = sumOf(owed.filter((row) => row.kind === 'refund'))
    if (refundSats > 0n) {
      await tx.run(queries.lowerRefund, [order.id, refundSats])
      await tx.run(queries.removeRefund, [order.id, refundSats])
    }
    return sumOf(owed)
  }

  async function removeOpenPlays(tx: Tx, order: LockedOrder) {
    const plays = await tx.run(queries.lockOpenPlays, [order.id])
    if (plays.length === 0) return []
    await tx.run(queries.removePlays, [plays.map((play) => play.id)])
    const freeCount = plays.reduce((sum, play) => sum + play.free_count, 0)
    if (freeCount > 0) await tx.run(queries.holdUsedFreeTickets, [order.player_id, order.game_key, freeCount])
    return plays
  }

  type LockedOrder = Awaited<ReturnType<typeof lockedOrder>>
  const lockedOrder = (tx: Tx, orderId: string) => tx.one(queries.lockOrder, [orderId])

  async function moveTo(tx: Tx, order: LockedOrder, to: OrderStatus, now: number): Promise<OrderStatus> {
    if (order.status !== to) await tx.run(queries.moveOrder, [order.id, to, [...statusesBefore(to)], now])
    return to
  }

  async function canPayLate(tx: Tx, order: LockedOrder, now: number): Promise<boolean> {
    const draws = await tx.run(queries.findDrawTimes, [order.draw_ids])
    // An order that already EXPIRED has given its free tickets back: they must still be there.
    const released = order.status === 'EXPIRED' ? await heldFreeTickets(tx, order) : 0
    const free = await tx.maybeOne(queries.countFreeTickets, [order.player_id, order.game_key])
    const presentRate = await deps.freshRate(tx).catch((error: unknown) => {
      if (error instanceof LotteryError && error.code === 'RATE_UNAVAILABLE') return null
      throw error
    })
    if (presentRate === null) return false
    // An expired order counted for nothing, so what was bought or set since then counts before it.
    if (order.status === 'EXPIRED' && !(await isWithinLimits(tx, order))) return false
    return latePaymentAccepted({
      confirmedAt: now,
      expiresAt: order.expires_at,
      closesAt: draws.map((draw) => (draw.status === 'open' ? draw.closes_at : 0)),
      dueSats: order.due_sats,
      presentPriceSats: priceSats(order.price_minor, presentRate),
      freeTicketsNeeded: released,
      freeTicketsLeft: free?.available ?? 0,
    })
  }

  /** Whether an expired order still is within the limits that a new one would be held to. */
  async function isWithinLimits(tx: Tx, order: LockedOrder): Promise<boolean> {
    const game = gameByKey(order.game_key)
    if (game === null) return false
    const rows = await tx.run(queries.findLines, [order.id])
    const masks = rows.flatMap((row) => row.masks)
    try {
      await checkDrawLimits(tx, { playerId: order.player_id, game, drawIds: order.draw_ids, masks })
      await deps.checkMayPlay(tx, order.player_id, order.price_minor)
      return true
    } catch (error) {
      if (error instanceof LotteryError) return false
      throw error
    }
  }

  /** Holds the free tickets an expired order had given back; false, and nothing held, when too few are left. */
  async function holdAgain(tx: Tx, order: LockedOrder): Promise<boolean> {
    const wanted = await heldFreeTickets(tx, order)
    if (wanted === 0) return true
    const held = await holdFreeTickets(tx, order.player_id, order.game_key, wanted)
    if (held === wanted) return true
    await tx.run(queries.giveBackFreeTickets, [order.player_id, order.game_key, held])
    return false
  }

  /** The free tickets an order holds while it is not PAID; those of plays that stand are used up. */
  async function heldFreeTickets(tx: Tx, order: LockedOrder): Promise<number> {
    return order.free_count === 0 ? 0 : order.free_count - (await standingPlays(tx, order)).freeCount
  }

  /** The order becomes PAID: its plays, its stake in the ledger, its free tickets used, its excess given back. */
  async function pay(tx: Tx, orderId: string, totals: PaymentTotals): Promise<void> {
    const order = await tx.one(queries.lockOrder, [orderId])
    const { now } = totals
    const standing = await standingPlays(tx, order)
    const stakeSats = order.due_sats - standing.stakeSats
    await tx.run(queries.moveOrder, [orderId, 'PAID', [...statusesBefore('PAID')], now])
    if (order.free_count > standing.freeCount) {
      const freeCount = order.free_count - standing.freeCount
      await tx.run(queries.useHeldFreeTickets, [order.player_id, order.game_key, freeCount])
    }
    await ledger.post(tx, {
      event: 'order.paid',
      subject: subjectOf(order, orderId),
      at: now,
      moves: [
        { from: received, to: stakesHeld(order.game_key), sats: stakeSats },
        { from: received, to: losses, sats: order.lost_sats },
      ],
    })
    if (order.times_reversed > 0) {
      const applied = (await appliedSats(tx, order, 0n)) + stakeSats + order.lost_sats
      await tx.run(queries.keepReversedMoney, [orderId, applied, 0n, 0])
    }
    const moves = await enterDraws(tx, order, now, standing)
    const { player_id: playerId, game_key: gameKey, times_reversed: timesReversed } = order
    const news = { orderId, playerId, gameKey, sats: order.due_sats, timesReversed }
    const cause = moves.length > 0 ? 'paid-late' : null
    await deps.tell(tx, { ...news, kind: 'paid', moves, cause })
    if (moves.length > 0) await deps.tell(tx, { ...news, kind: 'moved', moves, cause })
    const paid = order.times_reversed === 0 ? order : await lockedOrder(tx, orderId)
    await giveBack(tx, paid, { kind: 'excess', totals })
  }

  /**
   * One play per draw. Where a draw closed before the payment was confirmed, its entries join the first later open
   * draw of the game that the order is not yet in (decisions section 4); they keep kind and stake.
   *
   * @param standing the plays the order has already: of draws that closed before its money went away for a time
   */
  async function enterDraws(
    tx: Tx,
    order: LockedOrder,
    now: number,
    standing: { readonly drawIds: ReadonlySet<bigint>; readonly places: ReadonlySet<number> },
  ): Promise<MovedEntries[]> {
    const open = await tx.run(queries.shareOpenDraws, [order.game_key, now])
    const wanted = await tx.run(queries.findDrawTimes, [order.draw_ids])
    const openById = new Map(open.map((draw) => [draw.id, draw]))
    const named = wanted.map((draw, place) => ({ draw, place })).filter(({ place }) => !standing.places.has(place))
    const taken = new Set([
      ...named.filter(({ draw }) => openById.has(draw.id)).map(({ draw }) => draw.number),
      ...open.filter((draw) => standing.drawIds.has(draw.id)).map((draw) => draw.number),
    ])
    const moves: MovedEntries[] = []
    const { freeAt, stakeAt } = sharesOf(order)
    const plays = named.map(({ draw, place }) => {
      const freeCount = freeAt(place)
      const stakeSats = stakeAt(place)
      let drawId = draw.id
      let movedFrom: bigint | null = null
      if (!openById.has(draw.id) || standing.drawIds.has(draw.id)) {
        const next = firstOpenDraw(open, taken, now)
        moves.push({ from: draw.number, to: next.number, toStartAt: next.start_at })
        taken.add(next.number)
        drawId = next.id
        movedFrom = draw.id
      }
      return {
        id: runtime.random.uuid(),
        drawId,
        stakeSats,
        movedFrom,
        place,
        freeCount,
        secret: runtime.random.bytes(32),
      }
    })
    await tx.run(queries.insertPlays, [
      order.id,
      order.player_id,
      now,
      order.line_count,
      plays.map((play) => play.id),
      plays.map((play) => play.drawId),
      plays.map((play) => play.stakeSats),
      plays.map((play) => play.movedFrom ?? 0n),
      plays.map((play) => play.place),
      plays.map((play) => play.freeCount),
      plays.map((play) => play.secret),
    ])
    return moves
  }

  /**
   * Moves every play of a void draw to the first later open draw its order is not yet in.
   *
   * @param wasClosed the stakes are in the game's prize pool already: the entries go on with stake 0 (decisions section 5)
   */
  async function movePlaysOfVoidDraw(
    tx: Tx,
    draw: { id: bigint; number: number; gameKey: string; wasClosed: boolean },
  ): Promise<number> {
    const now = runtime.clock.now()
    const plays = await tx.run(queries.findPlaysOfDraw, [draw.id])
    if (plays.length === 0) return 0
    const open = await tx.run(queries.shareOpenDraws, [draw.gameKey, now])
    for (const play of plays) {
      const joined = new Set((await tx.run(queries.findDrawsOfOrder, [play.order_id])).map((row) => row.draw_id))
      const taken = new Set(open.filter((candidate) => joined.has(candidate.id)).map((candidate) => candidate.number))
      const next = firstOpenDraw(open, taken, now)
      const secret = runtime.random.bytes(32)
      await tx.run(queries.movePlay, [play.id, next.id, secret, now, draw.wasClosed])
      await deps.tell(tx, {
        kind: 'moved',
        orderId: play.order_id,
        playerId: play.player_id,
        gameKey: draw.gameKey,
        sats: 0n,
        timesReversed: 0,
        moves: [{ from: draw.number, to: next.number, toStartAt: next.start_at }],
        cause: 'draw-void',
      })
    }
    return plays.length
  }

  async function expire(tx: Tx, order: LockedOrder, now: number): Promise<OrderStatus> {
    await moveTo(tx, order, 'EXPIRED', now)
    await releaseFreeTickets(tx, order)
    return 'EXPIRED'
  }

  async function refund(tx: Tx, order: LockedOrder, totals: PaymentTotals): Promise<OrderStatus> {
    await moveTo(tx, order, 'REFUNDED', totals.now)
    if (order.status !== 'EXPIRED') await releaseFreeTickets(tx, order)
    const sats = await giveBack(tx, order, { kind: 'refund', totals })
    if (sats === 0n) return 'REFUNDED'
    const { id: orderId, player_id: playerId, game_key: gameKey, times_reversed: timesReversed } = order
    const news = { orderId, playerId, gameKey, sats, timesReversed, moves: [], cause: null }
    await deps.tell(tx, { ...news, kind: 'refunded' })
    return 'REFUNDED'
  }

  async function releaseFreeTickets(tx: Tx, order: LockedOrder): Promise<void> {
    const held = await heldFreeTickets(tx, order)
    if (held === 0) return
    await tx.run(queries.giveBackFreeTickets, [order.player_id, order.game_key, held])
  }

  /**
   * What came beyond what the order keeps goes to the player's winnings, each satoshi once; what the operator lost on
   * this order is made good first.
   *
   * @returns what the player is given, in sats
   */
  async function giveBack(
    tx: Tx,
    order: LockedOrder,
    money: { kind: 'excess' | 'refund'; totals: PaymentTotals },
  ): Promise<bigint> {
    const { kind, totals } = money
    const { confirmedSats, now } = totals
    const applied = await appliedSats(tx, order, kind === 'excess' ? order.due_sats : 0n)
    const waitingSats = confirmedSats - applied
    if (waitingSats <= 0n) return 0n
    const madeGoodSats = order.lost_sats < waitingSats ? order.lost_sats : waitingSats
    const sats = waitingSats - madeGoodSats
    const subject = subjectOf(order, `${order.id}:${confirmedSats}`)
    await ledger.post(tx, {
      event: kind === 'excess' ? 'order.excess' : 'order.refund',
      subject,
      at: now,
      moves: [
        { from: received, to: winnings(order.player_id), sats },
        { from: received, to: losses, sats: madeGoodSats },
      ],
    })
    if (order.times_reversed > 0)
      await tx.run(queries.keepReversedMoney, [order.id, confirmedSats, order.lost_sats - madeGoodSats, 0])
    if (sats === 0n) return 0n
    await tx.run(queries.insertPayable, [now, sats, order.player_id, kind, `order:${subject}`, order.id])
    if (kind === 'refund') await tx.run(queries.insertRefund, [order.id, sats, now])
    await deps.onOwed(tx, order.player_id)
    return sats
  }

  return {
    create,
    applyPayments,
    takeBack,
    movePlaysOfVoidDraw,

    /** What a player bought, played and won, for the export of personal data. */
    personalData: (playerId: bigint) => personalDataOf(db, playerId),

    /** Takes the name off a player's orders, which stay as the game's record, and the free tickets away. */
    async forgetPlayer(tx: Tx, playerId: bigint): Promise<void> {
      await tx.execute(queries.removeUsername, [playerId])
      await tx.execute(queries.removeFreeTickets, [playerId])
    },

    /** What a player's orders since `sinceAt` cost, in pence; those that expired or were refunded are left out. */
    async spentSince(tx: Tx, playerId: bigint, sinceAt: number): Promise<bigint> {
      return (await tx.one(queries.sumSpentSince, [playerId, sinceAt])).minor
    },
  }
}

function firstOpenDraw<D extends { number: number; weekday: number; start_at: number; closes_at: number }>(
  open: readonly D[],
  taken: ReadonlySet<number>,
  nowAt: number,
): D {
  const candidates = open.map((draw) => ({
    number: draw.number,
    weekday: draw.weekday,
    startAt: draw.start_at,
    closesAt: draw.closes_at,
  }))
  const number = firstOpenDrawNotIn(candidates, taken, nowAt)?.number
  const draw = open.find((candidate) => candidate.number === number)
  // Draws are opened ahead beyond the last one an order can name, so this is a broken installation, not a full one.
  if (draw === undefined) throw new Error('no open draw is left to move entries to')
  return draw
}

/**
 * How an order's free tickets and stakes are spread over its draws, by place: the free ones first, then equal satoshis
 * a paid entry, remainders one each to the first (decisions section 5).
 */
function sharesOf(order: { due_sats: bigint; entry_count: number; free_count: number; line_count: number }) {
  const stakeOf = splitStake(order.due_sats, order.entry_count - order.free_count)
  const freeAt = (place: number): number =>
    Math.min(order.line_count, Math.max(0, order.free_count - place * order.line_count))
  const stakeAt = (place: number): bigint => {
    let stakeSats = 0n
    const first = place * order.line_count
    for (let line = freeAt(place); line < order.line_count; line += 1)
      stakeSats += stakeOf(first + line - order.free_count)
    return stakeSats
  }
  return { freeAt, stakeAt }
}

/** Names a fact of an order's money for the ledger: what happens again after a reorganisation is another fact. */
function subjectOf(order: { times_reversed: number }, name: string): string {
  return order.times_reversed === 0 ? name : `${name}:after-${order.times_reversed}`
}

function checkRequest(request: OrderRequest, game: GameRules): void {
  const fields: Record<string, string> = {}
  const drawDays = new Set<number>(game.drawTimes.map((time) => time.day))
  if (!request.days.every((day) => drawDays.has(day))) fields['days'] = `${game.name} is not drawn on every day chosen.`
  if (request.weeks > game.maxWeeksAhead) fields['weeks'] = `At most ${game.maxWeeksAhead} weeks.`
  request.tickets.forEach((ticket, index) => {
    const problem = checkLine(ticket.numbers, game)
    if (problem !== null) fields[`tickets.${index}.numbers`] = problem
  })
  if (Object.keys(fields).length > 0) throw new LotteryError('INVALID_PAYLOAD', undefined, { fields })
}

function tooManyEntries(game: GameRules): LotteryError {
  return new LotteryError('LIMIT_REACHED', `At most ${game.maxEntriesPerDraw} entries in one draw.`)
}

/** Names the body of a request: equal bodies have equal hashes, whatever order their days stand in. */
function hashOf(request: OrderRequest, game: GameRules): Buffer {
  const days = [...request.days].sort((a, b) => a - b)
  const tickets = request.tickets.map((ticket) => [ticket.isLuckyDip, ...ticket.numbers])
  return createHash('sha256')
    .update(JSON.stringify([game.key, days, request.weeks, tickets]))
    .digest()
}
