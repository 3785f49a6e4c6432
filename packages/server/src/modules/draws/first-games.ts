import { ALIASES, FIRST_DEMO_DRAW, gameByKey } from '@fairball/domain/seeds'
import type { Tx } from '../../db/pool.ts'
import { storedGames } from '../catalogue/service.ts'
import { announceVersion, insertGame } from './announcing.ts'
import type { DrawsContext } from './context.ts'
import { openDraws } from './opening.ts'
import * as queries from './queries.ts'

/**
 * Enters the first games of an empty database, announces every game that was not announced before, and opens the draws
 * of all of them. Safe at every start.
 */
export async function beginGames(ctx: DrawsContext, options: { isDemo: boolean }): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const { games: entered } = await tx.one(queries.countGames, [])
    if (entered > 0) return
    const createdAt = ctx.runtime.clock.now()
    for (const game of ctx.firstGames) {
      const isFirstDrawn = options.isDemo && game.key === FIRST_DEMO_DRAW.gameKey
      const extraStartAt = isFirstDrawn ? createdAt + FIRST_DEMO_DRAW.afterSeconds : null
      await insertGame(tx, game, { createdAt, extraStartAt })
    }
    for (const { alias, gameKey } of ALIASES) await tx.execute(queries.insertAlias, [alias, gameKey])
  })
  for (const game of await storedGames(ctx.db)) {
    if (game.state === 'retired') continue
    await ctx.db.transaction(async (tx) => {
      await announceFirst(ctx, tx, game.key)
      await openDraws(ctx, tx, game.key)
    })
  }
}

/** Announces the rules of a seeded game that the log does not know yet. */
async function announceFirst(ctx: DrawsContext, tx: Tx, gameKey: string): Promise<void> {
  await tx.one(queries.lockGame, [gameKey])
  if ((await tx.maybeOne(queries.findNewestVersion, [gameKey])) !== null) return
  const rules = ctx.firstGames.find(({ key }) => key === gameKey) ?? gameByKey(gameKey)
  if (rules === null) return
  const about = { kinds: ['new'], reason: 'the first games of this installation', actor: 'program' } as const
  await announceVersion(ctx, tx, { gameKey, rules, fromAt: null, ...about })
}
