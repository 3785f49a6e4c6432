import type { Draw } from './use-draws.ts'

/** The draws of one month on one page. */
interface Month {
  /** "November 2026". */
  name: string
  draws: readonly Draw[]
}

/** @returns the draws by month, both in their given order */
export function monthsOf(draws: readonly Draw[]): Month[] {
  return Array.from(
    Map.groupBy(draws, (draw) => draw.month_and_year),
    ([name, own]) => ({ name, draws: own }),
  )
}
