/**
 * The address of every call. The light half of the contract: no schema is imported here, so the web's first load stays
 * small.
 */

/** The base of every path without its own (decisions, section 2). */
export const API_BASE = '/api/v1'

/**
 * Who may make a call: `anyone` ignores a bearer; `optional` uses a bearer if there is one, and an invalid one is 401;
 * `player` requires an access token; `refresh` requires the refresh token as bearer; `demo` is `anyone`, but 404
 * outside demo mode.
 */
export type Access = 'anyone' | 'optional' | 'player' | 'refresh' | 'demo'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** The media types of answers other than JSON. */
type Produces = 'application/octet-stream' | 'text/plain' | 'text/html' | 'text/css' | 'text/event-stream'

/** The address of a call. */
export interface CallAddress {
  readonly method: Method
  /** The path after the base, with `{name}` for each parameter. */
  readonly path: `/${string}`
  readonly access: Access
  /** The status of success, if not 200: 201 if something lasting is created. */
  readonly status?: 201
  /** The base of the path, if not {@link API_BASE}. */
  readonly base?: ''
  /** The media type of the answer, if not JSON. */
  readonly produces?: Produces
}

/** Every call of the pages by its name: spec section 7, decisions sections 2 and 3. Others are in operation-paths.ts. */
export const ADDRESSES = {
  register: { method: 'POST', path: '/auth/register', access: 'anyone', status: 201 },
  login: { method: 'POST', path: '/auth/login', access: 'anyone' },
  loginSecure: { method: 'POST', path: '/auth/login-secure', access: 'anyone' },
  loginWithFacebook: { method: 'POST', path: '/auth/login/facebook', access: 'anyone' },
  loginWithGoogle: { method: 'POST', path: '/auth/login/google', access: 'anyone' },
  loginWithTwitter: { method: 'POST', path: '/auth/login/twitter', access: 'anyone' },
  refreshTokens: { method: 'POST', path: '/auth/refresh', access: 'refresh' },
  logout: { method: 'DELETE', path: '/auth/logout', access: 'player' },
  checkLoginSecureKey: { method: 'GET', path: '/auth/validate-login-secure-key', access: 'anyone' },
  resendVerificationEmail: { method: 'GET', path: '/auth/resend-verification-email', access: 'player' },
  verifyEmail: { method: 'PUT', path: '/auth/verify-email', access: 'anyone' },
  requestPasswordReset: { method: 'GET', path: '/auth/forgotten-password', access: 'anyone' },
  checkResetPasswordKey: { method: 'GET', path: '/auth/reset-password', access: 'anyone' },
  resetPassword: { method: 'PUT', path: '/auth/reset-password', access: 'anyone' },
  stopAddressChange: { method: 'POST', path: '/auth/stop-address-change', access: 'anyone' },
  getSessions: { method: 'GET', path: '/auth/tokens', access: 'player' },
  revokeSessions: { method: 'DELETE', path: '/auth/tokens', access: 'player' },

  getProfile: { method: 'GET', path: '/profile', access: 'player' },
  verifyPassword: { method: 'POST', path: '/verify', access: 'player' },

  getCountries: { method: 'GET', path: '/countries', access: 'optional' },
  getTimezones: { method: 'GET', path: '/timezones', access: 'optional' },
  getCurrencies: { method: 'GET', path: '/currencies', access: 'optional' },
  getSecurityQuestions: { method: 'GET', path: '/security-questions', access: 'optional' },
  getWinners: { method: 'GET', path: '/winners', access: 'optional' },
  getCauses: { method: 'GET', path: '/causes', access: 'optional' },
  getLegalText: { method: 'GET', path: '/legal/{name}', access: 'optional' },
  sendContactMessage: { method: 'POST', path: '/contact', access: 'optional', status: 201 },

  getGames: { method: 'GET', path: '/games', access: 'optional' },
  getRetiredGames: { method: 'GET', path: '/games/retired', access: 'optional' },
  getOpenDraws: { method: 'GET', path: '/games/{key}/open-draws', access: 'optional' },
  getGameVersions: { method: 'GET', path: '/games/{key}/versions', access: 'optional' },
  getSavedNumbers: { method: 'GET', path: '/games/{key}/saved-numbers', access: 'player' },
  saveNumbers: { method: 'PUT', path: '/games/{key}/saved-numbers', access: 'player' },
  deleteSavedNumbers: { method: 'DELETE', path: '/games/{key}/saved-numbers', access: 'player' },
  getLastPlayedNumbers: { method: 'GET', path: '/games/{key}/last-played-numbers', access: 'player' },
  getWins: { method: 'GET', path: '/games/{key}/wins', access: 'player' },
  getPlays: { method: 'GET', path: '/games/{key}/plays', access: 'player' },
  getLatestDraws: { method: 'GET', path: '/draws/latest', access: 'optional' },
  getDraws: { method: 'GET', path: '/games/{key}/draws', access: 'optional' },
  getDraw: { method: 'GET', path: '/games/{key}/draws/{number}', access: 'optional' },
  getWatch: { method: 'GET', path: '/games/{key}/watch', access: 'optional' },
  streamWatch: { method: 'GET', path: '/games/{key}/watch/stream', access: 'optional', produces: 'text/event-stream' },
  checkNumbers: { method: 'POST', path: '/games/{key}/check-numbers', access: 'optional' },
  getStatistics: { method: 'GET', path: '/games/{key}/statistics', access: 'optional' },

  createPayment: { method: 'POST', path: '/payment', access: 'player', status: 201 },
  quotePayment: { method: 'POST', path: '/payment/quote', access: 'optional' },
  getPayment: { method: 'GET', path: '/payment', access: 'player' },
  getCheckout: { method: 'GET', path: '/checkout/{transaction_id}', access: 'optional' },
  getCheckoutAddress: { method: 'GET', path: '/checkout/{transaction_id}/address', access: 'player' },

  getMyGames: { method: 'GET', path: '/settings/games', access: 'player' },
  getMessages: { method: 'GET', path: '/settings/messages', access: 'player' },
  getUnreadMessages: { method: 'GET', path: '/settings/messages/unread', access: 'player' },
  markAllMessages: { method: 'PUT', path: '/settings/messages', access: 'player' },
  markMessage: { method: 'PUT', path: '/settings/messages/{id}', access: 'player' },
  getPersonalDetails: { method: 'GET', path: '/settings/personal-details', access: 'player' },
  savePersonalDetails: { method: 'PUT', path: '/settings/personal-details', access: 'player' },
  getUsernameAvailability: {
    method: 'GET',
    path: '/settings/personal-details/username/{value}/availability',
    access: 'player',
  },
  getEmailAvailability: {
    method: 'GET',
    path: '/settings/personal-details/email/{value}/availability',
    access: 'player',
  },
  changePassword: { method: 'PUT', path: '/settings/password', access: 'player' },
  getTwofaQr: { method: 'GET', path: '/settings/security/twofa/qr', access: 'player' },
  verifyTwofa: { method: 'POST', path: '/settings/security/twofa/verify', access: 'player' },
  disableTwofa: { method: 'DELETE', path: '/settings/security/twofa', access: 'player' },
  getSecurityQuestionSetting: { method: 'GET', path: '/settings/security/security-questions', access: 'player' },
  saveSecurityQuestionSetting: { method: 'PUT', path: '/settings/security/security-questions', access: 'player' },
  getEmailPreferences: { method: 'GET', path: '/settings/email-preferences', access: 'player' },
  saveEmailPreferences: { method: 'PUT', path: '/settings/email-preferences', access: 'player' },
  getWinnerConsent: { method: 'GET', path: '/settings/winner-consent', access: 'player' },
  saveWinnerConsent: { method: 'PUT', path: '/settings/winner-consent', access: 'player' },
  getTransactions: { method: 'GET', path: '/settings/transactions', access: 'player' },
  getTickets: { method: 'GET', path: '/settings/tickets', access: 'player' },
  getBalance: { method: 'GET', path: '/settings/balance', access: 'player' },
  getCryptoAccountDetails: { method: 'GET', path: '/settings/crypto-account-details', access: 'player' },
  saveCryptoAccountDetails: { method: 'PUT', path: '/settings/crypto-account-details', access: 'player' },
  getResponsiblePlay: { method: 'GET', path: '/settings/responsible-play', access: 'player' },
  saveResponsiblePlay: { method: 'PUT', path: '/settings/responsible-play', access: 'player' },
  getPersonalData: { method: 'GET', path: '/settings/personal-data', access: 'player' },
  closeAccount: { method: 'DELETE', path: '/settings/account', access: 'player' },

  getReceipt: { method: 'GET', path: '/plays/{play_id}/receipt', access: 'player' },
  getFairnessLog: { method: 'GET', path: '/fairness/log', access: 'optional' },
  getFairnessDraw: { method: 'GET', path: '/fairness/draws/{game}/{number}', access: 'optional' },

  getSolvency: { method: 'GET', path: '/solvency', access: 'optional' },

  moveClock: { method: 'POST', path: '/dev/clock', access: 'demo' },
  payFromTestWallet: { method: 'POST', path: '/dev/pay', access: 'demo' },
  getMail: { method: 'GET', path: '/dev/mail', access: 'demo' },
  getTestWallet: { method: 'GET', path: '/dev/wallet', access: 'demo' },
} as const satisfies Record<string, CallAddress>

/** The name of a call that pages make. */
export type PageCallName = keyof typeof ADDRESSES

/** The whole path of a call as a template, including its base: `/api/v1/games/{key}/watch`. */
export function pathOf(address: CallAddress): string {
  return `${address.base ?? API_BASE}${address.path}`
}

/** The status of a successful call. */
export function statusOf(address: CallAddress): 200 | 201 {
  return address.status ?? 200
}
