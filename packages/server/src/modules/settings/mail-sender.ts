import { createHash } from 'node:crypto'
import type { Db, Tx } from '../../db/pool.ts'
import { Refused } from '../../kernel/errors.ts'
import type { Mailbox } from '../../ports/mail/mailer.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { email, line, object } from '../content/service.ts'
import { enqueueMail, type MailQueue } from '../messages/service.ts'
import * as queries from './queries.ts'

// The sender of mails. A new address sends a test mail to itself, and is in force once its code was typed back: so mails
// never come from an address that the mail server refuses, or that is someone else's.

/** The sender of mails, as in a settings file. */
export const senderShape = { 'mail.from': object({ name: line(64), address: email }).optional() }

/** How long a code can be typed back, in seconds: 24 hours. */
const CODE_SECONDS = 86_400
const CODE_TRIES = 5
/** Without letters that look like others: five bits each. */
const CODE_LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const CODE_LENGTH = 16

/** What a change of the sender is made through. */
export interface SenderContext {
  readonly runtime: Pick<Runtime, 'clock' | 'random'>
  readonly mail: MailQueue
  /** the acting person */
  readonly actor: string
}

/** A sender that was applied. Times are epoch seconds. */
interface AppliedSender {
  readonly sender: Mailbox
  readonly fromAt: number
  readonly reason: string
  /** the id of the plan */
  readonly requestId: string
}

/** Whether an address has to show that it can send. @param known the sender of the newest version, or of MAIL_FROM */
export function isNewAddress(known: Mailbox | null | undefined, wanted: Mailbox): boolean {
  return known?.address.toLowerCase() !== wanted.address.toLowerCase()
}

/** Ends the waiting of an address that a later plan replaces. */
export async function endWaitingSenders(ctx: Pick<SenderContext, 'runtime'>, tx: Tx): Promise<void> {
  await tx.execute(queries.endSenders, [ctx.runtime.clock.now()])
}

/** Keeps a sender with a new address until its code comes back, and has it send the code to itself. */
export async function awaitSender(ctx: SenderContext, tx: Tx, applied: AppliedSender): Promise<void> {
  const { sender, fromAt, reason, requestId } = applied
  const now = ctx.runtime.clock.now()
  const code = newCode(ctx.runtime.random)
  await tx.execute(queries.insertSender, {
    ...sender,
    codeHash: hashOf(code),
    fromAt,
    at: now,
    actor: ctx.actor,
    reason,
    requestId,
    expiresAt: now + CODE_SECONDS,
    triesLeft: CODE_TRIES,
  })
  const { name } = ctx.mail.site()
  await enqueueMail(ctx.mail, tx, {
    to: sender.address,
    from: sender,
    playerId: null,
    category: 'operator',
    subject: `Confirm the sender of ${name}`,
    paragraphs: [
      `From now on, mails of ${name} are to come from this address. They do once this command was run where ${name} runs:`,
      `npm run operator -- settings-confirm-mail ${code} --reason <text>`,
      'Or type the code in the console, under Health. It can be used for 24 hours. If you do not know of this, do nothing: nothing changes then.',
    ],
    key: `mail-sender:${requestId}`,
  })
}

/**
 * Notes a wrong code, in a transaction of its own, so that it counts.
 *
 * @throws Refused if the code is not that of the address that waits, or can no longer be used
 */
export async function checkSenderCode(
  ctx: { readonly db: Db; readonly runtime: Pick<Runtime, 'clock'> },
  typed: string,
): Promise<void> {
  const now = ctx.runtime.clock.now()
  const waiting = await ctx.db.maybeOne(queries.findSender, [])
  if (waiting === null) throw new Refused('No address waits for a code. Plan and apply mail.from first.')
  const { id, address, expiresAt, triesLeft } = waiting
  const remedy = 'Plan and apply mail.from again: another mail is sent.'
  if (expiresAt <= now) throw new Refused(`The code for ${address} could be used for 24 hours. ${remedy}`)
  if (triesLeft === 0) throw new Refused(`The code for ${address} was typed wrong ${CODE_TRIES} times. ${remedy}`)
  const wrong = await ctx.db.maybeOne(queries.countWrongCode, [id, hashOf(typed)])
  if (wrong !== null)
    throw new Refused(`That is not the code in the mail to ${address}. Tries left: ${wrong.triesLeft}.`)
}

/**
 * Puts the sender whose code was typed into force.
 *
 * @param write writes its version
 * @returns what is in force
 * @throws Refused if another process was faster
 */
export async function confirmSender(
  ctx: { readonly runtime: Pick<Runtime, 'clock'> },
  tx: Tx,
  typed: string,
  write: (applied: AppliedSender, fromAt: number) => Promise<void>,
): Promise<string> {
  const now = ctx.runtime.clock.now()
  const sender = await tx.maybeOne(queries.takeSender, [hashOf(typed), now])
  if (sender === null) throw new Refused('The address no longer waits for this code.')
  const { name, address, fromAt, reason, requestId } = sender
  const heldAt = Math.max(fromAt, now)
  await write({ sender: { name, address }, fromAt, reason, requestId }, heldAt)
  return heldAt === now
    ? `Mails come from ${name} <${address}> from now on. ${reason}`
    : `Mails come from ${name} <${address}> from ${new Date(heldAt * 1000).toISOString()} on. ${reason}`
}

function newCode(random: Pick<Runtime, 'random'>['random']): string {
  const letters = Array.from(random.bytes(CODE_LENGTH), (byte) => CODE_LETTERS[byte % CODE_LETTERS.length])
  return letters.join('').replaceAll(/.{4}(?=.)/g, '$&-')
}

/** The hash of a code, however its letters are written. */
function hashOf(code: string): Uint8Array {
  const letters = code
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1')
  return new Uint8Array(createHash('sha256').update(`mail.from ${letters}`).digest())
}
