import { emailProblem } from '@fairball/domain/validation'
import type { Runtime } from '../../runtime/runtime.ts'
import { identifyAtFacebook, type FacebookOptions } from './facebook.ts'
import { identifyAtGoogle, type GoogleOptions } from './google.ts'
import type { SocialIdentity, SocialLogin, SocialProvider } from './social-login.ts'
import { identifyAtTwitter, type TwitterOptions } from './twitter.ts'

/** The providers an installation has; null for one that is not configured. */
export interface SocialLoginOptions {
  readonly facebook: FacebookOptions | null
  readonly google: GoogleOptions | null
  readonly twitter: Omit<TwitterOptions, 'redirectUri'> | null
}

/** A token contains no line feed, no space and no other character that could end a header. */
const TOKEN = /^[\x21-\x7e]+$/

/**
 * The social logins of an installation. One that is not configured refuses every token.
 *
 * @param publicUrl of the site, without a slash at its end: X requires the address it returned to
 */
export function configuredProviders(
  runtime: Pick<Runtime, 'fetch' | 'monotonic' | 'log'>,
  options: SocialLoginOptions,
  publicUrl: string,
): SocialLogin {
  const twitter =
    options.twitter === null ? null : { ...options.twitter, redirectUri: `${publicUrl}/social-login/twitter` }

  async function ask(provider: SocialProvider, token: string): Promise<SocialIdentity | null> {
    switch (provider) {
      case 'facebook':
        return options.facebook === null ? null : await identifyAtFacebook(runtime, options.facebook, token)
      case 'google':
        return options.google === null ? null : await identifyAtGoogle(runtime, options.google, token)
      case 'twitter':
        return twitter === null ? null : await identifyAtTwitter(runtime, twitter, token)
    }
  }
  return {
    async identify(provider, accessToken) {
      if (!TOKEN.test(accessToken)) return null
      const identity = await ask(provider, accessToken)
      if (identity === null || identity.email === null) return identity
      // An address we could not write to is as good as none.
      return emailProblem(identity.email) === null ? identity : { ...identity, email: null, isEmailVerified: false }
    },
  }
}
