/** The recipient of an account mail. */
export interface Recipient {
  /** null for a former player */
  readonly playerId: bigint | null
  readonly username: string
  readonly email: string
  /** whether the player has proved that the address is theirs */
  readonly isVerified: boolean
  /** an address that the player has left: the notice says why it is still sent */
  readonly isFormer?: boolean
}

/** Where mail for a player goes; null for one without an address. */
export function recipientOf(player: {
  id: bigint
  username: string
  email: string | null
  emailVerifiedAt: number | null
}): Recipient | null {
  const { id, username, email, emailVerifiedAt } = player
  return email === null ? null : { playerId: id, username, email, isVerified: emailVerifiedAt !== null }
}

/** A person's identity at a social network, as one text: not an email address, as it has no `@` before its colon. */
export function identityName(provider: string, subject: string): string {
  return `${provider}:${subject}`
}
