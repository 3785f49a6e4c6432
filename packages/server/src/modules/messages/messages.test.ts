import { describe, expect, it } from 'vitest'
import { SECRET_KEY, type TestPlayer, useAccounts } from '../../../test/accounts.ts'
import { factsTold } from '../../../test/facts.ts'
import { deriveKey } from '../../runtime/keys.ts'
import { sealUnder } from '../../runtime/seal.ts'
import { authenticate } from '../identity/sessions.ts'
import type { MessagesContext } from './context.ts'
import { renderMail } from './mail-template.ts'
import { sanitiseHtml } from './sanitise-html.ts'
import { sendMail } from './sending.ts'
import { enqueueMail, listOutbox, sendMessage } from './service.ts'

const http = useAccounts()
const SITE = { name: 'Fairball', publicUrl: 'https://lottery.example', supportEmail: null }

async function send(player: TestPlayer, key: string, html = '<p>Hello</p>'): Promise<void> {
  const signedIn = await authenticate(http.accounts, player.access)
  if (signedIn === null) throw new Error('not signed in')
  await http.transaction((tx) =>
    sendMessage(http.messages, tx, { playerId: signedIn.id, title: `Title ${key}`, html, action: null, key }),
  )
}

const list = (player: TestPlayer, query = '') =>
  http.call('GET', `/settings/messages${query}`, { token: player.access })

describe('the inbox', () => {
  it('the inbox is empty at first', async () => {
    const player = await http.register()
    expect((await list(player)).body).toEqual({ results: [], total_pages: 0 })
  })

  it('the inbox lists newest first, ten per page, and a page past the end is empty', async () => {
    const player = await http.register()
    for (let number = 1; number <= 11; number++) await send(player, `${player.email}:${number}`)
    const first = await list(player)
    expect(first.body.results.map((one: { title: string }) => one.title)[0]).toBe(`Title ${player.email}:11`)
    expect(first.body).toMatchObject({ results: { length: 10 }, total_pages: 2 })
    expect((await list(player, '?_page=2')).body.results).toHaveLength(1)
    for (const past of ['3', '99999999999999999999'])
      expect((await list(player, `?_page=${past}`)).body).toEqual({ results: [], total_pages: 2 })
  })

  it.each(['0', '-1', '1.5', 'x', '', '01', '1e3'])('the inbox refuses the page "%s"', async (page) => {
    const player = await http.register()
    expect(await list(player, `?_page=${page}`)).toMatchObject({ status: 400, code: 'INVALID_PAYLOAD' })
  })

  it('the inbox reports a fact once', async () => {
    const player = await http.register()
    await send(player, 'same fact')
    await send(player, 'same fact')
    expect((await list(player)).body.results).toHaveLength(1)
  })

  it("the call marks a message of the player, and never another player's", async () => {
    const [owner, stranger] = [await http.register(), await http.register()]
    await send(owner, 'to the owner')
    const [{ id }] = (await list(owner)).body.results
    const mark = (player: TestPlayer, messageId: string, body: unknown) =>
      http.call('PUT', `/settings/messages/${messageId}`, { token: player.access, body })
    expect(await mark(stranger, id, { is_read: true })).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    expect((await mark(owner, id, { is_read: true })).body).toEqual({ ok: true })
    expect((await list(owner)).body.results[0].is_read).toBe(true)
    for (const unknown of ['0', 'x', '9'.repeat(30), '%00'])
      expect((await mark(owner, unknown, { is_read: true })).status).toBe(404)
    expect((await mark(owner, id, { is_read: 'yes' })).code).toBe('INVALID_PAYLOAD')
  })

  it('unread messages are counted: of 3, one opened leaves 2, and all marked none; another player’s stay', async () => {
    const [player, other] = [await http.register(), await http.register()]
    for (const number of [1, 2, 3]) await send(player, `count:${number}`)
    await send(other, 'count:other')
    const unread = async (of: TestPlayer) =>
      (await http.call('GET', '/settings/messages/unread', { token: of.access })).body.count
    expect(await unread(player)).toBe(3)
    const [message] = (await list(player)).body.results
    expect(message.created_at).toBe(http.runtime.clock.now())
    await http.call('PUT', `/settings/messages/${message.id}`, { token: player.access, body: { is_read: true } })
    expect(await unread(player)).toBe(2)
    const all = { token: player.access, body: { is_read: true } }
    expect((await http.call('PUT', '/settings/messages', all)).body).toEqual({ ok: true })
    expect([await unread(player), await unread(other)]).toEqual([0, 1])
    const unreadAll = { token: player.access, body: { is_read: false } }
    expect((await http.call('PUT', '/settings/messages', unreadAll)).code).toBe('INVALID_PAYLOAD')
  })

  it('the inbox stores what a message may contain, and nothing more', async () => {
    const player = await http.register()
    await send(player, 'dangerous', '<p onclick="x()">You <b>win</b></p><script>alert(1)</script>')
    expect((await list(player)).body.results[0].content).toBe('<p>You <b>win</b></p>')
  })
})

describe('the HTML of a message', () => {
  it.each([
    [
      '<a href="https://example.org/?a=1&amp;b=2">x</a>',
      '<a href="https://example.org/?a=1&amp;b=2" rel="noopener noreferrer">x</a>',
    ],
    ['<a href="/game/treasure">x</a>', '<a href="/game/treasure">x</a>'],
    ['a < b & c &amp; d', 'a &lt; b &amp; c &amp; d'],
    ['<ul><li>one<li>two</ul>', '<ul><li>one<li>two</li></li></ul>'],
    ['</p>text</b>', 'text'],
    ['<br/>', '<br>'],
  ])('the HTML of a message keeps %s', (html, expected) => {
    expect(sanitiseHtml(html)).toBe(expected)
  })

  it.each([
    '<script>alert(1)</script>',
    '<SCRIPT SRC=//x></SCRIPT>',
    '<img src=x onerror=alert(1)>',
    '<svg/onload=alert(1)>',
    '<svg><script>alert(1)</script></svg>',
    '<a href="javascript:alert(1)">x</a>',
    '<a href="JaVaScRiPt:alert(1)">x</a>',
    '<a href="&#106;avascript:alert(1)">x</a>',
    '<a href="java\tscript:alert(1)">x</a>',
    '<a href=" javascript:alert(1)">x</a>',
    '<a href="data:text/html,<script>alert(1)</script>">x</a>',
    '<a href="//evil.example">x</a>',
    '<a href="/\\evil.example">x</a>',
    '<a href=x onmouseover=alert(1)>x</a>',
    '<p style="background:url(javascript:alert(1))">x</p>',
    '<iframe src="javascript:alert(1)"></iframe>',
    '<scr<script>ipt>alert(1)</scr</script>ipt>',
    '<<script>alert(1)//<</script>',
    '<p title="</p><script>alert(1)</script>">x',
    '<math><mi//xlink:href="data:x,<script>alert(4)</script>">',
    '<form action="javascript:alert(1)"><input type=submit>',
    '<base href="javascript:/">',
    '<!--><img src=x onerror=alert(1)>-->',
    '<b\0onclick=alert(1)>x</b>',
    '<a href="https://x" onclick="alert(1)">x</a>',
    '"><img src=x onerror=alert(1)>',
  ])('the HTML of a message runs nothing of %j', (html) => {
    const clean = sanitiseHtml(html)
    const tags = clean.match(/<[^>]*>/g) ?? []
    for (const tag of tags)
      expect(tag).toMatch(
        /^<\/?(p|br|b|strong|i|em|u|ul|ol|li|h3|h4|blockquote|code|a)( href="(https?:\/\/|mailto:|\/(?!\/))[^"<>]*"( rel="noopener noreferrer")?)?>$/,
      )
    expect(clean.replaceAll(/<[^>]*>/g, '')).not.toMatch(/[<>]/)
    expect(sanitiseHtml(clean)).toBe(clean)
  })
})

describe('a mail', () => {
  it('a mail has a subject of one line, whatever a person typed, and escapes its sentences', () => {
    const mail = renderMail(
      { subject: 'Hello\r\nBcc: someone@example.org', paragraphs: ['1 < 2 & <script>'] },
      'account',
      SITE,
    )
    expect(mail.subject).toBe('Hello Bcc: someone@example.org')
    expect(mail.html).toContain('1 &lt; 2 &amp; &lt;script&gt;')
    expect(mail.text).toContain('1 < 2 & <script>')
  })

  it('a mail that another mailer sends leaves no text and no links behind', async () => {
    const sent: string[] = []
    const smtp = {
      isOutboxKept: false,
      send: async (mail: { text: string }) => void sent.push(mail.text),
      close: () => undefined,
    }
    const added: bigint[] = []
    const jobs = {
      addUnlessWaiting: async () => undefined,
      wake: async () => undefined,
      add: async (_tx: unknown, _kind: string, payload: Record<string, unknown>) =>
        void added.push(BigInt(String(payload['mailId']))),
    }
    const messages: MessagesContext = {
      seal: sealUnder(deriveKey(SECRET_KEY, 'mails'), http.runtime.random),
      db: http.database.db,
      runtime: http.runtime,
      jobs,
      mailer: smtp,
      site: () => SITE,
      facts: factsTold(),
      approvalSats: () => null,
      lightningMaxSats: () => null,
      paintBalls: async () => new Uint8Array(),
    }
    const mail = {
      to: 'smtp@example.org',
      playerId: null,
      category: 'account',
      subject: 's',
      paragraphs: ['p'],
      action: { label: 'l', address: 'http://x/key' },
      key: 'smtp',
    } as const
    await http.transaction((tx) => enqueueMail(messages, tx, mail))
    const [mailId] = added
    if (mailId === undefined) throw new Error('no job was added')
    await sendMail(messages, mailId)
    await sendMail(messages, mailId)
    expect(sent).toEqual([expect.stringContaining('http://x/key')])
    expect(await listOutbox(messages, 'SMTP@example.org')).toMatchObject([
      { subject: 's', text: '', html: '', links: [] },
    ])
  })
})
