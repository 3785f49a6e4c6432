/** The words about a ticket whose code was scanned. */
export const SCANNED_TEXTS = {
  title: 'Scanned ticket',
  checking: 'Checking this ticket against the sealed list…',
  inList: (lines: number, username: string) =>
    `In the sealed list: ${lines.toLocaleString('en-US')} ${lines === 1 ? 'line' : 'lines'} of ${username}`,
  line: (letter: string) => `Line ${letter}`,
  allLines: (count: number) => `Show all ${count.toLocaleString('en-US')} lines`,
  revoked: 'The payment for these lines was reversed before sales closed. They do not count in this draw.',
  voidAfter: 'This draw was void. These lines moved to a later draw: log in to see where.',
  /** @param when with its preposition */
  early: (when: string) => `The sealed list is published ${when}. Scan again then.`,
  late: 'The sealed list is not published yet. Scan again in a few minutes.',
  absent: 'Not in this draw. If your payment confirmed late, these lines moved: log in to see where.',
  damaged: 'This code is damaged or incomplete. Scan the whole code again, or log in to check your lines.',
  broken: 'The record of this draw is incomplete or damaged, so this ticket cannot be checked. That accuses no one.',
  notLoaded: 'Couldn’t load the records. That says nothing about this ticket. Check again in a minute.',
  logIn: 'Log in',
  toTickets: 'My tickets',
} as const
