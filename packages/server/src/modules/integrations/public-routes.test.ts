import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { testApplication, type TestApplication } from '../../../test/application.ts'
import { deskOn } from '../../../test/settings-desk.ts'

async function ask(app: TestApplication, url: string, headers: Record<string, string> = {}) {
  const { statusCode, headers: answered, body } = await app.application.http.inject({ url, headers })
  return { status: statusCode, headers: answered, body }
}

/** What a parser of XML that is not ours reads: the names and texts of the elements. */
function readXml(text: string): string[] {
  const program = `import sys, json, xml.etree.ElementTree as tree
print(json.dumps([[e.tag.split('}')[1], e.text or '', e.get('href') or ''] for e in tree.fromstring(sys.stdin.buffer.read()).iter()]))`
  const out = execFileSync('python3', ['-c', program], { input: text, encoding: 'utf8' })
  return (JSON.parse(out) as string[][]).map((parts) => parts.join('|'))
}

/** The properties of a calendar, its folded lines joined. */
function readCalendar(text: string): string[] {
  expect(text.endsWith('\r\n')).toBe(true)
  const lines = text.slice(0, -2).split('\r\n')
  for (const line of lines) {
    expect(line).not.toMatch(/[\r\n]/u)
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  }
  return lines.join('\r\n').replaceAll('\r\n ', '').split('\r\n')
}

const firstDraw = async (app: TestApplication) => {
  const { body } = await app.call('GET', '/games')
  return body.find((game: { key: string }) => game.key === 'bitcoin-hero').next_draw
}

it('a result is in no feed and no widget before the last ball is shown, and in all of them from then on', async () => {
  const app = await testApplication()
  const { start_at: startAt, end_at: endAt } = await firstDraw(app)
  const lastBallAt = endAt - 60
  await app.moveTo(lastBallAt - 1)
  expect(JSON.parse((await ask(app, '/feeds/results.json')).body).items).toEqual([])
  expect((await ask(app, '/feeds/results.atom')).body).not.toContain('<entry>')
  const during = (await ask(app, '/embed/bitcoin-hero')).body
  expect(during).toContain('No draw yet.')
  expect(during).toContain('The draw is on')
  expect(during).toContain('http://localhost:3000/game/bitcoin-hero/watch')

  await app.moveTo(lastBallAt)
  const draw = (await app.call('GET', '/games/bitcoin-hero/draws/1')).body
  const feed = JSON.parse((await ask(app, '/feeds/results.json')).body)
  expect(feed).toMatchObject({
    version: 'https://jsonfeed.org/version/1.1',
    home_page_url: 'http://localhost:3000/',
    feed_url: 'http://localhost:3000/feeds/results.json',
    items: [
      {
        id: 'http://localhost:3000/game/bitcoin-hero/draw/1',
        url: 'http://localhost:3000/game/bitcoin-hero/draw/1',
        title: `Bitcoin Hero, draw 1: ${draw.numbers.join(', ')}`,
        date_published: new Date(lastBallAt * 1000).toISOString().replace('.000', ''),
        _draw: { game: 'bitcoin-hero', number: 1, start_at: startAt, numbers: draw.numbers, winning_lines: 0 },
      },
    ],
  })
  const elements = readXml((await ask(app, '/feeds/results.atom')).body)
  expect(elements).toContain('id|http://localhost:3000/game/bitcoin-hero/draw/1|')
  expect(elements).toContain(`title|Bitcoin Hero, draw 1: ${draw.numbers.join(', ')}|`)
  expect(elements).toContain('link||http://localhost:3000/feeds/results.atom')
  const { body } = await ask(app, '/embed/bitcoin-hero')
  expect(body).toContain(draw.numbers.map((number: number) => `<li><span>${number}</span></li>`).join(''))
})

it('feeds may be read by scripts of any site, and are not sent again to who has them', async () => {
  const app = await testApplication()
  for (const [url, type] of [
    ['/feeds/results.json', 'application/feed+json; charset=utf-8'],
    ['/feeds/results.atom', 'application/atom+xml; charset=utf-8'],
    ['/feeds/treasure.ics', 'text/calendar; charset=utf-8'],
  ] as const) {
    const first = await ask(app, url)
    expect(first.headers, url).toMatchObject({
      'content-type': type,
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=60',
      etag: expect.stringMatching(/^"[\w-]{27}"$/u),
    })
    expect(first.headers['set-cookie']).toBeUndefined()
    const again = await ask(app, url, { 'if-none-match': String(first.headers['etag']) })
    expect([again.status, again.body, again.headers['access-control-allow-origin']]).toEqual([304, '', '*'])
  }
  const before = await ask(app, '/feeds/results.json')
  await app.moveTo((await firstDraw(app)).end_at)
  const after = await ask(app, '/feeds/results.json', { 'if-none-match': String(before.headers['etag']) })
  expect(after.status).toBe(200)
})

it('the calendar of a game has each open draw once, under a name that stays, and is the same for an alias', async () => {
  const app = await testApplication()
  const draws = (await app.call('GET', '/games/treasure/open-draws')).body
  const lines = readCalendar((await ask(app, '/feeds/treasure.ics')).body)
  const of = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1))
  const time = (at: number) => new Date(at * 1000).toISOString().replaceAll(/[-:]|\.000/gu, '')
  expect(of('UID')).toEqual(draws.map(({ number }: { number: number }) => `draw-${number}-treasure@localhost`))
  expect(of('DTSTART')).toEqual(draws.map((draw: { start_at: number }) => time(draw.start_at)))
  expect(of('URL')[0]).toBe('http://localhost:3000/game/treasure')
  expect(lines[0]).toBe('BEGIN:VCALENDAR')
  expect(lines.at(-1)).toBe('END:VCALENDAR')
  expect((await ask(app, '/feeds/threasure.ics')).body).toBe((await ask(app, '/feeds/treasure.ics')).body)
  expect((await ask(app, '/feeds/none.ics')).status).toBe(404)
})

it('names of the operator cannot end an element, a line or a page', async () => {
  const app = await testApplication()
  await deskOn(app, app.runtime).apply({ 'site.name': '<b>&"Ö; Lotto, Ltd' })
  await app.moveTo((await firstDraw(app)).end_at)
  expect(readXml((await ask(app, '/feeds/results.atom')).body)).toContain('title|<b>&"Ö; Lotto, Ltd: results|')
  expect(readCalendar((await ask(app, '/feeds/treasure.ics')).body)).toContain(
    String.raw`X-WR-CALNAME:<b>&"Ö\; Lotto\, Ltd: Treasure`,
  )
  expect((await ask(app, '/embed/treasure')).body).toContain('Play at &lt;b&gt;&amp;&quot;Ö; Lotto, Ltd')
})

it('the widget may be framed by any site, loads nothing, sets no cookie and has at most 20 kB', async () => {
  const app = await testApplication()
  const { status, headers, body } = await ask(app, '/embed/bitcoin-hero')
  expect(status).toBe(200)
  expect(Buffer.byteLength(body)).toBeLessThanOrEqual(20_000)
  expect(headers['set-cookie']).toBeUndefined()
  expect(headers['x-frame-options']).toBeUndefined()
  const policy = String(headers['content-security-policy']).split('; ')
  expect(policy).toContain('frame-ancestors *')
  expect(policy).toContain("default-src 'none'")
  expect(policy.join()).not.toContain('unsafe')
  for (const [kind, element] of [
    ['style', 'style'],
    ['script', 'script'],
  ] as const) {
    const text = new RegExp(`<${element}>([\\s\\S]*?)</${element}>`, 'u').exec(body)?.[1] ?? ''
    const hash = createHash('sha256').update(text).digest('base64')
    expect(policy).toContain(`${kind}-src 'sha256-${hash}'`)
  }
  expect(body).not.toMatch(/ (?:src|style|on\w+)=/u)
  // Every other page stays out of frames.
  const other = await ask(app, '/feeds/results.json')
  expect(other.headers['content-security-policy']).toContain("frame-ancestors 'none'")
  expect(other.headers['x-frame-options']).toBe('DENY')
  const missing = await ask(app, '/embed/none')
  expect([missing.status, missing.body.includes('This game does not exist.')]).toEqual([404, true])
})

it('the widget says the jackpot and the next draw, or why there is no way to play', async () => {
  const app = await testApplication()
  const game = (await app.call('GET', '/games')).body.find(({ key }: { key: string }) => key === 'treasure')
  const onSale = (await ask(app, '/embed/treasure')).body
  expect(onSale).toContain(`${game.jackpot.crypto.value} BTC`)
  expect(onSale).toContain(`data-at="${game.next_draw.start_at}"`)
  expect(onSale).toContain('href="http://localhost:3000/game/treasure"')
  expect(onSale).toContain('Play at Fairball')
  const client = await app.connect()
  await client.query(
    `insert into sales_pauses (game_key, from_at, public_note, reason, actor)
      values ('treasure', $1, 'Back on Monday & <later>', 'a test', 'a test')`,
    [app.runtime.clock.now()],
  )
  await app.moveTo(app.runtime.clock.now() + 2)
  const paused = (await ask(app, '/embed/treasure')).body
  expect(paused).toContain('Back on Monday &amp; &lt;later&gt;')
  expect(paused).not.toContain('Play at')
})

it('a game that has ended says so, and its calendar is empty and still one', async () => {
  const app = await testApplication()
  const client = await app.connect()
  await client.query(
    `update games set state = 'retired', retires_into = 'partners', retired_at = $1 where key = 'mega-ball'`,
    [app.runtime.clock.now()],
  )
  await client.query(`update draws set status = 'void' where game_key = 'mega-ball'`)
  await app.moveTo(app.runtime.clock.now() + 2)
  const { body } = await ask(app, '/embed/mega-ball')
  expect(body).toContain('This game has ended')
  const lines = readCalendar((await ask(app, '/feeds/mega-ball.ics')).body)
  expect(lines.filter((line) => line === 'BEGIN:VEVENT')).toHaveLength(0)
  expect(lines).toContain('BEGIN:VTIMEZONE')
})
