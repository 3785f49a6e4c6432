/** Seconds before the start of a draw at which a jump to it ends: time to open the page. */
const BEFORE_START_SECONDS = 5
/** Time for which `next_draw` stays on a draw after its end (decisions, section 4). */
const STAYS_SECONDS = 600

/**
 * The target of "Jump to the draw".
 *
 * @returns the time to set, in epoch seconds; null if the draw is too near or has begun, because the clock never goes
 *   back
 */
export function targetBeforeDraw(draw: { start_at: number }, nowAt: number): number | null {
  const target = draw.start_at - BEFORE_START_SECONDS
  return target > nowAt ? target : null
}

/**
 * The target of "Jump past the draw": just after its end; once it has ended, to when the game moves to the next draw.
 */
export function targetPastDraw(draw: { end_at: number }, nowAt: number): number {
  return nowAt <= draw.end_at ? draw.end_at + 1 : draw.end_at + STAYS_SECONDS
}
