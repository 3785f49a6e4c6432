import { LotteryError } from '@fairball/domain/errors'
import type { Queries, Tx } from '../../db/pool.ts'
import { pageRange, totalPages } from '../../kernel/paging.ts'
import { exported } from '../../kernel/personal-data.ts'
import type { Mailbox } from '../../ports/mail/mailer.ts'
import type { Renew } from '../../runtime/seal.ts'
import type { MailQueue, MessagesContext } from './context.ts'
import { type MailContent, oneLine, renderMail } from './mail-template.ts'
import * as queries from './queries.ts'
import type { MailCategory } from './queries.ts'
import { sanitiseHtml } from './sanitise-html.ts'
import { SEND_MAIL } from './sending.ts'
import { sealedFor } from './waiting-mail.ts'

export { wordsOfParagraph } from './mail-parts.ts'
export type { MailContent } from './mail-template.ts'
export { timeIn } from './player-words.ts'

export type { MailQueue, MessagesContext } from './context.ts'

/** Maximum number of mails in the outbox. */
const MAX_MAILS_SHOWN = 200n
const TITLE_MAX = 250

/** A link of a message, or of its mail. */
export interface MessageAction {
  readonly label: string
  /** from `/` on */
  readonly path: string
}

/** A message for a player's inbox. */
interface NewMessage {
  readonly playerId: bigint
  readonly title: string
  /** Reduced to the allowed elements before it is written. */
  readonly html: string
  /** Where it leads: a page of this site. */
  readonly action: MessageAction | null
  /** Names the fact that the message reports: the same one twice is one message. */
  readonly key: string
}

/** A mail for the outbox. */
export interface NewMail extends MailContent {
  readonly to: string
  /** Its sender, for a test of one; default: the sender in force when it leaves. */
  readonly from?: Mailbox
  /** The player it is for; null for mail to others (the operator's contact address). */
  readonly playerId: bigint | null
  readonly category: MailCategory
  /** Names the fact that the mail reports: the same one twice is one mail. */
  readonly key: string
  /** The payout address or destination it reports, and the proof that the program wrote both. */
  readonly tellsOf?: { readonly proof: Uint8Array } & (
    | { readonly addressId: bigint; readonly destinationId?: never }
    | { readonly destinationId: bigint; readonly addressId?: never }
  )
}

/** Which mails a player wants (decisions section 6). */
interface MailPreferences {
  /** draw results and reminders */
  readonly isLotteryGamesActive: boolean
  /** winners and good causes */
  readonly isWinnersAndGoodCausesActive: boolean
}

/** Advertising is only sent to players who asked for it. */
const DEFAULT_PREFERENCES: MailPreferences = { isLotteryGamesActive: true, isWinnersAndGoodCausesActive: false }

/** Puts a message into a player's inbox, in the transaction of the fact it reports. */
export async function sendMessage(ctx: MessagesContext, tx: Tx, message: NewMessage): Promise<void> {
  const title = oneLine(message.title).slice(0, TITLE_MAX)
  await tx.execute(queries.insertMessage, {
    playerId: message.playerId,
    now: ctx.runtime.clock.now(),
    title,
    content: sanitiseHtml(message.html),
    actionLabel: message.action?.label ?? null,
    actionPath: message.action?.path ?? null,
    key: message.key,
  })
}

/**
 * Queues a mail in the transaction of the fact it reports. A mail that the player's preferences exclude is not written:
 * draw results and reminders follow the first preference, news the second; mails about account, payments and wins are
 * always sent.
 */
export async function enqueueMail(ctx: MailQueue, tx: Tx, mail: NewMail): Promise<void> {
  if (mail.playerId !== null && !(await isWanted(ctx, tx, mail.playerId, mail.category))) return
  const { subject, ...content } = renderMail(mail, mail.category, ctx.site())
  const to = oneLine(mail.to)
  const row = await tx.maybeOne(queries.insertMail, {
    playerId: mail.playerId,
    now: ctx.runtime.clock.now(),
    category: mail.category,
    toAddress: to,
    subject,
    sealed: ctx.seal.close(Buffer.from(JSON.stringify(content)), sealedFor(mail.key, to)),
    key: mail.key,
    addressId: mail.tellsOf?.addressId ?? null,
    destinationId: mail.tellsOf?.destinationId ?? null,
    addressProof: mail.tellsOf?.proof ?? null,
  })
  if (row === null) return // the fact was reported before
  if (mail.from !== undefined) await tx.execute(queries.nameSender, [row.id, mail.from.name, mail.from.address])
  await ctx.jobs.add(tx, SEND_MAIL, { mailId: String(row.id) }, { key: `mail:${row.id}` })
}

/** How many mails wait for their first try, for a retry, and how many were permanently refused. */
export async function unsentMail(ctx: MessagesContext): Promise<{ waiting: number; failing: number; refused: number }> {
  return await ctx.db.one(queries.countUnsentMail, [])
}

/** A page of a player's messages, newest first. */
export async function listMessages(ctx: MessagesContext, playerId: bigint, page: number) {
  const { limit, offset } = pageRange(page)
  const [rows, { count }] = await Promise.all([
    ctx.db.run(queries.listMessages, [playerId, BigInt(limit), BigInt(offset)]),
    ctx.db.one(queries.countMessages, [playerId]),
  ])
  const results = rows.map(({ id, createdAt, title, content, actionLabel: label, actionPath: path, isRead }) => ({
    id: String(id),
    created_at: createdAt,
    title,
    content,
    action: label === null || path === null ? null : { label, path },
    is_read: isRead,
  }))
  return { results, total_pages: totalPages(count) }
}

/** Marks a message of the player. @throws LotteryError NOT_FOUND, also for another player's */
export async function markMessage(
  ctx: MessagesContext,
  playerId: bigint,
  messageId: string,
  isRead: boolean,
): Promise<void> {
  const id = /^[1-9]\d{0,17}$/.test(messageId) ? BigInt(messageId) : null
  const touched = id === null ? 0 : await ctx.db.execute(queries.markMessage, [id, playerId, isRead])
  if (touched === 0) throw new LotteryError('NOT_FOUND', 'No such message.')
}

/** Marks every message of the player as read. */
export async function markAllMessages(ctx: MessagesContext, playerId: bigint): Promise<void> {
  await ctx.db.execute(queries.markAllMessages, [playerId])
}

/** How many messages the player has not read. */
export async function countUnread(ctx: Pick<MessagesContext, 'db'>, playerId: bigint): Promise<number> {
  return (await ctx.db.one(queries.countUnread, [playerId])).count
}

/** The mails that were sent, newest first, for the demo's outbox; only those to one address if it is given. */
export async function listOutbox(ctx: Pick<MessagesContext, 'db'>, to?: string) {
  const rows = await ctx.db.run(queries.listSentMail, [to ?? null, MAX_MAILS_SHOWN])
  return rows.map(({ toAddress, subject, text, html, links, sentAt }) => ({
    to: toAddress,
    subject,
    text,
    html,
    links,
    sent_at: sentAt ?? 0, // the query returns only sent mails
  }))
}

async function readPreferences(from: Queries, playerId: bigint): Promise<MailPreferences> {
  return (await from.maybeOne(queries.readMailPreferences, [playerId])) ?? DEFAULT_PREFERENCES
}

/** Which mails a player wants, for the settings page. */
export async function preferencesOf(ctx: MessagesContext, playerId: bigint): Promise<MailPreferences> {
  return await readPreferences(ctx.db, playerId)
}

async function isWanted(ctx: MailQueue, tx: Tx, playerId: bigint, category: MailCategory): Promise<boolean> {
  switch (category) {
    case 'results':
      return (await readPreferences(tx, playerId)).isLotteryGamesActive
    case 'reminder':
      return (await readPreferences(tx, playerId)).isLotteryGamesActive && !(await isLeftAlone(ctx, tx, playerId))
    case 'news':
      return (
        (await readPreferences(tx, playerId)).isWinnersAndGoodCausesActive && !(await isLeftAlone(ctx, tx, playerId))
      )
    case 'account':
    case 'payment':
    case 'win':
    case 'contact':
    case 'operator':
      return true
  }
}

async function isLeftAlone(ctx: MailQueue, tx: Tx, playerId: bigint): Promise<boolean> {
  return (await tx.one(queries.isLeftAlone, [playerId, ctx.runtime.clock.now()])).isLeftAlone
}

/** Saves which mails a player wants. */
export async function savePreferences(ctx: MessagesContext, playerId: bigint, wanted: MailPreferences): Promise<void> {
  const { isLotteryGamesActive, isWinnersAndGoodCausesActive } = wanted
  await ctx.db.execute(queries.saveMailPreferences, [playerId, isLotteryGamesActive, isWinnersAndGoodCausesActive])
}

/** What is stored about a player here, for the personal data export. */
export async function messagesOf(ctx: MessagesContext, playerId: bigint) {
  const [messages, mails, wanted] = await Promise.all([
    ctx.db.run(queries.exportMessages, [playerId]),
    ctx.db.run(queries.exportMail, [playerId]),
    readPreferences(ctx.db, playerId),
  ])
  return {
    messages: messages.map(exported),
    mails: mails.map(exported),
    email_preferences: {
      is_lottery_games_active: wanted.isLotteryGamesActive,
      is_winners_and_good_causes_active: wanted.isWinnersAndGoodCausesActive,
    },
  }
}

/** Removes what is stored about a player here, when the account is closed. */
export async function forgetMessagesOf(tx: Tx, playerId: bigint): Promise<void> {
  await tx.execute(queries.removeMessagesOfPlayer, [playerId])
  await tx.execute(queries.detachUnsentMail, [playerId])
  await tx.execute(queries.removeMailOfPlayer, [playerId])
  await tx.execute(queries.removeMailPreferences, [playerId])
}

/**
 * Removes mails sent, or permanently refused, before a time; for those without a player another time applies. The
 * outbox is no archive.
 */
export async function removeMailSentBefore(tx: Tx, limits: { playersAt: number; othersAt: number }): Promise<void> {
  await tx.execute(queries.removeOldMail, [limits.playersAt, limits.othersAt])
}

/** Encrypts waiting mails again. @returns how many */
export async function renewMailSeals(tx: Tx, renew: Renew): Promise<number> {
  const mails = await tx.run(queries.listSealedMail, [])
  const fresh = mails.map((mail) => renew(mail.sealed, sealedFor(mail.key, mail.toAddress)) ?? mail.sealed)
  return await tx.execute(queries.replaceSealedMail, [mails.map(({ id }) => id), fresh])
}
