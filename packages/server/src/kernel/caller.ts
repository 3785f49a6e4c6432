/** The player of a request, from its session's row when the request came in. */
export interface SignedIn {
  /** the player's id */
  readonly id: bigint
  readonly sessionId: string
  readonly username: string
  /** null if a social provider reported none */
  readonly email: string | null
  /** epoch seconds; null until verified */
  readonly emailVerifiedAt: number | null
  readonly currencyId: number
  readonly timezoneId: number
  /** whether the account has no password of its own */
  readonly isSocial: boolean
}
