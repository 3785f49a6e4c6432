import { LotteryError } from '@fairball/domain/errors'
import type { Db, Queries, Tx } from '../../db/pool.ts'
import type { Jobs } from '../../jobs/queue.ts'
import { pageRange, totalPages } from '../../http/paging.ts'
import type { Mailer } from '../../ports/mail/mailer.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { oneLine, renderMail, type MailContent } from './mail-template.ts'
import * as queries from './queries.ts'
import type { MailCategory } from './queries.ts'
import { sanitiseHtml } from './sanitise-html.ts'

/** The kind of the job that sends one mail. */
export const SEND_MAIL = 'messages.send-mail'
/** How many mails the outbox shows at most. */
const MOST_MAILS_SHOWN = 200n
const TITLE_MAX = 250

/** A message for a player's inbox. */
export interface NewMessage {
  readonly playerId: bigint
  readonly title: string
  /** Reduced to the allowed elements before it is written. */
  readonly html: string
  /** Names the fact the message tells: the same one twice is one message. */
  readonly key: string
}

/** A mail for the outbox. */
export interface NewMail extends MailContent {
  readonly to: string
  /** The player it is for; null for mail to others (the operator's contact address). */
  readonly playerId: bigint | null
  readonly category: MailCategory
  /** Names the fact the mail tells: the same one twice is one mail. */
  readonly key: string
}

/** Which mails a player wants (decisions section 6). */
export interface MailPreferences {
  /** draw results and reminders */
  readonly isLotteryGamesActive: boolean
  /** winners and good causes */
  readonly isWinnersAndGoodCausesActive: boolean
}

/** Advertising is only sent to who asked for it. */
const DEFAULT_PREFERENCES: MailPreferences = { isLotteryGamesActive: true, isWinnersAndGoodCausesActive: false }

export interface MessagesDeps {
  readonly db: Db
  readonly runtime: Pick<Runtime, 'clock' | 'log'>
  readonly jobs: Jobs
  readonly mailer: Mailer
}

export type Messages = ReturnType<typeof createMessages>

/** The player's inbox, and the mail that leaves the house. */
export function createMessages({ db, runtime, jobs, mailer }: MessagesDeps) {
  const now = (): number => runtime.clock.now()

  /** Puts a message into a player's inbox, in the transaction of the fact it tells. */
  async function send(tx: Tx, message: NewMessage): Promise<void> {
    const title = oneLine(message.title).slice(0, TITLE_MAX)
    await tx.execute(queries.insertMessage, [message.playerId, now(), title, sanitiseHtml(message.html), message.key])
  }

  /**
   * Queues a mail in the transaction of the fact it tells. One that the player's preferences hold back is not written:
   * draw results and reminders follow the first, news the second; mails on account, payments and wins always go.
   */
  async function enqueue(tx: Tx, mail: NewMail): Promise<void> {
    if (mail.playerId !== null && !(await isWanted(tx, mail.playerId, mail.category))) return
    const { subject, text, html, links } = renderMail(mail)
    const to = oneLine(mail.to)
    const row = await tx.maybeOne(queries.insertMail, [
      mail.playerId,
      now(),
      mail.category,
      to,
      subject,
      text,
      html,
      links,
      mail.key,
    ])
    if (row === null) return // the fact was told before
    await jobs.add(tx, SEND_MAIL, { mailId: String(row.id) }, { key: `mail:${row.id}` })
  }

  /** Sends a mail of the outbox. A mail already sent is nothing to do. */
  async function sendMail(mailId: bigint): Promise<void> {
    const mail = await db.maybeOne(queries.beginMail, [mailId])
    if (mail === null) return
    await mailer.send({ id: mailId, to: mail.to_address, subject: mail.subject, text: mail.text, html: mail.html })
    await db.execute(queries.markMailSent, [mailId, now(), mailer.isOutboxKept])
    runtime.log.info({ mailId }, 'mail sent')
  }

  /** A page of a player's messages, newest first. */
  async function list(playerId: bigint, page: number) {
    const { limit, offset } = pageRange(page)
    const [rows, { count }] = await Promise.all([
      db.run(queries.listMessages, [playerId, BigInt(limit), BigInt(offset)]),
      db.one(queries.countMessages, [playerId]),
    ])
    const results = rows.map(({ id, title, content, is_read }) => ({ id: String(id), title, content, is_read }))
    return { results, total_pages: totalPages(count) }
  }

  /** Marks a message of the player. @throws LotteryError NOT_FOUND, also for another player's */
  async function mark(playerId: bigint, messageId: string, isRead: boolean): Promise<void> {
    const id = /^[1-9]\d{0,17}$/.test(messageId) ? BigInt(messageId) : null
    const touched = id === null ? 0 : await db.execute(queries.markMessage, [id, playerId, isRead])
    if (touched === 0) throw new LotteryError('NOT_FOUND', 'No such message.')
  }

  /** The mails that were sent, newest first, for the demo's outbox; only those to one address where it is given. */
  async function outbox(to?: string) {
    const rows = await db.run(queries.listSentMail, [to ?? null, MOST_MAILS_SHOWN])
    return rows.map(({ to_address, subject, text, html, links, sent_at }) => ({
      to: to_address,
      subject,
      text,
      html,
      links,
      sent_at: sent_at ?? 0, // the query gives sent ones only
    }))
  }

  async function preferences(from: Queries, playerId: bigint): Promise<MailPreferences> {
    const row = await from.maybeOne(queries.readMailPreferences, [playerId])
    if (row === null) return DEFAULT_PREFERENCES
    return {
      isLotteryGamesActive: row.is_lottery_games_active,
      isWinnersAndGoodCausesActive: row.is_winners_and_good_causes_active,
    }
  }

  /** Which mails a player wants, for the settings page. */
  async function preferencesOf(playerId: bigint): Promise<MailPreferences> {
    return await preferences(db, playerId)
  }

  async function isWanted(tx: Tx, playerId: bigint, category: MailCategory): Promise<boolean> {
    switch (category) {
      case 'results':
      case 'reminder':
        return (await preferences(tx, playerId)).isLotteryGamesActive
      case 'news':
        return (await preferences(tx, playerId)).isWinnersAndGoodCausesActive
      case 'account':
      case 'payment':
      case 'win':
      case 'contact':
        return true
    }
  }

  /** Saves which mails a player wants. */
  async function savePreferences(playerId: bigint, wanted: MailPreferences): Promise<void> {
    const { isLotteryGamesActive, isWinnersAndGoodCausesActive } = wanted
    await db.execute(queries.saveMailPreferences, [playerId, isLotteryGamesActive, isWinnersAndGoodCausesActive])
  }

  /** What is kept about a player here, for the export of personal data. */
  async function personalData(playerId: bigint) {
    const [messages, mails, wanted] = await Promise.all([
      db.run(queries.exportMessages, [playerId]),
      db.run(queries.exportMail, [playerId]),
      preferences(db, playerId),
    ])
    return {
      messages,
      mails,
      email_preferences: {
        is_lottery_games_active: wanted.isLotteryGamesActive,
        is_winners_and_good_causes_active: wanted.isWinnersAndGoodCausesActive,
      },
    }
  }

  /** Removes what is kept about a player here, when the account is closed. */
  async function forgetPlayer(tx: Tx, playerId: bigint): Promise<void> {
    await tx.execute(queries.removeMessagesOfPlayer, [playerId])
    await tx.execute(queries.removeMailOfPlayer, [playerId])
    await tx.execute(queries.removeMailPreferences, [playerId])
  }

  /** Removes mails sent before `at`: the outbox is no archive. */
  async function removeMailSentBefore(tx: Tx, at: number): Promise<void> {
    await tx.execute(queries.removeOldMail, [at])
  }

  return {
    send,
    mail: { enqueue },
    sendMail,
    list,
    mark,
    outbox,
    preferencesOf,
    savePreferences,
    personalData,
    forgetPlayer,
    removeMailSentBefore,
  }
}
