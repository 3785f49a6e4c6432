import { openAhead } from '@fairball/domain/calendar'
import { roundOf } from '@fairball/domain/fairness/chain'
import { checkGameRules } from '@fairball/domain/games'
import type { Tx } from '../../db/pool.ts'
import { DRAWS_CHANNEL, type DrawsContext } from './context.ts'
import * as queries from './queries.ts'
import { assertGamesFit } from './start-guard.ts'

/** Demo: bitcoin-hero's first draw starts this long after the first start of the server (decisions section 4). */
const FIRST_DEMO_DRAW_SECONDS = 15 * 60

/**
 * Whether this program may begin its work: its games hold to the rules, and fit what is open and owed.
 *
 * @throws RangeError when a game's rules break decisions section 4
 * @throws GamesChanged
 */
export async function assertDrawsFit(ctx: DrawsContext): Promise<void> {
  for (const game of ctx.games) checkGameRules(game)
  await assertGamesFit(ctx)
}

/** Enters the games and opens their draws. Safe at every start. */
export async function seedGames(ctx: DrawsContext, options: { isDemo: boolean }): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const { games: entered } = await tx.one(queries.countGames, [])
    const extraStartAt = entered === 0 && options.isDemo ? ctx.runtime.clock.now() + FIRST_DEMO_DRAW_SECONDS : null
    for (const [position, game] of ctx.games.entries()) {
      const extra = game.key === 'bitcoin-hero' ? extraStartAt : null
      await tx.execute(queries.insertGame, [game.key, position, extra])
    }
  })
  for (const game of ctx.games) await ctx.db.transaction((tx) => openDraws(ctx, tx, game.key))
}

/** Opens every draw that has to be open now: those an order can name, and one more (decisions section 4). */
export async function openDraws(ctx: DrawsContext, tx: Tx, gameKey: string): Promise<void> {
  const game = ctx.games.find(({ key }) => key === gameKey)
  if (game === undefined) {
    // What was sold is still drawn, settled and paid: that needs only what was signed.
    ctx.runtime.log.error({ gameKey }, 'a game that this program does not have: no draws of it are opened')
    return
  }
  const { extra_start_at: extraStartAt } = await tx.one(queries.lockGame, [gameKey])
  const { chain } = ctx.beacons.current
  const now = ctx.runtime.clock.now()
  const last = await tx.maybeOne(queries.findLastOpened, [gameKey])
  // A process that starts with a fast clock opens nothing that is far ahead: the next close opens what there has to be.
  if (last !== null && ctx.clock.isFast()) return
  const missing = openAhead(game, now, extraStartAt).filter(
    (scheduled) => last === null || scheduled.startAt > last.scheduled_at,
  )
  let number = last?.number ?? 0
  for (const scheduled of missing) {
    number += 1
    const seed = ctx.runtime.random.bytes(32)
    const round = roundOf(scheduled.startAt, chain)
    const opening = await ctx.fairness.open(tx, {
      game,
      number,
      closesAt: scheduled.closesAt,
      startAt: scheduled.startAt,
      round,
      seed,
    })
    const { id } = await tx.one(queries.insertDraw, {
      gameKey,
      number,
      weekday: scheduled.weekday,
      scheduledAt: scheduled.startAt,
      startAt: scheduled.startAt,
      closesAt: scheduled.closesAt,
      endAt: scheduled.endAt,
      pick: game.pick,
      pool: game.pool,
      rulesHash: opening.rulesHash,
      sealedSeed: opening.sealedSeed,
      seedHash: opening.seedHash,
      chainHash: chain.hash,
      round,
      openHash: opening.openHash,
      guaranteedMinor: BigInt(game.guaranteedMinor),
      coverMinor: BigInt(game.coverMinor),
    })
    await ctx.jobs.add(
      tx,
      'draws.close',
      { drawId: String(id) },
      { key: `draws.close:${id}`, runAt: scheduled.closesAt },
    )
  }
  if (missing.length > 0) await tx.notify(DRAWS_CHANNEL, gameKey)
}
