export type { StoredPartner } from './stored-draw.ts'
export type { StoredTier } from './stored-draw.ts'

// The life of a draw: open → closed → drawn → settled, or void (decisions section 4, docs/fairness.md).
export { appendSoon } from './appending.ts'
export { ClockRule } from './clock-rule.ts'
export { closeDraw } from './closing.ts'
export { DRAWS_CHANNEL, type DrawsContext, type Partner, type SalesContext } from './context.ts'
export { runDraw } from './drawing.ts'
export {
  announceVersion,
  type AnnouncedVersion,
  CHANGE_KINDS,
  type ChangeKind,
  earliestFrom,
  insertGame,
  type NewVersion,
  TooEarly,
} from './announcing.ts'
export { beginGames, openDraws } from './opening.ts'
export { assertDrawsFit } from './start-guard.ts'
export { checkSales, SALES_CAUSES, salesState, type SalesState } from './sales.ts'
export { settleDraw } from './settling.ts'
export { takeRound } from './taking-rounds.ts'
