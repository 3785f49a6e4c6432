import { openAhead } from '@fairball/domain/calendar'
import { checkGameRules, type GameRules } from '@fairball/domain/games'
import { toHex } from '@fairball/domain/protocol/bytes'
import { roundOf } from '@fairball/domain/protocol/chain'
import { seedHash } from '@fairball/domain/protocol/sampler'
import type { Tx } from '../../db/pool.ts'
import { appendStatement, keepText, SEED_PURPOSE } from '../fairness/service.ts'
import { DRAWS_CHANNEL, type DrawsContext } from './context.ts'
import * as queries from './queries.ts'
import { presentRate } from './rates.ts'
import { announceRules, type AnnouncedRules, PRICE_CURRENCY } from './rules.ts'
import { assertGamesFit } from './start-guard.ts'

/** Demo: delay of bitcoin-hero's first draw after the first start of the server (decisions section 4). */
const FIRST_DEMO_DRAW_SECONDS = 15 * 60
/**
 * If the rate of a close differs from the selling rate by more than this percentage, it is shown in amber (fairness
 * section 9).
 */
const BAND_PERCENT = 5
/** Delay before draws are opened when no rate has been read yet. */
const WITHOUT_RATE_SECONDS = 60

/**
 * Whether this program may begin its work: its games follow the rules and fit what is open and owed.
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
    // Sold draws are still drawn, settled and paid: that needs only what was signed.
    ctx.runtime.log.error({ gameKey }, 'a game that this program does not have: no draws of it are opened')
    return
  }
  const { extraStartAt } = await tx.one(queries.lockGame, [gameKey])
  const now = ctx.runtime.clock.now()
  const last = await tx.maybeOne(queries.findLastOpened, [gameKey])
  // A process that starts with a fast clock opens nothing far ahead: the next close opens what is needed.
  if (last !== null && ctx.clock.isFast()) return
  const missing = openAhead(game, now, extraStartAt).filter(
    (scheduled) => last === null || scheduled.startAt > last.scheduledAt,
  )
  if (missing.length === 0) return
  // An announcement states the present rate.
  if ((await tx.maybeOne(queries.newestRate, [PRICE_CURRENCY])) === null) return await openLater(ctx, tx, gameKey)
  const rules = await announceRules(ctx, tx, game, extraStartAt)
  let number = last?.number ?? 0
  for (const scheduled of missing.filter(({ startAt }) => startAt >= rules.from)) {
    number += 1
    await openDraw(ctx, tx, game, { ...scheduled, ...rules, number })
  }
  await tx.notify(DRAWS_CHANNEL, gameKey)
}

async function openLater(ctx: DrawsContext, tx: Tx, gameKey: string): Promise<void> {
  ctx.runtime.log.warn({ gameKey }, 'no rate was ever read: no draws are opened yet')
  const runAt = ctx.runtime.clock.now() + WITHOUT_RATE_SECONDS
  await ctx.jobs.add(tx, 'draws.open', { gameKey }, { key: `draws.open:${gameKey}:${runAt}`, runAt })
}

/** Announces a draw and enters it: nothing can be sold for a draw whose statement is not in the log. */
async function openDraw(
  ctx: DrawsContext,
  tx: Tx,
  game: GameRules,
  draw: ReturnType<typeof openAhead>[number] & AnnouncedRules & { readonly number: number },
): Promise<void> {
  const { startAt, closesAt, endAt, weekday, number, version, rulesHash } = draw
  const { chain } = ctx.beacons.current
  const seed = ctx.runtime.random.bytes(32)
  const round = roundOf(chain, startAt)
  const committed = toHex(seedHash(seed))
  const { hash: openHash } = await appendStatement(ctx.fairness, tx, {
    type: 'open',
    game: game.key,
    version,
    draw: number,
    close: closesAt,
    start: startAt,
    chain: chain.hash,
    round,
    seedhash: committed,
    rules: rulesHash,
    rate: await presentRate(tx),
    sources: ctx.rates.sources,
    band: BAND_PERCENT,
    policy: await keepText(tx, ctx.fairness.policy),
  })
  const { id } = await tx.one(queries.insertDraw, {
    gameKey: game.key,
    number,
    version,
    weekday,
    startAt,
    closesAt,
    endAt,
    pick: game.pick,
    pool: game.pool,
    priceMinor: BigInt(game.priceMinor),
    rulesHash,
    sealedSeed: ctx.fairness.seal.close(seed, SEED_PURPOSE),
    seedHash: committed,
    chainHash: chain.hash,
    round,
    openHash,
    guaranteedMinor: BigInt(game.guaranteedMinor),
    coverMinor: BigInt(game.coverMinor),
  })
  await ctx.jobs.add(tx, 'draws.close', { drawId: String(id) }, { key: `draws.close:${id}`, runAt: closesAt })
}
