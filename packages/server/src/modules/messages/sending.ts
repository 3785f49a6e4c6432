import { DatabaseUnavailable, type Tx } from '../../db/pool.ts'
import { SharedTransactions } from '../../db/shared-transactions.ts'
import type { ArgsOf, RowOf } from '../../db/sql.ts'
import type { JobHandler, LeasedJob } from '../../jobs/job.ts'
import { type MailPart, MailRefused } from '../../ports/mail/mailer.ts'
import { atMost } from '../../runtime/at-most.ts'
import type { MessagesContext } from './context.ts'
import { pictureName } from './mail-parts.ts'
import * as queries from './queries.ts'
import { opened, type WaitingMail } from './waiting-mail.ts'

/** The kind of the job that sends one mail. */
export const SEND_MAIL = 'messages.send-mail'
/** Mails of a process that have left and are not noted as sent yet: after a crash no more than these come twice. */
const UNDER_WAY_AT_ONCE = 4
/** What a lease must have left when a mail leaves: the mailer's time limit, and some seconds to note it as sent. */
const TIME_TO_SEND_SECONDS = 55
/** How long a refused mail is retried, in seconds; no key in it lives longer. */
const REFUSED_FOR_GOOD_AFTER_SECONDS = 86_400
/** As long as the longest id. */
const ID_DIGITS = 19

type UnsentMail = RowOf<typeof queries.findUnsentMail>

/** What the mails that a process sends at the same time share. */
interface SharedSending {
  readonly portions: SharedTransactions
  /** has a mail wait until it may leave */
  readonly inTurn: ReturnType<typeof atMost>
}

/** The job of a mail, as far as its sending is concerned. */
type MailJob = Pick<LeasedJob, 'finish' | 'assertTimeLeft'>

const NO_JOB: MailJob = { finish: async () => undefined, assertTimeLeft: () => undefined }

/** The job that sends a mail. Many are leased together: they are read by one statement, and leave one after the other. */
export function sendMailJob(ctx: MessagesContext): JobHandler {
  const shared = sharedSending(ctx)
  return {
    kind: SEND_MAIL,
    mode: 'outside',
    sharesTransactions: true,
    run: (payload, job) => sendMail(ctx, BigInt(String(payload['mailId'])), job, shared),
  }
}

function sharedSending({ db, runtime }: MessagesContext): SharedSending {
  return {
    portions: new SharedTransactions(db, runtime.log),
    inTurn: atMost(UNDER_WAY_AT_ONCE),
  }
}

/**
 * Sends a mail of the outbox. Does nothing if it was already sent, or permanently refused.
 *
 * Any other error makes the queue retry with growing delays and no end: a mail is not lost because its server was down.
 * What a server refuses is not sent for ever, though. A mailbox that does not exist ends it immediately, any other
 * refusal (a full mailbox, a server that does not know us yet) after a day. The mail stays in the outbox, is logged and
 * counted.
 *
 * @param job is finished in the transaction that notes the mail as sent
 */
export async function sendMail(
  ctx: MessagesContext,
  mailId: bigint,
  job: MailJob = NO_JOB,
  shared: SharedSending = sharedSending(ctx),
): Promise<void> {
  const mail = await ctx.db.maybeOne(queries.findUnsentMail, [mailId])
  if (mail === null) return
  await shared.inTurn(async () => {
    job.assertTimeLeft(TIME_TO_SEND_SECONDS)
    const content = opened(ctx.seal, mail)
    // A mail that is only kept shows the words of its pictures.
    const parts = ctx.mailer.isOutboxKept ? [] : await partsOf(ctx, content)
    try {
      await ctx.mailer.send({
        id: mailId,
        to: mail.toAddress,
        subject: mail.subject,
        text: content.text,
        html: content.html,
        parts,
        ...(mail.fromAddress === null ? {} : { from: { name: mail.fromName ?? '', address: mail.fromAddress } }),
      })
    } catch (error) {
      return await noteFailure(ctx, mailId, mail, error)
    }
    const { text, html, links } = ctx.mailer.isOutboxKept ? content : { text: '', html: '', links: [] as string[] }
    await noteSent(ctx, shared, mail, { id: mailId, now: ctx.runtime.clock.now(), text, html, links }, job)
    ctx.runtime.log.info({ mailId }, 'mail sent')
  })
}

/** Notes that a mail was not taken. @throws `error` if it is tried again */
async function noteFailure(ctx: MessagesContext, mailId: bigint, mail: UnsentMail, error: unknown): Promise<void> {
  const now = ctx.runtime.clock.now()
  const isTriedAgain =
    !(error instanceof MailRefused) ||
    (!error.isUnknownMailbox && now < mail.createdAt + REFUSED_FOR_GOOD_AFTER_SECONDS)
  if (isTriedAgain) {
    await ctx.db.execute(queries.countFailedTry, [mailId])
    throw error
  }
  await ctx.db.transaction(async (tx) => {
    await tx.execute(queries.markMailRefused, [mailId, now, error.message])
    await noticeOver(ctx, tx, mail)
  })
  ctx.runtime.log.error({ mailId, category: mail.category, reason: error.message }, 'a mail was refused for good')
}

/**
 * Notes a mail as sent, with others that have left meanwhile. If their connection is lost, each tries once more alone:
 * a mail that is not noted leaves again.
 */
async function noteSent(
  ctx: MessagesContext,
  { portions }: SharedSending,
  mail: UnsentMail,
  sent: ArgsOf<(typeof queries.markMailSent)['params']>,
  job: MailJob,
): Promise<void> {
  const note = async (tx: Tx): Promise<void> => {
    await Promise.all([tx.execute(queries.markMailSent, sent), job.finish(tx)])
    await noticeOver(ctx, tx, mail)
  }
  // What a notice starts locks more than its own rows.
  if (mail.addressId !== null || mail.destinationId !== null) return await ctx.db.transaction(note)
  try {
    await portions.run(String(sent.id).padStart(ID_DIGITS, '0'), note)
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error
    await ctx.db.transaction(note)
  }
}

/** What a mail told of may be used from now on. */
async function noticeOver(
  { facts }: MessagesContext,
  tx: Tx,
  { addressId, destinationId }: { readonly addressId: bigint | null; readonly destinationId: bigint | null },
): Promise<void> {
  if (addressId !== null) await facts.record(tx, 'address.notice-over', { addressId })
  if (destinationId !== null) await facts.record(tx, 'destination.notice-over', { destinationId })
}

/** The pictures and files of a mail. */
async function partsOf(ctx: MessagesContext, { pictures, files }: WaitingMail): Promise<MailPart[]> {
  const painted = pictures.map(async (picture, place) => {
    const inline = pictureName(place)
    return { name: `${inline}.png`, type: 'image/png', content: await ctx.paintBalls(picture), inline }
  })
  return [
    ...(await Promise.all(painted)),
    ...files.map(({ name, type, text }) => ({ name, type, content: Buffer.from(text), inline: null })),
  ]
}
