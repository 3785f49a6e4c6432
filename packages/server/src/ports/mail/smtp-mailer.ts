import { createTransport } from 'nodemailer'
import type { MonotonicTime } from '../../runtime/runtime.ts'
import { MailNotTaken, MailRefused, type Mailbox, type Mailer, type OutgoingMail } from './mailer.ts'

/** Time limit for the server to connect, and to answer. */
const CONNECTION_TIMEOUT_MS = 10_000
const SILENCE_TIMEOUT_MS = 15_000
/** Shorter than what is left of its job's lease when a mail leaves: a second worker must not send it meanwhile. */
const WHOLE_TIMEOUT_MS = 45_000
/** How long an unreachable server is left alone. */
const REST_MS = 10_000
const LONGEST_REASON = 300

/** The server that mails are submitted to, and their sender. */
interface SmtpOptions {
  /** `smtps://user:password@host:465` or `smtp://…:587`. */
  readonly url: string
  /** The sender, now. */
  readonly from: () => Mailbox
  readonly monotonic: MonotonicTime
}

/**
 * Sends over SMTP.
 *
 * Nothing in a mail is read from a file or fetched, whatever it says. A link's address is a secret, so transport is
 * encrypted: an `smtp:` address upgrades by STARTTLS or fails, unless the address itself says `?requireTLS=false`.
 *
 * A server that hangs would hold up each mail for the whole time limit, and with it the workers that draw and settle.
 * So after a failed connection the server is not used for a while, and then one mail at a time checks whether it is
 * back.
 */
export function smtpMailer({ url, from: inForce, monotonic }: SmtpOptions): Mailer {
  const transport = createTransport({
    url,
    ...(new URL(url).searchParams.has('requireTLS') ? {} : { requireTLS: url.startsWith('smtp:') }),
    pool: true,
    maxConnections: 2,
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    greetingTimeout: CONNECTION_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  /** Null while the server is available. */
  let restUntilMs: number | null = null

  async function handIn(mail: OutgoingMail): Promise<void> {
    const limit = new AbortController()
    const done = new AbortController()
    void monotonic.sleep(WHOLE_TIMEOUT_MS, done.signal).then(
      () => limit.abort(),
      () => undefined, // it was submitted before
    )
    const from = mail.from ?? inForce()
    const host = from.address.slice(from.address.lastIndexOf('@') + 1)
    try {
      await transport.sendMail({
        from: { ...from },
        to: { name: '', address: mail.to },
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        attachments: (mail.parts ?? []).map(({ name, type, content, inline }) => ({
          filename: name,
          contentType: type,
          content: Buffer.from(content),
          ...(inline === null ? {} : { cid: inline, contentDisposition: 'inline' as const }),
        })),
        messageId: `<mail-${mail.id}@${host}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: limit.signal,
      })
    } finally {
      done.abort()
    }
  }

  return {
    isOutboxKept: false,
    async send(mail) {
      const isLookingAgain = restUntilMs !== null
      if (restUntilMs !== null && monotonic.nowMs() < restUntilMs)
        throw new MailNotTaken('The mail server was not there a moment ago.')
      // the others wait for the result of this one
      if (isLookingAgain) restUntilMs = monotonic.nowMs() + WHOLE_TIMEOUT_MS
      try {
        await handIn(mail)
        restUntilMs = null
      } catch (error) {
        const failure = failureOf(error, mail.to)
        restUntilMs = failure.isOfConnection ? monotonic.nowMs() + REST_MS : null
        throw failure.error
      }
    },
    async check() {
      try {
        await transport.verify()
      } catch (error) {
        throw failureOf(error, '').error
      }
    },
    close: () => transport.close(),
  }
}

/** What nodemailer reports of a failure, beside its message. */
interface SmtpFailure {
  /** the command that the server refused */
  readonly command?: string
  readonly responseCode?: number
  readonly response?: string
}

/** The failure in our words. The server's answer may repeat the player's address, so the cause is not passed on. */
function failureOf(error: unknown, to: string): { error: MailNotTaken; isOfConnection: boolean } {
  const { command, responseCode, response } = error as SmtpFailure
  const isOfMail = command === 'RCPT TO' || command === 'DATA'
  const said = withoutAddresses(response ?? (error instanceof Error ? error.message : String(error)), to)
  const text = `The mail server did not take a mail: ${command === undefined ? '' : `${command}: `}${said}`
  if (isOfMail && responseCode !== undefined && responseCode >= 500)
    return { error: new MailRefused(text, /^5\d\d[ -]5\.1\./.test(response ?? '')), isOfConnection: false }
  return { error: new MailNotTaken(text), isOfConnection: !isOfMail || responseCode === undefined }
}

function withoutAddresses(response: string, to: string): string {
  return (to === '' ? response : response.replaceAll(to, '…'))
    .replaceAll(/[^\s<>@]+@[^\s<>@]+/g, '…')
    .replaceAll(/\s+/g, ' ')
    .slice(0, LONGEST_REASON)
}
