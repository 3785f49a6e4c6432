import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testDatabase, type TestDatabase } from '../../../test/database.ts'
import { FIXTURE_DUE_SATS, moneyFixture, type MoneyFixture } from '../../../test/money.ts'
import { seededRandom } from '../../../test/seeded-random.ts'
import { createDatabase } from '../../db/pool.ts'
import { createHttpApp } from '../../http/app.ts'
import type { PaymentWebhook } from '../../ports/payment-provider/payment-provider.ts'
import { TEST_START_AT, testRuntime } from '../../runtime/test-runtime.ts'
import { type PaymentsContext, paymentsContext } from './context.ts'
import { beginPayments, moneyOf } from './service.ts'
import { webhookRoute } from './webhook-route.ts'
import { casesOf } from '../../../test/share.ts'

const DELIVERIES = casesOf({ all: 10_000, share: 500 })

const SECRET = 'secret of the webhook'
const PATH = '/webhooks/test'
const DAY = 86_400

const signatureOf = (body: string | Uint8Array, secret = SECRET): string =>
  createHmac('sha256', secret).update(body).digest('hex')

/** A provider's webhook, signed over the exact bytes, like BTCPay's. */
const webhook: PaymentWebhook = {
  path: PATH,
  read(headers, rawBody) {
    const given = Buffer.from(String(headers['x-signature'] ?? ''))
    const wanted = Buffer.from(signatureOf(rawBody))
    if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return null
    const { ref, key } = JSON.parse(Buffer.from(rawBody).toString('utf8')) as { ref: string; key: string }
    return { ref, key }
  },
}

let database: TestDatabase
let money: MoneyFixture
let http: FastifyInstance
let draw: bigint

function appOf(payments: PaymentsContext): FastifyInstance {
  const app = createHttpApp({
    runtime: testRuntime(),
    authenticate: () => Promise.resolve(null),
    isDemo: false,
    publicUrl: 'https://fairball.test',
  })
  webhookRoute(app, payments)
  return app
}

beforeAll(async () => {
  database = await testDatabase()
  money = await moneyFixture({
    db: database.db,
    runtime: testRuntime(),
    wrapProvider: (provider) => ({ ...provider, webhook }),
  })
  draw = await money.draw(1, TEST_START_AT + 100 * DAY)
  http = appOf(money.payments)
})
afterAll(async () => {
  await http.close()
  expect(await money.problems()).toEqual([])
  await database.drop()
})

const inbox = async (): Promise<number> => {
  const client = await database.connect()
  const { rows } = await client.query<{ count: string }>('select count(*) from webhook_inbox')
  return Number(rows[0]?.count)
}

async function deliver(body: string, headers: Record<string, string> = { 'x-signature': signatureOf(body) }) {
  return (await http.inject({ method: 'POST', url: PATH, headers, payload: body })).statusCode
}

/** An unpaid order with the address its provider knows it by, paid without a message. */
async function paidSecretly(sats = FIXTURE_DUE_SATS) {
  const player = await money.player()
  const orderId = await money.order(player.id, [draw])
  const { address } = await moneyOf(money.payments, orderId)
  await money.chain.payIn({ address: address ?? '', sats, minedConfirmations: 1 })
  return { orderId, player, ref: address ?? '', status: async () => (await moneyOf(money.payments, orderId)).status }
}

describe('a webhook', () => {
  it('a webhook is a hint: it is stored and answered immediately, and the invoice is read again', async () => {
    const { ref, status } = await paidSecretly()
    expect(await deliver(JSON.stringify({ ref, key: 'first', status: 'nothing at all' }))).toBe(200)
    expect(await status()).toBe('PENDING')
    await money.queue.runDue()
    expect(await status()).toBe('PAID')
  })

  it('a webhook that says an unpaid invoice is paid changes nothing', async () => {
    const player = await money.player()
    const orderId = await money.order(player.id, [draw])
    const { address } = await moneyOf(money.payments, orderId)
    expect(await deliver(JSON.stringify({ ref: address, key: 'lie', status: 'Settled', amount: '1000' }))).toBe(200)
    await money.queue.runDue()
    expect((await moneyOf(money.payments, orderId)).status).toBe('PENDING')
  })

  it('a webhook is stored once, however often and by however many it is delivered at the same time', async () => {
    const { ref } = await paidSecretly()
    const before = await inbox()
    const body = JSON.stringify({ ref, key: 'again' })
    expect(new Set(await Promise.all(Array.from({ length: 20 }, () => deliver(body))))).toEqual(new Set([200]))
    expect(await inbox()).toBe(before + 1)
    await money.queue.runDue()
  })

  it('a webhook is accepted in any media type, as raw bytes', async () => {
    const { ref } = await paidSecretly()
    const body = `{ "ref":"${ref}",\r\n\t"key":"spaced \\u00e9" }  `
    for (const type of ['application/json', 'application/json; charset=utf-8', 'application/x-www-form-urlencoded'])
      expect(await deliver(body, { 'content-type': type, 'x-signature': signatureOf(body) })).toBe(200)
    expect(await deliver(body.trim(), { 'x-signature': signatureOf(body) })).toBe(401)
  })

  it.each([
    ['without a signature', {}],
    ['with an empty one', { 'x-signature': '' }],
    ['with another’s', { 'x-signature': signatureOf('{}', 'another secret') }],
    ['with one of another body', { 'x-signature': signatureOf('{"ref":"a","key":"b"}') }],
    ['with half of one', { 'x-signature': signatureOf('{"ref":"x","key":"forged"}').slice(0, 32) }],
  ])('a webhook %s is 401 and leaves nothing behind', async (_, headers) => {
    const before = await inbox()
    expect(await deliver('{"ref":"x","key":"forged"}', headers)).toBe(401)
    expect(await inbox()).toBe(before)
  })

  it('a webhook that is too large is refused, and an empty one is not genuine', async () => {
    const body = JSON.stringify({ ref: 'x'.repeat(70_000), key: 'large' })
    expect(await deliver(body)).toBe(400)
    expect((await http.inject({ method: 'POST', url: PATH })).statusCode).toBe(401)
    expect((await http.inject({ method: 'GET', url: PATH })).statusCode).toBe(404)
  })

  it('a webhook about an invoice that is not ours is acknowledged and logged', async () => {
    expect(await deliver(JSON.stringify({ ref: 'nobodys', key: 'strange' }))).toBe(200)
    expect(money.runtime.logged).toContainEqual(
      expect.objectContaining({ msg: 'a message speaks of an invoice that is not ours', ref: 'nobodys' }),
    )
  })

  it('a webhook gets a 503 while the database is down, so that it is delivered again', async () => {
    const { runtime, queue } = money
    const away = createDatabase({ address: 'postgres://nobody@127.0.0.1:1/none', runtime, connectionTimeoutMs: 500 })
    const app = appOf(paymentsContext({ ...money.payments, db: away, runtime, jobs: queue }))
    const body = JSON.stringify({ ref: 'x', key: 'y' })
    const answer = await app.inject({
      method: 'POST',
      url: PATH,
      headers: { 'x-signature': signatureOf(body) },
      payload: body,
    })
    expect(answer.statusCode).toBe(503)
    const forged = await app.inject({ method: 'POST', url: PATH, payload: body })
    expect(forged.statusCode).toBe(401)
    await app.close()
    await away.close()
  })

  it('every other address accepts only JSON, and the webhook address does not exist if the provider sends no messages', async () => {
    const { webhook: _, ...silent } = money.payments.provider
    const app = appOf({ ...money.payments, provider: silent })
    expect((await app.inject({ method: 'POST', url: PATH, payload: '{}' })).statusCode).toBe(404)
    await app.close()
  })

  it('a webhook is forgotten after a month', async () => {
    expect(await inbox()).toBeGreaterThan(0)
    await beginPayments(money.payments)
    await money.moveTo(money.runtime.clock.now() + 32 * DAY)
    expect(await inbox()).toBe(0)
  })
})

it('thousands of repeated, shuffled and forged deliveries change nothing they should not', async () => {
  const random = seededRandom('webhooks')
  const dice = (sides: number): number => Buffer.from(random.bytes(4)).readUInt32BE() % sides
  const orders: ({ sats: bigint } & Awaited<ReturnType<typeof paidSecretly>>)[] = []
  for (const sats of [1n, 400n, 999n, 1000n, 1000n, 1500n]) orders.push({ sats, ...(await paidSecretly(sats)) })
  const genuine = Array.from({ length: DELIVERIES / 25 }, (_, nth) => {
    const order = orders[nth % orders.length]
    return JSON.stringify({ ref: order?.ref, key: `storm-${nth}`, status: ['New', 'Settled', 'Invalid'][nth % 3] })
  })
  const statuses = new Map<string, number>()
  const before = await inbox()
  const worker = async (deliveries: number): Promise<void> => {
    for (let count = 0; count < deliveries; count += 1) {
      const body = genuine[dice(genuine.length)] ?? ''
      const isForged = dice(2) === 0
      const forged = [
        signatureOf(body, 'guess'),
        signatureOf(genuine[dice(genuine.length)] ?? '', SECRET).replace(/^./, 'g'),
        signatureOf(`${body} `),
        '',
      ]
      const signature = isForged ? (forged[dice(forged.length)] ?? '') : signatureOf(body)
      const status = await deliver(body, { 'x-signature': signature })
      const name = `${isForged ? 'forged' : 'genuine'} ${status}`
      statuses.set(name, (statuses.get(name) ?? 0) + 1)
      if (dice(200) === 0) await money.queue.runDue()
    }
  }
  await Promise.all(Array.from({ length: 20 }, () => worker(DELIVERIES / 20)))
  await money.queue.runDue()
  expect([...statuses.keys()].toSorted()).toEqual(['forged 401', 'genuine 200'])
  expect((await inbox()) - before).toBe(genuine.length)
  for (const { sats, status } of orders) expect(await status()).toBe(sats < 1000n ? 'UNDERPAID' : 'PAID')
  expect(await money.problems()).toEqual([])
}, 120_000)
