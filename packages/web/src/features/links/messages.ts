/** The words of the developer's index. */
export const LINKS_TEXTS = {
  title: 'Links',
  lead: 'Every page of this version, for those who build and try it.',

  controls: 'Demo controls',
  controlsLead:
    'They move the clock of the whole system forward. What is due by then is done first: draws, payouts, mails.',
  clock: 'The system’s clock',
  advance: 'Move it forward by',
  steps: [
    { name: '1 minute', seconds: 60 },
    { name: '10 minutes', seconds: 600 },
    { name: '1 hour', seconds: 3_600 },
    { name: '1 day', seconds: 86_400 },
  ],
  draws: 'The next draws',
  drawOf: (number: number, when: string) => `Draw ${number}: ${when}`,
  jumpTo: 'Jump to the draw',
  jumpToOf: (game: string) => `Jump to the draw of ${game}`,
  jumpPast: 'Jump past the draw',
  jumpPastOf: (game: string) => `Jump past the draw of ${game}`,
  watch: 'Watch it',
  watchOf: (game: string) => `Watch it: the draw of ${game}`,
  moving: 'The clock is moving: everything due is being done. This can take some seconds.',
  moved: (when: string) => `The clock now says ${when}.`,

  mails: 'Newest mails',
  mailsEmpty: 'No mail has been sent yet.',
  mailTo: (to: string, when: string) => `To ${to}, ${when}`,
  refresh: 'Refresh',

  wallet: 'Test wallet',
  received: 'Received so far',
  sent: 'Sent',
  sentEmpty: 'Nothing has been sent yet.',
  sentTo: 'Address',
  sentAmount: 'Amount',
  sentAt: 'When',

  pages: 'Pages',
  gameOfPages: 'Game the links are of',
  needsKey: 'key from a mail',
  groups: {
    anyone: 'Anyone',
    loggedOut: 'Logged out',
    loggedIn: 'Logged in',
    server: 'Of the server',
  },
} as const
