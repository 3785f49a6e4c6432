import { createTransport } from 'nodemailer'
import type { Mailer } from './mailer.ts'

/** How long the server of the mail may take for each step. */
const TIMEOUT_MS = 20_000

/** Where mails are handed in, and who they are from. */
export interface SmtpOptions {
  /** `smtps://user:password@host:465` or `smtp://…:587`. */
  readonly url: string
  /** The sender: `Fairball <no-reply@example.org>`. */
  readonly from: string
}

/**
 * Sends over SMTP.
 *
 * Nothing in a mail is read from a file or fetched, whatever it says. A link's address is a secret, so transport is
 * encrypted: an `smtp:` address upgrades by STARTTLS or fails, unless the address itself says `?requireTLS=false`.
 */
export function smtpMailer({ url, from }: SmtpOptions): Mailer {
  const transport = createTransport(
    {
      url,
      ...(new URL(url).searchParams.has('requireTLS') ? {} : { requireTLS: url.startsWith('smtp:') }),
      pool: true,
      maxConnections: 2,
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  )
  const host = /@([\w.-]+)>?\s*$/.exec(from)?.[1] ?? 'fairball'
  return {
    isOutboxKept: false,
    async send(mail) {
      await transport.sendMail({
        to: { name: '', address: mail.to },
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        messageId: `<mail-${mail.id}@${host}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
    },
    close: () => transport.close(),
  }
}
