/** Targets of links into the page: the choice of draws, or the login for visitors (specification, section 2). */
export const SETTINGS_ANCHOR = 'game-settings-block'

/** The words of a game's page for visitors. Those in capitals, and quotes from the specification, are unchanged. */
export const PLAY_TEXTS = {
  jackpot: 'estimated jackpot',
  draw: (when: string) => `draw: ${when}`,
  closedFor: (when: string) => `This draw is closed. Your ticket counts for ${when}.`,
  watch: 'WATCH THE DRAWS',
  history: 'CHECK DRAW HISTORY',
  howToPlay: 'How to play',

  pickFirst: 'Pick your numbers',
  wayIn: 'Play this game',
  logInToPlay: 'Log in To Play',
  logInText: 'Log in or open an account to play your numbers and pay in bitcoin.',
  logInForPayment: 'Log in to see this payment.',
  openAccount: 'Open an account',
  salesSoonText: 'This game is not on sale at the moment. You can already open an account.',
  about: 'The game',
  aboutNumbers: 'Numbers on a line',
  aboutNumbersValue: (pick: number, pool: number) => `${pick} from ${pool}`,
  aboutDraws: 'Draws',
  aboutDrawsValue: (days: string, time: string) => `${days} at ${time}`,
  aboutEveryDay: 'Every day',
  aboutPrice: 'Ticket price',
  aboutPriceNow: (price: string, now: string) => `${price}, now ${now}`,
  aboutCloses: 'Sales close',
  aboutClosesValue: (minutes: number) => `${minutes} minutes before the draw`,
  aboutWeeks: 'Can be played for',
  aboutWeeksValue: (weeks: number) => (weeks === 1 ? '1 week' : `up to ${weeks} weeks`),
  aboutNext: 'Next draw',

  prizes: 'Prizes',
  prizesNote: 'Odds are those of one line in one draw. They do not depend on which numbers you choose.',
  prizeMatches: (count: number) => `Match ${count}`,
  prizeOdds: (oneIn: string) => `1 in ${oneIn}`,
} as const
