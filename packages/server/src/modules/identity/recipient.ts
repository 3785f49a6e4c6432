/** Whom an account mail goes to. */
export interface Recipient {
  /** null for who is no player of ours any more */
  readonly playerId: bigint | null
  readonly username: string
  readonly email: string
  /** whether the player has shown that the address is theirs */
  readonly isVerified: boolean
  /** an address that the player has left: the notice says why it still comes */
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

/** Who somebody is to a social network, as one text: no email address, as it has no `@` before its colon. */
export function identityName(provider: string, subject: string): string {
  return `${provider}:${subject}`
}
