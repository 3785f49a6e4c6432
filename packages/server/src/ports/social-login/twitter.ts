import type { Runtime } from '../../runtime/runtime.ts'
import { addressOf, getAnswer, recordOf, textOf } from './provider-answers.ts'
import type { SocialIdentity } from './social-login.ts'

/** Where Twitter's API is. */
export interface TwitterOptions {
  /** Behind it is `/2/users/me`. */
  readonly apiUrl: string
}

/** Where Twitter answers. */
export const TWITTER_API_URL = 'https://api.x.com'

/**
 * Whom an access token of Twitter belongs to. Twitter tells neither an address nor for which application a token was
 * made, so this provider is for operators who know that; it is off unless configured, and no page has a button for it.
 */
export async function identifyAtTwitter(
  runtime: Pick<Runtime, 'fetch' | 'steady' | 'log'>,
  { apiUrl }: TwitterOptions,
  accessToken: string,
): Promise<SocialIdentity | null> {
  const answer = await getAnswer(runtime, 'twitter', addressOf(apiUrl, '/2/users/me'), {
    authorization: `Bearer ${accessToken}`,
  })
  const person = recordOf(answer?.['data'])
  const subject = person === null ? null : textOf(person, 'id')
  return subject === null ? null : { subject, email: null, isEmailVerified: false }
}
