import { MAX_EQUAL_LINES, MAX_LINES, secondsPerBall } from '@fairball/domain/games'
import { INVOICE_SECONDS, LATE_PAYMENT_SECONDS } from '@fairball/domain/order-status'

const INVOICE_MINUTES = INVOICE_SECONDS / 60
const LATE_HOURS = LATE_PAYMENT_SECONDS / 3600
const LINES = MAX_LINES.toLocaleString('en-US')

/** The words of the terms. Figures come from the rules that the software runs on. */
export const TERMS_TEXTS = {
  title: 'Terms & rules',
  lead: 'How the games are played, paid for and drawn. The figures on this page are computed from the rules that the software runs on.',
  contents: 'Contents',
  testMode:
    'This installation is in test mode: it takes and pays test bitcoin, which have no value, and it may make the randomness of its draws itself. Never send real bitcoin to it.',

  short: 'In short',
  shortPoints: [
    'You have to be 18 or over.',
    'You pay in bitcoin and win bitcoin. Prizes are sent to the address you save; there is nothing to claim.',
    'Part of every stake goes into the prize pool. The rest is set aside for good causes and for the operator, and paid only when a jackpot is won.',
    'Numbers are not chosen by us: they follow from the sealed list of plays and a public random number, and anyone can check that.',
    'Most lines win nothing. Play for fun, never for income.',
  ],

  operator: 'Who runs it',
  operatorUnknown: 'The operator of this installation has not published a name and an address here.',
  operatorOffice: 'Office',
  operatorLicence: 'Licence',
  operatorMail: 'Email',
  operatorPhone: 'Telephone',

  who: 'Who may play',
  whoTexts: [
    'Players have to be 18 or over. Opening an account asks you to confirm it.',
    'Whether you may take part where you live, and what you owe in tax on a prize, is your responsibility to check.',
    'An account is for one person. Players who have excluded themselves cannot play, and cannot open another account with an email address they have verified until the exclusion ends.',
  ],

  account: 'Your account',
  accountTexts: [
    'An account needs an email address and a password, or a login with a social network if one is offered. You can play before the address is verified; prizes and refunds are sent once it is.',
    'Keep your login to yourself. Two-factor authentication is in the security settings, and we recommend it. We tell you by mail when the password, the email address, two-factor authentication or a payout address is changed.',
  ],

  games: 'The games',
  gamesLead:
    'Prices, fixed prizes, guaranteed jackpots and covers of a game are set in its own currency. Odds are those of one line in one draw; they do not depend on the numbers you choose. In averages a free ticket counts at the price of a line.',
  gameIndex: 'Rules of each game',
  numbers: 'Numbers on a line',
  numbersValue: (pick: number, pool: number) => `${pick} different numbers from 1 to ${pool}`,
  price: 'Price of a line in a draw',
  priceNow: (amount: string) => `now ${amount}`,
  draws: 'Draws',
  drawsValue: (text: string) => `${text} UTC`,
  drawsHere: 'Where you are',
  closes: 'Sales close',
  closesValue: (minutes: number) => `${minutes} minutes before the draw`,
  weeks: 'Weeks in one order',
  weeksValue: (weeks: number) => `1 to ${weeks}`,
  most: 'Most lines of a player in a draw',
  guaranteed: 'Guaranteed jackpot',
  cover: 'Cover of the fixed prizes',
  coverValue: (amount: string) => `up to ${amount} a draw`,
  split: 'Division of the stakes',
  splitValue: ({ prize_pool: prizePool, donation, fee }: { prize_pool: number; donation: number; fee: number }) =>
    `${prizePool}% prize pool, ${donation}% good causes, ${fee}% operator`,
  overall: 'Odds of winning anything, free tickets included',
  below: 'Given back on average below the jackpot',
  belowValue: (percent: string) => `${percent} of the price`,
  prizesCaption: (game: string) => `Prizes and odds of ${game}`,
  matches: 'Matches',
  matchesOf: (matches: number, pick: number) => `${matches} of ${pick}`,
  prize: 'Prize',
  odds: 'Odds',
  play: (game: string) => `Play ${game}`,

  orders: 'Lines, orders and draws',
  orderPoints: [
    `An order is a number of lines, at most ${LINES}, for one or several weekdays and weeks. An order’s lines in one draw are one play. Each line counts, equal lines too.`,
    'A lucky dip is chosen in your browser by its secure random source. It takes numbers up to one below the highest of the game; only you can choose the highest.',
    'For each weekday you choose, an order takes the next draws of that day that are open for sale, one for each week. If you choose today and its draw has closed, the first week is the next open draw not already in the order.',
    'A play counts for a draw only if the order was paid before sales for that draw closed. If they closed first, the play moves to the first later open draw of the game that the order is not in yet, and you get a message that names it.',
    `In one draw a player has at most the lines that the game allows, and at most ${MAX_EQUAL_LINES} equal ones.`,
    'A paid order cannot be cancelled.',
  ],

  paying: 'Price and payment',
  payingLead: 'Price = (lines × days × weeks − free tickets) × ticket price, and never below zero.',
  payingItems: [
    {
      term: 'Exchange rate',
      text: 'The price in the game’s currency is turned into bitcoin at the rate stored with the order, rounded up to a whole satoshi for each draw. Without a rate of the last 15 minutes nothing is sold.',
    },
    {
      term: 'Promise',
      text: 'Before you pay we sign a promise: this payment buys these lines in these draws. Your browser checks it and shows a code to scan only if it is right. It binds us once the payment is made in time.',
    },
    {
      term: 'Time to pay',
      text: `A payment request is open for ${INVOICE_MINUTES} minutes. It has an address and an amount of its own; use each only once.`,
    },
    {
      term: 'Paid',
      text: 'An order is paid when the bitcoin network has confirmed the payment, usually after 10 to 30 minutes. Until then it is shown as pending.',
    },
    {
      term: 'Underpaid',
      text: 'The missing part can be sent until the request ends. After that the whole amount is refunded.',
    },
    {
      term: 'Overpaid',
      text: 'The order counts, and the excess is sent back to your bitcoin address.',
    },
    {
      term: 'Paid late',
      text: `A payment confirmed within ${LATE_HOURS} hours of the end of the request counts if it comes before sales close for every draw of the order, if it is worth at least 98% of the price of that moment, if its free tickets are still there and if your limits allow it. Otherwise it is refunded.`,
    },
    {
      term: 'Confirmed late',
      text: 'If you paid in time but the payment was confirmed after sales closed, the play in that draw moves as described above. Nothing paid is ever lost.',
    },
  ],

  free: 'Free tickets',
  freePoints: [
    'A free ticket is a prize. It is added to the game it was won in immediately, and used automatically with your next order in that game.',
    'An order takes as many free tickets as it has lines over all its draws, and gives them back if it ends unpaid or refunded.',
    'It is not money: it cannot be passed on, and it ends with the account. If its game comes to an end, it is paid out at the price of a line. The line it pays for can win everything a paid one can.',
  ],

  draw: 'The draw',
  drawTexts: [
    'Paid plays are added to the draw’s list at least every 10 minutes, and you get a signed receipt for your place in it. When sales close, the list is sealed: its fingerprint and the money of the draw are in a signed public log before the random number exists. The numbers are computed from the sealed list, a seed fixed beforehand and the public random number that is due when the draw starts.',
    `The balls are shown one after the other, one every ${secondsPerBall} seconds. Until the last one is shown, no one sees more.`,
    'A draw that has been settled is not drawn again. Every step of it is in a public, signed log.',
  ],
  drawLink: 'How to check a draw',

  prizes: 'Prizes and jackpots',
  prizePoints: [
    'A line wins the one prize of its number of matches. The order of the numbers does not matter.',
    'When sales close, the stakes of the draw are divided as the rules of the game say: one part goes into its prize pool, the others are set aside for good causes and for the operator.',
    'Fixed prizes are set in the game’s currency and paid in bitcoin at the newest rate stored when sales close. If they come to more than the prize pool and the cover of the game together, all are reduced in the same proportion, and the page of the draw says so.',
    'The jackpot is the prize pool after the fixed prizes, and at least the guaranteed jackpot. Several winning lines share it equally. If nobody wins it, the prize pool rolls over to the next draw.',
    'When sales close, the operator sets aside its own bitcoin for the guaranteed jackpot and the cover, as far as it suffices. A game is sold only while the operator holds one and a quarter times what its draws need, beside those of the games that are carried before it.',
    'The money set aside for the operator and for good causes is paid when a jackpot is won, and not before. Without a partner, the part for good causes stays set aside.',
    'A jackpot is an estimate until sales close: more stakes, and the exchange rate, change it.',
  ],
  prizesLink: 'Where the money goes',

  payouts: 'How prizes are paid',
  payoutPoints: [
    'Prizes are sent to your saved bitcoin address without a claim, within an hour of the end of the draw. Several are put into one payment.',
    'It takes a saved bitcoin address and a verified email address. Until both are there the prize waits, the win shows CLAIM, and we tell you by mail and message. A prize never expires.',
    'If you save a Lightning address where it is offered, and choose Lightning first, prizes are sent there within seconds. What is too large for Lightning goes to your bitcoin address.',
    'The first address you save is used immediately; a changed one after 24 hours.',
    'Amounts too small for the bitcoin network wait and are added up.',
    'The network fee of prizes is paid by the operator. Once bitcoin have been sent to the address you saved, nobody can call them back: check it.',
  ],
  payoutsLink: 'How to claim',

  refunds: 'Refunds',
  refundTexts: [
    'A refund is sent to your saved bitcoin address, or waits until you save one. It is the full amount less its share of the network fee of the payment it is sent with, and the same applies to overpaid amounts.',
    'Refunds and overpaid amounts are sent once an hour, after all prizes. If the network fee is more than half of an amount, it waits until the fee is lower or more is added. Unusually large amounts are checked by a person first.',
    'Refunds are whole satoshis: of the bitcoin you sent, not of what they were worth in another currency then.',
  ],

  troubled: 'Postponed and void draws',
  troubledPoints: [
    'If the public random number is late, the draw waits for it. If it has not arrived after seven days, the draw is void.',
    'If a draw cannot be sealed in time, or its witnesses do not sign in time, it is postponed and sales stay closed. After the third failure it is void.',
    'The plays of a void draw move to the first later open draw of the game that the order is not in yet, free of charge, and you get a message and a new receipt, which names the one it replaces.',
  ],

  limits: 'Limits, time out, exclusion',
  limitPoints: [
    'A weekly spending limit counts the last seven days. A lower one applies immediately, a higher one after 24 hours.',
    'A time out lasts from one day to six weeks, an exclusion six months or more. Both can be made longer and not shorter, and no order is taken while one runs. Draws that are already paid for continue, and their prizes are paid.',
    'Reminders tell you how long you have been here.',
    'Whatever your settings are, an order over a limit is refused.',
  ],
  limitsLink: 'Responsible play',

  closing: 'Closing an account',
  closingTexts: [
    'You can close your account at any time. Draws that are paid for are still drawn, and what you are owed is still paid; then your personal data is erased. Free tickets, and sums too small for any payment, are lost.',
  ],
  closingLink: 'Personal data',

  trouble: 'Complaints and changes',
  troubleTexts: [
    'If something seems wrong, write to us. We answer within 24 hours. Promise, receipt and public log are proof for both sides: the check in your browser does not rely on us.',
    'A draw keeps the rules it was opened with. A change of a game concerns only draws that have not been opened yet.',
  ],
  troubleLink: 'Help & contact us',
} as const

/** The sections, in their order; the page uses the same ids. */
export const TERMS_CHAPTERS = [
  { id: 'in-short', title: TERMS_TEXTS.short },
  { id: 'operator', title: TERMS_TEXTS.operator },
  { id: 'who-may-play', title: TERMS_TEXTS.who },
  { id: 'account', title: TERMS_TEXTS.account },
  { id: 'games', title: TERMS_TEXTS.games },
  { id: 'orders', title: TERMS_TEXTS.orders },
  { id: 'payment', title: TERMS_TEXTS.paying },
  { id: 'free-tickets', title: TERMS_TEXTS.free },
  { id: 'draw', title: TERMS_TEXTS.draw },
  { id: 'prizes', title: TERMS_TEXTS.prizes },
  { id: 'payouts', title: TERMS_TEXTS.payouts },
  { id: 'refunds', title: TERMS_TEXTS.refunds },
  { id: 'troubled-draws', title: TERMS_TEXTS.troubled },
  { id: 'limits', title: TERMS_TEXTS.limits },
  { id: 'closing', title: TERMS_TEXTS.closing },
  { id: 'complaints', title: TERMS_TEXTS.trouble },
] as const
