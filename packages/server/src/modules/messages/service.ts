import { LotteryError } from '@fairball/domain/errors'
import type { Db, Queries, Tx } from '../../db/pool.ts'
import type { Jobs } from '../../jobs/queue.ts'
import { pageRange, totalPages } from '../../http/paging.ts'
import { MailRefused, type Mailer } from '../../ports/mail/mailer.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { oneLine, renderMail, type MailContent, type MailSite } from './mail-template.ts'
import * as queries from './queries.ts'
import type { MailCategory } from './queries.ts'
import { sanitiseHtml } from './sanitise-html.ts'

/** The kind of the job that sends one mail. */
export const SEND_MAIL = 'messages.send-mail'
/** How many mails the outbox shows at most. */
const MOST_MAILS_SHOWN = 200n
const TITLE_MAX = 250
/** So long a refused mail is tried; no key in it lives longer. */
const REFUSED_FOR_GOOD_AFTER_SECONDS = 86_400

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
  /** whom mails come from */
  readonly site: MailSite
}

export type Messages = ReturnType<typeof createMessages>

/** The player's inbox, and the mail that leaves the house. */
export function createMessages({ db, runtime, jobs, mailer, site }: MessagesDeps) {
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
    const { subject, text, html, links } = renderMail(mail, mail.category, site)
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

  /**
   * Sends a mail of the outbox. One already sent, or refused for good, is nothing to do.
   *
   * Whatever else is thrown makes the queue try again, with growing waits and without an end: a mail is not lost because
   * its server was away. What a server refuses is not sent for ever, though: a mailbox that does not exist ends it at
   * once, any other refusal (a full mailbox, a server that does not know us yet) after a day. The mail stays in the
   * outbox, is logged and counted.
   *
   * @param finish what else is done in the transaction that notes it as sent
   */
  async function sendMail(mailId: bigint, finish: (tx: Tx) => Promise<unknown> = async () => undefined): Promise<void> {
    const mail = await db.maybeOne(queries.findUnsentMail, [mailId])
    if (mail === null) return
    try {
      await mailer.send({ id: mailId, to: mail.to_address, subject: mail.subject, text: mail.text, html: mail.html })
    } catch (error) {
      const isTriedAgain =
        !(error instanceof MailRefused) ||
        (!error.isUnknownMailbox && now() < mail.created_at + REFUSED_FOR_GOOD_AFTER_SECONDS)
      if (isTriedAgain) {
        await db.execute(queries.countFailedTry, [mailId])
        throw error
      }
      await db.execute(queries.markMailRefused, [mailId, now(), error.message])
      runtime.log.error({ mailId, category: mail.category, reason: error.message }, 'a mail was refused for good')
      return
    }
    await db.transaction((tx) =>
      Promise.all([tx.execute(queries.markMailSent, [mailId, now(), mailer.isOutboxKept]), finish(tx)]),
    )
    runtime.log.info({ mailId }, 'mail sent')
  }

  /** How many mails wait for their first try, for another one, and how many were refused for good. */
  async function unsentMail(): Promise<{ waiting: number; failing: number; refused: number }> {
    return await db.one(queries.countUnsentMail, [])
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
        return (await preferences(tx, playerId)).isLotteryGamesActive
      case 'reminder':
        return (await preferences(tx, playerId)).isLotteryGamesActive && !(await isLeftAlone(tx, playerId))
      case 'news':
        return (await preferences(tx, playerId)).isWinnersAndGoodCausesActive && !(await isLeftAlone(tx, playerId))
      case 'account':
      case 'payment':
      case 'win':
      case 'contact':
        return true
    }
  }

  async function isLeftAlone(tx: Tx, playerId: bigint): Promise<boolean> {
    return (await tx.one(queries.isLeftAlone, [playerId, now()])).is_left_alone
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
    await tx.execute(queries.detachUnsentMail, [playerId])
    await tx.execute(queries.removeMailOfPlayer, [playerId])
    await tx.execute(queries.removeMailPreferences, [playerId])
  }

  /** Removes mails sent, or refused for good, before a time, those to nobody of ours from another one on: the outbox is no archive. */
  async function removeMailSentBefore(tx: Tx, limits: { playersAt: number; othersAt: number }): Promise<void> {
    await tx.execute(queries.removeOldMail, [limits.playersAt, limits.othersAt])
  }

  return {
    send,
    mail: { enqueue },
    sendMail,
    unsentMail,
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
