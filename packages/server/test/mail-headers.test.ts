import fc from 'fast-check'
import { expect, it, onTestFinished, vi } from 'vitest'
import { PASSWORD, testApplication, type TestApplication } from './application.ts'
import { startSmtpServer, type TestSmtpServer } from './smtp-server.ts'

vi.setConfig({ testTimeout: 120_000 }) // hundreds of mails, on a busy computer

const SUPPORT = 'help@lottery.example'
const VICTIM = 'victim@example.net'

/** Line ends in every spelling that a mail server might accept, and what a stranger would put behind them. */
const LINE_ENDS = [
  '\r\n',
  '\n',
  '\r',
  '\r\r\n',
  '\n\r',
  '\u0085',
  '\u2028',
  '\u2029',
  '\v',
  '\f',
  '%0d%0a',
  '\\r\\n',
  '=0D=0A',
]
const SMUGGLED = [
  `Bcc: ${VICTIM}`,
  `Cc: ${VICTIM}`,
  `To: ${VICTIM}`,
  `Reply-To: ${VICTIM}`,
  'Subject: another',
  'Content-Type: text/html',
  `\r\n<script>alert(1)</script>`,
  `.\r\nMAIL FROM:<${VICTIM}>\r\nRCPT TO:<${VICTIM}>\r\nDATA\r\n`,
  '=?utf-8?q?=0D=0ABcc:_victim@example.net?=',
]
const hostileLine = fc
  .tuple(fc.constantFrom('a', 'a@example.org', ''), fc.constantFrom(...LINE_ENDS), fc.constantFrom(...SMUGGLED))
  .map((parts) => parts.join(''))

async function siteWithMail(): Promise<{ site: TestApplication; server: TestSmtpServer }> {
  const server = await startSmtpServer({})
  onTestFinished(() => server.close())
  const smtpUrl = `smtp://127.0.0.1:${server.port}?tls.rejectUnauthorized=false`
  const site = await testApplication({
    config: { smtpUrl, supportEmail: SUPPORT, trustProxy: ['127.0.0.1'] },
  })
  onTestFinished(() => site.application.close())
  return { site, server }
}

const settle = async (site: TestApplication): Promise<void> => void (await site.call('GET', '/dev/mail'))

/** Each mail went only to our own choice of recipient, with our headers and no others. */
function expectOurHeaders(server: TestSmtpServer, allowed: readonly string[]): void {
  for (const { recipients, parsed } of server.taken) {
    expect(recipients).toHaveLength(1)
    expect(allowed).toContain(recipients[0])
    expect(parsed.to?.map(({ address }) => address)).toEqual(recipients)
    expect(parsed.cc ?? []).toEqual([])
    expect(parsed.bcc ?? []).toEqual([])
    const names = parsed.headers.map(({ key }) => key)
    expect(names.toSorted()).toEqual([...new Set(names)].toSorted()) // none twice
    for (const name of names) expect(OUR_HEADERS).toContain(name)
    expect(JSON.stringify(parsed.headers.filter(({ key }) => key !== 'subject'))).not.toContain(VICTIM)
  }
}

const OUR_HEADERS = [
  'from',
  'to',
  'subject',
  'message-id',
  'date',
  'mime-version',
  'content-type',
  'content-transfer-encoding',
  'auto-submitted',
  'x-auto-response-suppress',
]

it('the support’s mail carries nothing of a stranger in a header, whatever line ends the contact form contains', async () => {
  const { site, server } = await siteWithMail()
  const bodies = fc.sample(
    fc.record({
      name: hostileLine,
      email: fc.oneof(hostileLine, fc.constant('eve@example.org')),
      country_id: fc.constant(1),
      message: hostileLine,
    }),
    { seed: 1, numRuns: 200 },
  )
  let taken = 0
  for (const [index, body] of bodies.entries()) {
    const headers = { 'x-forwarded-for': `10.1.${Math.floor(index / 250)}.${index % 250}` }
    const { status } = await site.call('POST', '/contact', { body, headers })
    expect([201, 400]).toContain(status)
    if (status === 201) taken += 1
  }
  await settle(site)
  expect(taken).toBeGreaterThan(50)
  expect(server.taken).toHaveLength(taken)
  expectOurHeaders(server, [SUPPORT])
  for (const { parsed } of server.taken) expect(parsed.subject).toMatch(/^Contact message \d+$/)
})

it('a mail goes only to the one address that was given, whatever addresses, names and devices say', async () => {
  const { site, server } = await siteWithMail()
  const good = 'player@example.org'
  const accepted = new Set<string>([good])
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    site.call('POST', path, { body, headers })
  const made = await post('/auth/register', { email: good, email_confirm: good, password: PASSWORD })
  const bearer = String(made.body.access_token)
  const lines = fc.sample(hostileLine, { seed: 2, numRuns: 120 })
  for (const [index, line] of lines.entries()) {
    const from = { 'x-forwarded-for': `10.2.0.${index}` }
    for (const email of [line, `${good}${line}`, `${line}@example.org`, `"${line}"@example.org`]) {
      const { status } = await post('/auth/register', { email, email_confirm: email, password: PASSWORD }, from)
      expect([email, status === 201 || status === 400]).toEqual([email, true])
      if (status === 201) accepted.add(email)
    }
    await site.call('GET', `/auth/forgotten-password?email=${encodeURIComponent(`${good}${line}`)}`, { headers: from })
    const details = { username: line, email: `${good}${line}`, timezone_id: 202, currency_id: 1, password: PASSWORD }
    expect((await site.call('PUT', '/settings/personal-details', { bearer, body: details })).status).toBe(400)
  }
  // The mail of a login from a new device names the device as it describes itself.
  for (const [index, line] of lines.slice(0, 20).entries())
    await post(
      '/auth/login',
      { email_or_username: good, password: PASSWORD },
      { 'x-forwarded-for': `10.3.0.${index}`, 'user-agent': line.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, ' ') },
    )
  await settle(site)
  expect([...accepted].filter((email) => /[\s\p{Cc}\u2028\u2029]/u.test(email))).toEqual([])
  expect(server.taken.length).toBeGreaterThanOrEqual(accepted.size)
  expectOurHeaders(server, [...accepted])
})
