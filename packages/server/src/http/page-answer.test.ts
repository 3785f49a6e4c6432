import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { fastify } from 'fastify'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { sendPage } from './page-answer.ts'

let app: FastifyInstance
let now = 1_795_000_020
let status = 200
let answers = 0
let words = 'A page.'

beforeEach(() => {
  now = 1_795_000_020
  status = 200
  words = 'A page.'
  app = fastify()
  app.get('/*', async (request, reply) => {
    answers += 1
    const nonce = `nonce-${answers}`
    const askedAt = now * 1000 + answers
    const html = `<script nonce="${nonce}">{"now":${now},"at":${askedAt}}</script>${words}`
    return await sendPage(request, reply, { status, html, policy: `script-src 'nonce-${nonce}'`, nonce, now })
  })
})
afterEach(() => app.close())

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })

it('a browser may keep a public page and ask whether it is still the same', async () => {
  const first = await get('/terms')
  expect(first.headers).toMatchObject({ 'cache-control': 'private, no-cache', etag: expect.stringMatching(/^W\/"/u) })
  const tag = String(first.headers['etag'])
  const same = await get('/terms', { 'if-none-match': tag })
  // The cached page came with a policy for its own nonce, which a new one would block.
  expect([same.statusCode, same.body, same.headers['content-security-policy']]).toEqual([304, '', undefined])
  words = 'Another page.'
  expect((await get('/terms', { 'if-none-match': tag })).statusCode).toBe(200)
})

it('no page older than a minute is shown: its clock counts from when it was made', async () => {
  const tag = String((await get('/terms')).headers['etag'])
  now += 60
  expect((await get('/terms', { 'if-none-match': tag })).statusCode).toBe(200)
})

it.each(['/settings/general/my-games', '/checkout/1', '/reset-password/key', '/game/treasure/results'])(
  'the page %s is not cached and not indexed',
  async (url) => {
    const { headers } = await get(url)
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
    expect(headers['etag']).toBeUndefined()
  },
)

it.each([404, 500, 307])('an answer %i is not cached', async (given) => {
  status = given
  expect((await get('/terms')).headers['cache-control']).toBe('no-store')
})

it.each([
  ['gzip, deflate, br', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['identity', undefined],
  ['', undefined],
])('a page for "%s" is compressed with: %s', async (accepted, coding) => {
  const answer = await get('/terms', { 'accept-encoding': accepted })
  expect([answer.headers['content-encoding'], answer.headers['vary']]).toEqual([coding, 'accept-encoding'])
  const read = { br: brotliDecompressSync, gzip: gunzipSync }[coding ?? '']
  expect((read?.(answer.rawPayload) ?? answer.rawPayload).toString()).toContain('A page.')
})
