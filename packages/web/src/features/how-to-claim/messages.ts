/** The words of the page on how prizes are paid. */
export const CLAIM_TEXTS = {
  title: 'How to claim',
  lead: 'There is nothing to claim: prizes and jackpots are paid automatically to the bitcoin address you have saved, within an hour of the draw.',
  toCryptoAccount: 'Crypto account details',

  steps: 'From the draw to your address',
  stepList: [
    {
      name: 'Your line wins',
      text: 'The numbers are drawn, and the system finds every line that won. You don’t have to check or be there.',
    },
    {
      name: 'The payment leaves',
      text: 'Everything you have won in the draw is put into one payment to your saved bitcoin address. Payments leave within an hour of the end of the draw.',
    },
    {
      name: 'You see it',
      text: 'Your results then say that the prize is won and claimed, and the transaction history shows the bitcoin transaction.',
    },
  ],
  toTransactions: 'Transaction history',

  claim: 'What CLAIM means',
  claimText:
    'A win shows CLAIM from the moment it is known until its payment has been sent. For most players that is a few minutes, and you don’t have to do anything. If it stays longer, one of the following is missing.',

  noAddress: 'No bitcoin address is saved',
  noAddressText:
    'The prize waits for you, and we tell you by email and by message. Save an address in the crypto account details: the first one is used immediately, and the prize is sent to it within an hour.',
  unverified: 'The email address is not verified',
  unverifiedText:
    'Prizes are only sent to players with a verified email address. Open the link in the email we sent you; the crypto account details can send it again.',
  changed: 'The bitcoin address was changed',
  changedText:
    'A changed address is used for payments after 24 hours, so that nobody who gets into your account can redirect your prize without you noticing.',
  small: 'The prize is very small',
  smallText: 'Amounts too small to send are added to your next prize.',

  expiry: 'A prize never expires',
  expiryText:
    'U.S. lotteries cite a claim period of 180 days, after which a prize is lost. Here a prize that cannot be sent yet waits as long as necessary.',
  freeTickets: 'Free tickets',
  freeTicketsText:
    'A free ticket is added to the game immediately and used with your next order of that game. There is nothing to claim either.',
  helpBefore: 'Is a prize missing?',
  help: 'Contact us',
} as const
