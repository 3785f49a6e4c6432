/** The player of a request, as its session's row told when the request came in. */
export interface SignedIn {
  /** the player's id */
  readonly id: bigint
  readonly sessionId: string
  readonly username: string
  /** null where a social provider told none */
  readonly email: string | null
  /** epoch seconds; null until verified */
  readonly emailVerifiedAt: number | null
  readonly currencyId: number
  readonly timezoneId: number
  /** whether the account has no password of its own */
  readonly isSocial: boolean
}
