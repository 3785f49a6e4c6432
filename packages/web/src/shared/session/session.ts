import { ApiError } from '@fairball/contract/client'
import type { AnswerOf } from '@fairball/contract/calls'
import type { Runtime } from '../runtime.ts'
import { REFRESH_KEY } from './token-store.ts'
import type { TokenStore, Tokens } from './token-store.ts'

/** The player's profile as the API gives it. */
export type Profile = AnswerOf<'getProfile'>

/** The state of the session: unknown before the first check, a visitor, or a player. */
export type SessionStatus = 'unknown' | 'anonymous' | 'player'

/** The session as components see it. */
export interface SessionState {
  readonly status: SessionStatus
  /** Present exactly when the status is `player`. */
  readonly profile: Profile | null
}

/** Events of the session that move the visitor to another page. */
export type SessionEvent = 'login-elsewhere' | 'logout-elsewhere' | 'lost' | 'restored'

/** Dependencies of the session. */
interface SessionParts {
  tokens: TokenStore
  /** Trades the stored refresh token for new tokens. @throws ApiError */
  refreshTokens: () => Promise<Tokens>
  /** Gets the profile with the present access token. @throws ApiError */
  getProfile: () => Promise<Profile>
  /** Ends the session at the server. @throws ApiError */
  logout: () => Promise<unknown>
  /** Runs tasks of all tabs one after another. */
  exclusively: <Result>(task: () => Promise<Result>) => Promise<Result>
  /** Removes this tab's data of its player beside the tokens. */
  forgetPlayer: () => void
  /** Gives the lines of the visitor at this browser to the player who signs in. */
  claimVisitorOrder: (player: string) => void
  /** Removes the lines of a visitor from this browser. */
  forgetVisitorOrder: () => void
  /** Tells the other tabs that the email address is verified. */
  announceEmailVerified: () => void
  runtime: Pick<Runtime, 'every'>
}

/** Interval between checks of the session, in ms (specification, section 9). */
export const RECHECK_MS = 90_000
/**
 * Interval at which a tab checks whether its access token was replaced from outside, in ms. What the session itself
 * writes it knows at once, so a longer one than that of the specification, section 9, keeps an idle page idle.
 */
export const WATCH_MS = 1000
/** The key in the local storage whose change tells other tabs that the email address is verified. */
export const EMAIL_VERIFIED_KEY = 'email_verified'

/**
 * The session of this tab: who is signed in, and the tokens that prove it.
 *
 * However many calls meet a 401 at once, there is one refresh, and across tabs they queue: the server revokes a whole session
 * when a refresh token is used twice, so two tabs must never send the same one.
 */
export class Session {
  readonly #parts: SessionParts
  readonly #listeners = new Set<() => void>()
  readonly #watchers = new Set<(event: SessionEvent) => void>()
  #unheard: SessionEvent | null = null
  #state: SessionState = { status: 'unknown', profile: null }
  #refreshing: Promise<boolean> | null = null
  #checking: Promise<void> | null = null
  #first: Promise<void> | null = null
  #isFirstOver = false
  #seenAccess: string | null = null
  /** Counts the logins and logouts, so that an answer in flight meanwhile is recognised as outdated. */
  #turn = 0

  constructor(parts: SessionParts) {
    this.#parts = parts
  }

  /** @returns the present state; the same object until something changes */
  state = (): SessionState => this.#state

  /** @returns a number that changes with every login and logout, and with nothing else */
  visit = (): number => this.#turn

  /** Calls after every change of the state. @returns a function that ends it */
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Calls on events that move the visitor, and immediately for one that nobody has heard: a session can end before the
   * page is there. @returns a function that ends it
   */
  onEvent(watcher: (event: SessionEvent) => void): () => void {
    this.#watchers.add(watcher)
    if (this.#unheard !== null) watcher(this.#unheard)
    this.#unheard = null
    return () => this.#watchers.delete(watcher)
  }

  /**
   * Resolves once the session is known, as far as possible: without an answer from the server the status stays
   * `unknown`
   */
  ready(): Promise<void> {
    this.#first ??= this.check().finally(() => {
      this.#isFirstOver = true
    })
    return this.#first
  }

  /** Starts the regular checks. @returns a function that ends them */
  start(): () => void {
    const { tokens, runtime } = this.#parts
    void this.ready()
    const stopChecks = runtime.every(RECHECK_MS, () => void this.check())
    const stopWatch = runtime.every(WATCH_MS, () => {
      if (tokens.access() !== this.#seenAccess) void this.check()
    })
    return () => {
      stopChecks()
      stopWatch()
    }
  }

  /** Asks the server who is signed in. Concurrent checks share one request. */
  check = (): Promise<void> => {
    this.#checking ??= this.#checkOnce().finally(() => {
      this.#checking = null
    })
    return this.#checking
  }

  async #checkOnce(): Promise<void> {
    const { tokens, getProfile } = this.#parts
    this.#seenAccess = tokens.access()
    if (tokens.refresh() === null) {
      this.#leave()
      return
    }
    // A new tab has no access token yet: refreshing first saves a call that can only fail.
    if (tokens.access() === null && !(await this.refresh())) return
    const before = this.#state.status
    const turn = this.#turn
    try {
      const profile = await getProfile()
      if (turn !== this.#turn) return
      this.#become({ status: 'player', profile })
      // The guards make the first check: they wait for it.
      if (before !== 'player' && this.#isFirstOver) this.#tell('restored')
    } catch (error) {
      // The refresh has already handled a 401. Without an answer nothing is known, so nothing changes.
      if (!(error instanceof ApiError)) throw error
    }
  }

  /**
   * Gets new tokens. Concurrent callers share one refresh; tabs wait for each other.
   *
   * @returns whether there is a usable access token now; also false if the server could not be reached, in which case
   *   the tokens stay
   */
  refresh(): Promise<boolean> {
    this.#refreshing ??= this.#parts
      .exclusively(() => this.#refreshOnce())
      .finally(() => {
        this.#refreshing = null
      })
    return this.#refreshing
  }

  async #refreshOnce(): Promise<boolean> {
    const { tokens, refreshTokens } = this.#parts
    // Read only now, inside the lock: another tab may have traded the token meanwhile.
    const traded = tokens.refresh()
    if (traded === null) {
      this.#lose()
      return false
    }
    try {
      const renewed = await refreshTokens()
      // The player logged out while the answer was in flight, and may have logged in again.
      if (tokens.refresh() !== traded) return tokens.access() !== null
      tokens.keep(renewed)
      this.#seenAccess = tokens.access()
      return true
    } catch (error) {
      if (error instanceof ApiError && isRefusal(error) && tokens.refresh() === traded) this.#lose()
      return false
    }
  }

  /** Begins a session with the tokens of a login or a registration. @returns once the profile is known */
  signIn = async (tokens: Tokens): Promise<void> => {
    this.#turn += 1
    this.#parts.tokens.keep(tokens)
    this.#seenAccess = tokens.access_token
    const profile = await this.#parts.getProfile()
    this.#parts.claimVisitorOrder(profile.username)
    this.#become({ status: 'player', profile })
  }

  /** Ends the session at the server and here; the other tabs follow. Here it ends even when the server cannot be reached. */
  signOut = async (): Promise<void> => {
    try {
      await this.#parts.logout()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
    }
    this.#parts.forgetVisitorOrder()
    this.#leave()
  }

  /** Marks the email address verified, here and in the other tabs. */
  emailVerified = (): void => {
    const { profile } = this.#state
    if (profile !== null) this.#become({ status: 'player', profile: { ...profile, is_email_verified: true } })
    this.#parts.announceEmailVerified()
  }

  /** Follows what another tab wrote to the local storage. */
  async followStorage(change: { key: string | null; oldValue: string | null; newValue: string | null }): Promise<void> {
    if (change.key === EMAIL_VERIFIED_KEY) return this.check()
    // Without a key, the storage was emptied.
    if (change.key !== REFRESH_KEY && change.key !== null) return
    if (change.newValue === null) {
      this.#forget()
      this.#tell('logout-elsewhere')
      return
    }
    if (change.oldValue !== null && this.#state.status !== 'anonymous') return // another tab has refreshed
    this.#turn += 1
    this.#parts.tokens.clearAccess() // it may belong to the previous player
    await this.check()
    if (this.#state.status === 'player') this.#tell('login-elsewhere')
  }

  #lose(): void {
    const had = this.#state.status !== 'anonymous'
    this.#leave()
    if (had) this.#tell('lost')
  }

  #leave(): void {
    this.#parts.tokens.clear()
    this.#forget()
  }

  /** Ends the session in this tab alone. */
  #forget(): void {
    this.#turn += 1
    this.#parts.tokens.clearAccess()
    this.#parts.forgetPlayer()
    this.#seenAccess = null
    this.#become({ status: 'anonymous', profile: null })
  }

  #become(state: SessionState): void {
    if (state.status === 'anonymous' && this.#state.status === 'anonymous') return
    this.#state = state
    for (const listener of this.#listeners) listener()
  }

  #tell(event: SessionEvent): void {
    if (this.#watchers.size === 0) this.#unheard = event
    for (const watcher of this.#watchers) watcher(event)
  }
}

/** Whether the server has refused the token, rather than been unable to answer. */
function isRefusal(error: ApiError): boolean {
  return error.status >= 400 && error.status < 500 && error.status !== 429
}
