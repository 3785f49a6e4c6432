import { lineMask } from '@fairball/domain/lines'
import { stakesOfPlays, totalOfPlays } from '@fairball/domain/price'
import type { OrdersContext } from './context.ts'
import { checkDrawLimits, checkOpenOrders } from './limits.ts'
import { checkRequest, findDraws, soldGame, type WantedPlays } from './making.ts'
import * as queries from './queries.ts'

/** What an order would be for, and cost. */
interface Quoted {
  /** by start; times in epoch seconds */
  readonly draws: readonly { readonly number: number; readonly startAt: number; readonly closesAt: number }[]
  /** lines × draws */
  readonly entries: number
  readonly freeTicketsUsed: number
  /** sats */
  readonly dueSats: bigint
  readonly currency: string
  /** sats per unit of the currency */
  readonly rateSats: bigint
}

/**
 * The draws and the price that an order made now would get, with the refusals it would get; nothing is made or held.
 *
 * @param playerId null for a visitor, who has neither free tickets nor limits
 * @throws LotteryError NOT_FOUND, INVALID_PAYLOAD, GAME_NOT_AVAILABLE, LIMIT_REACHED, SELF_EXCLUDED, RATE_UNAVAILABLE,
 *   ACCESS_DENIED, TOO_MANY_REQUESTS
 */
export async function quoteOrder(ctx: OrdersContext, wanted: WantedPlays, playerId: bigint | null): Promise<Quoted> {
  const game = await soldGame(ctx, wanted.gameKey)
  await checkRequest(ctx, wanted, game)
  const masks = wanted.tickets.map((ticket) => BigInt.asIntN(64, lineMask(ticket.numbers)))
  return await ctx.db.transaction(async (tx) => {
    const now = ctx.runtime.clock.now()
    const [standing, draws, rateSats] = await Promise.all([
      playerId === null ? null : tx.one(queries.findStanding, [playerId, game.key]),
      findDraws(tx, wanted, game, now),
      ctx.freshRate(tx, game.currency),
      ctx.checkSales(tx, game.key),
    ])
    if (standing !== null) checkOpenOrders(standing, now)
    const pricesMinor = draws.map((draw) => draw.priceMinor)
    const entries = masks.length * draws.length
    const freeTicketsUsed = Math.min(standing?.freeTickets ?? 0, entries)
    const plays = { lines: masks.length, draws: draws.length, free: freeTicketsUsed }
    if (playerId !== null)
      await Promise.all([
        checkDrawLimits(tx, { playerId, drawIds: draws.map(({ id }) => id), masks }),
        ctx.checkMayPlay(tx, playerId, totalOfPlays(plays, pricesMinor), game.currency),
      ])
    const stakes = stakesOfPlays(plays, pricesMinor.map(Number), rateSats)
    const dueSats = stakes.reduce((sum, sats) => sum + sats, 0n)
    return { draws, entries, freeTicketsUsed, dueSats, currency: game.currency, rateSats }
  })
}
