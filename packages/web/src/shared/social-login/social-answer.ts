/** The social networks with a button. */
export type SocialProvider = 'google' | 'facebook' | 'twitter'

/** The channel on which the window of a social network's answer reaches the page that opened it. */
export const SOCIAL_CHANNEL = 'fairball.social-login'

/** What a social network answered: one of token, code and error. */
interface SocialAnswer {
  provider: string
  /** What the opener sent along, by which it knows its own answer. */
  state: string
  accessToken?: string
  /** What X gives in the place of a token: the server changes it for one. */
  code?: string
  error?: string
}

/**
 * Reads what a social network wrote into the address it came back to. A token comes in the fragment; a code, and of some a refusal, in the query.
 *
 * @param provider the network, by the address
 * @param address its `search` and `hash`
 * @returns null where there is no answer
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

/** @returns whether something that came over the channel is an answer; any page of this site could send there */
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
