import { ApiError } from '@fairball/contract/client'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { EMAIL_VERIFIED_KEY, RECHECK_MS, Session, WATCH_MS } from './session.ts'
import type { Profile, SessionEvent } from './session.ts'
import { ACCESS_KEY, REFRESH_KEY, TokenStore } from './token-store.ts'
import type { KeyValueStorage, Tokens } from './token-store.ts'

const PROFILE: Profile = {
  username: 'player-abc123',
  email: 'player@example.org',
  currency_code: 'GBP',
  is_email_verified: false,
  is_social_account: false,
  is_two_fa_enabled: false,
  is_security_question_enabled: false,
  time_zone: 'Europe/London',
  timezone_utc_offset: 0,
  unread_messages: 0,
}

class MemoryStorage implements KeyValueStorage {
  readonly #values = new Map<string, string>()
  getItem = (key: string) => this.#values.get(key) ?? null
  setItem = (key: string, value: string) => void this.#values.set(key, value)
  removeItem = (key: string) => void this.#values.delete(key)
}

const refused = (status: number) => new ApiError({ status, code: 'ACCESS_DENIED', message: 'Access denied!' })

/**
 * The shared parts of one browser's tabs: the local storage, the lock, and a server that trades each refresh token
 * once.
 */
class Browser {
  readonly local = new MemoryStorage()
  readonly traded: string[] = []
  refusal: ApiError | null = null
  /** The number of refreshes at the server, and the promise it waits for before it answers. */
  asked = 0
  answers: Promise<void> = Promise.resolve()
  #lock: Promise<unknown> = Promise.resolve()
  #count = 0

  exclusively = <Result>(task: () => Promise<Result>): Promise<Result> => {
    const run = this.#lock.then(task)
    this.#lock = run.catch(() => {})
    return run
  }

  trade = async (): Promise<Tokens> => {
    this.asked += 1
    await this.answers
    if (this.refusal !== null) throw this.refusal
    const token = this.local.getItem(REFRESH_KEY) ?? ''
    if (this.traded.includes(token)) throw refused(401)
    this.traded.push(token)
    this.#count += 1
    return { access_token: `access-${this.#count}`, refresh_token: `refresh-${this.#count}` }
  }

  tab({ isHeard = true }: { isHeard?: boolean } = {}) {
    const storage = new MemoryStorage()
    const every = new Map<number, () => void>()
    const getProfile = vi.fn(async () => PROFILE)
    const logout = vi.fn(async () => ({ ok: true }))
    const forgetPlayer = vi.fn()
    const claimVisitorOrder = vi.fn()
    const forgetVisitorOrder = vi.fn()
    const session = new Session({
      tokens: new TokenStore(storage, this.local),
      refreshTokens: this.trade,
      getProfile,
      logout,
      forgetPlayer,
      claimVisitorOrder,
      forgetVisitorOrder,
      exclusively: this.exclusively,
      announceEmailVerified: () => this.local.setItem(EMAIL_VERIFIED_KEY, '1'),
      runtime: {
        every: (ms, call) => {
          every.set(ms, call)
          return () => every.delete(ms)
        },
      },
    })
    const events: SessionEvent[] = []
    if (isHeard) session.onEvent((event) => events.push(event))
    return { session, storage, getProfile, logout, forgetPlayer, claimVisitorOrder, forgetVisitorOrder, events, every }
  }
}

describe('the session', () => {
  let browser: Browser
  beforeEach(() => {
    browser = new Browser()
  })

  it('the session is anonymous without a refresh token, and makes no call', async () => {
    const { session, getProfile } = browser.tab()
    expect(session.state().status).toBe('unknown')
    await session.ready()
    expect(session.state()).toEqual({ status: 'anonymous', profile: null })
    expect(getProfile).not.toHaveBeenCalled()
  })

  it('the session begins with a login and ends with a logout', async () => {
    const { session, storage, logout, claimVisitorOrder, forgetVisitorOrder } = browser.tab()
    await session.ready()
    await session.signIn({ access_token: 'a', refresh_token: 'r' })
    // Neither a visit nor a login drops a visitor's lines: the first player gets them.
    expect(forgetVisitorOrder).not.toHaveBeenCalled()
    expect(claimVisitorOrder).toHaveBeenCalledExactlyOnceWith(PROFILE.username)
    expect(session.state()).toEqual({ status: 'player', profile: PROFILE })
    expect([storage.getItem(ACCESS_KEY), browser.local.getItem(REFRESH_KEY)]).toEqual(['a', 'r'])
    await session.signOut()
    expect(logout).toHaveBeenCalledOnce()
    expect(forgetVisitorOrder).toHaveBeenCalledOnce()
    expect(session.state().status).toBe('anonymous')
    expect([storage.getItem(ACCESS_KEY), browser.local.getItem(REFRESH_KEY)]).toEqual([null, null])
  })

  it.each(['a logout', 'a logout in another tab', 'a refused refresh', 'a first look that finds no session'])(
    'the tab’s data of the player is deleted by %s, and not before',
    async (how) => {
      const { session, forgetPlayer } = browser.tab()
      if (how !== 'a first look that finds no session') {
        await session.signIn({ access_token: 'a', refresh_token: 'r' })
        await session.refresh()
        await session.check()
      }
      expect(forgetPlayer).not.toHaveBeenCalled()
      browser.refusal = refused(401)
      if (how === 'a logout') await session.signOut()
      else if (how === 'a refused refresh') await session.refresh()
      else if (how === 'a first look that finds no session') await session.ready()
      else await session.followStorage({ key: REFRESH_KEY, oldValue: 'r', newValue: null })
      expect(forgetPlayer).toHaveBeenCalledOnce()
    },
  )

  it('a logout ends the session here even if the server cannot be reached', async () => {
    const { session, logout } = browser.tab()
    await session.signIn({ access_token: 'a', refresh_token: 'r' })
    logout.mockRejectedValue(refused(0))
    await session.signOut()
    expect(session.state().status).toBe('anonymous')
  })

  it('any number of 401s cause one refresh', async () => {
    const { session } = browser.tab()
    await session.signIn({ access_token: 'a', refresh_token: 'r' })
    const answers = await Promise.all(Array.from({ length: 20 }, () => session.refresh()))
    expect(answers).toEqual(Array.from({ length: 20 }, () => true))
    expect(browser.traded).toEqual(['r'])
  })

  it('two tabs never send the same refresh token', async () => {
    browser.local.setItem(REFRESH_KEY, 'r')
    const tabs = [browser.tab(), browser.tab(), browser.tab()]
    const answers = await Promise.all(tabs.map((tab) => tab.session.refresh()))
    expect(answers).toEqual([true, true, true])
    expect(browser.traded).toEqual(['r', 'refresh-1', 'refresh-2'])
    expect(browser.local.getItem(REFRESH_KEY)).toBe('refresh-3')
  })

  it('a new tab, which has no access token, refreshes first', async () => {
    browser.local.setItem(REFRESH_KEY, 'r')
    const { session, getProfile } = browser.tab()
    await session.ready()
    expect(session.state().status).toBe('player')
    expect(browser.traded).toEqual(['r'])
    expect(getProfile).toHaveBeenCalledOnce()
  })

  it.each([400, 401, 403])('the session ends if the refresh is answered %i', async (status) => {
    const { session, events } = browser.tab()
    await session.signIn({ access_token: 'a', refresh_token: 'r' })
    browser.refusal = refused(status)
    expect(await session.refresh()).toBe(false)
    expect(session.state().status).toBe('anonymous')
    expect(browser.local.getItem(REFRESH_KEY)).toBeNull()
    expect(events).toEqual(['lost'])
  })

  it('a session that ends before the page is there ends for it once it is', async () => {
    browser.local.setItem(REFRESH_KEY, 'r')
    browser.refusal = refused(401)
    const { session } = browser.tab({ isHeard: false })
    await session.ready()
    const heard: SessionEvent[] = []
    const stop = session.onEvent((event) => heard.push(event))
    stop()
    session.onEvent((event) => heard.push(event))
    expect(heard).toEqual(['lost'])
  })

  it.each([0, 429, 500, 503])('the session stays if the server cannot answer the refresh (%i)', async (status) => {
    const { session, events } = browser.tab()
    await session.signIn({ access_token: 'a', refresh_token: 'r' })
    browser.refusal = refused(status)
    expect(await session.refresh()).toBe(false)
    expect(session.state().status).toBe('player')
    expect(browser.local.getItem(REFRESH_KEY)).toBe('r')
    expect(events).toEqual([])
  })

  it('the session stays unknown while the first check has no answer', async () => {
    browser.local.setItem(REFRESH_KEY, 'r')
    browser.refusal = refused(503)
    const { session } = browser.tab()
    await session.ready()
    expect(session.state().status).toBe('unknown')
  })

  it('the session is checked every 90 seconds, and within a second of a change of the access token', async () => {
    const { session, storage, getProfile, every } = browser.tab()
    await session.signIn({ access_token: 'a', refresh_token: 'r' })
    session.start()
    await session.ready()
    getProfile.mockClear()
    expect([...every.keys()]).toEqual([90_000, 1000])

    every.get(RECHECK_MS)?.()
    await session.check()
    expect(getProfile).toHaveBeenCalledOnce()
    every.get(WATCH_MS)?.()
    expect(getProfile).toHaveBeenCalledOnce()
    storage.setItem(ACCESS_KEY, 'another')
    every.get(WATCH_MS)?.()
    await session.check()
    expect(getProfile).toHaveBeenCalledTimes(2)
  })

  it('the session stays ended if a check in flight is answered after the logout', async () => {
    const { session, getProfile } = browser.tab()
    await session.signIn({ access_token: 'a', refresh_token: 'r' })
    const answer = Promise.withResolvers<Profile>()
    getProfile.mockReturnValueOnce(answer.promise)
    const checked = session.check()
    await session.signOut()
    answer.resolve(PROFILE)
    await checked
    expect(session.state()).toEqual({ status: 'anonymous', profile: null })
  })

  it('tokens in flight at the logout are discarded', async () => {
    const { session, storage } = browser.tab()
    await session.signIn({ access_token: 'a', refresh_token: 'r' })
    const answers = Promise.withResolvers<void>()
    browser.answers = answers.promise
    const refreshed = session.refresh()
    await vi.waitFor(() => expect(browser.asked).toBe(1))
    await session.signOut()
    answers.resolve()
    expect(await refreshed).toBe(false)
    expect([storage.getItem(ACCESS_KEY), browser.local.getItem(REFRESH_KEY)]).toEqual([null, null])
    expect(session.state().status).toBe('anonymous')
  })

  it('a login is kept although an older token is refused meanwhile', async () => {
    const { session, events } = browser.tab()
    await session.signIn({ access_token: 'a', refresh_token: 'r' })
    browser.refusal = refused(401)
    const answers = Promise.withResolvers<void>()
    browser.answers = answers.promise
    const refreshed = session.refresh()
    await vi.waitFor(() => expect(browser.asked).toBe(1))
    await session.signIn({ access_token: 'b', refresh_token: 's' })
    answers.resolve()
    expect(await refreshed).toBe(false)
    expect(session.state().status).toBe('player')
    expect(browser.local.getItem(REFRESH_KEY)).toBe('s')
    expect(events).toEqual([])
  })

  it('the session reports a player found by a later check', async () => {
    browser.local.setItem(REFRESH_KEY, 'r')
    browser.refusal = refused(503)
    const { session, events } = browser.tab()
    await session.ready()
    expect(events).toEqual([])
    browser.refusal = null
    await session.check()
    expect(session.state().status).toBe('player')
    expect(events).toEqual(['restored'])
    await session.check()
    expect(events).toEqual(['restored'])
  })

  it('a player found by the first check is left to the guards', async () => {
    browser.local.setItem(REFRESH_KEY, 'r')
    const { session, events } = browser.tab()
    await session.ready()
    expect(session.state().status).toBe('player')
    expect(events).toEqual([])
  })

  describe('across tabs', () => {
    it('a login reaches the other tabs', async () => {
      const { session, events } = browser.tab()
      await session.ready()
      browser.local.setItem(REFRESH_KEY, 'r')
      await session.followStorage({ key: REFRESH_KEY, oldValue: null, newValue: 'r' })
      expect(session.state().status).toBe('player')
      expect(events).toContain('login-elsewhere')
    })

    it('a logout reaches the other tabs', async () => {
      const { session, storage, events } = browser.tab()
      await session.signIn({ access_token: 'a', refresh_token: 'r' })
      browser.local.removeItem(REFRESH_KEY)
      await session.followStorage({ key: REFRESH_KEY, oldValue: 'r', newValue: null })
      expect(session.state().status).toBe('anonymous')
      expect(storage.getItem(ACCESS_KEY)).toBeNull()
      expect(events).toEqual(['logout-elsewhere'])
    })

    it('an emptied storage ends the session in every tab', async () => {
      const { session, events } = browser.tab()
      await session.signIn({ access_token: 'a', refresh_token: 'r' })
      browser.local.removeItem(REFRESH_KEY)
      await session.followStorage({ key: null, oldValue: null, newValue: null })
      expect(session.state().status).toBe('anonymous')
      expect(events).toEqual(['logout-elsewhere'])
    })

    it('a refresh in another tab changes nothing', async () => {
      const { session, events } = browser.tab()
      await session.signIn({ access_token: 'a', refresh_token: 'r' })
      await session.followStorage({ key: REFRESH_KEY, oldValue: 'r', newValue: 'r2' })
      expect(session.state().status).toBe('player')
      expect(events).toEqual([])
    })

    it('a refresh in another tab while this one starts moves nobody', async () => {
      browser.local.setItem(REFRESH_KEY, 'r')
      const { session, events } = browser.tab()
      const ready = session.ready()
      await session.followStorage({ key: REFRESH_KEY, oldValue: 'r', newValue: 'r2' })
      await ready
      expect(session.state().status).toBe('player')
      expect(events).toEqual([])
    })

    it('a verified email address reaches the other tabs', async () => {
      const { session, getProfile } = browser.tab()
      await session.signIn({ access_token: 'a', refresh_token: 'r' })
      getProfile.mockResolvedValue({ ...PROFILE, is_email_verified: true })
      await session.followStorage({ key: EMAIL_VERIFIED_KEY, oldValue: null, newValue: '1' })
      expect(session.state().profile?.is_email_verified).toBe(true)
    })
  })
})
