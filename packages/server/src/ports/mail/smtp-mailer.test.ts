import { createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import type { SMTPServerOptions } from 'smtp-server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { smtpRefusal, startSmtpServer, type TestSmtpServer } from '../../../test/smtp-server.ts'
import type { MonotonicTime } from '../../runtime/runtime.ts'
import { monotonicTime } from '../../runtime/system-runtime.ts'
import { MailNotTaken, MailRefused, type Mailer, type OutgoingMail } from './mailer.ts'
import { smtpMailer } from './smtp-mailer.ts'

const FROM = { name: 'Fairball', address: 'no-reply@lottery.example' }
/** The server's certificate is self-signed. */
const ANY_CERTIFICATE = 'tls.rejectUnauthorized=false'
const MAIL: OutgoingMail = {
  id: 17n,
  to: 'player@example.org',
  subject: 'Your numbers are in',
  text: 'Hello\n\nYour numbers: 1, 2, 3.\n',
  html: '<!doctype html><p>Hello</p>',
}

async function serverWith(options: SMTPServerOptions = {}): Promise<TestSmtpServer> {
  const server = await startSmtpServer(options)
  onTestFinished(() => server.close())
  return server
}

function mailerTo(
  url: string,
  { from = FROM, monotonic = monotonicTime }: { from?: typeof FROM; monotonic?: MonotonicTime } = {},
) {
  const mailer = smtpMailer({ url, from: () => from, monotonic })
  onTestFinished(() => mailer.close())
  return mailer
}

const failureOf = async (mailer: Mailer, mail = MAIL): Promise<unknown> =>
  await mailer.send(mail).then(
    () => null,
    (error: unknown) => error,
  )

/** Time that a test moves, so that no limit ends on its own. */
function movedTime(): MonotonicTime & { move(ms: number): void } {
  let nowMs = 0
  return {
    nowMs: () => nowMs,
    sleep: (_ms, signal) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted')))),
    move: (ms) => void (nowMs += ms),
  }
}

describe('an outgoing mail', () => {
  it('a mail is sent as written: from, to, subject, both texts, and the same id at every try', async () => {
    const server = await serverWith()
    const mailer = mailerTo(`smtp://127.0.0.1:${server.port}?${ANY_CERTIFICATE}`)
    await mailer.send(MAIL)
    await mailer.send(MAIL)
    await mailer.send({ ...MAIL, id: 18n })
    const [first, again, other] = server.taken
    expect(first).toMatchObject({ sender: FROM.address, recipients: [MAIL.to], isEncrypted: true })
    expect(first?.parsed).toMatchObject({
      from: FROM,
      to: [{ name: '', address: MAIL.to }],
      subject: MAIL.subject,
      messageId: '<mail-17@lottery.example>',
    })
    expect(first?.parsed.text?.trim()).toBe(MAIL.text.trim())
    expect(first?.parsed.html?.trim()).toBe(MAIL.html)
    expect(first?.raw).toMatch(/^Content-Type: multipart\/alternative/m)
    expect(first?.raw).toMatch(/^Auto-Submitted: auto-generated\r$/m)
    expect(again?.parsed.messageId).toBe(first?.parsed.messageId)
    expect(other?.parsed.messageId).toBe('<mail-18@lottery.example>')
  })

  it('pictures and files travel with a mail: what the HTML names inside it, the rest beside it', async () => {
    const server = await serverWith()
    await mailerTo(`smtp://127.0.0.1:${server.port}?${ANY_CERTIFICATE}`).send({
      ...MAIL,
      html: '<img src="cid:balls-1" alt="Line A">',
      parts: [
        { name: 'balls-1.png', type: 'image/png', content: Buffer.from('a picture'), inline: 'balls-1' },
        { name: 'draws.ics', type: 'text/calendar; charset=utf-8', content: Buffer.from('BEGIN'), inline: null },
      ],
    })
    const raw = server.taken[0]?.raw ?? ''
    expect(raw).toMatch(/^Content-Type: multipart\/mixed/m)
    expect(raw).toMatch(/^Content-Type: multipart\/related/m)
    expect(raw).toMatch(/^Content-I[dD]: <balls-1>\r$/m)
    expect(raw).toMatch(/^Content-Disposition: attachment; filename=draws\.ics\r$/m)
    expect(raw).toContain(Buffer.from('a picture').toString('base64'))
  })

  it('a mail names its sender, in letters of any kind', async () => {
    const server = await serverWith()
    for (const name of ['Lottery, "the" fair one', 'Потерея ⚽ für alle', '']) {
      await mailerTo(`smtp://127.0.0.1:${server.port}?${ANY_CERTIFICATE}`, { from: { ...FROM, name } }).send(MAIL)
      expect(server.taken.at(-1)?.parsed.from).toEqual({ name, address: FROM.address })
    }
  })

  it('a mail goes over TLS from the first byte, with name and password', async () => {
    const server = await serverWith({
      secure: true,
      authOptional: false,
      onAuth: ({ username, password }, _session, done) =>
        username === 'us@host' && password === 'p:w/d' ? done(null, { user: 'us@host' }) : done(smtpRefusal(535, 'no')),
    })
    const address = `127.0.0.1:${server.port}?${ANY_CERTIFICATE}`
    await mailerTo(`smtps://us%40host:p%3Aw%2Fd@${address}`).send(MAIL)
    expect(server.taken[0]).toMatchObject({ isEncrypted: true, user: 'us@host' })
    const failure = await failureOf(mailerTo(`smtps://us%40host:wrong@${address}`))
    expect(failure).toBeInstanceOf(MailNotTaken)
    expect(failure).not.toBeInstanceOf(MailRefused)
    expect(String(failure)).not.toContain('wrong')
    expect(server.taken).toHaveLength(1)
  })

  it('a mail goes over STARTTLS with name and password', async () => {
    const server = await serverWith({
      authOptional: false,
      onAuth: ({ username }, session, done) => done(null, { user: session.secure ? username : 'in the open' }),
    })
    await mailerTo(`smtp://us:pw@127.0.0.1:${server.port}?${ANY_CERTIFICATE}`).send(MAIL)
    expect(server.taken[0]).toMatchObject({ isEncrypted: true, user: 'us' })
  })

  it.each(['smtp', 'smtps'])('a mail does not go to a %s server with a self-signed certificate', async (protocol) => {
    const server = await serverWith({ secure: protocol === 'smtps' })
    expect(await failureOf(mailerTo(`${protocol}://127.0.0.1:${server.port}`))).toBeInstanceOf(MailNotTaken)
    expect(server.taken).toEqual([])
  })

  it('a mail does not go unencrypted to a server without STARTTLS, unless its address allows it', async () => {
    const server = await serverWith({ hideSTARTTLS: true, disabledCommands: ['STARTTLS'] })
    expect(await failureOf(mailerTo(`smtp://127.0.0.1:${server.port}`))).toBeInstanceOf(MailNotTaken)
    expect(server.taken).toEqual([])
    await mailerTo(`smtp://127.0.0.1:${server.port}?requireTLS=false`).send(MAIL)
    expect(server.taken[0]?.isEncrypted).toBe(false)
  })
})

describe('text that a person typed', () => {
  const NASTY = [
    'a\r\nBcc: victim@example.org',
    'a\nBcc: victim@example.org',
    'a\rBcc: victim@example.org',
    'a\u2028Bcc: victim@example.org',
    'a\u0085Bcc: victim@example.org',
    'a\u0000Bcc: victim@example.org',
    '=?utf-8?Q?a=0D=0ABcc:_victim=40example.org?=',
    '=?utf-8?B?DQpCY2M6IHZpY3RpbUBleGFtcGxlLm9yZw0K?=',
    `${'a'.repeat(990)}\r\n.\r\nMAIL FROM:<x@example.org>`,
    '.\r\n.\r\nRCPT TO:<victim@example.org>',
    '"><img src=x>',
    '${jndi:ldap://victim.example}',
  ]

  it.each(NASTY)('text does not become a header or a command: %j', async (nasty) => {
    const server = await serverWith()
    const mailer = mailerTo(`smtp://127.0.0.1:${server.port}?${ANY_CERTIFICATE}`)
    await mailer.send({ ...MAIL, subject: nasty, text: nasty, html: `<p>${nasty}</p>` })
    expect(server.taken).toHaveLength(1)
    const [mail] = server.taken
    expect(mail?.recipients).toEqual([MAIL.to])
    const names = mail?.parsed.headers.map(({ key }) => key).toSorted()
    expect(names).toEqual(
      ['auto-submitted', 'content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to'].toSorted(),
    )
    expect(mail?.parsed.bcc ?? []).toEqual([])
  })

  it.each([
    'victim@example.org, player@example.org',
    'player@example.org\r\nRCPT TO:<victim@example.org>',
    'player@example.org> SIZE=1\r\nDATA',
    '<victim@example.org>',
  ])('text in an address does not make a second recipient: %j', async (to) => {
    const server = await serverWith()
    const mailer = mailerTo(`smtp://127.0.0.1:${server.port}?${ANY_CERTIFICATE}`)
    await failureOf(mailer, { ...MAIL, to })
    for (const mail of server.taken) expect(mail.recipients).toHaveLength(1)
    expect(
      server.taken.filter(({ recipients }) => recipients.includes('victim@example.org') && to.includes(',')),
    ).toEqual([])
  })
})

describe('a server that does not accept a mail', () => {
  it.each([
    [550, '5.1.1 <player@example.org>: no such user', true],
    [550, '5.7.1 relaying denied', false],
    [552, 'mailbox of player@example.org is full', false],
  ])('the server refuses the mailbox, with %d %s', async (code, text, isUnknownMailbox) => {
    const server = await serverWith({ onRcptTo: (_address, _session, done) => done(smtpRefusal(code, text)) })
    const failure = await failureOf(mailerTo(`smtp://127.0.0.1:${server.port}?${ANY_CERTIFICATE}`))
    expect(failure).toBeInstanceOf(MailRefused)
    expect(failure).toMatchObject({ isUnknownMailbox, message: expect.stringContaining(`RCPT TO: ${code}`) })
    expect(String(failure)).not.toContain('player@')
  })

  it('the server refuses the content', async () => {
    const server = await serverWith({
      onData: (stream, _session, done) => stream.resume().on('end', () => done(smtpRefusal(554, 'looks like spam'))),
    })
    const failure = await failureOf(mailerTo(`smtp://127.0.0.1:${server.port}?${ANY_CERTIFICATE}`))
    expect(failure).toBeInstanceOf(MailRefused)
    expect(failure).toMatchObject({ isUnknownMailbox: false, message: expect.stringContaining('554 looks like spam') })
  })

  it.each<[string, SMTPServerOptions]>([
    ['asks to come again, at the recipient', { onRcptTo: (_a, _s, done) => done(smtpRefusal(451, 'greylisted')) }],
    [
      'asks to come again, at the end',
      { onData: (stream, _s, done) => void stream.resume().on('end', () => done(smtpRefusal(452, 'no space'))) },
    ],
    ['does not know the sender', { onMailFrom: (_a, _s, done) => done(smtpRefusal(550, 'who are you')) }],
    ['does not let anybody in', { onConnect: (_s, done) => done(smtpRefusal(554, 'go away')) }],
  ])('%s: that is no refusal of this mail', async (_, options) => {
    const server = await serverWith(options)
    const failure = await failureOf(mailerTo(`smtp://127.0.0.1:${server.port}?${ANY_CERTIFICATE}`))
    expect(failure).toBeInstanceOf(MailNotTaken)
    expect(failure).not.toBeInstanceOf(MailRefused)
  })

  it('the server dies in the middle of the mail', async () => {
    const server = await talker((socket, line, state) => {
      if (line.startsWith('EHLO')) socket.write('250 hello\r\n')
      else if (line === 'DATA') socket.write('354 go on\r\n', () => (state.isData = true))
      else if (state.isData) socket.destroy()
      else socket.write('250 ok\r\n')
    })
    const failure = await failureOf(mailerTo(`smtp://127.0.0.1:${server}?requireTLS=false`))
    expect(failure).toBeInstanceOf(MailNotTaken)
    expect(failure).not.toBeInstanceOf(MailRefused)
  })

  it('the server hangs, and is given up before the lease of the job ends', async () => {
    const port = await talker(() => undefined)
    let limitMs = 0
    const hasty: MonotonicTime = {
      nowMs: () => 0,
      sleep: async (ms) => {
        limitMs = ms
      },
    }
    expect(await failureOf(mailerTo(`smtp://127.0.0.1:${port}?requireTLS=false`, { monotonic: hasty }))).toBeInstanceOf(
      MailNotTaken,
    )
    expect(limitMs).toBe(45_000)
  })

  it('a server that is down is left alone for a while, and then tried by one mail at a time', async () => {
    const monotonic = movedTime()
    const server = await startSmtpServer()
    const mailer = mailerTo(`smtp://127.0.0.1:${server.port}?${ANY_CERTIFICATE}`, { monotonic })
    await server.close()
    expect(String(await failureOf(mailer))).toContain('ECONNREFUSED')
    expect(String(await failureOf(mailer))).toContain('was not there a moment ago')

    const back = await startSmtpServer({}, server.port)
    onTestFinished(() => back.close())
    expect(String(await failureOf(mailer))).toContain('was not there a moment ago')
    monotonic.move(10_000)
    const [first, second] = await Promise.all([failureOf(mailer), failureOf(mailer)])
    expect(first).toBeNull()
    expect(String(second)).toContain('was not there a moment ago')
    expect(await failureOf(mailer)).toBeNull()
    expect(back.taken).toHaveLength(2)
  })
})

/** A server with the test's answer to each line it gets. */
async function talker(answer: (socket: Socket, line: string, state: { isData: boolean }) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    const state = { isData: false }
    socket.on('error', () => undefined)
    socket.write('220 test\r\n')
    socket.on('data', (data) => {
      for (const line of data.toString().split('\r\n').filter(Boolean)) answer(socket, line, state)
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => void server.close(resolve))
  })
  return (server.address() as AddressInfo).port // a server on a port has such an address
}
