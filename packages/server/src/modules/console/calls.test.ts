import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CONSOLE_ORIGIN, testConsole, type TestConsole, type TestStaff } from '../../../test/console.ts'
import { testDatabase, type TestDatabase } from '../../../test/database.ts'
import { testRuntime } from '../../runtime/test-runtime.ts'

// What a caller may send that none of our pages sends: each is answered in the shape of an error, and none is our fault.

let database: TestDatabase
let bench: TestConsole
let owner: TestStaff

beforeAll(async () => {
  const runtime = testRuntime()
  database = await testDatabase({ runtime })
  bench = await testConsole({ db: database.db, runtime })
  await bench.begin()
  owner = await bench.person('owner', ['owner', 'editor', 'treasurer', 'games'])
})
beforeEach(() => owner.signIn())
afterAll(async () => {
  await bench.end()
  await database.drop()
})

const REASON = 'Checked by telephone.'
/** A request as text, so that a test says what JSON.stringify would not. */
const request = (kind: string, args: string, reason = JSON.stringify(REASON)): string =>
  `{"kind": ${JSON.stringify(kind)}, "args": ${args}, "reason": ${reason}}`
const setting = (value: string): string =>
  request('settings.apply', `{"key": "site.name", "value": ${value}, "from": null}`)
const deep = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

async function send(options: InjectOptions) {
  const { statusCode, headers, payload } = await bench.inject({
    ...options,
    headers: { host: 'localhost:3001', origin: CONSOLE_ORIGIN, cookie: owner.cookie, ...options.headers },
  })
  const body = payload === '' ? null : (JSON.parse(payload) as { error?: { code: string; message: string } })
  return { status: statusCode, headers, body, code: body?.error?.code }
}
const post = (path: string, payload: string) =>
  send({ method: 'POST', url: `/console/api/v1${path}`, payload, headers: { 'content-type': 'application/json' } })

describe('a call of the console', () => {
  it.each([
    ['NUL in a value', setting('"a\\u0000b"')],
    ['half of a pair in a value', setting('"a\\ud800b"')],
    ['NUL in a key', setting('{"a\\u0000": 1}')],
    ['half of a pair in a key', setting('{"\\udc00": 1}')],
    ['a number that is none', setting('1e400')],
    ['a negative one', setting('[-1e999]')],
    ['deep lists', setting(deep(5_000))],
    ['deep lists in args', request('settings.apply', deep(5_000))],
    ['deep objects', setting('{"a":'.repeat(4_000) + '1' + '}'.repeat(4_000))],
    ['__proto__', request('settings.apply', '{"__proto__": {"key": "x"}}')],
    ['constructor.prototype', request('settings.apply', '{"constructor": {"prototype": {"key": "x"}}}')],
    ['__proto__ in a value', setting('{"__proto__": {"a": 1}}')],
    ['half of a pair in an argument', request('sales.pause', '{"game": "all", "note": "\\ud800"}')],
    [
      'half of a pair in a name',
      request('staff.invite', '{"name": "\\ud800", "email": "a@b.example", "roles": ["games"]}'),
    ],
    [
      'half of a pair in an address',
      request('staff.invite', '{"name": "A", "email": "\\ud800@b.example", "roles": ["games"]}'),
    ],
    ['args that are a list', request('treasury.deposit-address', '[]')],
    ['args that are null', request('treasury.deposit-address', 'null')],
    ['a kind of all objects', request('constructor', '{}')],
    ['a kind that there is not', request('payouts.send', '{}')],
    ['NUL in a kind', request('a\0b', '{}')],
    ['NUL in a reason', request('treasury.deposit-address', '{}', '"Ten characters\\u0000 at least"')],
    ['half of a pair in a reason', request('treasury.deposit-address', '{}', '"Ten characters\\ud800 at least"')],
    ['two lines', request('treasury.deposit-address', '{}', '"Ten characters\\n at least"')],
    ['no JSON', '{'],
    ['no object', '"x"'],
  ])('%s is INVALID_PAYLOAD', async (_what, payload) => {
    const { status, code, body } = await post('/requests', payload)
    expect([status, code, typeof body?.error?.message]).toEqual([400, 'INVALID_PAYLOAD', 'string'])
  })

  it.each([
    ['args that are missing', { reason: REASON }],
    ['args that are null', { args: null, reason: REASON }],
    ['args that are a list', { args: [], reason: REASON }],
    ['args that are a text', { args: 'x', reason: REASON }],
    ['a missing reason', { args: {} }],
  ])('%s are seen after the role: ACCESS_DENIED without it, INVALID_PAYLOAD with it', async (_what, rest) => {
    const asked = async (kind: string) => {
      const { status, code } = await post('/requests', JSON.stringify({ kind, ...rest }))
      return [status, code]
    }
    expect(await asked('payouts.approve')).toEqual([403, 'ACCESS_DENIED'])
    expect(await asked('orders.refresh')).toEqual([403, 'ACCESS_DENIED'])
    expect(await asked('treasury.fee')).toEqual([400, 'INVALID_PAYLOAD'])
    expect(await asked('payouts.send')).toEqual([400, 'INVALID_PAYLOAD'])
  })

  it('a body that is too large, or no JSON, is refused', async () => {
    const large = await post('/requests', request('settings.apply', `{"key": "${'x'.repeat(2_000_000)}"}`))
    expect([large.status, large.code]).toEqual([400, 'INVALID_PAYLOAD'])
    const url = '/console/api/v1/requests'
    const xml = await send({ method: 'POST', url, payload: '<a/>', headers: { 'content-type': 'text/xml' } })
    expect([xml.status, xml.code]).toEqual([400, 'INVALID_PAYLOAD'])
  })

  it('an address with an id that is none, or that nothing has, is NOT_FOUND', async () => {
    for (const id of [
      'x',
      '1',
      '%00',
      '%ff',
      '..%2f..',
      '00000000-0000-4000-8000-000000000000',
      `${'a'.repeat(400)}`,
    ]) {
      for (const path of [`/requests/${id}`, `/invites/${id}`]) {
        const { status, code } = await send({ method: 'GET', url: `/console/api/v1${path}` })
        expect([path, status]).toEqual([path, expect.toSatisfy((found) => found === 404 || found === 400)])
        expect([path, code]).toEqual([path, expect.stringMatching(/^(?:NOT_FOUND|INVALID_PAYLOAD)$/u)])
      }
      for (const path of [`/requests/${id}/cancel`, `/requests/${id}/options`, `/invites/${id}/options`]) {
        const { status } = await send({ method: 'POST', url: `/console/api/v1${path}` })
        expect([path, status]).toEqual([path, expect.toSatisfy((found) => found === 404 || found === 400)])
      }
    }
  })

  it('a file, a game, a draw or a link with a name that none can have is NOT_FOUND', async () => {
    for (const path of [
      'files/x',
      'files/%00',
      'files/00000000-0000-4000-8000-000000000000',
      'games/%00',
      'draws/%00/1',
      'invites/%00',
    ]) {
      const { status, code } = await send({ method: 'GET', url: `/console/api/v1/${path}` })
      expect([path, status, code]).toEqual([path, 404, 'NOT_FOUND'])
    }
  })

  it('a page that there is not is empty or INVALID_PAYLOAD, for each list', async () => {
    for (const path of ['/requests', '/audit'])
      for (const page of ['0', '-1', '1.5', 'x', '1e9', '%00']) {
        const { status, code } = await send({ method: 'GET', url: `/console/api/v1${path}?_page=${page}` })
        expect([path, page, status, code]).toEqual([path, page, 400, 'INVALID_PAYLOAD'])
      }
    for (const path of ['requests', 'audit']) {
      const { status, body } = await send({
        method: 'GET',
        url: `/console/api/v1/${path}?_page=9999999999999999999999`,
      })
      expect([path, status, body]).toMatchObject([path, 200, { results: [] }])
    }
    for (const query of ['state=none', 'state=%00', 'state=done&state=draft'])
      expect([query, (await send({ method: 'GET', url: `/console/api/v1/requests?${query}` })).status]).toEqual([
        query,
        400,
      ])
  })

  it('a cookie that is none signs nobody in, and a true one among others does', async () => {
    const asked = async (cookie: string) =>
      await send({ method: 'GET', url: '/console/api/v1/auth/me', headers: { cookie } })
    for (const cookie of [
      '',
      ';',
      '=',
      'console',
      'console=',
      'console=;console=',
      'console=a b',
      'console="x"',
      `console=${'x'.repeat(5_000)}`,
      'console=%00',
      '__Host-console=x',
      'console=\u00e9',
    ]) {
      const { status, code, headers } = await asked(cookie)
      expect([cookie, status, code, headers['cache-control']]).toEqual([cookie, 401, 'SIGN_IN_NEEDED', 'no-store'])
    }
    expect((await asked(`other=1; ${owner.cookie}; console="`)).status).toBe(200)
  })

  it('a method that a call does not have is an error of the usual shape', async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
      const { status, code, headers } = await send({ method, url: '/console/api/v1/requests' })
      expect([method, status, code]).toEqual([
        method,
        expect.toSatisfy((found) => found === 404 || found === 405),
        expect.any(String),
      ])
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    }
    const head = await bench.inject({
      method: 'HEAD',
      url: '/console/api/v1/auth/me',
      headers: { host: 'localhost:3001', cookie: owner.cookie },
    })
    expect([head.statusCode, head.payload]).toEqual([200, ''])
  })

  it('an address begins 300 sign-ins in 15 minutes, and not one row more', async () => {
    const begin = async (remoteAddress: string) =>
      (await send({ method: 'POST', url: '/console/api/v1/auth/options', remoteAddress })).status
    for (let begun = 0; begun < 300; begun += 1) expect(await begin('203.0.113.9')).toBe(200)
    expect(await begin('203.0.113.9')).toBe(429)
    expect(await begin('203.0.113.10')).toBe(200)
  })

  it('a sign-in, or a registration, that is made up is refused', async () => {
    const zero = Buffer.alloc(37).toString('base64url')
    const encoded = (text: string): string => Buffer.from(text).toString('base64url')
    const challenge = Buffer.alloc(32).toString('base64url')
    for (const clientDataJSON of [
      'AA',
      encoded('null'),
      encoded('[]'),
      encoded('{"challenge": 7}'),
      encoded('{"challenge": "\\u0000"}'),
      encoded(`{"challenge": "${challenge}"}`),
    ]) {
      const response = { clientDataJSON, authenticatorData: zero, signature: 'AA', attestationObject: 'AA' }
      const sent = JSON.stringify({ response: { id: 'AA', rawId: 'AA', type: 'public-key', response } })
      const { status, code } = await post('/auth/sign-in', sent)
      expect([clientDataJSON, status, code]).toEqual([clientDataJSON, 400, 'SIGNATURE_REFUSED'])
    }
  })
})
