import type { Role } from '@fairball/contract/console/roles'
import type { Tx } from '../../db/pool.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { enqueueMail } from '../messages/service.ts'
import type { CarryOutContext, Relying } from './context.ts'
import { sha256 } from './passkeys.ts'
import { closeInvitesOf, insertInvite } from './staff-queries.ts'

// One-time links over which a person registers two passkeys. Its holder may become that person, so it is printed
// or mailed, and only its hash is kept.

const INVITE_SECONDS = 24 * 3600

/** Makes a link for a person, which takes the place of open ones. @returns its address */
export async function makeInvite(
  { runtime, relying }: { readonly runtime: Pick<Runtime, 'clock' | 'random'>; readonly relying: Relying },
  tx: Tx,
  staffId: bigint,
): Promise<string> {
  const now = runtime.clock.now()
  const token = Buffer.from(runtime.random.bytes(32)).toString('base64url')
  await tx.execute(closeInvitesOf, [staffId, now])
  await tx.execute(insertInvite, [sha256(token), staffId, now + INVITE_SECONDS])
  return `${relying.origin}/enter/${token}`
}

/** Makes a link and mails it to its person. */
export async function mailInvite(
  ctx: CarryOutContext,
  tx: Tx,
  person: { readonly id: bigint; readonly name: string; readonly email: string; readonly roles: readonly Role[] },
  key: string,
): Promise<void> {
  const address = await makeInvite(ctx, tx, person.id)
  const { name } = ctx.mail.site()
  await enqueueMail(ctx.mail, tx, {
    to: person.email,
    playerId: null,
    category: 'operator',
    subject: `Your passkeys for the console of ${name}`,
    paragraphs: [
      `${person.name}, you are invited to the operator's console of ${name} as ${person.roles.join(', ')}.`,
      'Over this link you register two passkeys. It works for 24 hours, and for you alone: do not pass it on.',
    ],
    action: { label: 'Register passkeys', address },
    key,
  })
}
