import type { Recipient } from './mails.ts'

/** Where mail for a player goes; null for one without an address. */
export function recipientOf(player: { id: bigint; username: string; email: string | null }): Recipient | null {
  return player.email === null ? null : { playerId: player.id, username: player.username, email: player.email }
}

/** Who somebody is to a social network, as one text: no e-mail address, as it has no `@` before its colon. */
export function identityName(provider: string, subject: string): string {
  return `${provider}:${subject}`
}
