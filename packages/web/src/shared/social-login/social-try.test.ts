import { beforeEach, expect, it, vi } from 'vitest'
import { SOCIAL_CHANNEL } from './social-answer.ts'
import type { SocialProvider } from './social-answer.ts'
import { startSocialTry } from './social-try.ts'
import type { SocialParts } from './social-try.ts'

const GOOGLE = { clientId: 'client-1', authUrl: 'https://accounts.example/auth' }

/** A browser whose windows, channel and time are controlled by the test. */
class Browser implements SocialParts {
  readonly windows: { address: URL; size: object; closed: boolean; close: () => void }[] = []
  readonly listeners = new Set<(data: unknown) => void>()
  readonly #timers = new Set<{ dueMs: number; everyMs: number | null; call: () => void }>()
  isBlocking = false
  #nowMs = 0
  #ids = 0

  open = (address: string, size: object) => {
    if (this.isBlocking) return null
    const opened = { address: new URL(address), size, closed: false, close: () => void (opened.closed = true) }
    this.windows.push(opened)
    return opened
  }
  listen = (channel: string, onData: (data: unknown) => void) => {
    expect(channel).toBe(SOCIAL_CHANNEL)
    this.listeners.add(onData)
    return () => void this.listeners.delete(onData)
  }
  runtime = {
    randomId: () => `random-${(this.#ids += 1)}`,
    after: (ms: number, call: () => void) => this.#wait(ms, null, call),
    every: (ms: number, call: () => void) => this.#wait(ms, ms, call),
  }

  #wait(ms: number, everyMs: number | null, call: () => void) {
    const timer = { dueMs: this.#nowMs + ms, everyMs, call }
    this.#timers.add(timer)
    return () => void this.#timers.delete(timer)
  }

  pass(ms: number) {
    for (const endMs = this.#nowMs + ms; this.#nowMs < endMs;) {
      this.#nowMs += 50
      for (const timer of this.#timers) {
        if (timer.dueMs > this.#nowMs) continue
        if (timer.everyMs === null) this.#timers.delete(timer)
        else timer.dueMs += timer.everyMs
        timer.call()
      }
    }
  }

  /** The message of the answer page. */
  send(data: unknown) {
    for (const listener of this.listeners) listener(data)
  }

  /** Whether there are no timers and listeners. */
  get isQuiet() {
    return this.#timers.size === 0 && this.listeners.size === 0
  }
}

let browser: Browser
const onToken = vi.fn<(token: string) => void>()
const onFailure = vi.fn<() => void>()
beforeEach(() => {
  browser = new Browser()
  onToken.mockReset()
  onFailure.mockReset()
})

const start = (provider: SocialProvider = 'google') =>
  startSocialTry({ provider, app: GOOGLE, publicUrl: 'https://fairball.example', onToken, onFailure }, browser)
const answer = (change: object = {}) => ({ provider: 'google', state: 'random-1', accessToken: 'token', ...change })

it('a try opens a window of 450 × 730 that asks Google for a token, with a state and a nonce of its own', () => {
  start()
  const [opened] = browser.windows
  expect(opened?.size).toEqual({ width: 450, height: 730 })
  expect(`${opened?.address.origin}${opened?.address.pathname}`).toBe('https://accounts.example/auth')
  expect(Object.fromEntries(opened?.address.searchParams ?? [])).toEqual({
    client_id: 'client-1',
    redirect_uri: 'https://fairball.example/social-login/google',
    response_type: 'id_token token',
    scope: 'openid email',
    prompt: 'select_account',
    state: 'random-1',
    nonce: 'random-2',
  })
})

it('a try asks Facebook for a token and the address', () => {
  start('facebook')
  const query = browser.windows[0]?.address.searchParams
  expect([query?.get('response_type'), query?.get('scope'), query?.get('redirect_uri')]).toEqual([
    'token',
    'email',
    'https://fairball.example/social-login/facebook',
  ])
})

it('a try passes on the token of its own answer, once', () => {
  start()
  browser.send(answer())
  browser.send(answer())
  expect(onToken.mock.calls).toEqual([['token']])
  browser.pass(5000)
  expect(onFailure).not.toHaveBeenCalled()
  expect(browser.isQuiet).toBe(true)
})

it.each([
  ['another state', { state: 'random-9' }],
  ['another network', { provider: 'facebook' }],
  ['a state that is no text', { state: 1 }],
])('a try ignores an answer with %s', (_what, change) => {
  start()
  browser.send(answer(change))
  expect(onToken).not.toHaveBeenCalled()
  browser.send(answer())
  expect(onToken).toHaveBeenCalledOnce()
})

it.each([[null], ['text'], [{}], [{ provider: 'google', state: 'random-1' }]])(
  'a try ignores %j on the channel',
  (data) => {
    start()
    browser.send(data)
    expect(onToken).not.toHaveBeenCalled()
    expect(onFailure).not.toHaveBeenCalled()
  },
)

it('a try fails when the network answers with an error', () => {
  start()
  browser.send({ provider: 'google', state: 'random-1', error: 'access_denied' })
  expect(onFailure).toHaveBeenCalledOnce()
  expect(browser.isQuiet).toBe(true)
})

it('a try fails a second after the window was closed without an answer', () => {
  start()
  browser.pass(60_000)
  expect(onFailure).not.toHaveBeenCalled()
  browser.windows[0]?.close()
  browser.pass(950)
  expect(onFailure).not.toHaveBeenCalled()
  browser.pass(400)
  expect(onFailure).toHaveBeenCalledOnce()
})

it('a try does not fail if the window answers as it closes', () => {
  start()
  browser.windows[0]?.close()
  browser.pass(500)
  browser.send(answer())
  browser.pass(5000)
  expect(onToken).toHaveBeenCalledOnce()
  expect(onFailure).not.toHaveBeenCalled()
})

it('a try still accepts an answer after the window seemed closed', () => {
  start()
  browser.windows[0]?.close()
  browser.pass(5000)
  expect(onFailure).toHaveBeenCalledOnce()
  browser.send(answer())
  expect(onToken.mock.calls).toEqual([['token']])
})

it('a try fails immediately if the browser blocks the window', () => {
  browser.isBlocking = true
  start()
  expect(onFailure).toHaveBeenCalledOnce()
  expect(browser.isQuiet).toBe(true)
})

it('an ended try closes its window, and its answer no longer counts', () => {
  const end = start()
  end()
  expect(browser.windows[0]?.closed).toBe(true)
  start()
  browser.send(answer())
  browser.pass(5000)
  expect(onToken).not.toHaveBeenCalled()
  expect(onFailure).not.toHaveBeenCalled()
  // A try for Google takes two random values, so the state of the second try is the third.
  browser.send(answer({ state: 'random-3', accessToken: 'second' }))
  expect(onToken.mock.calls).toEqual([['second']])
})
