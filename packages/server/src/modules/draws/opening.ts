import { openAhead } from '@fairball/domain/calendar'
import { roundOf } from '@fairball/domain/fairness/chain'
import { checkGameRules, gameByKey, GAMES, type GameRules } from '@fairball/domain/games'
import type { Tx } from '../../db/pool.ts'
import { DRAWS_CHANNEL, type DrawsDeps } from './draws-deps.ts'
import * as queries from './queries.ts'

/** Demo: bitcoin-hero's first draw starts this long after the first start of the server (decisions section 4). */
const FIRST_DEMO_DRAW_SECONDS = 15 * 60

export type Opening = ReturnType<typeof createOpening>

/** Opens draws: their open statements are in the log before anything is sold (fairness.md section 5). */
export function createOpening(deps: Pick<DrawsDeps, 'db' | 'runtime' | 'jobs' | 'fairness' | 'beacons' | 'clock'>) {
  const { db, runtime, jobs, fairness, clock } = deps
  const { chain } = deps.beacons.current

  /**
   * Enters the games and opens their draws. Safe at every start.
   *
   * @throws RangeError when a game's rules break decisions section 4
   */
  async function seedGames(options: { isDemo: boolean }): Promise<void> {
    for (const game of GAMES) checkGameRules(game)
    await db.transaction(async (tx) => {
      const { games } = await tx.one(queries.countGames, [])
      const extraStartAt = games === 0 && options.isDemo ? runtime.clock.now() + FIRST_DEMO_DRAW_SECONDS : null
      for (const [position, game] of GAMES.entries()) {
        const extra = game.key === 'bitcoin-hero' ? extraStartAt : null
        await tx.execute(queries.insertGame, [game.key, position, extra])
      }
    })
    for (const game of GAMES) await db.transaction((tx) => openDraws(tx, game.key))
  }

  /** Opens every draw that has to be open now: those an order can name, and one more (decisions section 4). */
  async function openDraws(tx: Tx, gameKey: string): Promise<void> {
    const game = rulesOf(gameKey)
    const { extra_start_at: extraStartAt } = await tx.one(queries.lockGame, [gameKey])
    const now = runtime.clock.now()
    const last = await tx.maybeOne(queries.findLastOpened, [gameKey])
    // A process that starts with a fast clock opens nothing that is far ahead: the next close opens what there has to be.
    if (last !== null && clock.isFast()) return
    const missing = openAhead(game, now, extraStartAt).filter(
      (scheduled) => last === null || scheduled.startAt > last.scheduled_at,
    )
    let number = last?.number ?? 0
    for (const scheduled of missing) {
      number += 1
      const seed = runtime.random.bytes(32)
      const round = roundOf(scheduled.startAt, chain)
      const opening = await fairness.open(tx, {
        game,
        number,
        closesAt: scheduled.closesAt,
        startAt: scheduled.startAt,
        round,
        seed,
      })
      const { id } = await tx.one(queries.insertDraw, [
        gameKey,
        number,
        scheduled.weekday,
        scheduled.startAt,
        scheduled.startAt,
        scheduled.closesAt,
        scheduled.endAt,
        game.pick,
        game.pool,
        opening.rulesHash,
        opening.sealedSeed,
        opening.seedHash,
        chain.hash,
        round,
        opening.openHash,
        BigInt(game.guaranteedMinor),
        BigInt(game.coverMinor),
      ])
      await jobs.add(tx, 'draws.close', { drawId: String(id) }, { key: `draws.close:${id}`, runAt: scheduled.closesAt })
    }
    if (missing.length > 0) await tx.notify(DRAWS_CHANNEL, gameKey)
  }

  return { seedGames, openDraws }
}

function rulesOf(gameKey: string): GameRules {
  const game = gameByKey(gameKey)
  if (game === null) throw new Error(`the database names a game that is not ours: ${gameKey}`)
  return game
}
