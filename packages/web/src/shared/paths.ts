/** Every address of the pages, built here and nowhere else. All of them are paths on this site, ready for `href`. */
export const paths = {
  home: () => '/',
  links: () => '/links',
  outbox: () => '/links/outbox',
  pageNotFound: () => '/page-not-found',

  verifyEmail: (key: string) => `/verify-email/${part(key)}`,
  login: (path?: string) => withPath('/login', path),
  loginSecure: (key: string, path?: string) => withPath(`/login-secure/${part(key)}`, path),
  openAccount: (path?: string) => withPath('/open-an-account', path),
  forgottenPassword: (path?: string) => withPath('/forgotten-password', path),
  resetPassword: (key: string) => `/reset-password/${part(key)}`,
  socialLogin: (provider: string) => `/social-login/${part(provider)}`,
  stopAddressChange: (key: string) => `/stop-address-change/${part(key)}`,
  helpAndContactUs: () => '/help-and-contact-us',
  howToClaim: () => '/how-to-claim',
  whereTheMoneyGoes: () => '/where-the-money-goes',
  aboutUs: () => '/about-us',
  terms: () => '/terms',
  privacyPolicy: () => '/privacy-policy',
  cookies: () => '/cookies',
  feedback: () => '/feedback',
  winnersAndGoodCauses: () => '/winners-and-good-causes',
  fairness: () => '/fairness',

  game: (gameKey: string, transactionId?: string) =>
    `/game/${part(gameKey)}${transactionId === undefined ? '' : `?transaction_id=${part(transactionId)}`}`,
  luckyDips: (gameKey: string, count: number) => `/game/${part(gameKey)}/lucky-dips/${count}`,
  watch: (gameKey: string) => `/game/${part(gameKey)}/watch`,
  draws: (gameKey: string, page?: number) => paged(`/game/${part(gameKey)}/draws`, page),
  draw: (gameKey: string, number: number) => `/game/${part(gameKey)}/draw/${number}`,
  proof: (gameKey: string, number: number) => `/game/${part(gameKey)}/draw/${number}/proof`,
  statistics: (gameKey: string) => `/game/${part(gameKey)}/statistics`,
  /** The page number is that of the plays; the wins have their own in the query. */
  results: (gameKey: string, page?: number, playId?: string, winsPage?: number) =>
    (playId === undefined
      ? paged(`/game/${part(gameKey)}/results`, page)
      : `/game/${part(gameKey)}/results/${page ?? 1}/${part(playId)}`) +
    (winsPage === undefined || winsPage === 1 ? '' : `?wins=${winsPage}`),
  checkout: (orderId: string) => `/checkout/${part(orderId)}`,

  tickets: (page?: number) => paged('/settings/general/tickets', page),
  myGames: () => '/settings/general/my-games',
  messages: (page?: number) => paged('/settings/general/messages', page),
  personalDetails: () => '/settings/profile-and-settings/personal-details',
  security: (page?: number) => paged('/settings/profile-and-settings/security', page),
  passwordChange: () => '/settings/profile-and-settings/password-change',
  responsiblePlay: () => '/settings/profile-and-settings/responsible-play',
  personalData: () => '/settings/profile-and-settings/personal-data',
  emailPreferences: () => '/settings/profile-and-settings/email-preferences',
  balance: () => '/settings/funds-and-payments/balance',
  transactions: (page?: number) => paged('/settings/funds-and-payments/transaction-history', page),
  cryptoAccount: () => '/settings/funds-and-payments/crypto-account-details',
}

/** Pages where a visitor signs in or opens an account. They are never remembered as the place to return to. */
const AUTH_PAGES = ['/login', '/login-secure', '/open-an-account', '/forgotten-password', '/reset-password']

/** @returns whether an address, with or without a query, is one of the pages for signing in */
export function isAuthPage(path: string): boolean {
  const page = path.replace(/[?#].*$/u, '')
  return AUTH_PAGES.some((auth) => page === auth || page.startsWith(`${auth}/`))
}

/**
 * Pages that act on the key in their address, for anyone who has it. They are never left automatically: the address, or
 * the answer, would be lost.
 *
 * @returns whether an address is one of them
 */
export function isKeyPage(path: string): boolean {
  return /^\/(?:verify-email|stop-address-change|social-login)\//u.test(path)
}

/**
 * Checks an address from outside, such as `?path=`. Only paths on this site may be followed: anything a browser could
 * read as another host (`//host`, a backslash, control characters it drops) is refused.
 *
 * @returns the path, or null when it must not be followed
 */
export function sameSitePath(path: unknown): string | null {
  if (typeof path !== 'string' || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path)) return null
  return path
}

function part(text: string): string {
  return encodeURIComponent(text)
}

function paged(base: string, page: number | undefined): string {
  return page === undefined || page === 1 ? base : `${base}/${page}`
}

/**
 * Adds `?path=`, the place to return to. A page for signing in is not such a place, but passes on its own `path`, so
 * that the last other page is remembered.
 */
function withPath(address: string, path: string | undefined): string {
  const back = path !== undefined && isAuthPage(path) ? carriedPath(path) : path
  return back === undefined || back === '/' ? address : `${address}?${queryText({ path: back })}`
}

function carriedPath(address: string): string | undefined {
  const [, query] = address.split('?')
  return returnPath(new URLSearchParams(query).get('path')) ?? undefined
}

/** @returns the page that `?path=` leads back to; null without one, or when it must not be followed or is itself a page for signing in */
export function returnPath(path: unknown): string | null {
  const checked = sameSitePath(path)
  return checked === null || isAuthPage(checked) ? null : checked
}

/**
 * Writes a query. Slashes stay readable (`?path=/game/treasure`), which the standard allows.
 *
 * @returns the query without its question mark; absent values are left out
 */
export function queryText(query: Readonly<Record<string, unknown>>): string {
  return Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([key, value]) => `${part(key)}=${part(String(value)).replaceAll('%2F', '/')}`)
    .join('&')
}
