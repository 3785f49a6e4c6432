import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { freePort } from '../packages/server/test/free-port.ts'
import { hasNginx, startNginx } from '../trials/nginx.ts'

const ROOT = join(import.meta.dirname, '..')

/** What the product says of answers about a draw. */
const LIVE = 'public, max-age=0, s-maxage=1'
/** How long the product takes for them, in ms: so that others ask meanwhile. */
const TAKES_MS = 100
/** How long a crowd of watchers asks, in ms. */
const WATCHED_MS = 3500

/** What the product answers: a page that visitors share, one of a visitor, and calls. */
const ANSWERS = {
  '/': 'public, max-age=0, s-maxage=5, stale-while-revalidate=60',
  '/settings/general/my-games': 'no-store',
  '/api/v1/games': LIVE,
  '/api/v1/games/treasure/watch': LIVE,
  '/api/v1/games/treasure/draws/7': LIVE,
  '/api/v1/games/treasure/watch/stream': LIVE,
  '/api/v1/profile': 'no-store',
}

describe.skipIf(!hasNginx())('the sample for nginx', () => {
  /** The requests that reached the product, each by its address and codings. */
  let asked = []
  let nginx
  let origin
  let at = ''

  beforeAll(async () => {
    const answer = (request, response) => {
      const codings = request.headers['accept-encoding'] ?? 'none'
      asked.push(`${request.url} ${codings}`)
      const etag = `"tag-${codings.length}"`
      response.setHeader('cache-control', ANSWERS[request.url] ?? 'no-store').setHeader('etag', etag)
      response.setHeader('vary', 'accept-encoding')
      response.writeHead(request.headers['if-none-match'] === etag ? 304 : 200)
      response.end(`${request.url} for ${request.headers.authorization ?? 'everybody'}`)
    }
    origin = createServer((request, response) => {
      if (!request.url.startsWith('/api/v1/games/treasure/')) answer(request, response)
      else setTimeout(answer, TAKES_MS, request, response)
    }).listen(0, '127.0.0.1')
    await once(origin, 'listening')
    const listenPort = await freePort()
    nginx = await startNginx({ listenPort, servers: [`server 127.0.0.1:${origin.address().port};`] })
    at = `http://127.0.0.1:${listenPort}`
  })
  afterAll(async () => {
    await nginx?.stop()
    origin.close()
  })

  /** The answers to many requests at once, and what of them reached the product. */
  async function burst(count, path, headersOf = () => ({})) {
    asked = []
    const startedAt = performance.now()
    const answers = await Promise.all(
      Array.from({ length: count }, async (_, nr) => {
        const answer = await fetch(at + path, { headers: headersOf(nr) })
        return { status: answer.status, headers: answer.headers, text: await answer.text() }
      }),
    )
    // One in each second that began.
    return { answers, most: Math.ceil((performance.now() - startedAt) / 1000) }
  }

  it('the product sees at most one request a second for a page that 150 visitors ask for, whatever they bring along', async () => {
    const spellings = ['gzip, deflate, br', 'br;q=1.0, gzip', 'GZIP, BR', 'gzip,br, zstd']
    const { answers, most } = await burst(150, '/', (nr) => ({
      'accept-encoding': spellings[nr % 4],
      'accept-language': `l${nr}`,
      cookie: `session=${nr}`,
    }))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(new Set(['200 / for everybody']))
    expect(asked.length).toBeLessThanOrEqual(most)
    expect(new Set(asked)).toEqual(new Set(['/ br, gzip']))
  })

  it.each([
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['br', 'none'],
    ['gzip;q=0, br', 'none'],
    ['identity', 'none'],
    ['', 'none'],
  ])('the product reads the codings "%s" as: %s', async (sent, read) => {
    await burst(1, '/settings/general/my-games', () => ({ 'accept-encoding': sent }))
    expect(asked).toEqual([`/settings/general/my-games ${read}`])
  })

  it('a visitor who has the page already gets 304 from the cache', async () => {
    const headers = { 'accept-encoding': 'gzip' }
    const [first] = (await burst(1, '/', () => headers)).answers
    const { answers } = await burst(1, '/', () => ({ ...headers, 'if-none-match': first.headers.get('etag') }))
    expect(answers[0].status).toBe(304)
  })

  it('what belongs to one visitor is never kept: private pages, and whatever is sent with a token', async () => {
    for (const path of ['/settings/general/my-games', '/api/v1/profile']) {
      await burst(3, path)
      expect(asked).toHaveLength(3)
    }
    const { answers } = await burst(3, '/api/v1/games', (nr) => ({ authorization: `Bearer ${nr}` }))
    expect(answers.map(({ text }) => text)).toEqual([0, 1, 2].map((nr) => `/api/v1/games for Bearer ${nr}`))
    const visitors = await burst(20, '/api/v1/games')
    expect(asked.length).toBeLessThanOrEqual(visitors.most)
    expect(visitors.answers.every(({ text }) => text === '/api/v1/games for everybody')).toBe(true)
  })

  it('the product sees at most one request a second for an address of a draw that a crowd of watchers asks for', async () => {
    const paths = ['/api/v1/games/treasure/watch', '/api/v1/games/treasure/draws/7', '/api/v1/games']
    asked = []
    const startedAt = performance.now()
    const answers = new Set()
    const watcher = async (nr) => {
      while (performance.now() - startedAt < WATCHED_MS) {
        for (const path of paths) {
          const answer = await fetch(at + path, { headers: { 'accept-encoding': 'gzip', cookie: `watcher=${nr}` } })
          answers.add(`${answer.status} ${await answer.text()}`)
        }
      }
    }
    await Promise.all(Array.from({ length: 60 }, (_, nr) => watcher(nr)))
    const seconds = Math.ceil((performance.now() - startedAt) / 1000)
    expect(answers).toEqual(new Set(paths.map((path) => `200 ${path} for everybody`)))
    for (const path of paths) {
      const reached = asked.filter((one) => one === `${path} gzip`).length
      expect(reached, path).toBeGreaterThan(0)
      expect(reached, path).toBeLessThanOrEqual(seconds)
    }
  })

  it('a watcher whose answer has not changed gets 304 from the cache, and HEAD is answered from it too', async () => {
    const path = '/api/v1/games/treasure/watch'
    const [first] = (await burst(1, path)).answers
    const known = { 'if-none-match': first.headers.get('etag') }
    const { answers } = await burst(5, path, () => known)
    expect(answers.map(({ status }) => status)).toEqual([304, 304, 304, 304, 304])
    expect(answers[0].headers.get('cache-control')).toBe(LIVE)
    const head = await fetch(at + path, { method: 'HEAD' })
    expect([head.status, head.headers.get('etag')]).toEqual([200, first.headers.get('etag')])
    expect(asked.length).toBeLessThanOrEqual(1)
  })

  it('the stream of a draw is never kept, whatever its answer says', async () => {
    await burst(3, '/api/v1/games/treasure/watch/stream')
    expect(asked).toHaveLength(3)
  })

  it('the time comes from nginx itself', async () => {
    const { answers } = await burst(1, '/now')
    const now = Number(answers[0].headers.get('x-fairball-now'))
    expect([answers[0].status, asked]).toEqual([204, []])
    expect(Math.abs(now - Date.now() / 1000)).toBeLessThan(5)
  })

  it('nginx accepts the files of compose.yaml’s proxy', () => {
    const folder = mkdtempSync(join(tmpdir(), 'fairball-proxy-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const { proxy } = parse(readFileSync(join(ROOT, 'compose.yaml'), 'utf8'), { merge: true }).services
    const inFolder = (text) => text.replaceAll(/\/etc\/nginx|\/var\/cache/g, folder)
    for (const name of ['conf.d', 'tls']) mkdirSync(join(folder, name))
    for (const [source, path] of proxy.volumes.map((volume) => volume.split(':')))
      if (path.endsWith('.conf')) writeFileSync(inFolder(path), inFolder(readFileSync(join(ROOT, source), 'utf8')))
    const files = ['-keyout', join(folder, 'tls/privkey.pem'), '-out', join(folder, 'tls/fullchain.pem')]
    spawnSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=lottery.example', ...files])
    const conf = `pid ${folder}/pid;\nevents {}\nhttp {\naccess_log off;\ninclude ${folder}/conf.d/*.conf;\n}\n`
    writeFileSync(join(folder, 'nginx.conf'), conf)
    const args = ['-t', '-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')]
    const { status, stderr } = spawnSync(process.env.NGINX ?? 'nginx', args, { encoding: 'utf8' })
    expect(status, stderr).toBe(0)
  })
})
