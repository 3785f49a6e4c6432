/** A line of a player beside the balls drawn so far. */
export interface LineStanding {
  /** Its place among the player's lines, from 0: its letter follows from it. */
  readonly place: number
  readonly numbers: readonly number[]
  readonly matches: number
}

/** A draw that is under way: its balls so far, and how many there will be. */
interface DrawSoFar {
  readonly drawn: readonly number[]
  readonly pick: number
}

/** Balls to come from which on the next one is spelled out; with more, too much is open to be worth a sentence. */
const FEW_BALLS = 3

/**
 * The lines of a player, those with more matches first, and in the order of their places among equals. It takes one
 * pass, since a player can have thousands of lines.
 *
 * @param drawn the balls so far
 */
export function standingsOf(lines: readonly (readonly number[])[], drawn: readonly number[]): LineStanding[] {
  const isDrawn = new Set(drawn)
  const byMatches: LineStanding[][] = Array.from({ length: drawn.length + 1 }, () => [])
  for (const [place, numbers] of lines.entries()) {
    let matches = 0
    for (const number of numbers) if (isDrawn.has(number)) matches += 1
    byMatches[matches]?.push({ place, numbers, matches })
  }
  return byMatches.toReversed().flat()
}

/** @returns how many lines have 0, 1, … and all matches */
export function countByMatches(standings: readonly LineStanding[], pick: number): number[] {
  const counts = Array.from({ length: pick + 1 }, () => 0)
  for (const { matches } of standings) counts[matches] = (counts[matches] ?? 0) + 1
  return counts
}

/** @returns how many lines hold a ball */
export function linesHolding(lines: readonly (readonly number[])[], ball: number): number {
  let count = 0
  for (const numbers of lines) if (numbers.includes(ball)) count += 1
  return count
}

/** What the best line would have if a certain ball came next. */
interface NextStep {
  /** The ball. */
  readonly number: number
  /** The line's place. */
  readonly place: number
  /** Its matches then. */
  readonly matches: number
}

/**
 * Arithmetic on the best line while few balls are to come: one of its numbers, and the prize it would then hold.
 *
 * @param standings the best first
 * @param prizedMatches the numbers of matches that have a prize
 * @returns null with many balls to come or none, and where the next match has no prize
 */
export function nextStepOf(
  standings: readonly LineStanding[],
  { drawn, pick }: DrawSoFar,
  prizedMatches: readonly number[],
): NextStep | null {
  const [best] = standings
  const toCome = pick - drawn.length
  if (best === undefined || toCome < 1 || toCome > FEW_BALLS) return null
  const matches = best.matches + 1
  const number = best.numbers.find((one) => !drawn.includes(one))
  return number === undefined || !prizedMatches.includes(matches) ? null : { number, place: best.place, matches }
}
