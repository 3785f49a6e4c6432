import type { ConsoleAnswerOf } from '@fairball/contract/console/call'
import type { readCalls } from '@fairball/contract/console/read'
import { LotteryError } from '@fairball/domain/errors'
import { toHex } from '@fairball/domain/protocol/bytes'
import { readPolicy } from '@fairball/domain/protocol/policy'
import type { Queries } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import { findDrawPage, listCosigned, listStatements, type StoredTier } from './read-draws-queries.ts'
import { gameNames } from './read-parts.ts'

type DrawAnswer = ConsoleAnswerOf<typeof readCalls.getDraw>
type DrawRow = RowOf<typeof findDrawPage>

const MOST_NUMBER = 2 ** 31 - 1

/** One draw, without its seed; its numbers and winners once the last ball was shown. @throws LotteryError NOT_FOUND */
export async function drawPage(
  from: Queries,
  { game, number }: { readonly game: string; readonly number: string },
  now: number,
): Promise<DrawAnswer> {
  const draw = Number(number) > MOST_NUMBER ? null : await from.maybeOne(findDrawPage, [game, Number(number)])
  if (draw === null) throw new LotteryError('NOT_FOUND')
  const [statements, witnesses, nameOf] = await Promise.all([
    from.run(listStatements, [draw.openHash]),
    witnessesOf(from, draw),
    gameNames(from),
  ])
  const isShown = draw.endAt <= now
  return {
    game: draw.gameKey,
    game_name: nameOf(draw.gameKey),
    number: draw.number,
    state: draw.status,
    opened_at: draw.openedAt ?? draw.scheduledAt,
    closes_at: draw.closesAt,
    starts_at: draw.startAt,
    settled_at: draw.settledAt,
    entries: draw.entries ?? draw.leafLines,
    plays: draw.leaves,
    stake_sats: String(draw.stakeSats ?? draw.leafStakeSats),
    numbers: isShown ? draw.numbers : null,
    beacon_round: String(draw.round),
    late_seconds: lateSeconds(draw, now),
    statements: statements.toReversed().map(({ index, at, type, text }) => ({ index, kind: type, at, text })),
    witnesses,
    tiers: isShown ? (draw.tiers ?? []).map(tierOf) : [],
  }
}

/** How long ago it should have been closed, or drawn, and was not; and by how much its start was put off. */
function lateSeconds({ status, closesAt, startAt, scheduledAt }: DrawRow, now: number): number {
  const due = status === 'open' ? closesAt : status === 'closed' ? startAt : now
  return Math.max(0, now - due, startAt - scheduledAt)
}

function tierOf({ matches, kind, winners, satsEach }: StoredTier): DrawAnswer['tiers'][number] {
  const prize =
    kind === 'jackpot' ? `Jackpot, ${matches} right` : `${matches} right${kind === 'free' ? ', a free ticket' : ''}`
  return { prize, winners, sats: String(BigInt(satsEach) * BigInt(winners)) }
}

/** The witnesses that the policy of a draw names, and when each cosigned its close. */
async function witnessesOf(from: Queries, { policy, closeSize }: DrawRow): Promise<DrawAnswer['witnesses']> {
  const named = policy === null ? [] : readPolicy(policy).witnesses
  if (named.length === 0) return []
  const signed = closeSize === null ? [] : await from.run(listCosigned, [closeSize])
  const at = new Map(signed.map((one) => [one.witness, one.at]))
  return named.map(({ name, publicKey }) => ({ name, signed_at: at.get(toHex(publicKey)) ?? null }))
}
