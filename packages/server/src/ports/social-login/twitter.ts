import type { Runtime } from '../../runtime/runtime.ts'
import { addressOf, getAnswer, recordOf, textOf } from './provider-answers.ts'
import type { SocialIdentity } from './social-login.ts'

/** X's application of this site, and the address of its API. */
export interface TwitterOptions {
  readonly clientId: string
  /** Behind it are `/2/oauth2/token` and `/2/users/me`. */
  readonly apiUrl: string
  /** The address of this site that X returns to, exactly as the page has sent it. */
  readonly redirectUri: string
}

/** X's API. */
export const TWITTER_API_URL = 'https://api.x.com'
/** The page of X on which a person agrees to log in. */
export const TWITTER_AUTH_URL = 'https://x.com/i/oauth2/authorize'

/** What the page sends: the verifier of PKCE (RFC 7636, 43 to 128 characters), a dot, and X's code. */
const GRANT = /^([A-Za-z0-9_-]{43,128})\.(.+)$/

/**
 * The person that a grant of X belongs to. X does not say for which application a token was made, so a token is never
 * accepted: this server exchanges the code for one itself, with its own client id and the page's verifier. X refuses a
 * code that was made for another application, another address or another page.
 *
 * X reports no address.
 */
export async function identifyAtTwitter(
  runtime: Pick<Runtime, 'fetch' | 'monotonic' | 'log'>,
  { clientId, apiUrl, redirectUri }: TwitterOptions,
  grant: string,
): Promise<SocialIdentity | null> {
  const [, verifier, code] = GRANT.exec(grant) ?? []
  if (verifier === undefined || code === undefined) return null
  const tokens = await getAnswer(runtime, 'twitter', addressOf(apiUrl, '/2/oauth2/token'), {
    form: {
      grant_type: 'authorization_code',
      code,
      client_id: clientId,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    },
  })
  const accessToken = tokens === null ? null : tokens['access_token']
  if (typeof accessToken !== 'string' || !/^[\x21-\x7e]{1,4096}$/.test(accessToken)) return null
  const answer = await getAnswer(runtime, 'twitter', addressOf(apiUrl, '/2/users/me'), {
    headers: { authorization: `Bearer ${accessToken}` },
  })
  const person = recordOf(answer?.['data'])
  const subject = person === null ? null : textOf(person, 'id')
  return subject === null ? null : { subject, email: null, isEmailVerified: false }
}
