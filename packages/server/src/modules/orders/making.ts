import { createHash } from 'node:crypto'
import { drawsOfOrder, problemsOfDays } from '@fairball/domain/calendar'
import { LotteryError } from '@fairball/domain/errors'
import { checkLine, lineMask } from '@fairball/domain/lines'
import { INVOICE_SECONDS } from '@fairball/domain/order-status'
import { stakesOfPlays, totalOfPlays } from '@fairball/domain/price'
import { toHex } from '@fairball/domain/protocol/bytes'
import type { Queries } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import { allInOrder } from '../../runtime/all-in-order.ts'
import { gameWithRules, type StoredGame } from '../catalogue/service.ts'
import type { OrdersContext } from './context.ts'
import { payNewOrder } from './deciding.ts'
import { holdFreeTickets } from './free-tickets.ts'
import { checkDrawLimits, checkOpenOrders } from './limits.ts'
import { type PromisedOrder, promisedOrder } from './promised.ts'
import * as queries from './queries.ts'

/** Lines per row of order_lines: small rows can be read with little detoasting. */
export const LINES_A_ROW = 200

/** What somebody wants to play: the contract checks its shape; the game's rules are checked here. */
export interface WantedPlays {
  readonly gameKey: string
  readonly days: readonly number[]
  readonly weeks: number
  readonly tickets: readonly { readonly numbers: readonly number[]; readonly isLuckyDip: boolean }[]
}

/** The body of POST /payment. */
export interface OrderRequest extends WantedPlays {
  readonly playerId: bigint
  readonly idempotencyKey: string | null
  /** 32 bytes made in the player's browser for this order alone; made here if missing */
  readonly secret?: Uint8Array
}

/** An order as it was made, or found again. */
interface MadeOrder {
  readonly orderId: string
  /** What its invoice needs of it; null if an earlier request made it, since it may have changed. */
  readonly made: NewOrder | null
}

/** A new order, as its invoice needs it. */
export interface NewOrder {
  readonly id: string
  readonly playerId: bigint
  readonly gameKey: string
  readonly gameName: string
  readonly lineCount: number
  /** sats */
  readonly dueSats: bigint
  /** epoch seconds */
  readonly expiresAt: number
  /** 32 bytes */
  readonly secret: Uint8Array
  /** what its promise says of it; null if it is PAID already */
  readonly promised: PromisedOrder | null
}

/**
 * Makes an order, or returns the one that was made with the same idempotency key and body.
 *
 * Orders that are made at the same moment share a transaction. The statements sent together do not depend on each
 * other's answers. If several refuse, the first one counts.
 *
 * @throws LotteryError NOT_FOUND, INVALID_PAYLOAD, GAME_NOT_AVAILABLE, LIMIT_REACHED, SELF_EXCLUDED, RATE_UNAVAILABLE,
 *   IDEMPOTENCY_CONFLICT, TOO_MANY_REQUESTS
 */
export async function createOrder(ctx: OrdersContext, request: OrderRequest): Promise<MadeOrder> {
  const { isRetired, ...game } = await announcedGame(ctx, request.gameKey)
  const requestHash = hashOf(request, game)
  if (isRetired) {
    const earlier = await findEarlier(ctx.db, request, requestHash)
    if (earlier === null) throw new LotteryError('GAME_NOT_AVAILABLE')
    return earlier
  }
  await checkRequest(ctx, request, game)
  const secret = request.secret ?? ctx.runtime.random.bytes(32)
  const masks = masksOf(request)
  const { playerId } = request
  return await ctx.portions.run([String(playerId), toHex(secret)], async (tx) => {
    // What follows the lock sees the order that the lock waited for.
    const [player, earlier, known, standing, openDraws] = await Promise.all([
      tx.one(queries.lockPlayer, [playerId]),
      findEarlier(tx, request, requestHash),
      tx.one(queries.isSecretKnown, [secret]),
      tx.one(queries.findStanding, [playerId, game.key]),
      tx.run(queries.findOpenDraws, [game.key, ctx.runtime.clock.now()]),
    ])
    if (earlier !== null) return earlier
    if (known.isKnown) throw secretSeen()

    const now = ctx.runtime.clock.now()
    const draws = chooseDraws(openDraws, request, game, now)
    const drawIds = draws.map((draw) => draw.id)
    const entryCount = masks.length * drawIds.length
    const expectedFree = Math.min(standing.freeTickets, entryCount)
    const checkMayPlay = (free: number): Promise<void> =>
      ctx.checkMayPlay(tx, playerId, priceOf({ lines: masks.length, free }, draws), game.currency)
    const [rate] = await allInOrder([
      ctx.freshRate(tx, game.currency),
      ctx.checkSales(tx, game.key, 'order'),
      checkOpenOrders(standing, now),
      checkDrawLimits(tx, { playerId, drawIds, masks }),
      checkMayPlay(expectedFree),
    ])
    const freeCount = expectedFree > 0 ? await holdFreeTickets(tx, playerId, game.key, entryCount) : 0
    // An order that expired meanwhile returned some, or some were paid out.
    if (freeCount !== expectedFree) await checkMayPlay(freeCount)
    const { priceMinor, dueSats } = costOf({ lines: masks.length, free: freeCount }, draws, rate)
    const orderId = ctx.runtime.random.uuid()
    const expiresAt = now + INVOICE_SECONDS
    const isPaid = priceMinor === 0n
    const inserted = tx.execute(queries.insertOrder, {
      id: orderId,
      playerId,
      gameKey: game.key,
      username: player.username,
      now,
      expiresAt,
      days: [...request.days],
      weeks: request.weeks,
      drawIds,
      lineCount: masks.length,
      entryCount,
      freeCount,
      currency: game.currency,
      ticketPriceMinor: draws[0]?.priceMinor ?? 0n,
      drawPricesMinor: draws.map((draw) => draw.priceMinor),
      priceMinor,
      rateSats: rate,
      dueSats,
      idempotencyKey: request.idempotencyKey,
      requestHash,
      secret,
      parts: masks.map((_, index) => Math.floor(index / LINES_A_ROW)),
      masks,
      dips: request.tickets.map((ticket) => ticket.isLuckyDip),
    })
    const followed = isPaid
      ? payNewOrder(ctx, tx, orderId, { seenSats: 0n, confirmedSats: 0n, minedAt: now, quote: 'kept', now })
      : ctx.watchOrder(tx, { orderId, expiresAt, closesAt: Math.min(...draws.map((draw) => draw.closesAt)), dueSats })
    const promised = isPaid ? null : promisedOrder(tx, ctx.fairness, orderId)
    const about = { gameKey: game.key, gameName: game.name, lineCount: masks.length, dueSats, expiresAt, secret }
    const [, , read] = await Promise.all([inserted, followed, promised])
    return { orderId, made: { id: orderId, playerId, ...about, promised: read } }
  })
}

/** The lines as the database keeps them: signed masks, in their order. */
export function masksOf({ tickets }: WantedPlays): bigint[] {
  return tickets.map((ticket) => BigInt.asIntN(64, lineMask(ticket.numbers)))
}

/** What is bought in each draw: lines, and how many of all entries free tickets pay for. */
interface OrderSize {
  readonly lines: number
  readonly free: number
}
type PricedDraw = Pick<OpenDraw, 'priceMinor'>

/** What lines in these draws cost, in hundredths of the game's currency. */
function priceOf({ lines, free }: OrderSize, draws: readonly PricedDraw[]): bigint {
  return totalOfPlays(
    { lines, draws: draws.length, free },
    draws.map((draw) => draw.priceMinor),
  )
}

/**
 * What lines in these draws cost.
 *
 * @param rate sats per unit of the game's currency
 * @returns the price in hundredths of the currency, and in satoshis
 */
export function costOf(
  size: OrderSize,
  draws: readonly PricedDraw[],
  rate: bigint,
): { readonly priceMinor: bigint; readonly dueSats: bigint } {
  const pricesMinor = draws.map((draw) => Number(draw.priceMinor))
  const stakes = stakesOfPlays({ ...size, draws: draws.length }, pricesMinor, rate)
  return { priceMinor: priceOf(size, draws), dueSats: stakes.reduce((sum, sats) => sum + sats, 0n) }
}

async function findEarlier(from: Queries, request: OrderRequest, requestHash: Uint8Array): Promise<MadeOrder | null> {
  if (request.idempotencyKey === null) return null
  const row = await from.maybeOne(queries.findByIdempotencyKey, [request.playerId, request.idempotencyKey])
  if (row === null) return null
  if (Buffer.compare(row.requestHash, requestHash) !== 0) {
    throw new LotteryError('IDEMPOTENCY_CONFLICT', 'This idempotency key was used for another order.')
  }
  return { orderId: row.id, made: null }
}

/** A game that orders are taken for, with what is fixed for its life. */
interface SoldGame extends Pick<StoredGame, 'key' | 'name' | 'weeksAhead'> {
  readonly currency: string
  readonly pick: number
  readonly pool: number
}

/** @throws LotteryError NOT_FOUND; GAME_NOT_AVAILABLE for a game that was retired, or never announced */
export async function soldGame(ctx: OrdersContext, keyOrAlias: string): Promise<SoldGame> {
  const { isRetired, ...game } = await announcedGame(ctx, keyOrAlias)
  if (isRetired) throw new LotteryError('GAME_NOT_AVAILABLE')
  return game
}

/** @throws LotteryError NOT_FOUND; GAME_NOT_AVAILABLE for a game that was never announced */
async function announcedGame(ctx: OrdersContext, keyOrAlias: string): Promise<SoldGame & { isRetired: boolean }> {
  const { key, name, weeksAhead, state, rules } = await gameWithRules(ctx.db, keyOrAlias)
  if (rules === null) throw new LotteryError('GAME_NOT_AVAILABLE')
  const { currency, pick, pool } = rules
  return { key, name, weeksAhead, currency, pick, pool, isRetired: state === 'retired' }
}

type OpenDraw = RowOf<typeof queries.findOpenDraws>

/**
 * The draws an order is for, in order of start (decisions section 4), each with its own price.
 *
 * @param found the open draws of the game; one that closed since they were read is left out
 * @throws LotteryError INVALID_PAYLOAD
 */
export function chooseDraws(found: readonly OpenDraw[], request: WantedPlays, game: SoldGame, now: number): OpenDraw[] {
  const openDraws = found.filter((draw) => draw.closesAt > now)
  const numbers = drawsOfOrder({
    game,
    openDraws,
    days: request.days,
    weeks: request.weeks,
    nowAt: now,
  })
  const draws = openDraws.filter((draw) => numbers.includes(draw.number))
  // Numbers and currency are fixed for a game's life: a line or a price that fits one of its draws fits all.
  const areAlike = draws.every(
    ({ currency, pick, pool }) => currency === game.currency && pick === game.pick && pool === game.pool,
  )
  if (!areAlike) throw new Error(`draws of ${game.key} differ in numbers or currency`)
  return draws
}

/** A secret determines the ids of plays, so none is used twice. */
function secretSeen(): LotteryError {
  return new LotteryError('INVALID_PAYLOAD', undefined, { fields: { secret: 'Was used for another order.' } })
}

/** Checks the lines; if some are wrong, days and weeks too, so that all problems are named at once. */
export async function checkRequest(ctx: OrdersContext, request: WantedPlays, game: SoldGame): Promise<void> {
  const fields: Record<string, string> = {}
  request.tickets.forEach((ticket, index) => {
    const problem = checkLine(ticket.numbers, game)
    if (problem !== null) fields[`tickets.${index}.numbers`] = problem
  })
  if (Object.keys(fields).length === 0) return
  const { days, weeks } = request
  const nowAt = ctx.runtime.clock.now()
  const openDraws = await ctx.db.run(queries.findOpenDraws, [game.key, nowAt])
  const ofDays = problemsOfDays({ game, openDraws, days, weeks, nowAt })
  throw new LotteryError('INVALID_PAYLOAD', undefined, { fields: { ...ofDays, ...fields } })
}

/** Names the body of a request: equal bodies have equal hashes, whatever the order of their days. */
function hashOf(request: OrderRequest, game: SoldGame): Buffer {
  const days = [...request.days].sort((a, b) => a - b)
  const tickets = request.tickets.map((ticket) => [ticket.isLuckyDip, ...ticket.numbers])
  return createHash('sha256')
    .update(JSON.stringify([game.key, days, request.weeks, tickets, ...(request.secret ?? [])]))
    .digest()
}
