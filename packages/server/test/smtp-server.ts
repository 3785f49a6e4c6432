import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** A mail as a server got it. */
interface TakenMail {
  /** as in the envelope */
  readonly sender: string
  readonly recipients: readonly string[]
  /** whether it came over an encrypted connection */
  readonly isEncrypted: boolean
  /** the login of the sender */
  readonly user: string | undefined
  readonly raw: string
  readonly parsed: Email
}

/** A real SMTP server on this computer. */
export interface TestSmtpServer {
  readonly port: number
  /** The mails it took, in order. */
  readonly taken: TakenMail[]
  /** Number of connections. */
  connections(): number
  close(): Promise<void>
}

/** A refusal of the server, with its code. */
export function smtpRefusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}

/**
 * Starts an SMTP server that stores its mails.
 *
 * @param options of smtp-server. Its certificate is self-signed
 * @param port default: any free one
 */
export async function startSmtpServer(options: SMTPServerOptions = {}, port = 0): Promise<TestSmtpServer> {
  const taken: TakenMail[] = []
  let connections = 0
  const server = new SMTPServer({
    authOptional: true,
    logger: false,
    closeTimeout: 1,
    onConnect(_session, done) {
      connections += 1
      done()
    },
    async onData(stream, session, done) {
      const raw = await buffer(stream).catch(() => null)
      if (raw === null) return // the sender was cut off in the middle of it
      const { mailFrom, rcptTo } = session.envelope
      taken.push({
        sender: mailFrom === false ? '' : mailFrom.address,
        recipients: rcptTo.map(({ address }) => address),
        isEncrypted: session.secure,
        user: typeof session.user === 'string' ? session.user : undefined,
        raw: raw.toString('latin1'),
        parsed: await PostalMime.parse(raw),
      })
      done()
    },
    ...options,
  })
  server.on('error', () => undefined) // a client that went away
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve))
  return {
    port: (server.server.address() as AddressInfo).port, // a server on a port has such an address
    taken,
    connections: () => connections,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
