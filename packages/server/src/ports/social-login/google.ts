import type { Runtime } from '../../runtime/runtime.ts'
import { addressOf, getAnswer, textOf, type Answered } from './provider-answers.ts'
import type { SocialIdentity } from './social-login.ts'

/** Google's application of this site, and the address of its API. */
export interface GoogleOptions {
  readonly clientId: string
  /** Behind it are `/tokeninfo` and `/userinfo`; a local OpenID provider can replace it. */
  readonly apiUrl: string
}

/** Google's API. */
export const GOOGLE_API_URL = 'https://www.googleapis.com/oauth2/v3'
/** The page of Google on which a person agrees to log in. */
export const GOOGLE_AUTH_URL = 'https://accounts.google.com/o/oauth2/v2/auth'

/**
 * The person that an access token of Google belongs to. `tokeninfo` says for which application it was made: a token
 * that another site got from its visitor would otherwise open the visitor's account here.
 */
export async function identifyAtGoogle(
  runtime: Pick<Runtime, 'fetch' | 'monotonic' | 'log'>,
  { clientId, apiUrl }: GoogleOptions,
  accessToken: string,
): Promise<SocialIdentity | null> {
  const info = await getAnswer(runtime, 'google', addressOf(apiUrl, '/tokeninfo', { access_token: accessToken }))
  if (info === null || textOf(info, 'aud') !== clientId) return null
  const person = await getAnswer(runtime, 'google', addressOf(apiUrl, '/userinfo'), {
    headers: { authorization: `Bearer ${accessToken}` },
  })
  const subject = person === null ? null : textOf(person, 'sub')
  if (person === null || subject === null || !isSamePerson(info, subject)) return null
  return {
    subject,
    email: textOf(person, 'email'),
    isEmailVerified: person['email_verified'] === true || person['email_verified'] === 'true',
  }
}

function isSamePerson(info: Answered, subject: string): boolean {
  return info['sub'] === undefined || info['sub'] === subject
}
