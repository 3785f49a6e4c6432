import { nobleHash } from '@fairball/domain/protocol/hash'
import type { SocialLoginApp } from '@fairball/contract/pages'
import type { Runtime } from '../runtime.ts'
import { isSocialAnswer, SOCIAL_CHANNEL } from './social-answer.ts'
import type { SocialProvider } from './social-answer.ts'

/** The used part of an opened window. */
interface OpenedWindow {
  readonly closed: boolean
  close(): void
}

/** A try's dependencies on the browser. */
export interface SocialParts {
  /** Opens a window at an address. @returns null when the browser blocks it */
  open: (address: string, size: { width: number; height: number }) => OpenedWindow | null
  /** Listens to what this site's pages send on a channel. @returns a function that ends it, harmless when late */
  listen: (channel: string, onData: (data: unknown) => void) => () => void
  runtime: Pick<Runtime, 'after' | 'every' | 'randomId'>
}

/** The options of a try to log in through a social network. */
interface SocialTry {
  provider: SocialProvider
  app: SocialLoginApp
  /** The site's origin, as the social network knows it. */
  publicUrl: string
  /**
   * The network gave the login call's input: a token, or for X the verifier and the code. Called at most once, and also
   * after `onFailure` when a window that seemed closed answers after all.
   */
  onToken: (accessToken: string) => void
  /** The window was blocked, closed, or came back with an error. Called at most once. */
  onFailure: () => void
}

/** The size of the window (specification, section 4). */
const WINDOW_SIZE = { width: 450, height: 730 }
/** Interval at which the window is checked for being closed, in ms. */
const CLOSED_POLL_MS = 250
/** Time to wait for the answer of a window that has closed, in ms: it closes as it answers. */
const ANSWER_GRACE_MS = 1000

/** The request to each network: a token, and its email address. */
const REQUESTS = {
  google: { response_type: 'id_token token', scope: 'openid email', prompt: 'select_account' },
  facebook: { response_type: 'token', scope: 'email', display: 'popup' },
  twitter: { response_type: 'code', scope: 'users.read tweet.read', code_challenge_method: 'S256' },
} as const satisfies Record<SocialProvider, object>

/**
 * Opens a social network's window and waits for its answer. Only an answer with this try's own random state counts. The answer comes over a
 * channel, not from the window: the network's own opener policy may have cut the tie, and then the window also seems closed while it is open.
 *
 * @returns a function that ends the try: nothing is called after it
 */
export function startSocialTry({ provider, app, publicUrl, onToken, onFailure }: SocialTry, parts: SocialParts) {
  const { runtime } = parts
  const state = runtime.randomId()
  // Only this page knows it, so a code seen by someone else is worthless (PKCE, RFC 7636).
  const verifier = provider === 'twitter' ? `${runtime.randomId()}${runtime.randomId()}` : ''
  let hasFailed = false
  let stopWatching = () => {}

  const fail = () => {
    if (hasFailed) return
    hasFailed = true
    onFailure()
  }
  const stopListening = parts.listen(SOCIAL_CHANNEL, (data) => {
    if (!isSocialAnswer(data) || data.provider !== provider || data.state !== state) return
    end()
    const token = data.code === undefined ? data.accessToken : `${verifier}.${data.code}`
    if (token === undefined) fail()
    else onToken(token)
  })
  const end = () => {
    stopWatching()
    stopListening()
  }

  const query = new URLSearchParams({
    client_id: app.clientId,
    redirect_uri: `${publicUrl}/social-login/${provider}`,
    ...REQUESTS[provider],
    state,
    ...(provider === 'google' && { nonce: runtime.randomId() }),
    ...(provider === 'twitter' && { code_challenge: challengeOf(verifier) }),
  })
  const opened = parts.open(withQuery(app.authUrl, query), WINDOW_SIZE)
  if (opened === null) {
    end()
    fail()
    return () => {}
  }

  stopWatching = runtime.every(CLOSED_POLL_MS, () => {
    if (!opened.closed) return
    stopWatching()
    // From here on an answer is still accepted, until the next try ends this one.
    stopWatching = runtime.after(ANSWER_GRACE_MS, fail)
  })
  return () => {
    end()
    opened.close()
  }
}

/** The verifier's SHA-256 as base64url. */
function challengeOf(verifier: string): string {
  const hash = nobleHash(new TextEncoder().encode(verifier))
  return btoa(String.fromCharCode(...hash))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/u, '')
}

function withQuery(address: string, query: URLSearchParams): string {
  return `${address}${address.includes('?') ? '&' : '?'}${query}`
}
