/** The words of the lower half of the home page. Those in capitals are the specification's own. */
export const LOWER_TEXTS = {
  checkTitle: 'Check your numbers',
  checkOpen: 'Check a line',
  checkLead: 'Enter a line; we’ll check every draw of the last 180 days.',
  checkGame: 'Game whose draws are checked',
  checkField: 'Your numbers',
  checkTwice: 'A number appears twice.',
  checkHint: (pick: number, pool: number) => `${pick} numbers from 1 to ${pool}, with spaces between them.`,
  checkPick: 'Pick numbers',
  checkPickLabel: 'Pick numbers from a grid',
  checkSubmit: 'Check numbers',
  checkPreview: 'The line to check',
  checkNothing: 'These numbers have won nothing in the last 180 days.',
  checkWins: (count: number) => (count === 1 ? 'These numbers won once:' : `These numbers won ${count} times:`),
  checkMatches: (count: number) => `${count} ${count === 1 ? 'match' : 'matches'}`,
  checkWinType: { JACKPOT: 'Jackpot', PRIZE: 'Prize', FREE_TICKET: 'Free ticket' },

  latestTitle: 'Latest results',
  latestGame: 'Game whose results are shown',
  latestEvery: 'All',
  latestHistory: 'Draw history',
  latestHistoryOf: (game: string) => `Draw history of ${game}`,
  latestDraw: (number: string) => `Draw ${number}`,
  latestNumbers: (game: string, number: string) => `Numbers of ${game}, draw ${number}`,
  latestEmpty: 'No draw history yet.',
  /** `sum` is null if the lines won free tickets alone. */
  latestWon: (lines: number, sum: string | null) => {
    if (lines === 0) return 'No line won.'
    return `${lines.toLocaleString('en-US')} ${lines === 1 ? 'line' : 'lines'} won ${sum ?? 'free tickets'}`
  },
  jackpot: 'Jackpot',
  /** The specification's text if the jackpot was not won. */
  noJackpot: '- - - - -',
  noJackpotSpoken: 'Not won.',
  rolledOver: 'Rolled over',

  bandWithoutScripts: 'How you can check every draw',

  winnersTitle: 'Winners & Good Causes',
  winnersLead: 'Recent winners, and the causes your stakes support.',
  winnersLink: 'See who won',

  returnsTitle: 'More of every ticket goes back to players',
  returnsHere: 'This lottery',
  returnsClassic: 'Classic lotteries',
  returnsClassicShare: '50–60%',
  returnsNote: (fee: string) =>
    `When a jackpot is won, ${fee}% of the collected funds is our fee. The rest goes to prize winners, jackpot winners and partner charities.`,
  returnsMore: 'Where the money goes',
} as const

/** The words of the dialog in which numbers are picked. */
export const PICKER_TEXTS = {
  title: 'SELECT NUMBERS',
  clear: 'Clear All',
  confirm: 'CONFIRM',
  progress: (picked: number, pick: number) => `${picked} of ${pick}`,
} as const
