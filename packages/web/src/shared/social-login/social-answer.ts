/** The social networks with a button. */
export type SocialProvider = 'google' | 'facebook' | 'twitter'

/** The channel on which the window of a social network's answer reaches the page that opened it. */
export const SOCIAL_CHANNEL = 'fairball.social-login'

/** The answer of a social network: one of token, code and error. */
interface SocialAnswer {
  provider: string
  /** The opener's state, by which it recognises its own answer. */
  state: string
  accessToken?: string
  /** X's replacement for a token: the server exchanges it for one. */
  code?: string
  error?: string
}

/**
 * Reads a social network's answer from the address it returned to. A token is in the fragment; a code, and some
 * networks' refusal, in the query.
 *
 * @param provider the network, by the address
 * @param address its `search` and `hash`
 * @returns null without an answer
 */
export function readSocialAnswer(provider: string, address: { search: string; hash: string }): SocialAnswer | null {
  const fragment = new URLSearchParams(address.hash.replace(/^#/u, ''))
  const answer = fragment.has('state') ? fragment : new URLSearchParams(address.search)
  const state = answer.get('state')
  if (state === null) return null
  const code = answer.get('code')
  if (provider === 'twitter' && code !== null) return { provider, state, code }
  const accessToken = answer.get('access_token')
  if (accessToken === null) return { provider, state, error: answer.get('error') ?? 'no_token' }
  return { provider, state, accessToken }
}

/** @returns whether a message of the channel is an answer; any page of this site could send there */
export function isSocialAnswer(data: unknown): data is SocialAnswer {
  return (
    typeof data === 'object' &&
    data !== null &&
    'provider' in data &&
    'state' in data &&
    typeof data.state === 'string' &&
    (('accessToken' in data && typeof data.accessToken === 'string') ||
      ('code' in data && typeof data.code === 'string') ||
      'error' in data)
  )
}
