/** The words of the play page. Those in capitals, and what stands in the specification, are its own to the letter. */
export const PLAY_TEXTS = {
  jackpot: 'jackpot',
  draw: (when: string) => `draw: ${when}`,
  untilDraw: 'Time until the draw',
  watch: 'WATCH THE DRAWS',
  history: 'CHECK DRAW HISTORY',
  howToPlay: 'How to play',

  wayIn: 'Play this game',
  logInToPlay: 'Log in To Play',
  logInText: 'Log in or open an account to choose your numbers and pay in bitcoin.',
  logInForPayment: 'Log in to see this payment.',
  openAccount: 'Open an account',
  about: 'The game',
  aboutNumbers: 'Numbers on a line',
  aboutNumbersValue: (pick: number, pool: number) => `${pick} from ${pool}`,
  aboutDraws: 'Draws',
  aboutDrawsValue: (days: string, time: string) => `${days} at ${time}`,
  aboutEveryDay: 'Every day',
  aboutPrice: 'Ticket price',
  aboutCloses: 'Sales close',
  aboutClosesValue: (minutes: number) => `${minutes} minutes before the draw`,
  aboutWeeks: 'Can be played for',
  aboutWeeksValue: (weeks: number) => `up to ${weeks} weeks`,
  aboutNext: 'Next draw',

  prizes: 'Prizes',
  prizesNote: 'Odds are those of one line in one draw. They do not depend on which numbers you choose.',
  prizeMatches: (count: number) => `Match ${count}`,
  prizeOdds: (oneIn: string) => `1 in ${oneIn}`,

  emailUnverified: 'Your email is not verified! Please check you mail inbox or ',
  resend: 'resend email',
  resent: 'The email is on its way. Please check your mail inbox.',

  steps: ['Your numbers', 'Payment', 'Confirmation'],

  unavailable: 'The game is not available at the moment',
  lines: 'Your lines',
  lineName: (letter: string) => `Line ${letter}`,
  luckyDip: 'Lucky dip',
  choose: 'Choose numbers',
  chooseFor: (letter: string) => `Choose numbers of line ${letter}`,
  edit: (letter: string) => `Change line ${letter}`,
  remove: (letter: string) => `Delete line ${letter}`,
  dipCounter: 'Lucky dips in this order',
  save: 'Save numbers',
  saveNote: 'Keeps the lines you chose yourself for another time; lucky dips are not kept.',
  saved: 'Your numbers are saved.',
  tooMany: (most: string) => `An order has at most ${most} lines.`,

  quickTitle: 'Quick Lucky Dip',
  quickLead: 'Random numbers, added as new lines.',
  quickCount: 'Lucky dip lines to add',
  quickAdd: (count: number) => `Add ${count} ${count === 1 ? 'line' : 'lines'}`,

  ownTitle: 'Numbers you know',
  ownSaved: 'Saved numbers',
  ownLast: 'Last played numbers',
  ownLines: (count: number) => `${count} ${count === 1 ? 'line' : 'lines'}`,
  playSaved: 'Play saved numbers',
  playLast: 'Replay',
  deleteSaved: 'Delete saved numbers',
  ownNote: 'They take the place of the lines above.',

  days: 'Draw days',
  daysPassed: 'Days of this week that have passed cannot be chosen.',
  weeks: 'Weeks',
  weeksNote: '1 is this week’s draws only.',
  closingWindow: (minutes: number) =>
    `Tickets bought in the last ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} before the draw count for the next draw.`,

  order: 'Your order',
  orderLines: 'Lines',
  orderDays: 'Draw days',
  orderWeeks: 'Weeks',
  orderFree: 'Free tickets won',
  orderPrice: 'Ticket price',
  orderTotal: 'Total',
  play: 'Play',
  playNote: 'You pay in bitcoin on the next step.',
  playNothing: 'Choose at least one line and one draw day.',
  payNote: 'The amount in bitcoin is fixed for 15 minutes once you go on.',
  payFreeNote: 'Your free tickets pay for this order.',
  pay: (total: string) => `Pay ${total}`,
  payFree: 'Play for free',
  back: 'Back',

  method: 'Payment method',
  methodBitcoin: 'Bitcoin',
  methodText: 'From any bitcoin wallet. Prizes go back the same way.',
  howToPay: 'How to pay with bitcoin',
  howToPaySteps: [
    'Go on to the payment page. It shows an address, an exact amount and a code to scan.',
    'Scan the code with a bitcoin wallet, or copy address and amount into it, and send.',
    'Send within 15 minutes. The page says when the payment is seen and when it is confirmed.',
    'Bitcoin payments take 10–30 minutes to confirm. Your lines count for draws whose sales are still open then.',
  ],
  yourLines: (count: number) => (count === 1 ? 'Your line' : `Your ${count} lines`),
  paymentFailed: 'An unexpected error occurred while initiating the payment. Please try again later.',

  checking: 'Checking payment status',
  checkingText: 'One moment, please.',
  confirmed: 'Payment confirmed!',
  confirmedText: 'Your lines are in the draw. Good luck!',
  processing: 'Transaction still processing',
  processingText: 'Bitcoin payments take 10–30 minutes to confirm. You can leave this page: nothing gets lost.',
  underpaidText:
    'A part of the amount is still missing. Send it before the time to pay is over; otherwise everything is refunded.',
  expiredText:
    'The time to pay is over. A payment that is already on its way still counts if it is confirmed in time; otherwise it is refunded.',
  refunded: 'The payment is refunded',
  refundedText: 'The bitcoin goes to the address saved in your crypto account details, or waits until you save one.',
  toCheckout: 'Back to the payment',
  playMore: 'Play More',
  checkNumbers: 'Check Your Numbers',
  checkTickets: 'Check Purchased Tickets',
} as const

/** The words of the dialog in which the numbers of a line are picked. */
export const PICKER_TEXTS = {
  title: 'SELECT NUMBERS',
  clear: 'Clear All',
  confirm: 'CONFIRM',
  progress: (picked: number, pick: number) => `${picked} of ${pick}`,
} as const

/** The words round the steps of the explanation. */
export const HOW_TO_PLAY_TEXTS = {
  title: 'How to play',
  count: (step: number, max: number) => `${step} of ${max}`,
  progress: 'Steps read',
  previous: 'Previous',
  next: 'NEXT',
  done: 'GOT IT',
} as const

/** What the explanation needs to know of the game. */
export interface HowToPlayFacts {
  pick: number
  pool: number
  price: string
  maxWeeks: number
}

/** The steps of the explanation; how many there are is its maximum. */
export const HOW_TO_PLAY_STEPS: readonly { title: string; text: (facts: HowToPlayFacts) => string }[] = [
  {
    title: 'Choose your numbers',
    text: ({ pick, pool }) =>
      `A line has ${pick} different numbers from 1 to ${pool}. Press Choose numbers, pick them and confirm.`,
  },
  {
    title: 'Or take a lucky dip',
    text: () => 'Quick Lucky Dip fills as many lines as you like with random numbers. Every line has the same chance.',
  },
  {
    title: 'Play as many lines as you like',
    text: ({ price }) => `Each line costs ${price} in each draw it plays. You can change, delete and save lines.`,
  },
  {
    title: 'Choose the days',
    text: () => 'Tick the days on which your lines play. Days of this week that have passed cannot be chosen.',
  },
  {
    title: 'Choose the weeks',
    text: ({ maxWeeks }) => `Choose for how many weeks you play: 1 is this week’s draw, up to ${maxWeeks}.`,
  },
  {
    title: 'Press play',
    text: () =>
      'After pressing play you must sign in before you can confirm. Then you pay in bitcoin, and prizes are sent to you.',
  },
]
