import type { Tx } from '../../db/pool.ts'
import { enqueueMail, type MailQueue } from '../messages/service.ts'
import { listPeople } from './staff-queries.ts'

/** Mails something that all owners should know. */
export async function mailOwners(
  ctx: { readonly mail: MailQueue },
  tx: Tx,
  news: { readonly subject: string; readonly paragraphs: readonly string[]; readonly key: string },
): Promise<void> {
  for (const { id, email, roles, disabledAt } of await tx.run(listPeople, []))
    if (disabledAt === null && roles.includes('owner'))
      await enqueueMail(ctx.mail, tx, {
        to: email,
        playerId: null,
        category: 'operator',
        subject: news.subject,
        paragraphs: news.paragraphs,
        key: `${news.key}:${id}`,
      })
}
