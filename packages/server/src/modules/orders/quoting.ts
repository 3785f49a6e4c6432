import { allInOrder } from '../../runtime/all-in-order.ts'
import type { OrdersContext } from './context.ts'
import { checkDrawLimits, checkOpenOrders } from './limits.ts'
import { checkRequest, chooseDraws, costOf, masksOf, soldGame, type WantedPlays } from './making.ts'
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
  const masks = masksOf(wanted)
  return await ctx.db.transaction(async (tx) => {
    const now = ctx.runtime.clock.now()
    const [standing, draws, rateSats] = await allInOrder([
      playerId === null ? null : tx.one(queries.findStanding, [playerId, game.key]),
      tx.run(queries.findOpenDraws, [game.key, now]).then((found) => chooseDraws(found, wanted, game, now)),
      ctx.freshRate(tx, game.currency),
      ctx.checkSales(tx, game.key, 'quote'),
    ])
    if (standing !== null) await checkOpenOrders(standing, now)
    const entries = masks.length * draws.length
    const freeTicketsUsed = Math.min(standing?.freeTickets ?? 0, entries)
    const { priceMinor, dueSats } = costOf({ lines: masks.length, free: freeTicketsUsed }, draws, rateSats)
    if (playerId !== null)
      await allInOrder([
        checkDrawLimits(tx, { playerId, drawIds: draws.map(({ id }) => id), masks }),
        ctx.checkMayPlay(tx, playerId, priceMinor, game.currency),
      ])
    return { draws, entries, freeTicketsUsed, dueSats, currency: game.currency, rateSats }
  })
}
