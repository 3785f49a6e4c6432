/** The words of the list of a player's tickets on the home page. */
export const STRIP_TEXTS = {
  /** @param isMore there are more pages of tickets than the one that was counted */
  toCome: (draws: number, isMore: boolean) =>
    `You’re in ${isMore ? 'more than ' : ''}${draws} ${draws === 1 ? 'draw' : 'draws'}`,
  drawn: 'Your tickets',
  all: 'All tickets',
  lines: (count: number) => `${count.toLocaleString('en-US')} ${count === 1 ? 'line' : 'lines'}`,
  delayed: 'Delayed',
  watch: 'Watch live',
  watchOf: (game: string) => `Watch live: ${game}`,
  won: (headline: string, game: string, number: number) => `${headline} in ${game}, draw ${number}.`,
  results: (game: string, number: number) => `Results are in: ${game}, draw ${number}`,
  see: 'See it',
  seeOf: (game: string, number: number) => `See it: ${game}, draw ${number}`,
} as const
