/** The words of the page about a player's data. */
export const PERSONAL_DATA_TEXTS = {
  title: 'Personal data',
  lead: 'What we keep about you is yours to see, and to end.',

  downloadTitle: 'Everything about you',
  downloadLead:
    'One file with your account, your sessions, your addresses and limits, your orders, plays, wins and payouts, and your messages.',
  downloadNote:
    'The file is JSON, a text format that people and programs can read. Keep it where only you can open it.',
  download: 'Download everything about me',
  downloaded: (name: string) => `The file ${name} has been made. Your browser has put it with your downloads.`,

  closeTitle: 'Close my account',
  closeLead: 'This ends your account. It cannot be undone.',
  closeSections: [
    {
      title: 'Paid out first',
      text: 'What you are owed, and what your lines in coming draws may still win, is paid to your saved bitcoin address. Until the last of it is paid we keep that address; you can no longer log in or buy tickets.',
    },
    {
      title: 'Erased',
      text: 'Your name, your email address, your password and codes, your sessions, your messages, your saved numbers, your limits, and your bitcoin address once everything is paid.',
    },
    {
      title: 'Kept, without your name',
      text: 'Your orders, your lines and the bookings of your payments and prizes. The law wants the books kept, and the public record of every draw must stay complete, or nobody could check it. A self-exclusion stays in force.',
    },
  ],
  closeStart: 'Close my account …',
  needsTwofa: 'To close your account, please switch on two-factor authentication first.',
  toSecurity: 'Go to Security',
  confirmWord: 'CLOSE',
  confirmLabel: 'Type CLOSE to confirm',
  confirmWrong: 'Type the word CLOSE in capital letters.',
  closeNow: 'Close my account for good',
  closeNeeds: 'The button works once both fields are filled in.',
  refused: 'Your account cannot be closed yet.',
  toAddress: 'Save a bitcoin address',
  toDetails: 'Check your email address',
  cancel: 'Cancel',

  goodbyeTitle: 'Your account is closed',
  goodbye: [
    'You are signed out everywhere. What said who you are is erased; where draws or payments are still to come, the rest of it goes with the last of them.',
    'What you are owed, and what your lines may still win, is paid to your bitcoin address by itself.',
    'Thank you for having played with us. Goodbye!',
  ],
  goodbyeClose: 'Close',
} as const
