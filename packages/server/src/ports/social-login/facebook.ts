import { createHmac } from 'node:crypto'
import type { Runtime } from '../../runtime/runtime.ts'
import { addressOf, getAnswer, recordOf, textOf } from './provider-answers.ts'
import type { SocialIdentity } from './social-login.ts'

/** Facebook's application of this site, and the address of its API. */
export interface FacebookOptions {
  readonly appId: string
  readonly appSecret: string
  /** Behind it are `/debug_token` and `/me`. */
  readonly apiUrl: string
}

/** Facebook's API. */
export const FACEBOOK_API_URL = 'https://graph.facebook.com/v23.0'
/** The page of Facebook on which a person agrees to log in. */
export const FACEBOOK_AUTH_URL = 'https://www.facebook.com/v23.0/dialog/oauth'

/**
 * The person that an access token of Facebook belongs to. `debug_token` says for which application it was made.
 * Facebook does not vouch for the address, so it is verified here by mail.
 */
export async function identifyAtFacebook(
  runtime: Pick<Runtime, 'fetch' | 'monotonic' | 'log'>,
  { appId, appSecret, apiUrl }: FacebookOptions,
  accessToken: string,
): Promise<SocialIdentity | null> {
  const checked = await getAnswer(
    runtime,
    'facebook',
    addressOf(apiUrl, '/debug_token', { input_token: accessToken, access_token: `${appId}|${appSecret}` }),
  )
  const token = recordOf(checked?.['data'])
  if (token === null || token['is_valid'] !== true || String(token['app_id']) !== appId) return null

  const proof = createHmac('sha256', appSecret).update(accessToken).digest('hex')
  const me = await getAnswer(
    runtime,
    'facebook',
    addressOf(apiUrl, '/me', { fields: 'id,email', access_token: accessToken, appsecret_proof: proof }),
  )
  const subject = me === null ? null : textOf(me, 'id')
  if (me === null || subject === null || String(token['user_id']) !== subject) return null
  return { subject, email: textOf(me, 'email'), isEmailVerified: false }
}
