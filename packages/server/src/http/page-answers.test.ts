import type { Client } from '@fairball/contract/client'
import type { PageRequest } from '@fairball/contract/pages'
import { fastify } from 'fastify'
import { expect, it, onTestFinished } from 'vitest'
import { testRuntime } from '../runtime/test-runtime.ts'
import { framesOf, pageAnswers } from './page-answers.ts'

/** Pages of a renderer that counts: each says for which address and time it was rendered, and how often. */
function site() {
  const runtime = { ...testRuntime(), monotonic: { nowMs: () => 0, sleep: async () => undefined } }
  const seen: string[] = []
  const htmlOf = ({ url, now, nonce }: PageRequest) =>
    `<script nonce="${nonce}">page(${now % 60})</script><p>${url} number ${seen.length}`
  const answer = pageAnswers({
    runtime,
    api: {} as Client,
    games: async () => new Map(),
    configNow: () => ({ content: { feedbackFormUrl: null } }) as PageRequest['config'],
    lookNow: () => ({ colors: null, icon: null }),
    shield: { isHttps: true, isDemo: false, isDevelopment: false },
    web: {
      async render(page) {
        seen.push(page.url)
        if (page.url === '/old') return new Response(null, { status: 307, headers: { location: '/new' } })
        return new Response(htmlOf(page), { status: page.url === '/game/x/draw/9' ? 404 : 200 })
      },
      renderMissing: async () => '<p>missing',
      sharedAddress: (url) => (url.includes('?path=') ? null : (url.split('?')[0] ?? '')),
      leadsNowhere: (url) => url.startsWith('/no'),
      spelledRight: (url) => (url === '/Terms' ? '/terms' : null),
    },
  })
  const app = fastify()
  app.get('/*', (request, reply) => answer(request, reply))
  onTestFinished(() => app.close())
  const get = (url: string, headers: Record<string, string> = {}, remoteAddress = '192.0.2.1') =>
    app.inject({ url, headers, remoteAddress })
  return { runtime, seen, get }
}

const VISITORS = [
  {},
  { cookie: 'fairball_device=one', authorization: 'Bearer one', 'accept-language': 'de', host: 'evil.example' },
  { cookie: 'fairball_device=two', authorization: 'Bearer two', 'x-forwarded-host': 'evil.example', 'user-agent': 'x' },
]

it('a public page is the same bytes for a stranger and for two players, from one rendering a second', async () => {
  const { runtime, seen, get } = site()
  const answers = await Promise.all(VISITORS.map((headers) => get('/terms', headers)))
  const again = await get('/terms?utm_source=mail')
  expect(seen).toEqual(['/terms'])
  for (const { body, headers } of [...answers, again])
    expect([body, headers['etag'], headers['content-security-policy'], headers['cache-control']]).toEqual([
      '<script>page(0)</script><p>/terms number 1',
      answers[0]?.headers['etag'],
      expect.stringMatching(/script-src 'self' 'sha256-[^']+';/u),
      'public, max-age=0, s-maxage=5, stale-while-revalidate=60',
    ])
  await runtime.clock.advance(1)
  expect((await get('/terms')).body).toContain('number 2')
})

it('a private address and a query of one visitor are rendered each time, and never kept', async () => {
  const { seen, get } = site()
  for (const url of ['/settings/general/my-games', '/login?path=/terms']) {
    const [first, second] = [await get(url), await get(url)]
    expect([first.headers['cache-control'], first.headers['etag']]).toEqual(['no-store', undefined])
    expect(first.body).not.toBe(second.body)
  }
  expect(seen).toHaveLength(4)
})

it('unknown addresses get one page, other spellings are led on, and so is what the renderer leads on', async () => {
  const { seen, get } = site()
  for (const url of ['/nothing', '/nowhere?a', '/no/where']) {
    const { statusCode, body, headers } = await get(url)
    expect([statusCode, body, headers['cache-control']]).toEqual([404, '<p>missing', 'no-store'])
  }
  expect(seen).toEqual([])
  expect((await get('/Terms')).headers['location']).toBe('/terms')
  expect([(await get('/old')).statusCode, (await get('/old')).headers['location']]).toEqual([307, '/new'])
  expect((await get('/game/x/draw/9')).headers['cache-control']).toBe('no-store')
})

it('an address that has too many pages rendered gets 429 with a page, and what is kept still answers it', async () => {
  const { get } = site()
  for (let nr = 1; nr <= 100; nr += 1) expect((await get(`/page/${nr}`)).statusCode).toBe(200)
  const refused = await get('/page/101')
  expect(refused).toMatchObject({ statusCode: 429, headers: { 'retry-after': '5', 'cache-control': 'no-store' } })
  expect(refused.body).toContain('<h1>Too many pages at once</h1>')
  expect((await get('/page/100')).statusCode).toBe(200)
  expect((await get('/nothing')).statusCode).toBe(404)
  expect((await get('/page/101', {}, '192.0.2.2')).statusCode).toBe(200)
})

const FORM = 'https://forms.example:8443/f/1?x=2'

it.each([
  ['/feedback', ['https://forms.example:8443']],
  ['/feedback/', ['https://forms.example:8443']],
  ['/feedback?from=footer', ['https://forms.example:8443']],
  ['/', []],
  ['/feedback/more', []],
  ['/terms?x=/feedback', []],
  ['/game/feedback', []],
  ['//feedback', []],
])('the page %s may frame %j: the feedback form belongs only on the feedback page', (url, origins) => {
  expect(framesOf(url, FORM)).toEqual(origins)
  expect(framesOf(url, null)).toEqual([])
})
