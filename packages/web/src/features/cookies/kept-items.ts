import {
  ACCESS_TOKEN_SECONDS,
  IDLE_SECONDS,
  KNOWN_DEVICE_SECONDS,
  periodText,
  SESSION_SECONDS,
} from '@fairball/domain/periods'

/** Something a browser keeps for these pages. */
export interface KeptItem {
  /** Its key, as the browser's own tools show it. */
  key: string
  purpose: string
  /** How long it stays, and under which condition it exists. */
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

/** Everything that these pages keep in a browser. cookies.test.tsx finds code that keeps something else. */
export const KEPT_PLACES: readonly KeptPlace[] = [
  {
    id: 'cookies',
    name: 'Cookies',
    lead: 'Set by our server and sent back to it, here only when you log in. No script can read it.',
    items: [
      {
        key: 'fairball_device',
        purpose:
          'Shows that you have logged in with this browser before. If a stranger guesses passwords, or somebody at your network does, you can still log in. It logs nobody in.',
        stays: `${periodText(KNOWN_DEVICE_SECONDS)} after your last login; it changes with each login`,
      },
    ],
  },
  {
    id: 'session-storage',
    name: 'Session storage',
    lead: 'Belongs to one tab, and goes when the tab is closed.',
    items: [
      {
        key: 'access_token',
        purpose: `Says with each request who you are. It is worth nothing after ${periodText(ACCESS_TOKEN_SECONDS)} and is then renewed.`,
        stays: 'While you are logged in',
      },
      {
        key: 'order:…',
        purpose:
          'The lines of an order you have begun, one for each game, so that a reload or a way back does not lose them.',
        stays: 'Until the order is paid, you log out or the tab is closed',
      },
      {
        key: 'tsr-scroll-restoration-v1_3',
        purpose: 'How far down each page was, so that the back button leads to the same place.',
        stays: 'Until the tab is closed',
      },
    ],
  },
  {
    id: 'local-storage',
    name: 'Local storage',
    lead: 'Shared by all tabs, and stays when the browser is closed.',
    items: [
      {
        key: 'refresh_token',
        purpose: 'Keeps you logged in. It is changed at every use; used twice, it ends the session.',
        stays: `Until you log out; worth nothing after ${periodText(IDLE_SECONDS)} without use, or ${periodText(SESSION_SECONDS)} after the login`,
      },
      {
        key: 'email_verified',
        purpose: 'A random mark by which one tab tells the others that your email address was verified.',
        stays: 'From then on, until you delete it',
      },
      {
        key: 'fairball.play-time',
        purpose: 'How long you have been here, for the reminder.',
        stays: 'Only with reminders on, while you are logged in',
      },
      {
        key: 'fairball.draw-sound',
        purpose: 'That you want to hear the balls of a draw.',
        stays: 'Only while the sound is on',
      },
      {
        key: 'fairball.offline',
        purpose: 'That you do not want the newest results to be kept for when there is no connection.',
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
          'What this browser made and saw of your draws: the secret of each order made here, with which nobody else can claim its plays; our signed promises and receipts; the public log’s key and heads; the sealed lists of up to 200 draws you are in. None of it can be changed by us afterwards, so it is proof against us.',
        stays: 'Until you delete it, on the fairness page or in the browser; logging out keeps it',
      },
    ],
  },
  {
    id: 'cache-storage',
    name: 'Cache storage',
    lead: 'Copies of what was fetched, so that it need not be fetched again.',
    items: [
      {
        key: 'fairball-…',
        purpose:
          'The newest results of every game, with a page to show them on when there is no connection. A service worker keeps them: what anybody may see, and nothing of yours.',
        stays: 'Until you delete it, here or in the browser; a new version of the site replaces it',
      },
    ],
  },
]
