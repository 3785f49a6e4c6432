import type { Client } from '@fairball/contract/client'
import { ApiError } from '@fairball/contract/client'
import { GAMES } from '@fairball/domain/seeds'
import { fastify } from 'fastify'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isPrivatePath, PRIVATE_PATHS } from './private-paths.ts'
import { type NamedGame, siteRoutes } from './site-routes.ts'

const PUBLIC_URL = 'https://fairball.example'
const BUILT_AT = Date.parse('2026-11-01T00:00:00Z') / 1000
const DRAWN_AT = Date.parse('2026-11-20T18:00:00Z') / 1000

const RETIRED = { key: 'old-lotto', name: 'Old Lotto', accent: '#112233', pattern: 'solid' } as const

let app: FastifyInstance
let now = BUILT_AT
/** Number of draws of the game; they fill pages of two. */
let draws = 3
let gamesAsked = 0

/** Answers as the API does, for one game. */
const api = {
  call: async (name: string, { params, query }: { params?: { number: number }; query?: { _page: number } } = {}) => {
    if (name === 'getGames') {
      gamesAsked += 1
      return GAMES.filter(({ key }) => ['bitcoin-hero', 'treasure'].includes(key)).map((game) => ({
        ...game,
        color: game.accent,
        sets: [{ n: game.pick, N: game.pool }],
      }))
    }
    if (name === 'getRetiredGames') return [{ key: RETIRED.key }]
    if (name === 'getGameVersions') return [{ rules: { pick: 5, pool: 36 } }]
    if (name === 'getDraws') {
      const numbers = Array.from({ length: draws }, (_, index) => draws - index)
      const from = ((query?._page ?? 1) - 1) * 2
      const results = numbers.slice(from, from + 2).map((number) => ({ number, datetime: DRAWN_AT + number }))
      return { results, total_pages: Math.ceil(draws / 2) }
    }
    const number = params?.number ?? 0
    if (number > draws) throw new ApiError({ status: 404, code: 'NOT_FOUND', message: 'No such draw.' })
    const isDrawn = number < draws
    return { datetime: DRAWN_AT, numbers: isDrawn ? [3, 9, 12, 30, 36] : [], status: isDrawn ? 'DRAWN' : 'OPEN' }
  },
} as unknown as Pick<Client, 'call'> // only these calls are made

beforeEach(() => {
  now = BUILT_AT
  draws = 3
  gamesAsked = 0
  app = fastify()
  siteRoutes(app, {
    siteName: () => 'Fairball',
    api,
    games: async () =>
      new Map<string, NamedGame>([
        ...[...GAMES, RETIRED].map((game) => [game.key, game] as const),
        ['threasure', { ...RETIRED, key: 'treasure' }],
      ]),
    clock: { now: () => now },
    publicUrl: PUBLIC_URL,
    builtAt: BUILT_AT,
    listedPages: ['/', '/terms', '/game/$gameKey', '/game/$gameKey/draws', '/game/$gameKey/draw/$number'],
  })
})
afterEach(() => app.close())

describe('/robots.txt', () => {
  it('robots.txt keeps robots away from personal pages, and names the sitemap', async () => {
    const answer = await app.inject('/robots.txt')
    expect(answer.headers['content-type']).toContain('text/plain')
    expect(answer.body).toMatch(/^User-agent: \*\n/u)
    for (const path of PRIVATE_PATHS) expect(answer.body).toContain(`Disallow: ${path}\n`)
    expect(answer.body).toContain(`\nSitemap: ${PUBLIC_URL}/sitemap.xml\n`)
    expect(answer.body).not.toMatch(/Disallow: \/\n/u)
  })
})

describe('a path', () => {
  it.each([
    ['/settings/general/my-games', true],
    ['/checkout/1', true],
    ['/game/treasure/results', true],
    ['/game/treasure/results/2', true],
    ['/reset-password/key?x=1', true],
    ['/login-secure/key', true],
    ['/links/outbox', true],
    ['/%73ettings/general/my-games', true],
    ['/Settings/general/messages', true],
    ['//settings/general/messages', true],
    ['/game/treasure/RESULTS', true],
    ['/', false],
    ['/login?path=/settings/general', false],
    ['/game/treasure', false],
    ['/game/treasure/draws/2', false],
    ['/terms', false],
  ])('the path %s is private: %s', (path, isPrivate) => {
    expect(isPrivatePath(path)).toBe(isPrivate)
  })
})

describe('/sitemap.xml', () => {
  const entries = async () => {
    const { body } = await app.inject('/sitemap.xml')
    return new Map([...body.matchAll(/<loc>(.*?)<\/loc><lastmod>(.*?)<\/lastmod>/gu)].map(([, at, on]) => [at, on]))
  }

  it('the sitemap lists every public page, every game and every draw, with the time of its result', async () => {
    const listed = await entries()
    for (const path of ['/', '/terms', '/game/bitcoin-hero', '/game/treasure/draws'])
      expect(listed.has(PUBLIC_URL + path), path).toBe(true)
    expect(listed.get(`${PUBLIC_URL}/game/bitcoin-hero/draw/1`)).toBe('2026-11-20T18:00:01Z')
    expect(listed.has(`${PUBLIC_URL}/game/old-lotto/draw/1`)).toBe(true)
    expect(listed.get(`${PUBLIC_URL}/game/bitcoin-hero`)).toBe('2026-11-20T18:00:03Z')
    expect(listed.get(`${PUBLIC_URL}/terms`)).toBe('2026-11-01T00:00:00Z')
    expect([...listed.keys()].filter((address) => isPrivatePath(String(address).replace(PUBLIC_URL, '')))).toEqual([])
  })

  it('the sitemap is made again every ten minutes', async () => {
    await entries()
    await entries()
    expect(gamesAsked).toBe(1)
    draws = 5
    now += 600
    expect((await entries()).has(`${PUBLIC_URL}/game/bitcoin-hero/draw/5`)).toBe(true)
  })
})

describe('the picture of a link', () => {
  it.each([
    ['/share/fairball.png', 200, 'public, max-age=86400'],
    ['/share/game/bitcoin-hero.png', 200, 'public, max-age=86400'],
    ['/share/game/bitcoin-hero/draw/2.png', 200, 'public, max-age=86400'],
    ['/share/game/bitcoin-hero/draw/3.png', 200, 'public, max-age=60'],
    ['/share/game/bitcoin-hero/draw/4.png', 404, undefined],
    ['/share/game/threasure.png', 200, 'public, max-age=86400'],
    ['/share/game/old-lotto.png', 200, 'public, max-age=86400'],
    ['/share/game/old-lotto/draw/1.png', 200, 'public, max-age=86400'],
    ['/share/game/bitcoin-hero/draw/0.png', 404, undefined],
    ['/share/game/nothing.png', 404, undefined],
    ['/share/game/nothing/draw/1.png', 404, undefined],
  ])('the picture %s is answered %i', async (address, status, cacheControl) => {
    const answer = await app.inject(address)
    expect(answer.statusCode).toBe(status)
    expect(answer.headers['cache-control']).toBe(cacheControl)
    if (status !== 200) return
    expect(answer.headers['content-type']).toBe('image/png')
    const { rawPayload: png } = answer
    expect([png.subarray(1, 4).toString(), png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual(['PNG', 1200, 630])
    const again = await app.inject({ url: address, headers: { 'if-none-match': String(answer.headers['etag']) } })
    expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0])
  })
})
