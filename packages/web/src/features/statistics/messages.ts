/** The words of the statistics. */
export const STATISTICS_TEXTS = {
  title: (game: string) => `${game} Statistics`,
  note: 'Past draws cannot predict future ones. Every combination is equally likely in every draw, whatever was drawn before.',
  history: 'Draw History',
  empty: 'No draw history yet.',

  numbers: 'How often each number was drawn',
  numbersLead: (draws: number, mean: string, low: number, high: number) =>
    `After ${draws === 1 ? '1 draw' : `${draws.toLocaleString('en-US')} draws`} the average is ${mean} (thin line). Counts of ${low.toLocaleString('en-US')} to ${high.toLocaleString('en-US')} are normal.`,
  numbersCaption: 'How often each number was drawn',
  tooFew: 'Too few draws for a chart.',
  timesDrawn: (count: number) => (count === 1 ? 'once' : `${count.toLocaleString('en-US')} times`),
  number: 'Number',
  times: 'Times drawn',

  jackpots: 'Jackpot over time',
  jackpotsLead: (draws: number) =>
    `The jackpot of ${draws === 1 ? 'the only draw' : `each of the last ${draws.toLocaleString('en-US')} draws`}, won or not. A dot marks a jackpot that was won.`,
  jackpotsLabel: (draws: number, least: string, most: string) =>
    `The jackpot of the last ${draws.toLocaleString('en-US')} draws, between ${least} and ${most}. The table below has every value.`,
  jackpotsTable: 'All jackpots as a table',
  draw: 'Draw',
  drawName: (number: number) => `Draw ${number.toLocaleString('en-US')}`,
  date: 'Date',
  jackpot: 'Jackpot',
  won: 'Won',
  rolledOver: 'Not won',
  outcome: 'Outcome',
} as const
