import type { Db } from '../../db/pool.ts'
import type { Jobs } from '../../jobs/queue.ts'
import type { Facts } from '../../kernel/facts.ts'
import type { RateLimits } from '../../kernel/limits.ts'
import type { SocialLogin } from '../../ports/social-login/social-login.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { InstallationSeal } from '../../runtime/seal.ts'
import type { MessagesContext } from '../messages/service.ts'
import { AccessTokens } from './access-tokens.ts'
import { Passwords } from './passwords.ts'
import { Secrets } from './secrets.ts'
import { Places } from './session-place.ts'

/** What authentication needs: passwords, sessions, second steps, and the mails about them. */
export interface IdentityContext {
  readonly db: Db
  readonly runtime: Runtime
  readonly jobs: Jobs
  readonly facts: Pick<Facts, 'record'>
  readonly rateLimits: RateLimits
  readonly messages: MessagesContext
  readonly social: SocialLogin
  /** without a slash at its end; links in mails begin with it */
  readonly publicUrl: string
  readonly secrets: Secrets
  readonly passwords: Passwords
  readonly accessTokens: AccessTokens
  readonly places: Pick<Places, 'of'>
}

type IdentityOptions = Omit<IdentityContext, 'secrets' | 'passwords' | 'accessTokens' | 'places'>

/** The context of one process. @param keyFor the keys of this installation */
export function identityContext(options: IdentityOptions, keyFor: InstallationSeal['keyFor']): IdentityContext {
  const { clock, random } = options.runtime
  const secrets = new Secrets({ keyFor, random })
  return {
    ...options,
    secrets,
    passwords: new Passwords(random, keyFor('passwords')),
    accessTokens: new AccessTokens({ key: secrets.tokenKey, clock }),
    places: new Places(),
  }
}
