import { LotteryError } from '@fairball/domain/errors'
import type { Queries } from '../../../db/pool.ts'
import { Refused } from '../../../kernel/errors.ts'
import { payGoodwill, refreshOrder } from '../../operator/service.ts'
import type { JsonObject } from '../request-queries.ts'
import { type RequestKind, said, withoutFacts } from './kind.ts'
import { findOrderFacts } from './player-queries.ts'

export const goodwillForOrder: RequestKind<'orders.goodwill'> = {
  facts: (from, { order }) => orderFacts(from, order),
  carryOut: ({ ctx, operator, requestId }, { order, sats }) =>
    said(payGoodwill({ ...operator, facts: ctx.facts }, { orderId: order, sats: BigInt(sats), requestId })),
}

export const refreshOfOrder: RequestKind<'orders.refresh'> = {
  facts: withoutFacts,
  async carryOut({ tx, operator }, { order }) {
    if ((await tx.maybeOne(findOrderFacts, [order])) === null) throw new Refused(`There is no order ${order}.`)
    return await said(refreshOrder(operator, order))
  },
}

/** What an order cost whom, how it stands, and what was given for it. */
async function orderFacts(from: Queries, id: string): Promise<JsonObject> {
  const found = await from.maybeOne(findOrderFacts, [id])
  if (found === null) throw new LotteryError('NOT_FOUND')
  return {
    player: String(found.playerId),
    player_name: found.username,
    game: found.gameKey,
    state: found.status,
    sats: String(found.dueSats),
    goodwill_sats: String(found.goodwillSats),
  }
}
