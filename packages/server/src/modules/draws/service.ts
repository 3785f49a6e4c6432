import type { Db, Tx } from '../../db/pool.ts'
import { createClosing } from './closing.ts'
import { createDrawing } from './drawing.ts'
import type { DrawsDeps } from './draws-deps.ts'
import { createOpening } from './opening.ts'
import * as queries from './queries.ts'
import { createSales } from './sales.ts'
import { createSettling } from './settling.ts'

export { DRAWS_CHANNEL, type DrawsDeps, type Partner, type WinnerNews } from './draws-deps.ts'

export type Draws = ReturnType<typeof createDraws>

/** The life of a draw: open → closed → drawn → settled, or void (decisions section 4, fairness.md). */
export function createDraws(deps: DrawsDeps) {
  const opening = createOpening(deps)
  return {
    ...opening,
    ...createClosing({ ...deps, openDraws: opening.openDraws }),
    ...createDrawing(deps),
    ...createSettling(deps),
    ...createSales(deps),
    find: (tx: Db | Tx, drawId: bigint) => tx.one(queries.findDraw, [drawId]),
  }
}
