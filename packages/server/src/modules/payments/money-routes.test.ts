import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testDatabase, type TestDatabase } from '../../../test/database.ts'
import { FIXTURE_GAME, moneyFixture, type MoneyFixture } from '../../../test/money.ts'
import { createHttpApp } from '../../http/app.ts'
import type { SignedIn } from '../../kernel/caller.ts'
import { TEST_START_AT, testRuntime } from '../../runtime/test-runtime.ts'
import { demoRoutes } from '../demo/routes.ts'
import type { DemoContext } from '../demo/service.ts'
import { paymentsRoutes } from './routes.ts'

const BASE = '/api/v1'

let database: TestDatabase
let money: MoneyFixture
let app: FastifyInstance
let production: FastifyInstance
let orderId: string
let owner: bigint

/** In these tests the bearer token is the player's id. */
function signedIn(token: string): SignedIn | null {
  if (!/^\d+$/.test(token)) return null
  return {
    id: BigInt(token),
    sessionId: '00000000-0000-4000-8000-000000000000',
    username: 'player',
    email: null,
    emailVerifiedAt: null,
    currencyId: 1,
    timezoneId: 202,
    isSocial: false,
  }
}

beforeAll(async () => {
  database = await testDatabase()
  const runtime = testRuntime()
  money = await moneyFixture({ db: database.db, runtime })
  const demo: DemoContext = {
    messages: money,
    payments: money.payments,
    chain: money.chain,
    lightning: null,
    clock: { now: runtime.clock.now, moveTo: (at) => money.moveTo(at) },
    settleDueWork: () => money.queue.runDue(),
  }
  const appOf = (isDemo: boolean): FastifyInstance => {
    const authenticate = async (token: string): Promise<SignedIn | null> => signedIn(token)
    const made = createHttpApp({
      runtime,
      authenticate,
      isDemo,
      publicUrl: 'http://fairball.test',
      checksAnswers: true,
    })
    paymentsRoutes(made, money.payments)
    demoRoutes(made, demo)
    return made
  }
  app = appOf(true)
  production = appOf(false)
  owner = (await money.player()).id
  orderId = await money.order(owner, [await money.draw(1, TEST_START_AT + 30 * 86_400)])
})
afterAll(async () => {
  await Promise.all([app.close(), production.close()])
  expect(await money.problems()).toEqual([])
  await database.drop()
})

async function get(path: string, player?: bigint, from = app) {
  const headers = player === undefined ? {} : { authorization: `Bearer ${player}` }
  const answer = await from.inject({ method: 'GET', url: BASE + path, headers })
  return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() }
}
async function post(path: string, body: object, from = app) {
  const answer = await from.inject({ method: 'POST', url: BASE + path, payload: body })
  return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() }
}

describe('the status of an order', () => {
  it('only its owner sees the status of an order', async () => {
    expect(await get(`/payment?transaction_id=${orderId}`, owner)).toMatchObject({
      status: 200,
      body: { status: 'PENDING', game_key: FIXTURE_GAME },
    })
    expect(await get(`/checkout/${orderId}/address`, owner)).toEqual({
      status: 200,
      body: { checkout_url: `http://fairball.test/checkout/${orderId}` },
    })
    expect((await get(`/checkout/${orderId}/address`)).status).toBe(401)
    const other = await money.player()
    expect((await get(`/payment?transaction_id=${orderId}`, other.id)).status).toBe(404)
    expect((await get(`/payment?transaction_id=${orderId}`)).status).toBe(401)
  })

  it.each([
    ['an unknown id', '?transaction_id=00000000-0000-4000-8000-000000000000', 404],
    ['no uuid', '?transaction_id=7', 404],
    ['an empty id', '?transaction_id=', 404],
    ['none at all', '', 400],
    ['two of them', '?transaction_id=7&transaction_id=8', 400],
  ])('the status call is refused with %s', async (_title, query, status) => {
    expect((await get(`/payment${query}`, owner)).status).toBe(status)
  })
})

describe('the pages of money', () => {
  it('the pages show the checkout and the history', async () => {
    expect(await get(`/checkout/${orderId}`, owner)).toMatchObject({
      status: 200,
      body: { can_pay_from_test_wallet: true },
    })
    // Anyone with the id sees the same, on the phone with the wallet too; no cache keeps it.
    expect(await get(`/checkout/${orderId}`)).toEqual(await get(`/checkout/${orderId}`, owner))
    const { headers } = await app.inject({ method: 'GET', url: `${BASE}/checkout/${orderId}` })
    expect([headers['cache-control'], headers['etag']]).toEqual(['no-store', undefined])
    expect((await get('/checkout/nonsense', owner)).status).toBe(404)
    expect((await get('/checkout/00000000-0000-4000-8000-000000000000')).status).toBe(404)
    expect(await get('/settings/transactions', owner)).toMatchObject({ status: 200, body: { total_pages: 1 } })
    expect(await get('/settings/transactions?_page=2', owner)).toEqual({
      status: 200,
      body: { results: [], total_pages: 1 },
    })
    for (const page of ['0', '-1', '1.5', 'x', ''])
      expect((await get(`/settings/transactions?_page=${page}`, owner)).status).toBe(400)
  })
})

describe('the demo’s controls', () => {
  it.each([
    ['neither', {}],
    ['both', { advance: 1, to: TEST_START_AT + 10 }],
    ['a step back', { to: TEST_START_AT - 1 }],
    ['a negative step', { advance: -1 }],
    ['too far a step', { advance: 400 * 86_400 + 1 }],
    ['a text', { advance: '60' }],
    ['a fraction', { advance: 1.5 }],
    ['something unknown', { advance: 1, speed: 2 }],
  ])('the demo’s controls refuse to move the clock by %s', async (_title, body) => {
    expect(await post('/dev/clock', body)).toMatchObject({
      status: 400,
      body: { error: { code: 'INVALID_PAYLOAD', fields: expect.any(Object) } },
    })
  })

  it.each([
    ['0', 400],
    ['-0.1', 400],
    ['21000001', 400],
    ['1e3', 400],
    [0.5, 400],
  ])('the demo’s controls refuse to pay %s', async (amount, status) => {
    expect((await post('/dev/pay', { transaction_id: orderId, amount })).status).toBe(status)
  })

  it('the demo’s controls pay without a bearer, move the clock and show mails and the wallet', async () => {
    expect(await post('/dev/pay', { transaction_id: orderId })).toEqual({ status: 200, body: { status: 'PAID' } })
    expect(await post('/dev/pay', { transaction_id: 'nobody' })).toMatchObject({ status: 404 })
    expect(await post('/dev/clock', { advance: 60 })).toEqual({ status: 200, body: { now: TEST_START_AT + 60 } })
    expect(await get('/dev/clock')).toEqual({ status: 200, body: { now: TEST_START_AT + 60 } })
    expect(await get('/dev/mail?to=nobody@fairball.test')).toEqual({ status: 200, body: [] })
    expect(await get('/dev/wallet')).toEqual({
      status: 200,
      body: { received: '0.00001000', sent: [], lightning: null },
    })
  })

  it('the demo’s controls do not exist in production', async () => {
    for (const path of ['/dev/clock', '/dev/mail', '/dev/wallet'])
      expect((await get(path, undefined, production)).status).toBe(404)
    for (const path of ['/dev/clock', '/dev/pay']) expect((await post(path, {}, production)).status).toBe(404)
  })
})
