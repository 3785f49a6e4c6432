import type { Db, Tx } from '../../db/pool.ts'
import { createClosing } from './closing.ts'
import { createDrawing } from './drawing.ts'
import type { DrawsDeps } from './draws-deps.ts'
import { createFollowing } from './following.ts'
import { createOpening } from './opening.ts'
import { createPostponing } from './postponing.ts'
import * as queries from './queries.ts'
import { createSales } from './sales.ts'
import { createSettling } from './settling.ts'
import { createTakingRounds } from './taking-rounds.ts'
import { createVoiding } from './voiding.ts'

export { DRAWS_CHANNEL, type DrawsDeps, type Partner, type WinnerNews } from './draws-deps.ts'

export type Draws = ReturnType<typeof createDraws>

/** The life of a draw: open → closed → drawn → settled, or void (decisions section 4, fairness.md). */
export function createDraws(deps: DrawsDeps) {
  const { seedGames, openDraws } = createOpening(deps)
  const following = createFollowing(deps)
  const voiding = createVoiding({ ...deps, openDraws })
  const postponing = createPostponing({ ...deps, voiding, following })
  const { countWitnesses } = postponing
  return {
    seedGames,
    openDraws,
    countWitnesses,
    ...createClosing({ ...deps, openDraws, postponing, following }),
    ...createDrawing({ ...deps, voiding, following, countWitnesses }),
    ...createSettling(deps),
    ...createSales(deps),
    ...createTakingRounds({ ...deps, following }),
    find: (tx: Db | Tx, drawId: bigint) => tx.one(queries.findDraw, [drawId]),
  }
}
