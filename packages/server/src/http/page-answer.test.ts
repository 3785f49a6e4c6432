import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { fastify } from 'fastify'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { pageOf, sendPage } from './page-answer.ts'

let app: FastifyInstance
let status = 200
let isShared = true
let words = 'A page.'

beforeEach(() => {
  status = 200
  isShared = true
  words = 'A page.'
  app = fastify()
  app.get('/*', async (request, reply) =>
    sendPage(request, reply, pageOf({ status, html: `<p>${words}`, policy: 'the policy' }), isShared),
  )
})
afterEach(() => app.close())

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })

it('every cache may keep a shared page, under a strong tag for each coding, and asks whether it is still the same', async () => {
  const tags = new Set<string>()
  for (const coding of ['br', 'gzip', 'identity']) {
    const first = await get('/terms', { 'accept-encoding': coding })
    expect(first.headers).toMatchObject({
      'cache-control': 'public, max-age=0, s-maxage=5, stale-while-revalidate=60',
      etag: expect.stringMatching(/^"[\w-]+"$/u),
    })
    const tag = String(first.headers['etag'])
    tags.add(tag)
    const same = await get('/terms', { 'accept-encoding': coding, 'if-none-match': tag })
    expect([same.statusCode, same.body, same.headers['content-security-policy']]).toEqual([304, '', 'the policy'])
    words = 'Another page.'
    expect((await get('/terms', { 'accept-encoding': coding, 'if-none-match': tag })).statusCode).toBe(200)
    words = 'A page.'
  }
  expect(tags.size).toBe(3)
})

it('a page of one visitor is not cached, and a private address is not indexed', async () => {
  isShared = false
  for (const url of ['/settings/general/my-games', '/checkout/1', '/reset-password/key', '/game/treasure/results']) {
    const { headers } = await get(url)
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
    expect(headers['etag']).toBeUndefined()
  }
  expect((await get('/login?path=/terms')).headers['x-robots-tag']).toBeUndefined()
})

it.each([404, 500])('a page with the status %i is not cached', async (given) => {
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

it('a page is compressed once for all who ask', async () => {
  const page = pageOf({ status: 200, html: 'a page', policy: '' })
  expect(await page.encoded('br')).toBe(await page.encoded('br'))
})
