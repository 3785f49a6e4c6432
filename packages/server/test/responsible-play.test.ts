import { luckyDip } from '@fairball/domain/lucky-dip'
import { btcToSats } from '@fairball/domain/money'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sql, t } from '../src/db/sql.ts'
import { ledgerViolations } from '../src/modules/ledger/service.ts'
import { ADDRESS, PASSWORD, testApplication } from './application.ts'
import { seededRandom } from './seeded-random.ts'

const DAY = 86_400
const LIMITS = '/settings/responsible-play'

/** An order of bitcoin-hero, where a line costs a pound: `lines` pounds. */
function order(lines: number) {
  const random = seededRandom('responsible-play')
  const tickets = Array.from({ length: lines }, () => ({
    isLuckyDip: true,
    numbers: luckyDip({ pick: 5, pool: 36 }, (bytes) => random.bytes(bytes)),
  }))
  return { type: 'lotto', key: 'bitcoin-hero', days: [3], weeks: 1, tickets }
}

describe('a weekly limit', () => {
  it('concurrent orders never exceed a weekly limit, and none is refused that still fits', async () => {
    const app = await testApplication({ games: 'one game' })
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 2, maxLength: 6 }),
        async (limit, sizes) => {
          const { bearer } = await app.signUp({ isVerified: false, address: null })
          await app.call('PUT', LIMITS, { bearer, body: { weekly_limit: limit } })
          const answers = await Promise.all(
            sizes.map((lines) => app.call('POST', '/payment', { bearer, body: order(lines) })),
          )
          const made = sizes.filter((_, index) => answers[index]?.status === 201)
          const spent = made.reduce((sum, lines) => sum + lines, 0)
          expect(spent).toBeLessThanOrEqual(limit)
          for (const [index, answer] of answers.entries()) {
            if (answer.status === 201) continue
            expect([answer.status, answer.body.error.code]).toEqual([403, 'LIMIT_REACHED'])
            // Whatever was spent when it was refused is spent now.
            expect(spent + (sizes[index] ?? 0)).toBeGreaterThan(limit)
          }
        },
      ),
      { numRuns: 12, seed: 7 },
    )
  })

  it('a weekly limit counts an unpaid order until it has expired, and the week from each order on', async () => {
    const app = await testApplication()
    const { email, bearer: first } = await app.signUp()
    await app.call('PUT', LIMITS, { bearer: first, body: { weekly_limit: 10 } })
    const buy = async (lines: number, game = {}) => {
      const bearer = await app.logIn(email)
      return await app.call('POST', '/payment', { bearer, body: { ...order(lines), ...game } })
    }
    const treasure = { key: 'treasure', days: [2] } // free tickets of the other game do not pay for it
    expect((await buy(6)).status).toBe(201)
    const refused = await buy(5)
    expect(refused.body.error).toMatchObject({
      code: 'LIMIT_REACHED',
      message: 'This is more than your weekly limit. You have £4.00 left to spend this week.',
      reason: 'WEEKLY_LIMIT',
    })
    await app.moveTo(app.runtime.clock.now() + 1000) // the invoice has expired
    const paid = await buy(10)
    const paidAt = app.runtime.clock.now()
    await app.call('POST', '/dev/pay', { body: { transaction_id: paid.body.transaction_id } })
    expect((await buy(1)).body.error.code).toBe('LIMIT_REACHED')
    await app.moveTo(paidAt + 7 * DAY)
    expect((await buy(1, treasure)).body.error.code).toBe('LIMIT_REACHED')
    await app.moveTo(paidAt + 7 * DAY + 1)
    expect((await buy(4, treasure)).status).toBe(201)
  })
})

describe('a player who has excluded himself', () => {
  it('an excluded player may not play, and still logs in, reads the results and is paid', async () => {
    const app = await testApplication({ games: 'one game' })
    const { email, bearer } = await app.signUp()
    const made = await app.call('POST', '/payment', { bearer, body: order(400) })
    await app.call('POST', '/dev/pay', { body: { transaction_id: made.body.transaction_id } })
    const until = app.runtime.clock.now() + 200 * DAY
    expect((await app.call('PUT', LIMITS, { bearer, body: { excluded_until: until } })).status).toBe(200)
    expect((await app.call('POST', '/payment', { bearer, body: order(1) })).body.error.code).toBe('SELF_EXCLUDED')

    await app.moveTo(app.runtime.clock.now() + 2 * 3600)
    const login = await app.call('POST', '/auth/login', { body: { email_or_username: email, password: PASSWORD } })
    expect(login.status).toBe(200)
    const wins = await app.call('GET', '/games/bitcoin-hero/wins', { bearer: login.body.access_token })
    const paid = wins.body.data.filter((win: { amount_won: unknown }) => win.amount_won !== null)
    expect(paid.length).toBeGreaterThan(0)
    const { sent } = (await app.call('GET', '/dev/wallet')).body
    expect(sent).toMatchObject([{ address: ADDRESS }])
    expect(await ledgerViolations(app.db)).toEqual([])
  })
})

describe('open orders, when their player takes a pause', () => {
  const EXCLUDED = { excluded_until: 200 * DAY }
  const TIMED_OUT = { time_out_until: 2 * DAY }

  async function playing(orders = 3, days = [3, 4, 5, 6]) {
    const app = await testApplication({ games: 'one game' })
    const { email, bearer } = await app.signUp()
    const ids: string[] = []
    for (let number = 0; number < orders; number += 1) {
      const made = await app.call('POST', '/payment', { bearer, body: { ...order(50), days, weeks: 2 } })
      expect(made).toMatchObject({ status: 201 })
      ids.push(String(made.body.transaction_id))
    }
    const statuses = async () =>
      Promise.all(
        ids.map(
          async (id) =>
            (await app.call('GET', `/payment?transaction_id=${id}`, { bearer: await app.logIn(email) })).body.status,
        ),
      )
    const money = async (id: string) => (await app.call('GET', `/checkout/${id}`)).body
    const pay = (id: string, address: string, btc: string) => payIn(app, { id, address, sats: btcToSats(btc) })
    const save = async (body: Record<string, number>) =>
      await app.call('PUT', LIMITS, { bearer: await app.logIn(email), body })
    const pause = async (what: Record<string, number>) => {
      const now = app.runtime.clock.now()
      return await save(Object.fromEntries(Object.entries(what).map(([field, seconds]) => [field, now + seconds])))
    }
    const plays = async () => Number((await app.db.one(countPlays, [])).plays)
    return { ...app, ids, bearer, statuses, money, pay, save, pause, plays }
  }

  it.each([
    ['an exclusion', EXCLUDED],
    ['a time-out', TIMED_OUT],
  ])('uncovered orders end with %s, and what comes later is refunded', async (_what, pause) => {
    const test = await playing()
    const before = await Promise.all(test.ids.map(test.money))
    expect((await test.pause(pause)).status).toBe(200)
    expect(await test.statuses()).toEqual(['EXPIRED', 'EXPIRED', 'EXPIRED'])
    for (const { transaction_id: id, address, missing } of before) await test.pay(id, address, missing.value)
    await test.moveTo(test.runtime.clock.now() + 1200)
    expect(await test.statuses()).toEqual(['REFUNDED', 'REFUNDED', 'REFUNDED'])
    expect(await test.plays()).toBe(0)
  })

  it('orders play if a payment was seen a second before', async () => {
    const test = await playing(2)
    const [covered = '', half = ''] = test.ids
    const { address, missing } = await test.money(covered)
    await test.pay(half, (await test.money(half)).address, '0.00000900')
    await test.pay(covered, address, missing.value)
    await test.pause(EXCLUDED)
    expect(await test.statuses()).toEqual(['PROCESSING', 'EXPIRED'])
    await test.moveTo(test.runtime.clock.now() + 1200)
    expect(await test.statuses()).toEqual(['PAID', 'REFUNDED'])
    expect(await test.plays()).toBe(8)
  })

  it('orders say why on the page where they are paid, and show no address', async () => {
    const test = await playing(1)
    const [id = ''] = test.ids
    await test.pause(TIMED_OUT)
    expect((await test.call('GET', `/checkout/${id}`)).body).toMatchObject({
      status: 'EXPIRED',
      ended_because: 'PAUSE',
      address: null,
      uri: null,
    })
    const { body } = await test.call('GET', `/payment?transaction_id=${id}`, { bearer: test.bearer })
    expect(body).toMatchObject({ status: 'EXPIRED', ended_because: 'PAUSE' })
  })

  it('orders stay refunded if the pause is over before the day is', async () => {
    const test = await playing(1, [5, 6]) // draws that are open until the money comes
    const [id = ''] = test.ids
    const { address, missing } = await test.money(id)
    await test.pause({ time_out_until: DAY - 300 })
    await test.moveTo(test.runtime.clock.now() + DAY)
    await test.pay(id, address, missing.value)
    await test.moveTo(test.runtime.clock.now() + 600)
    expect(await test.statuses()).toEqual(['REFUNDED'])
  })
})

/** Pays the address of an order, and checks it a second later. */
async function payIn(
  app: Awaited<ReturnType<typeof testApplication>>,
  paid: { id: string; address: string; sats: bigint },
) {
  const now = app.runtime.clock.now()
  const txid = paid.id.replaceAll('-', '').repeat(2)
  await app.db.execute(insertPaid, [`${txid}:0`, txid, paid.address, paid.sats, now])
  await app.db.execute(insertLook, [`look:${txid}`, now, { orderId: paid.id }])
  await app.moveTo(now + 1)
}

const insertPaid = sql({
  name: 'test.insert-paid',
  text: `insert into test_wallet_txs (outpoint, txid, address, sats, at, mined_confirmations, direction) values ($1, $2, $3, $4, $5, 0, 'in')`,
  params: [t.text, t.text, t.text, t.bigint, t.epochSeconds],
})

const insertLook = sql({
  name: 'test.insert-look',
  text: `insert into jobs (key, run_at, payload, kind) values ($1, $2, $3, 'payments.refresh')`,
  params: [t.text, t.epochSeconds, t.json()],
})

const countPlays = sql({
  name: 'test.count-plays',
  text: 'select count(*)::int as plays from plays',
  row: { plays: t.int },
})

describe('a weekly limit that is lowered', () => {
  it('a lower limit ends the newest uncovered open orders, until the rest fits', async () => {
    const app = await testApplication({ games: 'one game' })
    const { email, bearer } = await app.signUp()
    const made: string[] = []
    for (const lines of [5, 4, 3, 2]) {
      const { body } = await app.call('POST', '/payment', { bearer, body: order(lines) })
      made.push(String(body.transaction_id))
      await app.moveTo(app.runtime.clock.now() + 1)
    }
    const [first = '', second = '', third = '', fourth = ''] = made
    const checkoutOf = async (id: string) => (await app.call('GET', `/checkout/${id}`)).body
    const { address, missing } = await checkoutOf(third)
    await payIn(app, { id: third, address, sats: btcToSats(missing.value) })
    // 14 pounds are open, 3 of them covered: the newest ends, then the second, and the first fits.
    expect((await app.call('PUT', LIMITS, { bearer: await app.logIn(email), body: { weekly_limit: 8 } })).status).toBe(
      200,
    )
    const statusOf = async (id: string) => (await checkoutOf(id)).status
    expect(await Promise.all([first, second, third, fourth].map(statusOf))).toEqual([
      'PENDING',
      'EXPIRED',
      'PROCESSING',
      'EXPIRED',
    ])
    expect(await checkoutOf(second)).toMatchObject({ ended_because: 'WEEKLY_LIMIT' })
  })
})
