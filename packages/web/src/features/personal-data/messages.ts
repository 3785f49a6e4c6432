/** The words of the page about a player's data. */
export const PERSONAL_DATA_TEXTS = {
  title: 'Personal data',
  lead: 'See everything we hold about you, or delete it.',

  downloadTitle: 'Everything about you',
  downloadLead:
    'One file with your account, your sessions, your addresses and limits, your orders, plays, wins and payouts, and your messages.',
  downloadNote:
    'The file is JSON, a text format that people and programs can read. Keep it where only you can open it.',
  download: 'Download everything about me',
  downloaded: (name: string) => `The file ${name} is in your downloads.`,

  closeTitle: 'Close my account',
  closeLead: 'This ends your account. It cannot be undone.',
  closeSections: [
    {
      title: 'Paid out first',
      text: 'What you are owed, and what your lines in coming draws may still win, is paid to your saved bitcoin address. Until the last of it is paid we keep that address; you can no longer log in or buy tickets.',
    },
    {
      title: 'Erased',
      text: 'Your name, your email address, your password and codes, your sessions, your messages, your saved numbers, your limits, and your payout addresses once everything is paid.',
    },
    {
      title: 'Kept, without your name',
      text: 'Your orders, your lines and the bookings of your payments and prizes. The law requires us to keep records, and the public record of every draw must stay complete, or nobody could check it. A self-exclusion stays in force.',
    },
  ],
  closeStart: 'Close my account …',
  needsTwofa: 'To close your account, please switch on two-factor authentication first.',
  toSecurity: 'Go to Security',
  confirmWord: 'CLOSE',
  confirmLabel: 'Type CLOSE to confirm',
  confirmWrong: 'Type the word CLOSE in capital letters.',
  closeNow: 'Close my account for good',
  confirmNeeded: 'the word CLOSE',
  refused: 'Your account cannot be closed yet.',
  toAddress: 'Save a bitcoin address',
  toDetails: 'Check your email address',
  cancel: 'Cancel',

  goodbyeTitle: 'Your account is closed',
  goodbye: [
    'You are logged out everywhere. Your personal data is erased; what pending draws and payments need goes later.',
    'What you are owed, and what your lines may still win, is paid to your bitcoin address automatically.',
    'Thank you for having played with us. Goodbye!',
  ],
  goodbyeClose: 'Close',
} as const
