import type { SMTPServerOptions } from 'smtp-server'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { MonotonicTime } from '../src/runtime/runtime.ts'
import { monotonicTime } from '../src/runtime/system-runtime.ts'
import { testApplication, type TestApplication, type TestApplicationOptions } from './application.ts'
import { smtpRefusal, startSmtpServer, type TestSmtpServer } from './smtp-server.ts'

const DAY = 86_400

/** The real time. A test moves it past the pause in which a mailer leaves a server alone. */
function laterTime(): MonotonicTime & { aheadMs: number } {
  return {
    ...monotonicTime,
    aheadMs: 0,
    nowMs() {
      return monotonicTime.nowMs() + this.aheadMs
    },
  }
}

async function siteWithMail(
  options: SMTPServerOptions = {},
  config: TestApplicationOptions['config'] = {},
): Promise<{ site: TestApplication; server: TestSmtpServer; monotonic: ReturnType<typeof laterTime> }> {
  const server = await startSmtpServer(options)
  onTestFinished(() => server.close())
  const smtpUrl = `smtp://127.0.0.1:${server.port}?tls.rejectUnauthorized=false`
  const monotonic = laterTime()
  const site = await testApplication({ config: { smtpUrl, ...config }, monotonic })
  onTestFinished(() => site.application.close())
  return { site, server, monotonic }
}

/** Does all that is due; the demo's control answers when it is done. */
const settle = async (site: TestApplication): Promise<void> => void (await site.call('GET', '/dev/mail'))

async function register(site: TestApplication, email = 'player@example.org'): Promise<void> {
  const password = 'Correct-horse7battery'
  const { status } = await site.call('POST', '/auth/register', { body: { email, email_confirm: email, password } })
  expect(status).toBe(201)
  await settle(site)
}

async function unsent(site: TestApplication) {
  site.runtime.clock.set(site.runtime.clock.now() + 10) // requests within ten seconds share an answer
  const { body } = await site.call('GET', '/metrics')
  const count = (state: string): number =>
    Number(new RegExp(`fairball_mails_unsent\\{state="${state}"\\} (\\d+)`).exec(String(body))?.[1])
  return { waiting: count('waiting'), failing: count('failing'), refused: count('refused') }
}

const logOf = (site: TestApplication): string => JSON.stringify(site.runtime.logged)

describe('mail of a site with a mail server', () => {
  it('a mail reaches the player from the configured sender, and its text is stored nowhere', async () => {
    const mailFrom = { name: 'The fair one', address: 'play@lottery.example' }
    const { site, server } = await siteWithMail({}, { mailFrom, supportEmail: 'help@lottery.example' })
    await register(site)
    expect(server.taken).toHaveLength(1)
    const [mail] = server.taken
    expect(mail?.parsed).toMatchObject({
      from: mailFrom,
      to: [{ address: 'player@example.org' }],
      subject: 'Please verify your email address',
      messageId: expect.stringMatching(/^<mail-\d+@lottery\.example>$/),
    })
    const link = /http:\/\/localhost:3000\/verify-email\/[\w-]{43}/
    const [key] = link.exec(String(mail?.parsed.text)) ?? []
    expect(key).toBeDefined()
    expect(mail?.parsed.html).toContain(String(key))
    const verified = await site.call('PUT', '/auth/verify-email', { body: { key: String(key).split('/').at(-1) } })
    expect(verified.status).toBe(200)
    // What was sent is no longer in any table, and was not logged.
    const { body: kept } = await site.call('GET', '/dev/mail')
    expect(kept).toMatchObject([{ text: '', html: '', links: [] }])
    expect(logOf(site)).not.toContain(String(key).split('/').at(-1))
    expect(await unsent(site)).toEqual({ waiting: 0, failing: 0, refused: 0 })
  })

  it('a mail comes from the site itself if no sender is configured', async () => {
    const { site, server } = await siteWithMail({}, { publicUrl: 'https://lottery.example' })
    await register(site)
    expect(server.taken[0]?.parsed.from).toEqual({ name: 'Fairball', address: 'no-reply@lottery.example' })
  })

  it('a mail carries the contact form to the support without a header that a stranger wrote', async () => {
    const { site, server } = await siteWithMail({}, { supportEmail: 'help@lottery.example' })
    const answer = await site.call('POST', '/contact', {
      body: {
        name: 'Eve\r\nBcc: victim@example.org',
        email: 'eve@example.org',
        country_id: 1,
        message: 'Hello\r\n.\r\nMAIL FROM:<eve@example.org>\r\nSubject: other',
      },
    })
    expect(answer.status).toBe(201)
    await settle(site)
    expect(server.taken).toHaveLength(1)
    const [mail] = server.taken
    expect(mail?.recipients).toEqual(['help@lottery.example'])
    expect(mail?.parsed.bcc ?? []).toEqual([])
    expect(mail?.parsed.subject).toMatch(/^Contact message \d+$/)
    expect(mail?.parsed.text).toContain('MAIL FROM:<eve@example.org>')
  })
})

describe('a mail whose server is down', () => {
  it('a mail is retried with growing delays, and sent once when the server is back', async () => {
    const { site, server, monotonic } = await siteWithMail()
    await server.close()
    await register(site)
    const waits: number[] = []
    let last = site.runtime.clock.now()
    for (let tries = 0; tries < 6; tries++) {
      const failed = site.runtime.logged.findLast((line) => line['job'] === 'messages.send-mail')
      const retryAt = Number(failed?.['retryAt'])
      waits.push(retryAt - last)
      last = retryAt
      site.runtime.clock.set(retryAt)
      await settle(site)
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32])
    expect(await unsent(site)).toEqual({ waiting: 0, failing: 1, refused: 0 })

    const back = await startSmtpServer({}, server.port)
    onTestFinished(() => back.close())
    monotonic.aheadMs += 10_000
    site.runtime.clock.set(site.runtime.clock.now() + 3600)
    await settle(site)
    expect(back.taken).toHaveLength(1)
    expect(await unsent(site)).toEqual({ waiting: 0, failing: 0, refused: 0 })
    site.runtime.clock.set(last + 3 * DAY)
    await settle(site)
    expect(back.taken).toHaveLength(1)
  })

  it('a mail is kept while the server accepts nothing, however long that is', async () => {
    let isBusy = true
    const { site, server } = await siteWithMail({
      onRcptTo: (_address, _session, done) => (isBusy ? done(smtpRefusal(451, 'try again later')) : done()),
    })
    await register(site)
    for (let day = 1; day <= 10; day++) {
      site.runtime.clock.set(site.runtime.clock.now() + DAY)
      await settle(site)
    }
    expect(await unsent(site)).toEqual({ waiting: 0, failing: 1, refused: 0 })
    isBusy = false
    site.runtime.clock.set(site.runtime.clock.now() + 3600)
    await settle(site)
    expect(server.taken).toHaveLength(1)
    expect(logOf(site)).not.toContain('player@example.org')
  })
})

describe('a mail that its server refuses', () => {
  it('a mail is not retried if the mailbox does not exist; it is kept, logged and counted, and others are sent', async () => {
    let refusals = 0
    const { site, server } = await siteWithMail({
      onRcptTo({ address }, _session, done) {
        if (!address.startsWith('nobody')) return done()
        refusals += 1
        done(smtpRefusal(550, `5.1.1 <${address}>: Recipient address rejected`))
      },
    })
    await register(site, 'nobody@example.org')
    await register(site, 'somebody@example.org')
    expect(server.taken.map(({ recipients }) => recipients)).toEqual([['somebody@example.org']])
    site.runtime.clock.set(site.runtime.clock.now() + DAY)
    await settle(site)
    expect(refusals).toBe(1)
    expect(await unsent(site)).toEqual({ waiting: 0, failing: 0, refused: 1 })
    expect(site.runtime.logged).toContainEqual(
      expect.objectContaining({
        msg: 'a mail was refused for good',
        category: 'account',
        reason: expect.stringContaining('RCPT TO: 550 5.1.1'),
      }),
    )
    expect(logOf(site)).not.toContain('nobody@example.org')
  })

  it('a mail refused for another reason is retried for a day, since a server may change its mind', async () => {
    let refusals = 0
    const { site, server } = await siteWithMail({
      onRcptTo(_address, _session, done) {
        refusals += 1
        done(smtpRefusal(554, '5.7.1 we do not know you'))
      },
    })
    await register(site)
    expect(await unsent(site)).toEqual({ waiting: 0, failing: 1, refused: 0 })
    site.runtime.clock.set(site.runtime.clock.now() + DAY)
    await settle(site)
    expect(await unsent(site)).toEqual({ waiting: 0, failing: 0, refused: 1 })
    const counted = refusals
    site.runtime.clock.set(site.runtime.clock.now() + 2 * DAY)
    await settle(site)
    expect(refusals).toBe(counted)
    expect(server.taken).toEqual([])
  })
})
