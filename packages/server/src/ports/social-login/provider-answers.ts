import type { Runtime } from '../../runtime/runtime.ts'
import { SocialNetworkUnreachable } from './social-login.ts'
import { limitedText } from '../limited-text.ts'

/** Time limit for a provider's answer. */
const TIMEOUT_MS = 8_000
/** More than any of these answers has. */
const MAX_ANSWER_BYTES = 64 * 1024
const LIMIT = { largest: MAX_ANSWER_BYTES, tooLarge: () => new RangeError('the answer is too large') }

const TOO_MANY_REQUESTS = 429
const SERVER_ERRORS = 500

/** The provider itself says that it cannot answer now. */
class Unavailable extends Error {
  override readonly name = 'Unavailable'
}

/** An unchecked object of an answer. */
export type Answered = Readonly<Record<string, unknown>>

/** The parts of a request beside the address. */
interface ProviderRequest {
  readonly headers?: Readonly<Record<string, string>>
  /** sent by POST, as the token calls of OAuth require */
  readonly form?: Readonly<Record<string, string>>
}

/**
 * Gets a JSON object from a provider: no redirect is followed, the answer is limited in time and size. Null if the
 * provider refuses. Failures are logged without the address, because tokens are in its query.
 *
 * @throws SocialNetworkUnreachable if the provider is down, too busy, or gives an unreadable answer
 */
export async function getAnswer(
  runtime: Pick<Runtime, 'fetch' | 'monotonic' | 'log'>,
  provider: string,
  address: URL,
  { headers = {}, form }: ProviderRequest = {},
): Promise<Answered | null> {
  const limit = new AbortController()
  const done = new AbortController()
  void runtime.monotonic.sleep(TIMEOUT_MS, done.signal).then(
    () => limit.abort(),
    () => undefined, // the answer came first
  )
  try {
    const response = await runtime.fetch(address, {
      headers: { accept: 'application/json', ...headers },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
      redirect: 'error',
      signal: limit.signal,
    })
    if (response.status === TOO_MANY_REQUESTS || response.status >= SERVER_ERRORS) throw new Unavailable()
    const answer = response.ok ? recordOf(JSON.parse(await limitedText(response, LIMIT))) : null
    if (answer === null) runtime.log.info({ provider, status: response.status }, 'a social network refused a token')
    return answer
  } catch (error) {
    const reason = error instanceof Error ? error.name : 'unknown'
    runtime.log.warn({ provider, reason }, 'a social network could not be asked')
    // Without the cause: messages of a failed request may contain the address.
    throw new SocialNetworkUnreachable(provider)
  } finally {
    done.abort()
  }
}

/** A value as an object, or null if it is none. */
export function recordOf(value: unknown): Answered | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Answered) : null
}

/** A member as a non-empty text, or null. */
export function textOf(answer: Answered, name: string): string | null {
  const value = answer[name]
  return typeof value === 'string' && value !== '' && value.length <= 250 ? value : null
}

/** An address of a provider: its base, a path behind it, and a query. */
export function addressOf(base: string, path: string, query: Readonly<Record<string, string>> = {}): URL {
  const url = new URL(base.replace(/\/+$/, '') + path)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url
}
