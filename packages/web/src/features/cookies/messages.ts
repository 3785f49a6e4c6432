/** The words of the page on cookies. */
export const COOKIES_TEXTS = {
  title: 'Cookies',
  lead: 'These pages set one cookie, when you log in. What your browser keeps for them is listed here, item by item.',
  none: 'One cookie, no tracking',
  noneTexts: [
    'The one cookie keeps strangers from locking you out of your account. No third party’s analytics or advertising is loaded, so there is no banner to dismiss.',
    'Everything else, such as your login, stays in your browser’s own storage for this site. Unlike cookies, it is not sent along with requests.',
  ],
  counts: [
    { count: '1', text: 'cookie' },
    { count: '0', text: 'trackers' },
  ],
  keptCount: 'items that may be kept, all listed below',
  kept: 'What your browser keeps',
  caption: (place: string) => `Items kept in the ${place.toLowerCase()}`,
  item: 'Name',
  purpose: 'What for',
  stays: 'How long',
  offline: 'Results kept for offline reading',
  offlineKept: 'They are fetched as for a visitor, so nothing in them is about you.',
  offlineForget: 'Delete the kept results',
  offlineForgotten: 'Deleted. From now on no results are kept for offline reading.',
  offlineAgain: 'Keep the results again',
  elsewhere: 'Other sites’ pages',
  elsewhereTexts: [
    'If you log in with a social network, its page opens in a separate window, and the network decides what it keeps there.',
  ],
  feedback: (host: string) =>
    `The feedback page shows a form of ${host} in a frame. That site may keep something of its own in your browser, and only when you open that page.`,
  deleting: 'How to delete it',
  deletingTexts: [
    'Logging out deletes both tokens. Your record of draws can be deleted on the fairness page, and the results for offline reading above. To delete everything together, use your browser’s settings for site data.',
    'If you do not allow your browser to keep anything, the pages can still be read; logging in and playing need it.',
  ],
  toFairness: 'Fairness',
  toPrivacy: 'Privacy policy',
} as const
