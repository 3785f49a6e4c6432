import {
  ACCESS_TOKEN_SECONDS,
  IDLE_SECONDS,
  KNOWN_DEVICE_SECONDS,
  periodText,
  SESSION_SECONDS,
  VISITOR_LINES_SECONDS,
} from '@fairball/domain/periods'

/** An item that a browser keeps for these pages. */
export interface KeptItem {
  /** Its key, as the browser's own tools show it. */
  key: string
  purpose: string
  /** Its lifetime, and the condition under which it exists. */
  stays: string
}

/** One of a browser's storages for a site. */
interface KeptPlace {
  id: string
  name: string
  /** An explanation of the storage for non-experts. */
  lead: string
  items: readonly KeptItem[]
}

/** All items that these pages keep in a browser. cookies.test.tsx finds code that keeps others. */
export const KEPT_PLACES: readonly KeptPlace[] = [
  {
    id: 'cookies',
    name: 'Cookies',
    lead: 'Set by our server when you log in, and sent back only to it. No script can read it.',
    items: [
      {
        key: 'fairball_device',
        purpose:
          'Shows that you have logged in with this browser before. If a stranger, or someone on your network, guesses passwords, you can still log in. It cannot log anyone in.',
        stays: `${periodText(KNOWN_DEVICE_SECONDS)} after your last login; it changes with each login`,
      },
    ],
  },
  {
    id: 'session-storage',
    name: 'Session storage',
    lead: 'Belongs to one tab, and is deleted when the tab is closed.',
    items: [
      {
        key: 'access_token',
        purpose: `Identifies you in each request. It expires after ${periodText(ACCESS_TOKEN_SECONDS)} and is then renewed.`,
        stays: 'While you are logged in',
      },
      {
        key: 'order:…',
        purpose:
          'The lines of an order you have begun, one for each game, so that a reload or going back does not lose them.',
        stays: 'Until the order is paid, you log out or the tab is closed',
      },
      {
        key: 'tsr-scroll-restoration-v1_3',
        purpose: 'The scroll position of each page, so that the back button leads to the same place.',
        stays: 'Until the tab is closed',
      },
    ],
  },
  {
    id: 'local-storage',
    name: 'Local storage',
    lead: 'Shared by all tabs. It stays when the browser is closed.',
    items: [
      {
        key: 'refresh_token',
        purpose: 'Keeps you logged in. It changes with every use; if it is used twice, the session ends.',
        stays: `Until you log out; it expires after ${periodText(IDLE_SECONDS)} without use, or ${periodText(SESSION_SECONDS)} after the login`,
      },
      {
        key: 'email_verified',
        purpose: 'A random value by which one tab tells the others that your email address was verified.',
        stays: 'From then on, until you delete it',
      },
      {
        key: 'fairball.visitor-order',
        purpose: 'The game and the lines you picked before you logged in, whether they are lucky dips, and when.',
        stays: `For ${periodText(VISITOR_LINES_SECONDS)}, or until someone logs in: then they belong to the order of that player`,
      },
      {
        key: 'fairball.play-time',
        purpose: 'How long you have been here, for the reminder.',
        stays: 'Only with reminders on, while you are logged in',
      },
      {
        key: 'fairball.seen-draws',
        purpose: 'The draws whose results you have seen, and how many of your tickets the home page shows.',
        stays: 'Until you log out',
      },
      {
        key: 'fairball.draw-sound',
        purpose: 'Your choice to hear the balls of a draw.',
        stays: 'Only while the sound is on',
      },
      {
        key: 'fairball.celebrated',
        purpose: 'The draws whose win was celebrated here, so that the burst of balls comes once.',
        stays: 'Until you remove it; only the newest 100 draws',
      },
      {
        key: 'fairball.theme',
        purpose: 'Your choice of a light or dark page.',
        stays: 'Until you choose the system’s again',
      },
      {
        key: 'fairball.coming-texts',
        purpose: 'The announced changes of terms, privacy policy and this page that you have dismissed.',
        stays: 'Only if you dismissed one, until you delete it',
      },
      {
        key: 'fairball.offline',
        purpose: 'Your choice not to keep the newest results for offline reading.',
        stays: 'Only if you said so on this page, until you allow it again',
      },
    ],
  },
  {
    id: 'indexeddb',
    name: 'IndexedDB',
    lead: 'A database of this site alone, shared by all tabs. It stays when the browser is closed.',
    items: [
      {
        key: 'fairball.draws',
        purpose:
          'This browser’s record of your draws: the secret of each order made here, without which no one can claim its plays; our signed promises and receipts; the public log’s key and heads; the sealed lists of up to 200 draws you are in. We cannot change any of it afterwards, so it is proof against us.',
        stays: 'Until you delete it, on the fairness page or in the browser; logging out keeps it',
      },
    ],
  },
  {
    id: 'cache-storage',
    name: 'Cache storage',
    lead: 'Copies of fetched data, so that it need not be fetched again.',
    items: [
      {
        key: 'fairball-…',
        purpose:
          'The newest results of every game, with a page that shows them offline. A service worker keeps them. They are public, and nothing in them is about you.',
        stays: 'Until you delete it, here or in the browser; a new version of the site replaces it',
      },
    ],
  },
]
