/** The words of the results. Sentences of the specification are unchanged. */
export const RESULTS_TEXTS = {
  title: (game: string) => `${game} Results`,

  wins: 'Wins',
  winsEmpty: 'No winning matches so far.',
  winTypes: { JACKPOT: 'Jackpot', PRIZE: 'Prize', FREE_TICKET: 'Free ticket' },
  amount: (count: number, each: string) => (count === 1 ? each : `${count.toLocaleString('en-US')} × ${each}`),
  moreDetails: 'More details',
  moreDetailsLabel: (date: string) => `More details of the win of ${date}`,
  winsPages: 'Wins pages',

  plays: 'Number Matches',
  playsEmpty: 'No played games.',
  playsPages: 'Number Matches pages',
  playFirst: 'Pick your numbers',
  lines: (count: number) => (count === 1 ? '1 line' : `${count.toLocaleString('en-US')} lines`),
  upcoming: 'Upcoming draw',
  watchDraw: 'WATCH DRAW',
  claim: 'CLAIM',
  outcomes: {
    jackpot: 'You win the jackpot!',
    jackpotClaimed: 'The jackpot is won and claimed',
    prize: 'You win a prize',
    prizeClaimed: 'The prize is won and claimed',
    none: 'No match',
  },
  numbersDrawn: 'Numbers drawn',
  draw: (number: number) => `Draw ${number.toLocaleString('en-US')}`,
  yourLines: 'Your lines',
  line: (place: number) => `Line ${place}`,
  matches: (count: number) => (count === 1 ? '1 match' : `${count} matches`),
  showAllLines: (count: number) => `Show all ${count.toLocaleString('en-US')} lines`,
  claimNote: 'Your prize is sent automatically within an hour. CLAIM shows what may be missing.',

  pagePastEnd: 'This page of the list is empty.',
  toFirstPage: 'Go to page 1',
} as const
