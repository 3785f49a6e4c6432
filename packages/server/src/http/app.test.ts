import { gunzipSync } from 'node:zlib'
import { once } from 'node:events'
import { connect } from 'node:net'
import { calls } from '@fairball/contract/calls'
import { LotteryError } from '@fairball/domain/errors'
import type { FastifyInstance } from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { DatabaseUnavailable } from '../db/pool.ts'
import { testRuntime, type TestRuntime } from '../runtime/test-runtime.ts'
import { createHttpApp, type HttpAppOptions } from './app.ts'
import type { SignedIn } from '../kernel/caller.ts'
import { Overloaded } from '../kernel/errors.ts'
import { LIVE_CACHE, OK, RawAnswer, route, stream } from './route.ts'

const PLAYER: SignedIn = {
  id: 7n,
  sessionId: '00000000-0000-4000-8000-000000000000',
  username: 'player-abc234',
  email: null,
  emailVerifiedAt: null,
  currencyId: 1,
  timezoneId: 202,
  isSocial: false,
}
const PREFERENCES = { is_lottery_games_active: true, is_winners_and_good_causes_active: false }

/** An application with a few calls whose handlers a test chooses. */
function makeApp(options: Partial<HttpAppOptions> = {}): { app: FastifyInstance; runtime: TestRuntime } {
  const runtime = testRuntime()
  const app = createHttpApp({
    runtime,
    authenticate: async (token) => (token === 'good' ? PLAYER : null),
    isDemo: true,
    publicUrl: 'https://fairball.test',
    checksAnswers: true,
    ...options,
  })
  onTestFinished(() => app.close())
  return { app, runtime }
}

const bearer = { authorization: 'Bearer good' }
const json = { 'content-type': 'application/json' }
const BODY_CALL = '/api/v1/settings/email-preferences'

function withBodyCall(): { app: FastifyInstance; runtime: TestRuntime } {
  const made = makeApp()
  route(made.app, calls.saveEmailPreferences, () => OK)
  return made
}

/** The answer to bytes sent as they are, from an application with a port of its own. */
async function sentAs(app: FastifyInstance, bytes: string): Promise<string> {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
  const address = app.server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return await new Promise<string>((resolve, reject) => {
    const socket = connect(address.port, '127.0.0.1', () => socket.write(bytes))
    let text = ''
    socket.on('data', (data) => (text += data.toString()))
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
  })
}

describe('every answer', () => {
  it("an answer of the API has the system's time and the security headers, and is not cached", async () => {
    const { app, runtime } = makeApp()
    route(app, calls.getEmailPreferences, () => PREFERENCES)
    for (const url of [BODY_CALL, '/api/v1/nowhere']) {
      const { headers } = await app.inject({ url, headers: bearer })
      expect(headers).toMatchObject({
        'x-fairball-now': String(runtime.clock.now()),
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin-allow-popups',
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
      })
    }
  })

  it('an answer has the time at which it leaves, after a handler that moved the clock', async () => {
    const { app, runtime } = makeApp()
    route(app, calls.getHealth, () => {
      runtime.clock.set(runtime.clock.now() + 1000)
      return OK
    })
    const { headers } = await app.inject({ url: '/healthz' })
    expect(headers['x-fairball-now']).toBe(String(runtime.clock.now()))
  })

  it('an answer contains what the contract declares and nothing more', async () => {
    const { app } = makeApp({ checksAnswers: false })
    route(app, calls.getEmailPreferences, () => ({ ...PREFERENCES, password_hash: 'secret' }))
    expect((await app.inject({ url: BODY_CALL, headers: bearer })).json()).toEqual(PREFERENCES)
  })

  it('an answer that breaks the contract is a fault in tests', async () => {
    const { app } = makeApp()
    route(app, calls.getEmailPreferences, () => ({ is_lottery_games_active: 1 }) as never)
    expect((await app.inject({ url: BODY_CALL, headers: bearer })).statusCode).toBe(500)
  })

  it("an answer may be cached for as long as its route says, unless it is a player's", async () => {
    const { app } = makeApp()
    route(app, calls.getCountries, () => [{ id: 1, name: 'X' }], { cache: { seconds: 60 }, isOpenToAllOrigins: true })
    const anonymous = await app.inject({ url: '/api/v1/countries' })
    expect(anonymous.headers).toMatchObject({
      'cache-control': 'public, max-age=60',
      vary: 'authorization, accept-encoding',
      'access-control-allow-origin': '*',
    })
    const signedIn = await app.inject({ url: '/api/v1/countries', headers: bearer })
    expect(signedIn.headers['cache-control']).toBe('no-store')
  })

  it('a live answer may be kept for a second by caches that visitors share, and by no browser unasked', async () => {
    const { app } = makeApp()
    route(app, calls.getCountries, () => [], { cache: LIVE_CACHE })
    const { headers } = await app.inject({ url: '/api/v1/countries' })
    expect(headers['cache-control']).toBe('public, max-age=0, s-maxage=1')
    expect((await app.inject({ url: '/api/v1/countries', headers: bearer })).headers['cache-control']).toBe('no-store')
  })

  it('a shared answer is compressed for clients that accept it, under a strong tag for each coding', async () => {
    const { app } = makeApp()
    const countries = Array.from({ length: 200 }, (_, id) => ({ id, name: `Country ${id}` }))
    route(app, calls.getCountries, () => countries, { cache: { seconds: 60 }, isShared: true })
    const plain = await app.inject({ url: '/api/v1/countries' })
    const zipped = await app.inject({ url: '/api/v1/countries', headers: { 'accept-encoding': 'br, gzip' } })
    expect([plain.headers['content-encoding'], zipped.headers['content-encoding']]).toEqual([undefined, 'gzip'])
    expect(JSON.parse(gunzipSync(zipped.rawPayload).toString())).toEqual(plain.json())
    const tag = /^"([\w-]{27})"$/u.exec(String(plain.headers['etag']))?.[1]
    expect(zipped.headers['etag']).toBe(`"${tag}-gzip"`)
    const again = { 'accept-encoding': 'gzip', 'if-none-match': `"${tag}-gzip"` }
    expect((await app.inject({ url: '/api/v1/countries', headers: again })).statusCode).toBe(304)
    // The client has these bytes no longer: it takes others.
    const other = { 'if-none-match': `"${tag}-gzip"` }
    expect((await app.inject({ url: '/api/v1/countries', headers: other })).statusCode).toBe(200)
    expect(zipped.rawPayload.length).toBeLessThan(plain.rawPayload.length / 4)
  })

  it('an answer can be of another type', async () => {
    const { app } = makeApp()
    route(app, calls.getMetrics, () => new RawAnswer('up 1\n', 'text/plain; version=0.0.4'))
    const answer = await app.inject({ url: '/metrics' })
    expect([answer.headers['content-type'], answer.body]).toEqual(['text/plain; version=0.0.4', 'up 1\n'])
  })
})

describe('an answer that has left', () => {
  it('a sent answer is reported with the pattern of its route, and without a duration if the caller chose it', async () => {
    const told: unknown[] = []
    const { app } = makeApp({ onAnswer: (answer) => told.push(answer) })
    route(app, calls.getDraw, () => {
      throw new LotteryError('NOT_FOUND')
    })
    stream(app, calls.streamWatch, (_request, reply) => {
      reply.hijack()
      reply.raw.end('event: now\n\n')
    })
    await app.inject({ url: '/api/v1/games/x/draws/7?key=secret' })
    await app.inject({ url: '/nowhere' })
    await app.inject({ url: '/api/v1/games/x/watch/stream' })
    expect(told).toEqual([
      { method: 'GET', route: '/api/v1/games/:key/draws/:number', status: 404, seconds: expect.any(Number) },
      { method: 'GET', route: 'unknown', status: 404, seconds: expect.any(Number) },
      { method: 'GET', route: '/api/v1/games/:key/watch/stream', status: 200, seconds: null },
    ])
  })

  it('a sent answer reports an id of ours, which every line of its request has, and takes none from outside', async () => {
    const { app, runtime } = makeApp()
    route(app, calls.saveEmailPreferences, async () => {
      runtime.log.info('in the handler')
      await new Promise((resolve) => setImmediate(resolve))
      runtime.log.info('later in the handler')
      throw new Error('a fault')
    })
    const ask = () =>
      app.inject({
        method: 'PUT',
        url: BODY_CALL,
        headers: { ...bearer, ...json, 'x-request-id': 'from-outside', 'request-id': 'from-outside' },
        payload: JSON.stringify(PREFERENCES),
      })
    const ids = await Promise.all([ask(), ask()]).then((both) => both.map(({ headers }) => headers['x-request-id']))
    expect(new Set(ids).size).toBe(2)
    for (const id of ids) {
      expect(id).toMatch(/^[0-9a-f-]{36}$/)
      const lines = runtime.logged.filter(({ reqId }) => reqId === id).map(({ msg }) => String(msg))
      expect(lines.toSorted()).toEqual(['a request failed', 'answered', 'in the handler', 'later in the handler'])
    }
    expect(runtime.logged.filter(({ reqId }) => !ids.includes(reqId as string))).toEqual([])
    const { headers } = await app.inject({ url: '/%zz' })
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })
})

/** An error in PostgreSQL's form. */
function databaseError(code: string): Error {
  return Object.assign(new Error(`the database reported ${code}`), { code })
}

describe('an error', () => {
  it.each([
    [new LotteryError('NOT_FOUND', 'No such order.'), 404, { code: 'NOT_FOUND', message: 'No such order.' }],
    [
      new LotteryError('INVALID_PAYLOAD', undefined, { fields: { a: 'b' } }),
      400,
      { code: 'INVALID_PAYLOAD', message: expect.any(String), fields: { a: 'b' } },
    ],
    [new LotteryError('LIMIT_REACHED'), 403, { code: 'LIMIT_REACHED', message: expect.any(String) }],
    [
      new LotteryError('LIMIT_REACHED', 'At most 10.', { reason: 'GAME_LINES' }),
      403,
      { code: 'LIMIT_REACHED', message: 'At most 10.', reason: 'GAME_LINES' },
    ],
    [new LotteryError('IDEMPOTENCY_CONFLICT'), 409, { code: 'IDEMPOTENCY_CONFLICT', message: expect.any(String) }],
    [new LotteryError('RATE_UNAVAILABLE'), 503, { code: 'RATE_UNAVAILABLE', message: expect.any(String) }],
    [
      new DatabaseUnavailable('gone'),
      503,
      { code: 'INTERNAL_SERVER_ERROR', message: 'Unexpected error! Please try again.' },
    ],
    // The database has no room on its disk or in its memory, or cannot write a file: there may be room later.
    [databaseError('53100'), 503, { code: 'INTERNAL_SERVER_ERROR', message: expect.any(String) }],
    [databaseError('53200'), 503, { code: 'INTERNAL_SERVER_ERROR', message: expect.any(String) }],
    [databaseError('58030'), 503, { code: 'INTERNAL_SERVER_ERROR', message: expect.any(String) }],
    [new Overloaded('a hash'), 503, { code: 'INTERNAL_SERVER_ERROR', message: 'Unexpected error! Please try again.' }],
    [
      new Error('select secret from players'),
      500,
      { code: 'INTERNAL_SERVER_ERROR', message: 'Unexpected error! Please try again.' },
    ],
    [
      Object.assign(new Error('out of range'), { code: '22003' }),
      400,
      { code: 'INVALID_PAYLOAD', message: expect.any(String) },
    ],
  ])('the error %s has an exact answer', async (error, status, body) => {
    const { app } = makeApp()
    route(app, calls.getHealth, () => {
      throw error
    })
    const answer = await app.inject({ url: '/healthz' })
    expect([answer.statusCode, answer.json()]).toEqual([status, { error: body }])
    expect(answer.body).not.toMatch(/select|\.ts/)
  })

  it("our own error is logged with the request's id and its stack, and an address's query never", async () => {
    const { app, runtime } = makeApp()
    route(app, calls.checkResetPasswordKey, () => {
      throw new Error('broken')
    })
    await app.inject({ url: '/api/v1/auth/reset-password?key=very-secret-key' })
    const fault = runtime.logged.find(({ level }) => level === 'error')
    expect(fault).toMatchObject({
      reqId: expect.any(String),
      route: '/api/v1/auth/reset-password',
      err: { message: 'broken' },
    })
    expect(JSON.stringify(runtime.logged)).not.toContain('very-secret-key')
  })

  it('a 429 says when to retry', async () => {
    const { app } = makeApp()
    route(app, calls.getHealth, () => {
      throw new LotteryError('TOO_MANY_REQUESTS', undefined, { retryAfterSeconds: 17 })
    })
    const answer = await app.inject({ url: '/healthz' })
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([429, '17'])
  })
})

it('a request that arrives while the application closes is answered like any other, and is the last on its connection', async () => {
  const { app } = makeApp()
  const [asked, askedAgain] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  route(app, calls.getEmailPreferences, async () => {
    asked.resolve()
    await askedAgain.promise
    return PREFERENCES
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((app.server.address() as { port: number }).port, '127.0.0.1')
  const ended = once(socket, 'close')
  let heard = ''
  socket.on('data', (data) => (heard += data.toString()))
  const ask = () =>
    socket.write(`GET ${BODY_CALL} HTTP/1.1\r\nhost: fairball.test\r\nauthorization: Bearer good\r\n\r\n`)
  ask()
  await asked.promise
  app.server.on('request', () => askedAgain.resolve())
  void app.close()
  ask()
  await ended
  expect(heard.match(/HTTP.1.1 .*|^connection: .*/gimu)?.map((line) => line.toLowerCase())).toEqual([
    'http/1.1 200 ok',
    'connection: keep-alive',
    'http/1.1 200 ok',
    'connection: close',
  ])
})

it('the server has room for 20,000 connections, and closes those that send no head in 10 s or are idle for 15 s', async () => {
  const { app } = makeApp()
  await app.ready()
  expect(app.server).toMatchObject({
    maxConnections: 20_000,
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 15_000,
    connectionsCheckingInterval: 2_000, // how often Node looks for those
  })
})

it('a connection that has sent nothing is closed silently; a browser would take an answer for that to its next request', async () => {
  const { app } = makeApp()
  await app.listen({ port: 0, host: '127.0.0.1' })
  app.server.on('connection', (socket) => {
    app.server.emit('clientError', Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
  })
  const socket = connect((app.server.address() as { port: number }).port, '127.0.0.1')
  let heard = ''
  socket.on('data', (data) => (heard += data.toString()))
  await new Promise((resolve) => socket.on('close', resolve))
  expect(heard).toBe('')
})

describe('a request', () => {
  it.each([
    ['that is no JSON', { payload: '{', headers: json }],
    ['with another media type', { payload: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
    ['without a media type', { payload: Buffer.from('{}'), headers: {} }],
    ['of 16 KiB and a byte', { payload: `"${'x'.repeat(16 * 1024 - 1)}"`, headers: json }],
    ['with a member __proto__', { payload: '{"__proto__":{}}', headers: json }],
    ['of 10,000 levels', { payload: '['.repeat(10_000), headers: json }],
    ['with U+0000 in a text', { payload: '{"a":"\\u0000"}', headers: json }],
    ['without a body', { headers: json }],
    ['whose body is null', { payload: 'null', headers: json }],
    ['with a member more', { payload: JSON.stringify({ ...PREFERENCES, more: 1 }), headers: json }],
    ['with a member less', { payload: '{}', headers: json }],
  ])('a request %s is 400 INVALID_PAYLOAD', async (_, { headers, ...request }) => {
    const { app } = withBodyCall()
    const answer = await app.inject({ method: 'PUT', url: BODY_CALL, ...request, headers: { ...headers, ...bearer } })
    expect([answer.statusCode, answer.json().error.code]).toEqual([400, 'INVALID_PAYLOAD'])
  })

  it('a refused request names each wrong field', async () => {
    const { app } = withBodyCall()
    const payload = JSON.stringify({ is_lottery_games_active: 'yes', more: 1 })
    const answer = await app.inject({ method: 'PUT', url: BODY_CALL, payload, headers: { ...json, ...bearer } })
    expect(answer.json().error.fields).toEqual({
      is_lottery_games_active: 'Must be true or false.',
      is_winners_and_good_causes_active: 'Is required.',
      more: 'Is not known here.',
    })
  })

  it('a request is 401 before its body is read', async () => {
    const { app } = withBodyCall()
    const answer = await app.inject({ method: 'PUT', url: BODY_CALL, payload: '{', headers: json })
    expect([answer.statusCode, answer.json().error, answer.headers['www-authenticate']]).toEqual([
      401,
      { code: 'ACCESS_DENIED', message: 'Access denied!' },
      'Bearer',
    ])
  })

  it.each([
    ['Bearer good', 200],
    ['bearer   good', 200],
    ['Bearer', 401],
    ['Bearer ', 401],
    ['Bearer bad', 401],
    ['Bearer good more', 401],
    [`Bearer ${'x'.repeat(5000)}`, 401],
    ['Basic Z29vZA==', 401],
    ['', 401],
  ])('a request with authorization "%s" is %i', async (authorization, status) => {
    const { app } = makeApp()
    route(app, calls.getEmailPreferences, () => PREFERENCES)
    expect((await app.inject({ url: BODY_CALL, headers: { authorization } })).statusCode).toBe(status)
  })

  it.each([
    ['an unknown address', '/api/v1/nowhere', 404, 'NOT_FOUND'],
    ['another method', BODY_CALL, 404, 'NOT_FOUND'],
    ['a malformed escape', '/api/v1/%zz', 400, 'INVALID_PAYLOAD'],
    ['a name given twice', '/api/v1/auth/reset-password?key=a&key=b', 400, 'INVALID_PAYLOAD'],
    ['a NUL in the query', '/api/v1/auth/reset-password?key=%00', 400, 'INVALID_PAYLOAD'],
  ])('a request for %s is refused as JSON', async (_, url, status, code) => {
    const { app } = withBodyCall()
    route(app, calls.checkResetPasswordKey, () => ({ ...OK, data: { is_two_fa_enabled: false } }))
    const answer = await app.inject({ url })
    expect([answer.statusCode, answer.json().error.code]).toEqual([status, code])
    expect(answer.headers['x-fairball-now']).toBeDefined()
  })

  it('a request that is no HTTP at all is answered in the same words', async () => {
    const { app } = makeApp()
    const answer = await sentAs(app, 'NONSENSE\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('"code":"INVALID_PAYLOAD"')
    for (const header of ['x-content-type-options: nosniff', 'strict-transport-security: max-age=31536000'])
      expect(answer).toContain(header)
    for (const header of ['cache-control: no-store', "content-security-policy: default-src 'none'"])
      expect(answer).toContain(header)
  })

  it('a request without a host, which Node would refuse in its own way, gets the usual error', async () => {
    const { app } = withBodyCall()
    const answer = await sentAs(app, `GET ${BODY_CALL} HTTP/1.1\r\nconnection: close\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('"code":"INVALID_PAYLOAD"')
    expect(answer).toContain('"fields":{"host":"Is required."}')
    expect(await sentAs(app, `GET ${BODY_CALL} HTTP/1.0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 404 /)
  })

  it('a request with an unknown expectation gets its answer, and no empty refusal', async () => {
    const { app } = makeApp()
    route(app, calls.getEmailPreferences, () => PREFERENCES)
    const head = `GET ${BODY_CALL} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer good\r\nconnection: close\r\nexpect: miracles`
    expect(await sentAs(app, `${head}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 /)
  })

  it.each([
    ['with an escaped letter', '/%61pi/v1/settings/email-preferences'],
    ['with every letter of its base escaped', '/%61%70%69/v1/settings/email-preferences'],
    ['as the whole address that proxies send', 'http://evil.example/api/v1/settings/email-preferences'],
    ['as that with large letters', 'HTTP://evil.example:80/api/v1/settings/email-preferences'],
    ['with a fragment', '/api/v1/settings/email-preferences#a'],
  ])('a request spelt %s is not cached either, and has the policy of data', async (_how, target) => {
    const { app, runtime } = makeApp()
    route(app, calls.getEmailPreferences, () => PREFERENCES)
    const head = `GET ${target} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer good\r\nconnection: close`
    const answer = await sentAs(app, `${head}\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
    expect(answer).toContain('is_lottery_games_active')
    expect(answer).toContain('cache-control: no-store')
    expect(answer).toContain("content-security-policy: default-src 'none'")
    expect(answer).toContain(`x-fairball-now: ${runtime.clock.now()}`)
  })

  it('a request to an unknown address is not cached, even if the address is no call’s', async () => {
    const { app } = makeApp()
    for (const url of ['/nowhere', '/API/V1/GAMES', '/api/v1/nowhere', '*'])
      expect((await app.inject({ url, method: 'POST' })).headers).toMatchObject({
        'cache-control': 'no-store',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
      })
  })

  it('a request’s own statement of its origin is not trusted', async () => {
    const { app } = makeApp()
    route(app, calls.getCauses, ({ address }) => [{ id: '1', title: address, description: '', image: null, link: '' }])
    const answer = await app.inject({ url: '/api/v1/causes', headers: { 'x-forwarded-for': '203.0.113.9' } })
    expect(answer.json()[0].title).toBe('127.0.0.1')
  })

  it('a request for a demo control is 404 outside the demo', async () => {
    for (const isDemo of [true, false]) {
      const { app, runtime } = makeApp({ isDemo })
      route(app, calls.getClock, () => ({ now: runtime.clock.now() }))
      expect((await app.inject({ url: '/api/v1/dev/clock' })).statusCode).toBe(isDemo ? 200 : 404)
    }
  })

  it('a request for a page with an unreadable address leads to the missing page', async () => {
    const { app } = makeApp()
    const answer = await app.inject({ url: '/game/%E0%A4%A' })
    expect([answer.statusCode, answer.headers.location]).toEqual([307, '/page-not-found'])
    expect((await app.inject({ url: '/game/%E0%A4%A', method: 'POST' })).json().error.code).toBe('INVALID_PAYLOAD')
  })
})
