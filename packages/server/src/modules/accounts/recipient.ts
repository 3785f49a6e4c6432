import type { Recipient } from './mails.ts'

/** Where mail for a player goes; null for one without an address. */
export function recipientOf(player: { id: bigint; username: string; email: string | null }): Recipient | null {
  return player.email === null ? null : { playerId: player.id, username: player.username, email: player.email }
}
