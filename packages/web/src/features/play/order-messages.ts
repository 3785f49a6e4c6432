import { periodText, VISITOR_LINES_SECONDS } from '@fairball/domain/periods'

/**
 * The words of the three steps to a paid order. Those in capitals, and quotes from the specification, are unchanged.
 */
export const ORDER_TEXTS = {
  emailUnverified: 'Your email is not verified! Please check you mail inbox or ',
  resend: 'resend email',
  resent: 'The email is on its way. Please check your mail inbox.',

  unavailable: 'The game is not available at the moment',
  lines: 'Your lines',
  /** After the login of a visitor who had picked lines. */
  arrived: (count: number) =>
    count === 1 ? 'Your line is here.' : `Your ${count.toLocaleString('en-US')} lines are here.`,
  visitorNote: `Kept in this browser for ${periodText(VISITOR_LINES_SECONDS)}. Log in or open an account to play them.`,
  lineName: (letter: string) => `Line ${letter}`,
  luckyDip: 'Lucky dip',
  choose: 'Choose numbers',
  dip: 'Lucky dip',
  dipFor: (letter: string) => `Lucky dip for line ${letter}`,
  chooseFor: (letter: string) => `Choose numbers of line ${letter}`,
  edit: (letter: string) => `Change line ${letter}`,
  remove: (letter: string) => `Delete line ${letter}`,
  save: 'Save numbers',
  saveNote: 'Saves the lines you picked. Lucky dips aren’t saved.',
  saved: 'Your numbers are saved.',
  tooMany: (most: string) => `An order has at most ${most} lines.`,

  quickTitle: 'Quick Lucky Dip',
  quickLead: 'Lines with random numbers in this order.',
  quickCount: 'Lucky dip lines',

  ownSaved: 'Saved numbers',
  ownLast: 'Last played numbers',
  ownLines: (count: number) => `${count} ${count === 1 ? 'line' : 'lines'}`,
  playSaved: 'Play saved numbers',
  playLast: 'Replay',
  deleteSaved: 'Delete saved numbers',
  deleted: 'Your saved numbers are deleted.',
  ownNote: 'These replace the lines above.',

  days: 'Draw days',
  /** A day, and the date of its next draw. */
  dayName: (day: string, date: string) => `${day}, ${date}`,
  /** A day whose draw is no longer on sale, and the draw that it counts for instead. */
  dayCountsFor: (day: string, date: string) => `${day}: counts for ${date}`,
  daysPassed: 'Some days cannot be chosen because they have passed.',
  weeks: 'Weeks',
  weeksNote: '1 week means this week’s draws only.',
  closingWindow: (minutes: number) =>
    `Tickets bought in the last ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} before the draw count for the next draw.`,

  order: 'Your order',
  orderDraws: 'Draws',
  orderLines: 'Lines',
  orderDays: 'Draw days',
  orderWeeks: 'Weeks',
  orderFree: 'Free tickets won',
  orderPrice: 'Ticket price',
  orderTotal: 'Total',
  play: 'Play',
  playNote: 'You pay in bitcoin on the next step.',
  playNothing: 'Choose at least one line and one draw day.',
  payNote: 'We’ll hold the bitcoin price for 15 minutes once you continue.',
  /** While the first draw of an order closes soon. */
  confirmBy: (time: string, day: string, nextDate: string | null) =>
    `Pay now and confirm by ${time} to be in ${lowerFirst(day)}’s draw. If it confirms later, your lines move to ${nextDate ?? 'the next draw'}.`,
  weeklyLeft: (left: string, limit: string) => `${left} of your ${limit} weekly limit is left.`,
  /** After the player has come back from a payment request. */
  staleRequest: 'Don’t pay this request any more.',
  staleRequestText: 'The payment request of this order is still open. If you change nothing, Pay opens it again.',
  freeNote: 'Your free tickets cover this order.',
  pay: (total: string) => `Pay ${total}`,
  payFree: 'Play for free',
  back: 'Back',

  method: 'Payment method',
  methodBitcoin: 'Bitcoin',
  methodText: 'Pay from any bitcoin wallet. Prizes go to your payout address.',
  methodNoAddress: 'You have no payout address yet.',
  addAddress: 'Add it now',
  howToPay: 'How to pay with bitcoin',
  howToPaySteps: [
    'Continue to the payment page. It shows an address, an exact amount and a code to scan.',
    'Scan the code with a bitcoin wallet, or copy address and amount into it, and send.',
    'Send within 15 minutes. The page says when the payment is seen and when it is confirmed.',
    'Bitcoin payments take 10-30 minutes to confirm. If a draw closes before your payment confirms, those lines move to the next draw.',
  ],
  yourLines: (count: number) => (count === 1 ? 'Your line' : `Your ${count} lines`),
  timeOut: (when: string) => `You are taking a time-out until ${when}. Until then you cannot buy tickets.`,
  excluded: (when: string) =>
    `You have excluded yourself from playing until ${when}. Until then you cannot buy tickets.`,
  toLimits: 'Responsible play',
  changeLines: 'Change your lines',
  offline: 'You are offline. Nothing was ordered. Try again when you are connected.',
  notPromised: (why: string) =>
    `The operator has signed a different order than yours, so no payment is shown. ${why} Nothing was paid.`,
  paymentFailed: 'An unexpected error occurred while initiating the payment. Please try again later.',

  checking: 'Checking payment status',
  checkingText: 'One moment, please.',
  /** If a payment was confirmed after its draws closed, or these were void: each draw and its replacement. */
  moved: (from: number, to: number, when: string) =>
    `Draw ${from} closed first. Those lines are now in draw ${to}: ${when}.`,
  movedNote: 'You pay nothing more. A message says the same.',
  processing: 'Transaction still processing',
  /** Texts before and after the time left. */
  unpaidHead: ['Not paid yet: ', ' left.'],
  aPart: 'A part',
  underpaidHead: (missing: string) => `${missing} is still missing.`,
  oncePaid: 'Once you have paid, bitcoin payments take 10-30 minutes to confirm.',
  processingHead: 'Payment seen.',
  processingText: 'Bitcoin payments take 10-30 minutes to confirm. You can leave this page.',
  expiredHead: 'The time to pay is over.',
  expiredText: 'If you already sent it, it still counts if it confirms in time; otherwise we refund it.',
  refunded: 'The payment is refunded',
  refundedText: 'The bitcoin goes to the address saved in your crypto account details, or waits until you save one.',
  toCheckout: 'Go to payment',
  tryAgain: 'Try again',
  toBalance: 'Balance',
  playMore: 'Play More',
  checkNumbers: 'Check Your Numbers',
  checkTickets: 'Check Purchased Tickets',
} as const

/** The words of the dialog in which the numbers of a line are picked. */
export const PICKER_TEXTS = {
  title: 'SELECT NUMBERS',
  clear: 'Clear All',
  fill: 'Fill the rest',
  confirm: 'CONFIRM',
  progress: (picked: number, pick: number) => `${picked} of ${pick}`,
} as const

/** "tonight" within a sentence; a weekday keeps its capital. */
function lowerFirst(day: string): string {
  return day.replace(/^(?:Today|Tonight|Next)/u, (word) => word.toLowerCase())
}
