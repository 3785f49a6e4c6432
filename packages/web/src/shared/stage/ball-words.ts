import { linesHolding, standingsOf } from '@fairball/domain/line-standings'
import type { BallArrivals } from './arrivals.ts'
import { STAGE_TEXTS } from './messages.ts'

/**
 * What is said once when balls have landed: "Ball 2 of 5: 25. Matches 11 of your lines. Best line: 2 of 5."
 *
 * @param drawn the balls in the tray, in the order drawn
 * @param lines the player's; none for a visitor, to whom only the balls are said
 * @returns nothing if no ball has landed since the page was opened
 */
export function spokenBalls(
  { from, to }: BallArrivals,
  { drawn, pick, lines }: { drawn: readonly number[]; pick: number; lines: readonly (readonly number[])[] },
): string {
  if (from === to) return ''
  const [best] = standingsOf(lines, drawn)
  const said = drawn
    .slice(from, to)
    .flatMap((number, index) => [
      STAGE_TEXTS.ballSpoken(from + index + 1, pick, number),
      ...(best === undefined ? [] : [STAGE_TEXTS.matchesSpoken(linesHolding(lines, number), lines.length)]),
    ])
  return [...said, ...(best === undefined ? [] : [STAGE_TEXTS.bestSpoken(best.matches, pick)])].join(' ')
}
