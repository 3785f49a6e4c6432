/** The words of a payment over Lightning. They load with it. */
export const LIGHTNING_TEXTS = {
  ways: 'How to pay',
  names: { lightning: 'Lightning', bitcoin: 'Bitcoin' },
  times: { lightning: 'a few seconds', bitcoin: '10-30 minutes' },
  exact: 'Your wallet pays exactly this amount, plus a small fee of its own.',
  invoice: 'Lightning invoice',
  copied: 'invoice',
  qr: 'QR code of the Lightning invoice, for the camera of a wallet',
  unavailable: 'Lightning cannot be used at the moment. Please pay to the bitcoin address.',
  payTest: 'Pay with test Lightning',
} as const
