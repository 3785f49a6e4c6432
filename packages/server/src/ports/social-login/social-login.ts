/** The social networks a player can log in with. */
const SOCIAL_PROVIDERS = ['facebook', 'google', 'twitter'] as const
export type SocialProvider = (typeof SOCIAL_PROVIDERS)[number]

/** A person as a provider knows it. */
export interface SocialIdentity {
  /** the provider's own id of the person, which never changes */
  readonly subject: string
  /** null if the provider reports none */
  readonly email: string | null
  /** whether the provider vouches that the address is the person's */
  readonly isEmailVerified: boolean
}

/** The network gave no answer about the token: it is down, too busy, or answers nonsense. */
export class SocialNetworkUnreachable extends Error {
  override readonly name = 'SocialNetworkUnreachable'
}

/** Asks social networks whose a token is. */
export interface SocialLogin {
  /**
   * The person that an access token (for X: a code and its verifier) belongs to, according to the provider. Null if the
   * provider refuses it, if it was made for another application, or if the provider is not configured.
   *
   * @throws SocialNetworkUnreachable if the provider could not be asked
   */
  identify(provider: SocialProvider, accessToken: string): Promise<SocialIdentity | null>
}

/** The site's applications at the social networks, and the addresses of their pages and APIs. */
export interface SocialLogins {
  readonly google: { readonly clientId: string; readonly apiUrl: string; readonly authUrl: string } | null
  readonly facebook: {
    readonly appId: string
    readonly appSecret: string
    readonly apiUrl: string
    readonly authUrl: string
  } | null
  readonly twitter: { readonly clientId: string; readonly apiUrl: string; readonly authUrl: string } | null
}
