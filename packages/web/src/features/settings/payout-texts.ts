import type { PayFirst } from '@fairball/contract/schemas/account'

/** The words for being paid over Lightning. */
export const PAYOUT_TEXTS = {
  add: 'Add',
  change: 'Change',
  remove: 'Remove',
  lightningCard: 'Lightning address',
  lightningLead: 'Prizes arrive in seconds, small ones too.',
  addLightning: 'Add a Lightning address',
  changeLightning: 'Change the Lightning address',
  lightningNone: 'No Lightning address is saved.',
  lightningSaved: 'Your Lightning address has been saved.',
  lightningRemoved: 'Your Lightning address has been removed.',
  lightningWaits: (moment: string) =>
    `The new Lightning address is used from ${moment}. Until then you’re paid as before.`,
  lightningDelay:
    'The first Lightning address is used immediately. A changed one is used after 24 hours, and we send you a notice by email.',
  lightningField: 'Lightning address',
  lightningHint: ({ takesOffers, hasSaved }: { takesOffers: boolean; hasSaved: boolean }) =>
    [
      'It looks like an email address: name@wallet.com.',
      takesOffers ? 'An offer (starts with lno1) works too.' : '',
      hasSaved ? 'Leave it empty to remove it.' : '',
    ]
      .filter((sentence) => sentence !== '')
      .join(' '),
  lightningInvalid: 'Enter a Lightning address, such as name@wallet.com.',
  checking: 'Asking your wallet. This can take 10 seconds.',

  payFirstCard: 'Pay me first by',
  payFirstLead: 'If that way can’t be used for a prize, we use the other one.',
  payFirst: 'First choice',
  changePayFirst: 'Change the way you’re paid first',
  ways: { LIGHTNING: 'Lightning', ONCHAIN: 'Bitcoin' } satisfies Record<PayFirst, string>,
  payFirstWaits: (moment: string) => `This applies from ${moment}. Until then you’re paid as before.`,
  payFirstDelay: 'The first choice applies immediately, a changed one after 24 hours.',
} as const
