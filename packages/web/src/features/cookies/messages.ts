/** The words of the page on cookies. */
export const COOKIES_TEXTS = {
  title: 'Cookies',
  lead: 'These pages set one cookie, when you log in. What your browser keeps for them is listed here, item by item.',
  none: 'One cookie, no tracking',
  noneTexts: [
    'The one cookie keeps strangers from locking you out of your account. No analytics and no advertising of third parties is loaded, so there is no banner to dismiss.',
    'Everything else that has to be remembered, such as that you are logged in, stays in your browser’s own storage for this site and, unlike cookies, is not sent along with requests.',
  ],
  counts: [
    { count: '1', text: 'cookie' },
    { count: '0', text: 'trackers' },
  ],
  keptCount: 'items that may be kept, all listed below',
  caption: (place: string) => `What is kept in the ${place.toLowerCase()}`,
  item: 'Name',
  purpose: 'What for',
  stays: 'How long',
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
    'Logging out deletes both tokens. What is kept of the draws is deleted on the fairness page, and the results kept for when there is no connection above. Your browser deletes everything at once, in its settings, under site data.',
    'If you forbid your browser to keep anything, the pages can still be read; logging in and playing need it.',
  ],
  toFairness: 'Fairness',
  toPrivacy: 'Privacy policy',
} as const
