import { LotteryError } from '@fairball/domain/errors'
import { isRoundSigned } from '@fairball/domain/protocol/beacon'
import type { Chain } from '@fairball/domain/protocol/chain'
import type { Round } from '../../ports/beacon/beacon.ts'
import { lastRoundDueAt } from '../../ports/beacon/chains.ts'
import type { DrawsContext } from './context.ts'
import { drawAt } from './following.ts'
import * as queries from './queries.ts'

/** The furthest a clock may be behind: a round further ahead is not checked. */
const FURTHEST_AHEAD_SECONDS = 400 * 86_400

/** Whether a draw depends on a round with this number. */
export async function isWaitedFor(ctx: DrawsContext, round: number): Promise<boolean> {
  return (await ctx.db.run(queries.findWaiting, [round])).length > 0
}

/**
 * Takes a round. If a draw waits for it, it is drawn immediately. Otherwise only the newest round is kept, since it
 * shows the earliest time it can be (fairness section 9). Idempotent.
 *
 * @throws LotteryError INVALID_PAYLOAD with `fields` if it is not valid for any chain in use
 */
export async function takeRound(ctx: DrawsContext, given: Round): Promise<void> {
  const { round, signature } = given
  const waiting = await ctx.db.run(queries.findWaiting, [round])
  const chains = new Map(
    [ctx.beacons.current, ...waiting.map((draw) => ctx.beacons.of(draw.chainHash))].map(({ chain }) => [
      chain.hash,
      chain,
    ]),
  )
  const plausible = [...chains.values()].filter((chain) => isPlausible(ctx, round, chain))
  if (plausible.length === 0) throw refusal({ round: 'Must be a round of the near future at most.' })
  for (const chain of plausible) {
    const known = await knownSignature(ctx, chain, round)
    if (known === signature) return
    // A round has exactly one valid signature, so no other one needs a check.
    if (known === null && isRoundSigned(chain, round, signature)) return await keep(ctx, chain, given)
  }
  throw refusal({ signature: 'Must be the valid signature of this round.' })
}

function isPlausible(ctx: DrawsContext, round: number, chain: Chain): boolean {
  const last = lastRoundDueAt(chain, ctx.runtime.clock.now() + FURTHEST_AHEAD_SECONDS)
  return last !== null && round >= 1 && round <= last
}

async function knownSignature(ctx: DrawsContext, chain: Chain, round: number): Promise<string | null> {
  const stored = await ctx.db.maybeOne(queries.findRound, [chain.hash, round])
  if (stored !== null) return stored.signature
  const newest = await ctx.db.maybeOne(queries.findNewestRound, [chain.hash])
  return newest?.newestRound === round ? newest.newestSignature : null
}

async function keep(ctx: DrawsContext, chain: Chain, given: Round): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const now = ctx.runtime.clock.now()
    // In the order of a drawing: the round, then its chain. Two that meet do not wait in a circle.
    const isNew = await tx.execute(queries.insertRoundOfDraws, [chain.hash, given.round, given.signature, now])
    await ctx.clock.learn(tx, chain, given)
    if (isNew === 0) return
    for (const draw of await tx.run(queries.findWaiting, [given.round])) {
      if (draw.chainHash === chain.hash && draw.status === 'closed') await drawAt(ctx, tx, draw.id, now)
    }
  })
  await ctx.clock.isWrong(ctx.db)
}

function refusal(fields: Record<string, string>): LotteryError {
  return new LotteryError('INVALID_PAYLOAD', undefined, { fields })
}
