/** The words of the three steps to a paid order. Those in capitals, and what stands in the specification, are its own to the letter. */
export const ORDER_TEXTS = {
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
  deleted: 'Your saved numbers are deleted.',
  ownNote: 'They take the place of the lines above.',

  days: 'Draw days',
  daysPassed: 'Some days cannot be chosen because they have passed.',
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
    'Bitcoin payments take 10-30 minutes to confirm. Lines whose draw has closed by then play in the next one.',
  ],
  yourLines: (count: number) => (count === 1 ? 'Your line' : `Your ${count} lines`),
  timeOut: (when: string) => `You are taking a time-out until ${when}. Until then you cannot buy tickets.`,
  excluded: (when: string) =>
    `You have excluded yourself from playing until ${when}. Until then you cannot buy tickets.`,
  toLimits: 'Responsible play',
  paymentFailed: 'An unexpected error occurred while initiating the payment. Please try again later.',

  checking: 'Checking payment status',
  checkingText: 'One moment, please.',
  confirmed: 'Payment confirmed!',
  confirmedText: 'Your lines are in the draw. Good luck!',
  /** Where a payment was confirmed after the close of draws it named, or these were void: each one and the one its lines are in now. */
  moved: (from: number, to: number, when: string) =>
    `Draw ${from} could not be joined any more. Those lines play in draw ${to}: ${when}.`,
  movedNote: 'You pay nothing more. A message says the same.',
  processing: 'Transaction still processing',
  processingText:
    'Bitcoin payments take 10-30 minutes to confirm. You can leave this page: nothing gets lost. Lines whose draw has closed by then play in the next one.',
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
