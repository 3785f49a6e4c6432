/** The pair of tokens from a login. */
export interface Tokens {
  access_token: string
  refresh_token: string
}

/** The used part of a web storage. */
export type KeyValueStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** The key of the access token in the session storage: each tab has its own. */
export const ACCESS_KEY = 'access_token'
/** The key of the refresh token in the local storage: all tabs share it. */
export const REFRESH_KEY = 'refresh_token'

/**
 * Storage of the tokens: the access token in the tab's session storage, the refresh token in the local storage
 * (specification, section 3).
 */
export class TokenStore {
  readonly #session: KeyValueStorage
  readonly #local: KeyValueStorage

  constructor(session: KeyValueStorage, local: KeyValueStorage) {
    this.#session = session
    this.#local = local
  }

  /** @returns the access token, null without one */
  access(): string | null {
    return this.#session.getItem(ACCESS_KEY)
  }

  /** @returns the refresh token as it is now, null without one; another tab may have replaced it since */
  refresh(): string | null {
    return this.#local.getItem(REFRESH_KEY)
  }

  keep(tokens: Tokens): void {
    this.#session.setItem(ACCESS_KEY, tokens.access_token)
    this.#local.setItem(REFRESH_KEY, tokens.refresh_token)
  }

  clear(): void {
    this.#session.removeItem(ACCESS_KEY)
    this.#local.removeItem(REFRESH_KEY)
  }

  /** Deletes only this tab's token, after another tab has logged out. */
  clearAccess(): void {
    this.#session.removeItem(ACCESS_KEY)
  }
}
