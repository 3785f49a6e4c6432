import { LotteryError } from '@fairball/domain/errors'
import type { Queries } from '../../../db/pool.ts'
import { block, exclude, holdPayouts, releasePayouts, unblock } from '../../operator/service.ts'
import type { JsonObject } from '../request-queries.ts'
import { type Desk, type RequestKind, said } from './kind.ts'
import { findPlayerFacts, listHoldsInForce } from './player-queries.ts'

export const blockOfPlayer: RequestKind<'players.block'> = {
  facts: (from, { player }, now) => playerFacts(from, player, now),
  carryOut: (desk, { player, what, until }) =>
    said(block(desk.operator, desk.ctx.accounts, { ...about(desk, player), what, until })),
}

export const unblockOfPlayer: RequestKind<'players.unblock'> = {
  facts: (from, { player }, now) => playerFacts(from, player, now),
  carryOut: (desk, { player }) => said(unblock(desk.operator, desk.ctx.accounts, about(desk, player))),
}

export const holdOfPayouts: RequestKind<'players.hold-payouts'> = {
  facts: (from, { player }, now) => playerFacts(from, player, now),
  carryOut: (desk, { player, until, tell }) =>
    said(holdPayouts(desk.operator, desk.ctx.accounts, { ...about(desk, player), until, isTold: tell })),
}

export const releaseOfPayouts: RequestKind<'players.release-payouts'> = {
  facts: (from, { player }, now) => playerFacts(from, player, now),
  carryOut: (desk, { player }) => said(releasePayouts(desk.operator, desk.ctx.accounts, about(desk, player))),
}

export const exclusionOfPlayer: RequestKind<'players.exclude'> = {
  facts: (from, { player }, now) => playerFacts(from, player, now),
  carryOut: ({ ctx, operator }, { player, until }) =>
    said(exclude(operator, ctx.accounts, { playerId: BigInt(player), until })),
}

function about({ requestId, reason }: Desk, player: string) {
  return { playerId: BigInt(player), requestId, reason }
}

/** Who a player is, and what the operator keeps them from now. */
async function playerFacts(from: Queries, player: string, now: number): Promise<JsonObject> {
  const id = BigInt(player)
  const found = await from.maybeOne(findPlayerFacts, [id])
  if (found === null) throw new LotteryError('NOT_FOUND')
  const holds = await from.run(listHoldsInForce, [id, now])
  return {
    player,
    player_name: found.username,
    is_closed: found.isClosed,
    excluded_until: found.excludedUntil,
    holds: holds.map(({ kind, untilAt }) => ({ kind, until: untilAt })),
  }
}
