import type { CheckoutState } from './checkout-state.ts'

/** The words of the page where an order is paid. */
export const CHECKOUT_TEXTS = {
  title: 'Pay with bitcoin',
  loginText: 'Log in to see this payment.',
  login: 'LOG IN',
  notFound: 'There is no such payment.',
  home: 'Back to the games',

  summary: (lines: number, draws: number) =>
    `${lines} ${lines === 1 ? 'line' : 'lines'} in ${draws} ${draws === 1 ? 'draw' : 'draws'}`,
  timeLeft: 'Time left to pay',
  amount: 'Amount to send',
  missing: 'Still missing',
  exact: 'Send exactly this amount. Your wallet adds the network fee on top.',
  received: 'Received so far',
  whole: 'Whole amount',
  address: 'Send it to this address',
  network: 'Network',
  networks: {
    mainnet: 'Bitcoin',
    testnet4: 'Bitcoin testnet 4',
    signet: 'Bitcoin signet',
    regtest: 'Bitcoin test network',
  },
  qr: 'QR code of the payment, for the camera of a wallet',
  openWallet: 'Open in wallet',
  payTest: 'Pay with test bitcoin',
  payTestNote: 'The demo’s own wallet pays what is missing. No real money moves.',
  payFailed: 'The test wallet could not pay. Please try again.',
  confirmations: (have: number, need: number) => `${have} of ${need} ${need === 1 ? 'confirmation' : 'confirmations'}`,
  confirmationsLabel: 'Confirmations of the payment',
  backToGame: 'Back to the game',
  goOn: 'Continue',

  states: {
    waiting: { title: 'Waiting for your payment', text: 'Scan the code with your wallet, or copy address and amount.' },
    underpaid: {
      title: 'A part is still missing',
      text: 'Send the missing part to the same address before the time is over. Otherwise everything is refunded.',
    },
    confirming: {
      title: 'Payment seen',
      text: 'It is being confirmed. Bitcoin payments take 10-30 minutes to confirm; you can leave this page, nothing gets lost.',
    },
    paid: { title: 'Payment confirmed!', text: 'Your lines are in the draw. We take you back to the game.' },
    expired: {
      title: 'The time to pay is over',
      text: 'Please do not send bitcoin to this address any more. A payment that is already on its way still counts if it is confirmed in time; otherwise it is refunded.',
    },
    refunded: {
      title: 'The payment is refunded',
      text: 'The bitcoin goes to the address saved in your crypto account details, or waits until you save one.',
    },
  } satisfies Record<CheckoutState, { title: string; text: string }>,
} as const
