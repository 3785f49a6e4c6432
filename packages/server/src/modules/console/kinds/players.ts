import { LotteryError } from '@fairball/domain/errors'
import type { Queries } from '../../../db/pool.ts'
import {
  block,
  endPlayerSessions,
  erasePlayer,
  exclude,
  exportPlayer,
  holdPayouts,
  notePlayer,
  releasePayouts,
  resendVerification,
  unblock,
} from '../../operator/service.ts'
import { leaveFile } from '../files.ts'
import type { JsonObject } from '../request-queries.ts'
import { type Desk, type RequestKind, said, withoutFacts } from './kind.ts'
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

export const exportOfPlayer: RequestKind<'players.export'> = {
  facts: (from, { player }, now) => playerFacts(from, player, now),
  async carryOut(desk, { player }) {
    const { username, data } = await exportPlayer(desk.operator, desk.ctx.accounts, BigInt(player))
    const content = `${JSON.stringify(data, null, 2)}\n`
    const file = { name: `player-${player}.json`, type: 'application/json', content, isOnce: false }
    return { file: await leaveFile(desk, file), text: `What is stored about ${username} can be fetched for 24 hours.` }
  },
}

export const erasureOfPlayer: RequestKind<'players.erase'> = {
  facts: (from, { player }, now) => playerFacts(from, player, now),
  carryOut: ({ ctx, operator }, { player }) => said(erasePlayer(operator, ctx.accounts, BigInt(player))),
}

export const noteOfPlayer: RequestKind<'players.note'> = {
  facts: withoutFacts,
  carryOut: ({ operator }, { player, text }) => said(notePlayer(operator, BigInt(player), text)),
}

export const verificationOfPlayer: RequestKind<'players.resend-verification'> = {
  facts: withoutFacts,
  carryOut: ({ ctx, operator }, { player }) => said(resendVerification(operator, ctx.accounts, BigInt(player))),
}

export const sessionsOfPlayer: RequestKind<'players.end-sessions'> = {
  facts: withoutFacts,
  carryOut: ({ ctx, operator }, { player }) => said(endPlayerSessions(operator, ctx.accounts, BigInt(player))),
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
