/** How often a number of a fair game comes up. */
interface ExpectedCounts {
  /** On average. */
  mean: number
  /** About 95 of 100 numbers are from here … */
  low: number
  /** … to here, both included; whole, and never below 0 or above the number of draws. */
  high: number
}

/** Standard deviations to each side that hold 95% of a normal distribution. */
const DEVIATIONS = 1.96

/**
 * How often each number should have been drawn if all are equally likely: in every draw a number comes up with the
 * chance pick / pool, so its count is binomially distributed.
 *
 * @param draws number of draws, 0 or more
 * @param pick numbers drawn each time, out of 1 to `pool`
 */
export function expectedCounts({ draws, pick, pool }: { draws: number; pick: number; pool: number }): ExpectedCounts {
  const chance = pick / pool
  const mean = draws * chance
  const spread = DEVIATIONS * Math.sqrt(draws * chance * (1 - chance))
  return { mean, low: Math.max(0, Math.floor(mean - spread)), high: Math.min(draws, Math.ceil(mean + spread)) }
}
