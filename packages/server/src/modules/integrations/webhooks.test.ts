import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import { type AddressInfo } from 'node:net'
import { EVENT_TYPES } from '@fairball/contract/console/integrations'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it, onTestFinished } from 'vitest'
import { testLottery, type TestLottery } from '../../../test/lottery.ts'
import { changeSecretKey } from '../../main/change-secret-key.ts'
import { Refused } from '../../kernel/errors.ts'
import { type Outbound, systemOutbound } from '../../runtime/outbound.ts'
import { createSeal, sealUnder } from '../../runtime/seal.ts'
import { deriveKey } from '../../runtime/keys.ts'
import { pauseSales, resumeSales } from '../operator/sales-actions.ts'
import { problemOfUrl, sendTo } from './receiver.ts'
import { createWebhook, noteEvent, redeliver, revokeWebhook, rotateWebhookSecret } from './service.ts'

const HOUR = 3600
const DAY = 86_400

interface Received {
  readonly id: string
  readonly type: string
  readonly body: string
  readonly headers: IncomingHttpHeaders
  readonly data: Record<string, unknown>
}

/** A receiver on this computer, which keeps what it gets. */
async function testReceiver(answer: RequestListener = (_request, response) => response.writeHead(204).end()) {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const { type, data } = JSON.parse(body) as Pick<Received, 'type' | 'data'>
      received.push({ id: String(request.headers['webhook-id']), type, data, body, headers: request.headers })
      answer(request, response)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?a=1` }
}

/** A lottery whose webhooks reach this computer. */
async function lotteryWithNetwork() {
  const test = await testLottery()
  Object.assign(test.runtime, { outbound: systemOutbound })
  const { webhooks, queue } = test.lottery
  const ctx = { ...webhooks, runtime: test.runtime }
  return {
    ...test,
    ctx,
    create: (url: string, types: readonly string[] = EVENT_TYPES) =>
      test.db.transaction((tx) => createWebhook(ctx, tx, { url, types })),
    note: (subject = 'a') =>
      test.db.transaction((tx) =>
        noteEvent({ jobs: queue }, tx, {
          type: 'alarm.raised',
          subject,
          at: test.runtime.clock.now(),
          data: { alarm: 'Test', text: subject },
        }),
      ),
    deliveries: () =>
      test.rows<{ id: string; state: string; attempts: number; status: number | null; problem: string | null }>(
        'select id, state, attempts, status, problem from webhook_deliveries order by id',
      ),
    hook: async () =>
      (await test.rows<{ disabled_because: string | null; failing_since: string | null }>('select * from webhooks'))[0],
  }
}

const soon = (test: TestLottery, seconds = 1) => test.moveTo(test.runtime.clock.now() + seconds)

describe('what webhooks are told', () => {
  it('orders, draws, payouts and pauses are told, each once, with a signature that the reference library verifies', async () => {
    const test = await lotteryWithNetwork()
    const { received, url } = await testReceiver()
    const { secret } = await test.create(url)
    const playerId = await test.addPlayer()
    const orderId = await test.buy({
      playerId,
      gameKey: 'bitcoin-hero',
      lines: [[1, 2, 3, 4, 5]],
      days: [1, 2, 3, 4, 5, 6, 7],
      weeks: 1,
    })
    const desk = { db: test.db, runtime: test.runtime, jobs: test.lottery.queue, actor: 'a test' }
    await pauseSales(desk, 'bitcoin-hero', { note: 'Back soon', reason: 'a test' })
    await soon(test)
    await resumeSales(desk, 'bitcoin-hero', 'a test')
    await test.moveTo(test.runtime.clock.now() + 600) // the first draw's sales are closed
    expect(received.map(({ type }) => type)).not.toContain('draw.drawn')
    await test.moveTo(test.runtime.clock.now() + 8 * DAY)

    const of = (type: string) => received.filter((one) => one.type === type)
    expect(of('order.paid').map(({ data }) => data)).toEqual([
      { order: orderId, game: 'bitcoin-hero', sats: expect.any(Number) },
    ])
    expect(of('sales.paused')[0]?.data).toEqual({ game: 'bitcoin-hero', note: 'Back soon' })
    expect(of('sales.resumed')[0]?.data).toEqual({ game: 'bitcoin-hero' })
    const drawn = await test.rows<{ number: number; numbers: number[]; settled_at: string }>(
      `select number, numbers, settled_at from draws where status = 'settled' order by number`,
    )
    expect(of('draw.drawn').map(({ data }) => [data['number'], data['numbers']])).toEqual(
      drawn.map(({ number, numbers }) => [number, numbers]),
    )
    expect(of('draw.closed')[0]?.data).toMatchObject({ game: 'bitcoin-hero', number: 1 })
    expect(new Set(received.map(({ id }) => id)).size).toBe(received.length)
    for (const { body, headers, id } of received) {
      expect(id).toMatch(/^msg_[0-9a-f]{32}$/u)
      expect(headers['content-type']).toBe('application/json')
      expect(body).not.toMatch(/@|bcrt1/u)
      verify(secret, headers, body)
      expect(() => verify(secret, headers, `${body} `)).toThrow()
    }
  })

  it('nothing is written without a webhook that asks for it', async () => {
    const test = await lotteryWithNetwork()
    const { url, received } = await testReceiver()
    await test.note()
    await test.create(url, ['draw.void'])
    await test.note()
    expect(await test.rows('select id from webhook_events')).toEqual([])
    await soon(test)
    expect(received).toEqual([])
  })

  it('an event is told at all only if its fact is committed', async () => {
    const test = await lotteryWithNetwork()
    const { url, received } = await testReceiver()
    await test.create(url)
    const failing = test.db.transaction(async (tx) => {
      const at = test.runtime.clock.now()
      const data = { alarm: 'Test', text: 'x' }
      await noteEvent({ jobs: test.lottery.queue }, tx, { type: 'alarm.raised', subject: 'x', at, data })
      throw new Error('the fact is not true')
    })
    await expect(failing).rejects.toThrow('not true')
    await soon(test)
    expect(received).toEqual([])
  })

  it('after a change of the secret both sign for a day', async () => {
    const test = await lotteryWithNetwork()
    const { url, received } = await testReceiver()
    const { id, secret: earlier } = await test.create(url)
    const now = await test.db.transaction((tx) => rotateWebhookSecret(test.ctx, tx, id))
    await test.note('a')
    await soon(test)
    await soon(test, DAY)
    await test.note('b')
    await soon(test)
    const [first, second] = received.filter(({ type }) => type === 'alarm.raised') as [Received, Received]
    verify(earlier, first.headers, first.body)
    verify(now, first.headers, first.body)
    verify(now, second.headers, second.body)
    expect(() => verify(earlier, second.headers, second.body)).toThrow()
  })

  it('secrets outlive a change of SECRET_KEY', async () => {
    const test = await lotteryWithNetwork()
    const { url, received } = await testReceiver()
    const { secret } = await test.create(url)
    const [old, next] = [new Uint8Array(32).fill(7), new Uint8Array(32).fill(8)]
    const { random } = test.runtime
    await changeSecretKey({ db: test.db, seal: createSeal(old, random), next: createSeal(next, random), random })
    await test.restart({ secretKey: next })
    await test.note()
    await soon(test)
    const told = received.find(({ type }) => type === 'alarm.raised') as Received
    verify(secret, told.headers, told.body)
    expect(sealUnder(deriveKey(next, 'webhookSecrets'), random)).toBeDefined()
  })
})

describe('a receiver', () => {
  it('that fails is tried again by the table, always with the same id and body, and then given up', async () => {
    const test = await lotteryWithNetwork()
    const { received, url } = await testReceiver((_request, response) => response.writeHead(500).end())
    await test.create(url)
    await test.note()
    await test.moveTo(test.runtime.clock.now() + 4 * DAY)
    const tries = received.filter(({ body }) => body.includes('"Test"'))
    const times = tries.map(({ headers }) => Number(headers['webhook-timestamp']))
    const delays = times.slice(1).map((at, place) => at - (times[place] ?? 0))
    const table = [5, 300, 1800, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR]
    expect(delays).toEqual(table)
    expect(new Set(tries.map(({ id, body }) => id + body)).size).toBe(1)
    const [delivery] = await test.deliveries()
    expect(delivery).toMatchObject({ state: 'given-up', attempts: 10, status: 500 })
    expect((await test.hook())?.failing_since).not.toBeNull()
  })

  it('a webhook that fails for five days is disabled, which is an alarm and a mail to the owners', async () => {
    const test = await lotteryWithNetwork()
    const bad = await testReceiver((_request, response) => response.writeHead(500).end())
    const { id } = await test.create(bad.url)
    const good = await testReceiver()
    await test.create(good.url, ['alarm.raised'])
    await test.rows(
      `insert into staff (name, email, roles, created_at) values ('Olga', 'olga@lottery.example', '{owner}', 1)`,
    )
    for (let day = 0; day < 6; day += 1) {
      await test.note(`day ${day}`)
      await soon(test, DAY)
    }
    const before = bad.received.length
    await test.note('later')
    await soon(test, DAY)
    expect(bad.received).toHaveLength(before)
    const [row] = await test.rows<{ disabled_because: string }>(`select * from webhooks where id = ${id}`)
    expect(row?.disabled_because).toContain('Every try failed for five days.')
    expect(test.runtime.logged.map(({ msg }) => msg)).toContain('a webhook is disabled')
    expect(good.received.filter(({ data }) => data['alarm'] === 'WebhookDisabled')).toHaveLength(1)
    expect(await test.rows(`select to_address, subject from mail_outbox where category = 'operator'`)).toEqual([
      { to_address: 'olga@lottery.example', subject: `Webhook ${id} is disabled` },
    ])
  })

  it('that works again in between is not disabled', async () => {
    const test = await lotteryWithNetwork()
    let status = 500
    const { url } = await testReceiver((_request, response) => response.writeHead(status).end())
    await test.create(url, ['alarm.raised'])
    for (let day = 0; day < 8; day += 1) {
      status = day === 4 ? 200 : 500
      await test.note(`day ${day}`)
      await soon(test, DAY)
    }
    expect((await test.hook())?.disabled_because).toBeNull()
  })

  it('a webhook that answers 410 is disabled', async () => {
    const test = await lotteryWithNetwork()
    const { received, url } = await testReceiver((_request, response) => response.writeHead(410).end())
    await test.create(url, ['alarm.raised'])
    await test.note('a')
    await soon(test)
    await test.note('b')
    await soon(test, DAY)
    expect(received).toHaveLength(1)
    expect((await test.hook())?.disabled_because).toBe('It answered that it is gone (410).')
    expect((await test.deliveries()).map(({ state }) => state)).toEqual(['given-up'])
  })

  it('that redirects is not followed', async () => {
    const test = await lotteryWithNetwork()
    const other = await testReceiver()
    const { url } = await testReceiver((_request, response) => response.writeHead(307, { location: other.url }).end())
    await test.create(url, ['alarm.raised'])
    await test.note()
    await soon(test)
    expect(other.received).toEqual([])
    expect((await test.deliveries())[0]).toMatchObject({ state: 'waiting', status: 307 })
  })

  it('that hangs, or sends without end, holds nothing up for more than ten seconds', async () => {
    const test = await lotteryWithNetwork()
    const { url } = await testReceiver(() => undefined)
    const slept: number[] = []
    const monotonic = {
      nowMs: () => 0,
      sleep: (ms: number) => {
        slept.push(ms)
        return Promise.resolve()
      },
    }
    const answer = await sendTo({ outbound: systemOutbound, monotonic, isDemo: true }, url, { headers: {}, body: '{}' })
    expect(answer).toEqual({ status: null, problem: 'It did not answer in 10 seconds.' })
    expect(slept).toEqual([10_000])
    // Its status is the answer; the rest is not waited for.
    const endless = await testReceiver((_request, response) => void response.writeHead(200).write('x'.repeat(100_000)))
    await test.create(endless.url, ['alarm.raised'])
    await test.note()
    await soon(test)
    expect((await test.deliveries())[0]?.state).toBe('delivered')
  })

  it('that is redelivered to gets the same id again', async () => {
    const test = await lotteryWithNetwork()
    const { received, url } = await testReceiver()
    const { id: webhookId } = await test.create(url, ['alarm.raised'])
    await test.note()
    await soon(test)
    const id = (await test.deliveries())[0]?.id ?? ''
    const again = () =>
      test.db.transaction((tx) => redeliver({ ...test.ctx, jobs: test.lottery.queue }, tx, BigInt(id)))
    await again()
    await expect(again()).rejects.toThrow(Refused)
    await soon(test)
    expect(received.map((one) => one.id)).toEqual([received[0]?.id, received[0]?.id])
    await test.db.transaction((tx) => revokeWebhook(test.ctx, tx, webhookId))
    await expect(again()).rejects.toThrow(Refused)
    await test.note('after')
    await soon(test, DAY)
    expect(received).toHaveLength(2)
  })
})

describe('the address of a webhook', () => {
  it.each([
    ['https://hooks.example.org/a?b=c', true],
    ['https://hooks.example.org:8443/', true],
    ['https://1.1.1.1/', true],
    ['http://hooks.example.org/', false],
    ['ftp://hooks.example.org/', false],
    ['https://user:word@hooks.example.org/', false],
    ['https://localhost/', false],
    ['https://127.0.0.1/', false],
    ['https://[::1]/', false],
    ['https://10.0.0.1/', false],
    ['https://169.254.169.254/', false],
    ['https://[::ffff:127.0.0.1]/', false],
    ['https://2130706433/', false],
    ['https://intranet/', false],
    ['no address', false],
  ])('%s is allowed: %s', (url, isAllowed) => {
    expect(problemOfUrl(url, false) === null).toBe(isAllowed)
  })

  it('in the demo it may be one of this computer by http, and elsewhere never', () => {
    for (const url of ['http://127.0.0.1:5000/a', 'http://localhost:5000/']) {
      expect(problemOfUrl(url, true)).toBeNull()
      expect(problemOfUrl(url, false)).not.toBeNull()
    }
    expect(problemOfUrl('http://127.0.0.2/', true)).not.toBeNull()
    expect(problemOfUrl('http://10.0.0.1/', true)).not.toBeNull()
  })

  it('a name is resolved once, and nothing is sent if one of its addresses is not public', async () => {
    const resolved: string[] = []
    const sent: unknown[] = []
    const outbound: Outbound = {
      resolve: async (host) => {
        resolved.push(host)
        return host === 'inside.example.org' ? ['1.1.1.1', '127.0.0.1'] : ['2606:4700::1111', '1.1.1.1']
      },
      get: () => Promise.reject(new Error('nothing is read')),
      post: async ({ host, address, port, path, isPlain, headers }) => {
        sent.push({ host, address, port, path, isPlain, headers })
        return { status: 200, headers: {}, body: (async function* none() {})() }
      },
    }
    const deps = { outbound, monotonic: (await testLottery()).runtime.monotonic, isDemo: false }
    const message = { headers: { 'webhook-id': 'msg_1' }, body: '{}' }
    expect(await sendTo(deps, 'https://inside.example.org/', message)).toEqual({
      status: null,
      problem: 'Its name leads to an address that is not public.',
    })
    expect(sent).toEqual([])
    expect(await sendTo(deps, 'https://hooks.example.org:8443/a?b', message)).toEqual({ status: 200, problem: null })
    expect(resolved).toEqual(['inside.example.org', 'hooks.example.org'])
    expect(sent).toEqual([
      {
        host: 'hooks.example.org',
        address: '1.1.1.1',
        port: 8443,
        path: '/a?b',
        isPlain: false,
        headers: { 'webhook-id': 'msg_1', 'content-type': 'application/json' },
      },
    ])
  })

  it('a webhook asks for events that exist', async () => {
    const test = await lotteryWithNetwork()
    const create = (types: string[]) => test.create('https://hooks.example.org/', types)
    await expect(create([])).rejects.toThrow('at least one event')
    await expect(create(['order.made'])).rejects.toThrow('There is no event order.made.')
    await expect(test.create('https://localhost/')).rejects.toThrow(Refused)
  })
})

/** @throws what the reference library says of the signature */
function verify(secret: string, headers: IncomingHttpHeaders, body: string): void {
  const at = Number(headers['webhook-timestamp'])
  const realNow = Date.now
  Date.now = () => at * 1000 // the library takes its own clock
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>)
  } finally {
    Date.now = realNow
  }
}
