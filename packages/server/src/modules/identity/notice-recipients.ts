import { FORMER_EMAIL_SECONDS } from '@fairball/domain/periods'
import type { Queries, Tx } from '../../db/pool.ts'
import * as queries from './former-email-queries.ts'
import { type Recipient, recipientOf } from './recipient.ts'

/**
 * The recipients of a notice about an account's security: the present address, and the verified ones that were left
 * within seven days. Someone who takes an account over changes its address first, and would otherwise be the only one
 * to get the rest.
 */
export async function noticeRecipients(
  from: Queries,
  player: Parameters<typeof recipientOf>[0],
  nowAt: number,
): Promise<Recipient[]> {
  const former = await from.run(queries.listFormerEmails, [player.id, nowAt - FORMER_EMAIL_SECONDS, player.email ?? ''])
  const present = recipientOf(player)
  return [
    ...(present === null ? [] : [present]),
    ...former.map(({ email }) => ({
      playerId: player.id,
      username: player.username,
      email,
      isVerified: true,
      isFormer: true,
    })),
  ]
}

/** Remembers a verified address that its player leaves now. */
export async function rememberFormerEmail(tx: Tx, playerId: bigint, email: string, nowAt: number): Promise<void> {
  await tx.execute(queries.rememberFormerEmail, [playerId, nowAt, email])
}

/** Forgets addresses that were left long enough ago. */
export async function removeOldFormerEmails(tx: Tx, nowAt: number): Promise<void> {
  await tx.execute(queries.removeOldFormerEmails, [nowAt - FORMER_EMAIL_SECONDS])
}
