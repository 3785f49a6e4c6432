/** The social networks a player can log in with. */
export const SOCIAL_PROVIDERS = ['facebook', 'google', 'twitter'] as const
export type SocialProvider = (typeof SOCIAL_PROVIDERS)[number]

/** A person as a provider knows it. */
export interface SocialIdentity {
  /** the provider's own id of the person, which never changes */
  readonly subject: string
  /** null where the provider tells none */
  readonly email: string | null
  /** whether the provider vouches that the address is the person's */
  readonly isEmailVerified: boolean
}

/** The network gave no answer that says anything about the token: it is away, too busy, or answers nonsense. */
export class SocialNetworkUnreachable extends Error {
  override readonly name = 'SocialNetworkUnreachable'
}

/** Asks social networks who a token belongs to. */
export interface SocialLogin {
  /**
   * Whom an access token belongs to, as the provider itself says; null when the provider refuses it, when it was made
   * for another application, or when the provider is not configured.
   *
   * @throws SocialNetworkUnreachable when the provider could not be asked
   */
  identify(provider: SocialProvider, accessToken: string): Promise<SocialIdentity | null>
}
