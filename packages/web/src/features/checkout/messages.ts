import { BLOCK_BY_TEXTS } from '../../shared/block-by.tsx'
import { ORDER_ENDED_TEXTS } from '../../shared/order-ended-texts.ts'
import type { CheckoutState } from './checkout-state.ts'

/** The words of the page where an order is paid. */
export const CHECKOUT_TEXTS = {
  title: 'Pay with bitcoin',
  notFound: 'There is no such payment.',
  home: 'Back to the games',

  change: '← Change your order',
  payingFor: 'What you are paying for',
  yourLines: 'Your lines',
  lineName: (letter: string) => `Line ${letter}`,
  moreLines: (count: number) => `and ${count.toLocaleString('en-US')} more`,
  confirmBy: (when: string, draws: number) =>
    `Your payment must be confirmed by ${when} to be in ${draws === 1 ? 'that draw' : 'the first of these draws'}.`,
  showCode: 'Show QR code',

  summary: (lines: number, draws: number) =>
    `${lines} ${lines === 1 ? 'line' : 'lines'} in ${draws} ${draws === 1 ? 'draw' : 'draws'}`,
  timeLeft: 'Time left to pay',
  until: (time: string) => `until ${time}`,
  /** Announced once. */
  minutesLeft: (minutes: number) => `${minutes} ${minutes === 1 ? 'minute' : 'minutes'} left to pay.`,
  lastMoment: 'Less than 3 minutes left',
  amount: 'Amount to send',
  missing: 'Still missing',
  exact: 'Send exactly this amount. Your wallet adds the network fee on top.',
  exactMissing: 'Send exactly this amount, to the same address. What you sent before counts.',
  received: 'Received so far',
  receivedAll: 'Received',
  whole: 'Whole amount',
  price: 'Price',
  linePrices: 'Price of a line',
  inDraws: (price: string, draws: number) => `${price} in ${draws} ${draws === 1 ? 'draw' : 'draws'}`,
  excess: 'Overpaid',
  address: 'Send it to this address',
  network: 'Network',
  networks: {
    mainnet: 'Bitcoin',
    testnet4: 'Bitcoin testnet 4',
    signet: 'Bitcoin signet',
    regtest: 'Bitcoin test network',
  },
  qr: 'QR code of the payment, for the camera of a wallet',
  enlarge: 'Enlarge the code',
  close: 'Close',
  openWallet: 'Open in wallet',
  payTest: 'Pay with test bitcoin',
  payTestNote: 'The demo’s own wallet pays what is missing. No real money moves.',
  payFailed: 'The test wallet could not pay. Please try again.',
  checking: 'Checking what the operator has signed for this payment…',
  promised: 'Checked in this browser: the operator has signed that this payment buys your lines.',
  notCheckable:
    'This order was not made in this browser, so it cannot check what the operator has signed for this payment. Compare address and amount with the page where you ordered. Once it is paid, log in and check the draw: the signed promise is fetched then.',
  wrongTitle: 'Please do not pay.',
  wrongText: 'The operator has signed a different order than yours. Nothing was paid. Order again, or write to us.',
  notChecked:
    'What the operator has signed for this payment could not be fetched, so no code is shown. Nothing was paid.',
  checkAgain: 'Check the payment',
  confirmations: (have: number, need: number) =>
    `${have} of ${need} ${have === 1 && need === 1 ? 'confirmation' : 'confirmations'}`,
  transactions: (count: number) => (count === 1 ? 'Transaction' : 'Transactions'),
  transactionId: 'transaction id',
  explorer: 'Show in the explorer',
  /** Follows the words above for screen readers, which do not show the transaction beside them. */
  explorerOf: (txid: string) => `, transaction ${txid}, in a new tab`,
  backToGame: 'Back to the game',
  goOn: 'Continue',

  /** The amount above the price. */
  overpaid: (amount: string) =>
    `You sent ${amount} BTC more than the price. It goes to your balance, and from there to your saved bitcoin address.`,
  moved: (from: number, to: number, when: string) =>
    `Draw ${from} closed first. Those lines are now in draw ${to}: ${when}.`,
  movedNote: 'You pay nothing more.',
  takenBack: 'A confirmed payment was reversed by the bitcoin network, which is rare. It counts again once confirmed.',

  keepsUp: 'Updates automatically.',
  noConnection: (siteName: string, time: string) =>
    `${siteName} cannot be reached at the moment. Status at ${time}. We’ll keep trying.`,
  noNode: 'The bitcoin node does not answer at the moment: confirmations may be behind. We’ll keep trying.',
  stoodAt: (time: string) => `Status at ${time}.`,
  notRead: 'The payment could not be read just now.',
  lookAgain: 'Check again',

  states: {
    waiting: { title: 'Waiting for your payment', text: 'Scan the code with your wallet, or copy address and amount.' },
    underpaid: {
      title: 'Part of your payment is missing',
      text: 'Send the rest to the same address before the timer ends, or we’ll refund it.',
    },
    confirming: {
      title: 'Payment seen',
      text: 'It is being confirmed. Bitcoin payments take 10-30 minutes to confirm; you can close this page, nothing gets lost.',
    },
    unconfirmed: { title: 'No block holds your payment yet', text: BLOCK_BY_TEXTS.after },
    reversed: {
      title: 'Waiting for a new confirmation',
      text: 'The bitcoin network has dropped the block with your payment, which is rare. It counts as soon as it is in another block. Please do not pay again; you can close this page.',
    },
    paid: { title: 'Payment confirmed!', text: 'The lines are in the draw. You can close this page.' },
    expired: {
      title: 'The time to pay is over',
      text: 'Please do not send bitcoin to this address any more. A payment that is already on its way still counts if it is confirmed in time; otherwise it is refunded.',
    },
    late: {
      title: 'Payment seen after the deadline',
      text: 'Please do not send anything more. Once it is confirmed it counts if all its draws are still open and the price is within 2% of it; otherwise it is refunded.',
    },
    returning: {
      title: 'The time to pay is over',
      text: 'Please do not send the missing part any more. What you sent is refunded once it is confirmed.',
    },
    paused: { title: 'This order has ended', text: `${ORDER_ENDED_TEXTS.PAUSE} ${ORDER_ENDED_TEXTS.note}` },
    limited: { title: 'This order has ended', text: `${ORDER_ENDED_TEXTS.WEEKLY_LIMIT} ${ORDER_ENDED_TEXTS.note}` },
    refunded: {
      title: 'The payment is refunded',
      text: 'The bitcoin goes to the address saved in your crypto account details, or waits until you save one. Please send nothing more to this payment’s address.',
    },
  } satisfies Record<CheckoutState, { title: string; text: string }>,
  /** In place of the text above, for a player whom the page leads on. */
  paidGoesOn: 'Your lines are in the draw. We take you back to the game.',
} as const
