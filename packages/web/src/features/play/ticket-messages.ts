/** The words of a paid order: its ticket, what is still missing, and its draws. */
export const TICKET_WORDS = {
  isIn: 'You’re in',
  confirmed: 'Payment confirmed!',
  confirmedText: (lines: number, draws: number, isComing: boolean) =>
    `${inDraws(lines, draws)}.${isComing ? ' Good luck!' : ''}`,
  /** Announced. */
  announced: (lines: number, draws: number) => `Payment confirmed. ${inDraws(lines, draws)}.`,

  ticket: 'Your ticket',
  ticketOf: (game: string, draw: number) => `${game}, draw ${draw.toLocaleString('en-US')}`,
  alsoIn: (draw: number, date: string) => `Also in draw ${draw.toLocaleString('en-US')} · ${date}`,
  lineName: (letter: string) => `Line ${letter}`,
  luckyDip: 'Lucky dip',
  moreLines: (count: number) => `and ${count.toLocaleString('en-US')} more`,
  moreDraws: (count: number) => `and ${count.toLocaleString('en-US')} more`,
  playingFor: 'Playing for',
  jackpot: 'estimated jackpot',

  price: 'Price',
  /** The price of a line is null if it cannot be told from the sum. */
  factors: (lines: number, draws: number, linePrice: string | null) =>
    [counted(lines, 'line'), counted(draws, 'draw'), linePrice].filter((one) => one !== null).join(' × '),
  paid: 'Paid',
  /** In place of a sum: nothing else was paid. */
  freeTickets: (count: number) => counted(count, 'free ticket'),
  toPay: 'To pay',
  paidOn: 'Paid on',
  receipt: 'Signed receipt',
  /** The time is null once it has passed. */
  receiptLater: (time: string | null) => (time === null ? 'Soon' : `By ${time}`),
  closes: 'Sales close',
  closed: 'Sales closed',
  code: 'Code that proves this ticket',
  codeLater: (time: string | null) => `Your code appears here ${time === null ? 'soon' : `by ${time}`}.`,
  codeNote: 'Prove this ticket: scan after sales close.',

  needsAddress: 'Where should prizes go?',
  needsAddressText:
    'Add a bitcoin address now and anything you win is sent to it automatically, within an hour of the draw.',
  needsTwofa: 'To add an address, please switch on two-factor authentication first.',
  toSecurity: 'Set up two-factor',
  saveAddress: 'Save payout address',
  addressLater: 'You can do this later. Winnings never expire.',
  lightningInstead: 'Add a Lightning address instead',
  addressSaved: 'Your payout address has been saved.',
  needsEmail: 'Verify your email to be paid',
  needsEmailText: 'Prizes are paid once your email is verified. The link is in your inbox.',
  resendEmail: 'Resend email',
  resent: 'The email is on its way. Please check your mail inbox.',
  startsSoon: 'Your draw starts soon',
  startsSoonText: 'See the balls drawn, and what each means for your lines.',
  watchLive: 'Watch live',
  remember: 'Don’t miss your draws',
  rememberText: 'A file for your calendar, with a reminder 15 minutes before each draw.',
  addToCalendar: 'Add to calendar',

  draws: 'Your draws',
  draw: (number: number) => `Draw ${number.toLocaleString('en-US')}`,
  salesClose: (startsAt: string, closesAt: string) => `${startsAt} · sales close ${closesAt}`,
  salesClosed: (startsAt: string) => `${startsAt} · sales are closed`,
  delayed: 'Delayed',
  delayedNote: 'Delayed: this is the new start. Every line stays in.',
  delayedTo: (startsAt: string) => `New start: ${startsAt}. Every line stays in.`,
  live: 'Live now',
  notDrawn: 'Not drawn',
  movedOn: 'This draw was void. Its lines moved to a later draw.',
  movedFrom: (number: number) => `Moved here from draw ${number.toLocaleString('en-US')}.`,
  drawn: 'Drawn. See your results',
  pastDraws: 'Drawn',
  allDraws: (count: number) => `Show all ${count.toLocaleString('en-US')} draws`,
} as const

function inDraws(lines: number, draws: number): string {
  return `${counted(lines, 'line')} in ${counted(draws, 'draw')}`
}

function counted(count: number, what: string): string {
  return `${count.toLocaleString('en-US')} ${what}${count === 1 ? '' : 's'}`
}
