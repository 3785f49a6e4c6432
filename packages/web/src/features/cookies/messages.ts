/** The words of the page on cookies. */
export const COOKIES_TEXTS = {
  title: 'Cookies',
  lead: 'These pages set no cookies. What your browser keeps for them is listed here, item by item.',
  none: 'No cookies, no tracking',
  noneTexts: [
    'Our server sets no cookies, and neither do the pages. No analytics and no advertising of third parties is loaded, so there is no banner to click away.',
    'A few things have to be remembered all the same, such as that you are logged in. They stay in your browser’s own storage for this site and, unlike cookies, are not sent along with every request.',
  ],
  counts: [
    { count: '0', text: 'cookies' },
    { count: '0', text: 'trackers' },
  ],
  keptCount: 'items that may be kept, all listed below',
  caption: (place: string) => `What is kept in the ${place.toLowerCase()}`,
  item: 'Name',
  purpose: 'What for',
  stays: 'How long',
  empty: 'IndexedDB is not used.',
  offline: 'The results kept for when there is no connection',
  offlineKept: 'They are fetched as for a visitor, so nothing in them is about you.',
  offlineForget: 'Forget the kept results',
  offlineForgotten: 'Forgotten. From now on nothing is kept for when there is no connection.',
  offlineAgain: 'Keep the results again',
  elsewhere: 'Pages of others',
  elsewhereTexts: [
    'If you log in with a social network, its own page opens in a window of its own, and what it keeps there is its business.',
  ],
  feedback: (host: string) =>
    `The feedback page shows a form of ${host} in a frame. That site may keep something of its own in your browser, and only when you open that page.`,
  deleting: 'How to delete it',
  deletingTexts: [
    'Logging out deletes both tokens. What was seen of the draws is deleted on the fairness page, and the results kept for when there is no connection above. Your browser deletes everything at once, in its settings, under site data.',
    'If you forbid your browser to keep anything, the pages can still be read; logging in and playing need it.',
  ],
  toFairness: 'Fairness',
  toPrivacy: 'Privacy policy',
} as const
