import type { Tx } from '../../db/pool.ts'
import { LIMITS } from '../../kernel/limits.ts'
import { zoneOf } from '../content/service.ts'
import { enqueueMail, type MailContent, type NewMail, timeIn, wordsOfParagraph } from '../messages/service.ts'
import * as queries from './account-mail-queries.ts'
import type { IdentityContext } from './context.ts'
import { lockPlayer } from './queries.ts'
import type { Recipient } from './recipient.ts'

// The only way to send a mail about an account, with limits per address and period. Mails are counted by the address,
// for all accounts together, in the transaction of the fact, so concurrent requests share one budget.

/** The kind of the job that mails a player's waiting notices as one. */
export const MAIL_WAITING_NOTICES = 'accounts.mail-waiting-notices'
const HOUR = 3600

/** The subject of a notice: the first few of a kind in a day are mailed immediately. */
type NoticeKind = 'password' | 'email' | 'twofa' | 'recovery-code' | 'security-question' | 'device'

/** A mail about an account. */
interface AccountMailContent extends MailContent {
  /** A notice that may be merged with others; missing for mails that always go alone. */
  readonly kind?: NoticeKind
  /** see `NewMail` */
  readonly tellsOf?: NonNullable<NewMail['tellsOf']>
  /** What the reader may do about it: once in a mail, however many facts it reports. */
  readonly advice?: readonly string[]
}

/**
 * Mails about an account. The owner of a never-verified address may not be a player: beyond the budget nothing is sent
 * to it. A verified address loses nothing: notices beyond the first of their kind wait for the full hour.
 */
export async function sendAccountMail(
  ctx: IdentityContext,
  tx: Tx,
  to: Recipient,
  content: AccountMailContent,
): Promise<void> {
  if (!to.isVerified) {
    if (await mayGetMore(ctx, tx, to.email)) await writeMail(ctx, tx, to, content)
  } else if (content.kind === undefined || (await isEarly(ctx, tx, to.email, content.kind)))
    await writeMail(ctx, tx, to, content)
  else await putAside(ctx, tx, to, content.paragraphs.map(wordsOfParagraph).join(' '))
}

/** The day counts what the hour admits: a flood in one hour leaves the next its share. */
async function mayGetMore(ctx: IdentityContext, tx: Tx, email: string): Promise<boolean> {
  return (
    (await ctx.rateLimits.allows(LIMITS.hourlyMailsOfUnverified, email, tx)) &&
    (await ctx.rateLimits.allows(LIMITS.dailyMailsOfUnverified, email, tx))
  )
}

async function isEarly(ctx: IdentityContext, tx: Tx, email: string, kind: NoticeKind): Promise<boolean> {
  return await ctx.rateLimits.allows(LIMITS.dailyNoticesOfKind, `${kind}:${email}`, tx)
}

async function putAside(ctx: IdentityContext, tx: Tx, to: Recipient, fact: string): Promise<void> {
  if (to.playerId === null) return
  const runAt = (Math.floor(ctx.runtime.clock.now() / HOUR) + 1) * HOUR
  // A separate key for each hour: a transaction that holds a player's row never waits for this hour's job, which waits
  // for that row.
  const key = `${MAIL_WAITING_NOTICES}:${to.playerId}:${runAt}`
  await ctx.jobs.add(tx, MAIL_WAITING_NOTICES, { playerId: String(to.playerId) }, { key, runAt })
  await tx.execute(queries.addWaitingNotice, {
    playerId: to.playerId,
    at: ctx.runtime.clock.now(),
    isFormer: to.isFormer === true,
    to: to.email,
    fact,
  })
}

/** Mails what waits for a player, one mail per address. Called at each full hour, and before an account is closed. */
export async function sendWaitingNotices(ctx: IdentityContext, tx: Tx, playerId: bigint): Promise<void> {
  await tx.maybeOne(lockPlayer, [playerId]) // before any other row of the player, as everywhere
  const waiting = await tx.run(queries.takeWaitingNotices, [playerId])
  const inOrder = waiting.toSorted((one, other) => one.firstAt - other.firstAt)
  for (const [email, notices] of Map.groupBy(inOrder, (notice) => notice.toAddress)) {
    const [first] = notices
    if (first === undefined) continue
    const { username, isFormer, timezoneId } = first
    const time = timeIn(zoneOf(timezoneId), ctx.runtime.clock.now())
    await writeMail(
      ctx,
      tx,
      { playerId, username, email, isVerified: true, isFormer },
      {
        subject: 'Several changes to your account',
        paragraphs: notices.map(
          ({ fact, count, lastAt }) => `${fact} (${count === 1 ? '' : `${count} times, last on `}${time(lastAt)})`,
        ),
        advice: [NOT_YOU],
        action: securitySettings(ctx.publicUrl),
      },
    )
  }
}

async function writeMail(ctx: IdentityContext, tx: Tx, to: Recipient, content: AccountMailContent): Promise<void> {
  const { kind: _, advice = [], paragraphs, closing = [], ...others } = content
  await enqueueMail(ctx.messages, tx, {
    ...others,
    closing: to.isFormer === true ? [...closing, ...whyStill(ctx)] : closing,
    paragraphs: [`Hello ${to.username},`, ...paragraphs, ...advice],
    to: to.email,
    playerId: to.playerId,
    category: 'account',
    key: `account:${ctx.runtime.random.uuid()}`,
  })
}

/** What to do about a change made by someone else. */
export const NOT_YOU =
  'If this was not you, please reset your password at once and review your active sessions in your security settings.'

/** The button of most notices. */
export function securitySettings(publicUrl: string): { label: string; address: string } {
  return { label: 'Open my security settings', address: `${publicUrl}/settings/profile-and-settings/security` }
}

function whyStill({ publicUrl }: IdentityContext): string[] {
  return [
    'You get this mail because this was the email address of the account until a few days ago.',
    `If it was not you who changed it, please contact us at once: ${publicUrl}/help-and-contact-us`,
  ]
}
