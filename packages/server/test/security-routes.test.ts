import { calls, type Call, type CallName } from '@fairball/contract/calls'
import { pathOf } from '@fairball/contract/paths'
import { describe, expect, it, vi } from 'vitest'
import { testApplication, type Answer } from './application.ts'

vi.setConfig({ testTimeout: 120_000 }) // hundreds of calls, many with a hash, on a busy computer

const everyCall = Object.entries(calls) as [CallName, Call][]

/** An address that names nothing, and a body that means nothing: refusals have headers as well. */
const anyAddress = (call: Call): string =>
  pathOf(call)
    .replaceAll('{key}', 'bitcoin-hero')
    .replaceAll(/\{\w+\}/g, '1')

/** An answer that lasts as long as the caller stays cannot be waited for. */
const STREAMS: readonly CallName[] = ['streamWatch']

/** The public records of fairness, the catalogues and the reference: the same for everyone, so they may be cached. */
const MAY_BE_KEPT: readonly CallName[] = [
  'getOperations',
  'getVersion',
  'getRetiredGames',
  'getOpenDraws',
  'getGameVersions',
  'getCountries',
  'getTimezones',
  'getCurrencies',
  'getSecurityQuestions',
  'getWinners',
  'getCauses',
  'getLegalText',
  'getGames',
  'getLatestDraws',
  'getDraws',
  'getDraw',
  'getWatch',
  'getStatistics',
  'getFairnessLog',
  'getFairnessDraw',
  'getSolvency',
  'getOpenApi',
  'getReferencePage',
  'getReferenceStyle',
]

/** What anyone may bring from anywhere: it is signed, and nothing of the sender's is read. */
const TAKEN_FROM_ANYWHERE: readonly CallName[] = ['submitBeaconRound']

const SECURE = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'x-frame-options': 'DENY',
  'permissions-policy': expect.stringContaining('camera=()'),
  'content-security-policy': expect.stringMatching(/default-src 'none'.*frame-ancestors 'none'/),
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
}

function expectSecure(name: string, { headers }: Answer): void {
  expect({ name, ...headers }).toMatchObject({ name, ...SECURE })
  for (const tellTale of ['x-powered-by', 'server', 'set-cookie'])
    expect([name, headers[tellTale]]).toEqual([name, undefined])
}

describe('every route of the contract', () => {
  it('every route answers with the security headers, to visitors, to players and to callers that send nonsense', async () => {
    const { call, signUp } = await testApplication({ config: { publicUrl: 'https://fairball.test' } })
    const { bearer } = await signUp()
    for (const [name, one] of everyCall.filter(([name]) => !STREAMS.includes(name) && name !== 'closeAccount')) {
      const body = one.method === 'GET' ? undefined : {}
      const answers = [
        await call(one.method, anyAddress(one), { body }),
        await call(one.method, anyAddress(one), { body, bearer: 'nobodys' }),
        ...(name === 'logout' ? [] : [await call(one.method, anyAddress(one), { body, bearer })]),
      ]
      for (const answer of answers) expectSecure(name, answer)
    }
    for (const path of ['/nowhere', '/%zz', '/games/../../etc/passwd']) expectSecure(path, await call('GET', path))
  })

  it('no answer may be cached, except those that are the same for everyone; and never one to a bearer token', async () => {
    const { call, signUp } = await testApplication()
    const { bearer } = await signUp()
    for (const [name, one] of everyCall.filter(([name]) => !STREAMS.includes(name) && name !== 'logout')) {
      const body = one.method === 'GET' ? undefined : {}
      const visitor = await call(one.method, anyAddress(one), { body })
      if (!MAY_BE_KEPT.includes(name)) expect([name, visitor.headers['cache-control']]).toEqual([name, 'no-store'])
      if (one.access === 'anyone' || one.access === 'demo') continue // no bearer token is read: it is the same answer
      const player = await call(one.method, anyAddress(one), { body, bearer })
      expect([name, player.headers['cache-control']]).toEqual([name, 'no-store'])
    }
  })

  it('a bearer token is checked wherever one is allowed: an invalid one is 401, also at the checkout and the reference', async () => {
    const { call } = await testApplication()
    const optional = everyCall.filter(([name, one]) => one.access === 'optional' && !STREAMS.includes(name))
    expect(optional.map(([name]) => name)).toEqual(
      expect.arrayContaining(['getCheckout', 'getOpenApi', 'getLatestDraws']),
    )
    for (const [name, one] of optional) {
      const body = one.method === 'GET' ? undefined : {}
      const { status } = await call(one.method, anyAddress(one), { body, bearer: 'nobodys' })
      expect([name, status]).toEqual([name, 401])
      expect([name, (await call(one.method, anyAddress(one), { body })).status]).not.toEqual([name, 401])
    }
  })

  it('no route sets a cookie or lets another site read, except the public records of fairness', async () => {
    const { call } = await testApplication()
    const open: string[] = []
    for (const [name, one] of everyCall.filter(([name]) => !STREAMS.includes(name))) {
      const { headers } = await call(one.method, anyAddress(one), {
        body: one.method === 'GET' ? undefined : {},
        headers: { origin: 'https://evil.example' },
      })
      expect([name, headers['access-control-allow-credentials']]).toEqual([name, undefined])
      if (headers['access-control-allow-origin'] !== undefined) open.push(name)
    }
    const taken = open.filter((name) => calls[name as CallName].method !== 'GET')
    expect(taken.filter((name) => !TAKEN_FROM_ANYWHERE.includes(name as CallName))).toEqual([])
    for (const name of open) expect(['optional', 'anyone']).toContain(calls[name as CallName].access)
  })

  it('HTTP methods that no route needs do not exist', async () => {
    const { application } = await testApplication()
    for (const method of ['PATCH', 'OPTIONS', 'TRACE'] as const) {
      const { statusCode } = await application.http.inject({ method: method as 'PATCH', url: '/api/v1/profile' })
      expect([method, statusCode]).toEqual([method, 404])
    }
  })
})

describe("the demo's controls", () => {
  it('the demo’s controls do not exist in production: each is 404 like any unknown address', async () => {
    const { call, application } = await testApplication({
      config: { mode: 'production', publicUrl: 'https://fairball.test' },
    })
    const nowhere = await call('GET', '/dev/never-was')
    for (const [name, one] of everyCall.filter(([, { access }]) => access === 'demo')) {
      const answer = await call(one.method, anyAddress(one), { body: one.method === 'GET' ? undefined : {} })
      expect([name, answer.status, answer.body]).toEqual([name, 404, nowhere.body])
      expect(application.http.hasRoute({ method: one.method, url: pathOf(one) })).toBe(false)
    }
    expect(application.http.printRoutes({ commonPrefix: false })).not.toContain('dev')
  })
})

describe('the address of a caller', () => {
  const fail = (
    call: Awaited<ReturnType<typeof testApplication>>['call'],
    index: number,
    headers: Record<string, string>,
  ) =>
    call('POST', '/auth/login', { body: { email_or_username: `ghost.${index}`, password: 'Wrong-Horse-7' }, headers })

  it('the caller’s address is that of the connection: headers that name another one change nothing', async () => {
    const { call } = await testApplication()
    const spoofed = (index: number) => ({
      'x-forwarded-for': `11.0.0.${index}`,
      'x-real-ip': `11.0.0.${index}`,
      forwarded: `for=11.0.0.${index}`,
      'cf-connecting-ip': `11.0.0.${index}`,
    })
    for (let index = 0; index < 60; index++) expect((await fail(call, index, spoofed(index))).status).toBe(400)
    expect((await fail(call, 60, spoofed(60))).status).toBe(429)
  })

  it('the caller’s address comes from a configured proxy, and only the part that the proxy itself saw', async () => {
    const { call } = await testApplication({ config: { trustProxy: ['127.0.0.1'] } })
    for (let index = 0; index < 60; index++)
      expect((await fail(call, index, { 'x-forwarded-for': `6.6.6.${index}, 11.0.0.1` })).status).toBe(400)
    expect((await fail(call, 60, { 'x-forwarded-for': '6.6.6.6, 11.0.0.1' })).status).toBe(429)
    expect((await fail(call, 61, { 'x-forwarded-for': '11.0.0.2' })).status).toBe(400)
  })
})

describe('what comes in', () => {
  const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

  it('every call with a body refuses one outside the contract as INVALID_PAYLOAD', async () => {
    const { call, signUp, logIn } = await testApplication()
    const { bearer, email } = await signUp()
    const bad = {
      'a member __proto__': '{"__proto__":{"is_admin":true}}',
      'a member __proto__ deep inside': '{"a":{"b":[{"__proto__":{}}]}}',
      'an escaped __proto__': '{"\\u005f_proto__":{}}',
      'a constructor': '{"constructor":{"prototype":{"is_admin":true}}}',
      'an unknown member': '{"is_admin":true}',
      'a list': '[]',
      'a text': '"text"',
      '33 levels': nested(33),
      '10,000 levels': nested(10_000),
      'a NUL': '{"key":"\\u0000"}',
      'half an emoji and no JSON': '{"key":"\\ud83d',
      'a number too large': '{"twofa_code":1e400}',
    }
    const withBody = everyCall.filter(([, { body, access }]) => body !== undefined && access !== 'demo')
    expect(withBody.length).toBeGreaterThan(15)
    for (const [name, one] of withBody)
      for (const [what, body] of Object.entries(bad)) {
        const answer = await call(one.method, anyAddress(one), { body, bearer })
        expect([name, what, answer.status, answer.body.error?.code]).toEqual([name, what, 400, 'INVALID_PAYLOAD'])
      }
    expect(Object.hasOwn(Object.prototype, 'is_admin')).toBe(false)
    expect(await logIn(email)).not.toBe('undefined')
  })

  it('a body may name a member twice, and the last one counts for every reader', async () => {
    const { call, signUp } = await testApplication()
    const { bearer } = await signUp()
    const twice =
      '{"is_lottery_games_active":true,"is_winners_and_good_causes_active":false,"is_lottery_games_active":false}'
    await call('PUT', '/settings/email-preferences', { bearer, body: twice })
    const { body } = await call('GET', '/settings/email-preferences', { bearer })
    expect(body).toEqual({ is_lottery_games_active: false, is_winners_and_good_causes_active: false })
  })

  it('a query with a repeated name, as a list or as an object, is refused', async () => {
    const { call, signUp } = await testApplication()
    const { bearer } = await signUp()
    const queries = [
      '_page=1&_page=2',
      'key=a&key=b',
      'email=a@example.org&email=b@example.org',
      'transaction_id=a&transaction_id=b',
    ]
    const withQuery = everyCall.filter(
      ([name, { query, method }]) => query !== undefined && method === 'GET' && !STREAMS.includes(name),
    )
    for (const [name, one] of withQuery)
      for (const query of queries) {
        const answer = await call('GET', `${anyAddress(one)}?${query}`, { bearer })
        expect([name, query, answer.status, answer.body.error?.code]).toEqual([name, query, 400, 'INVALID_PAYLOAD'])
      }
    expect((await call('GET', '/auth/forgotten-password?email[]=a@example.org')).body.error.code).toBe('REQUIRE_EMAIL')
    expect((await call('GET', '/auth/forgotten-password?email[x]=a@example.org')).body.error.code).toBe('REQUIRE_EMAIL')
  })
})
