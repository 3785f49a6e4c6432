import { luckyDip } from '@fairball/domain/lucky-dip'
import { afterEach, describe, expect, it } from 'vitest'
import { nullable, sql, t } from '../src/db/sql.ts'
import { createApplication } from '../src/main/app.ts'
import { winnings } from '../src/modules/ledger/accounts.ts'
import { balanceOf, ledgerViolations } from '../src/modules/ledger/service.ts'
import { ADDRESS, CONFIG, PASSWORD, testApplication, type TestApplication, type TestPlayer } from './application.ts'
import { seededRandom } from './seeded-random.ts'

const HOUR = 3600
const DAY = 86_400
const OTHER_ADDRESS = 'bcrt1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qzf4jry'

const findByEmail = sql({
  name: 'test-closing.find-by-email',
  text: 'select id from players where email = $1',
  params: [t.text],
  row: { id: t.bigint },
})
const readTraces = sql({
  name: 'test-closing.read-traces',
  text: `select p.username, p.email, p.closed_at, p.erased_at,
      (select count(*)::int from player_addresses where player_id = p.id) as addresses,
      (select count(*)::int from messages where player_id = p.id)
        + (select count(*)::int from mail_outbox where player_id = p.id) as messages,
      (select count(*)::int from orders where player_id = p.id) as orders,
      (select count(*)::int from orders where player_id = p.id and username <> '') as named_orders,
      (select count(*)::int from free_tickets where player_id = p.id) as free_tickets,
      (select count(*)::int from wins where player_id = p.id) as wins
    from players p where p.id = $1`,
  params: [t.bigint],
  row: {
    username: t.text,
    email: nullable(t.text),
    closedAt: nullable(t.epochSeconds),
    erasedAt: nullable(t.epochSeconds),
    addresses: t.int,
    messages: t.int,
    orders: t.int,
    namedOrders: t.int,
    freeTickets: t.int,
    wins: t.int,
  },
})
const sumWon = sql({
  name: 'test-closing.sum-won',
  text: 'select coalesce(sum(amount_sats), 0)::bigint as sats from wins where player_id = $1',
  params: [t.bigint],
  row: { sats: t.bigint },
})
let app: TestApplication

afterEach(async () => {
  expect(await ledgerViolations(app.db)).toEqual([])
  const { body } = await app.call('GET', '/solvency')
  expect(body.solvent).toBe(true)
})

/** A player of an application of its own; its bearer token is valid for ten minutes. */
async function player(options?: { isVerified?: boolean; address?: string | null }) {
  app = await testApplication({ games: 'one game' })
  const signedUp = await app.signUp(options)
  const { id } = await app.db.one(findByEmail, [signedUp.email])
  return { ...signedUp, id }
}

const close = ({ bearer }: TestPlayer) =>
  app.call('DELETE', '/settings/account', { bearer, body: { password: PASSWORD } })
const tracesOf = ({ id }: { id: bigint }) => app.db.one(readTraces, [id])
const logIn = (email: string) =>
  app.call('POST', '/auth/login', { body: { email_or_username: email, password: PASSWORD } })
const register = (email: string) =>
  app.call('POST', '/auth/register', { body: { email, email_confirm: email, password: PASSWORD } })
const mailsTo = async (email: string): Promise<{ subject: string; text: string }[]> =>
  (await app.call('GET', `/dev/mail?to=${encodeURIComponent(email)}`)).body
const now = (): number => app.runtime.clock.now()

async function sentTo(address: string): Promise<bigint> {
  const { body } = await app.call('GET', '/dev/wallet')
  const amounts = body.sent.filter((one: { address: string }) => one.address === address)
  return amounts.reduce(
    (sum: bigint, one: { amount: string }) => sum + BigInt(one.amount.replace('.', '')),
    0n,
  ) as bigint
}

async function nextDraw(): Promise<{ start_at: number; end_at: number }> {
  const { body } = await app.call('GET', '/games')
  return body.find((game: { key: string }) => game.key === 'bitcoin-hero').next_draw
}

/** Buys lines of bitcoin-hero, enough that some win; not yet paid. */
async function order(bearer: string, options: { lines?: number; days?: number[] } = {}): Promise<string> {
  const random = seededRandom('closing')
  const tickets = Array.from({ length: options.lines ?? 400 }, () => ({
    isLuckyDip: true,
    numbers: luckyDip({ pick: 5, pool: 36 }, (bytes) => random.bytes(bytes)),
  }))
  const body = { type: 'lotto', key: 'bitcoin-hero', days: options.days ?? [3], weeks: 1, tickets }
  const made = await app.call('POST', '/payment', { bearer, body })
  expect(made.status).toBe(201)
  return String(made.body.transaction_id)
}

const pay = (transactionId: string, options: { amount?: string; confirmations?: number } = {}) =>
  app.call('POST', '/dev/pay', { body: { transaction_id: transactionId, ...options } })

describe('closing an account', () => {
  it('closing erases an account to which nothing is owed immediately', async () => {
    const one = await player()
    expect((await close(one)).body).toEqual({ ok: true })
    expect(await tracesOf(one)).toMatchObject({ email: null, erasedAt: now(), addresses: 0 })
    expect((await mailsTo(one.email))[0]?.subject).toBe('Your account was closed')
    expect((await app.call('GET', '/profile', { bearer: one.bearer })).status).toBe(401)
    expect((await register(one.email)).status).toBe(201)
  })

  it('numbers in a coming draw are drawn, their wins are paid once, and the rest is erased then', async () => {
    const one = await player()
    await pay(await order(one.bearer))
    expect((await close(one)).body).toEqual({ ok: true })
    expect(await tracesOf(one)).toMatchObject({ email: one.email, closedAt: now(), erasedAt: null, addresses: 1 })
    const [closing] = await mailsTo(one.email)
    expect(closing).toMatchObject({ subject: 'Your account is being closed' })
    expect(closing?.text).toContain(ADDRESS)
    expect(closing?.text).toContain('Free tickets you had not used are lost')

    const draw = await nextDraw()
    await app.moveTo(draw.start_at + 30) // drawn, and not yet shown
    expect((await tracesOf(one)).erasedAt).toBeNull()
    await app.moveTo(draw.end_at + HOUR)
    const traces = await tracesOf(one)
    expect(traces).toMatchObject({
      email: null,
      addresses: 0,
      messages: 0,
      orders: 1,
      namedOrders: 0,
      freeTickets: 0,
    })
    expect(traces.erasedAt).toBeLessThanOrEqual(draw.end_at + HOUR)
    expect(traces.username).toMatch(/^closed-/)
    const { sats } = await app.db.one(sumWon, [one.id])
    expect(sats).toBeGreaterThan(0n)
    expect(await sentTo(ADDRESS)).toBe(sats)
    expect(await balanceOf(app.db, winnings(one.id))).toBe(0n)
    expect((await mailsTo(one.email)).map(({ subject }) => subject)[0]).toBe('Your account was closed')

    await app.moveTo(now() + 2 * DAY)
    expect(await sentTo(ADDRESS)).toBe(sats)
    expect((await register(one.email)).status).toBe(201)
  })

  it('a closing account accepts no logins while it is paid, and its email address stays taken', async () => {
    const one = await player()
    const refresh = (await logIn(one.email)).body.refresh_token
    await pay(await order(one.bearer, { lines: 1 }))
    await close(one)
    const mailsBefore = (await mailsTo(one.email)).length
    expect((await app.call('GET', '/profile', { bearer: one.bearer })).status).toBe(401)
    expect((await app.call('POST', '/auth/refresh', { bearer: refresh })).status).toBe(401)
    expect((await logIn(one.email)).body.error.code).toBe('INVALID_CREDENTIALS')
    expect((await register(one.email)).body.error.code).toBe('EMAIL_OCCUPIED')
    expect((await app.call('GET', `/auth/forgotten-password?email=${one.email}`)).body).toEqual({ ok: true })
    expect(await mailsTo(one.email)).toHaveLength(mailsBefore)
    expect((await close(one)).status).toBe(401)
  })

  it.each([
    ['no bitcoin address', { address: null }, 'save a bitcoin address', ''],
    ['no verified email address', { isVerified: false }, 'verify your email address', 'save a bitcoin address'],
    ['neither', { address: null, isVerified: false }, 'save a bitcoin address', ''],
  ])(
    'closing is refused while money is owed and there is %s, and says what to do',
    async (_, options, told, untold) => {
      const one = await player(options)
      const id = await order(one.bearer, { lines: 1 })
      await pay(id, { amount: '0.00010000' }) // more than it costs: the rest is owed
      const refused = await close(one)
      expect([refused.status, refused.body.error.code]).toEqual([403, 'ACCESS_DENIED'])
      expect(refused.body.error.message).toContain(told)
      if (untold !== '') expect(refused.body.error.message).not.toContain(untold)
      expect((await app.call('GET', '/profile', { bearer: one.bearer })).status).toBe(200)
    },
  )

  it('closing is refused for numbers in a coming draw without an address, and done once there is one', async () => {
    const one = await player({ address: null })
    await pay(await order(one.bearer, { lines: 1 }))
    expect((await close(one)).status).toBe(403)
    await app.call('PUT', '/settings/crypto-account-details', {
      bearer: one.bearer,
      body: { btc_address: ADDRESS, password: PASSWORD },
    })
    expect((await close(one)).status).toBe(200)
  })

  it('closing pays what is already owed, once, and erases the account when it has left', async () => {
    const one = await player({ address: null })
    await pay(await order(one.bearer, { lines: 1 }), { amount: '0.00010000' })
    await app.moveTo((await nextDraw()).end_at + 2 * HOUR)
    const bearer = await app.logIn(one.email)
    await app.call('PUT', '/settings/crypto-account-details', {
      bearer,
      body: { btc_address: ADDRESS, password: PASSWORD },
    })
    expect((await close({ ...one, bearer })).status).toBe(200)
    await app.moveTo(now() + 60)
    expect((await tracesOf(one)).erasedAt).toBe(now())
    // A refund bears the network fee: 109 virtual bytes for the one output, at 2 sats each.
    expect(await sentTo(ADDRESS)).toBe(9_000n - 218n)
    await app.moveTo(now() + DAY)
    expect(await sentTo(ADDRESS)).toBe(9_000n - 218n)
  })

  it('closing pays to the address in use at that time, not to one that waited', async () => {
    const one = await player()
    await pay(await order(one.bearer, { days: [6] })) // Saturday: the changed address would be in use by then
    await app.call('PUT', '/settings/crypto-account-details', {
      bearer: one.bearer,
      body: { btc_address: OTHER_ADDRESS, password: PASSWORD },
    })
    await close(one)
    expect((await tracesOf(one)).addresses).toBe(1)
    await app.moveTo(now() + 4 * DAY)
    expect((await tracesOf(one)).erasedAt).not.toBeNull()
    const { sats } = await app.db.one(sumWon, [one.id])
    expect(sats).toBeGreaterThan(0n)
    expect([await sentTo(ADDRESS), await sentTo(OTHER_ADDRESS)]).toEqual([sats, 0n])
  })

  it('closing waits for a payment on its way, and for its draw', async () => {
    const one = await player()
    const id = await order(one.bearer, { days: [4] }) // tomorrow
    expect((await pay(id, { confirmations: 0 })).body).toEqual({ status: 'PROCESSING' })
    expect((await close(one)).status).toBe(200)
    await app.moveTo(now() + 2 * HOUR) // confirmed meanwhile
    expect(await tracesOf(one)).toMatchObject({ erasedAt: null, orders: 1 })
    await app.moveTo(now() + 2 * DAY)
    expect((await tracesOf(one)).erasedAt).not.toBeNull()
    const { sats } = await app.db.one(sumWon, [one.id])
    expect(await sentTo(ADDRESS)).toBe(sats)
  })

  it('closing waits until an unpaid order has expired, and a day for a late payment', async () => {
    const one = await player()
    await order(one.bearer, { lines: 1 })
    await close(one)
    expect((await tracesOf(one)).erasedAt).toBeNull()
    await app.moveTo(now() + 26 * HOUR)
    expect((await tracesOf(one)).erasedAt).not.toBeNull()
    expect(await sentTo(ADDRESS)).toBe(0n)
  })

  it('closing gives up an amount too small to send: it stays in the books, and the account is erased', async () => {
    const one = await player()
    const id = await order(one.bearer, { lines: 1, days: [4] })
    await pay(id, { amount: '0.00001100' }) // a hundred satoshis too much
    await close(one)
    await app.moveTo(now() + 2 * DAY)
    expect((await tracesOf(one)).erasedAt).not.toBeNull()
    expect(await balanceOf(app.db, winnings(one.id))).toBe(100n)
  })

  it('closing waits a day for a late payment of an expired order, and refunds what comes', async () => {
    const one = await player()
    const transactionId = await order(one.bearer, { lines: 1 })
    await app.moveTo(now() + 2 * HOUR)
    expect(
      (
        await app.call('GET', `/payment?transaction_id=${transactionId}`, {
          bearer: (await logIn(one.email)).body.access_token,
        })
      ).body,
    ).toMatchObject({ status: 'EXPIRED' })
    const again = await logIn(one.email)
    expect((await close({ ...one, bearer: again.body.access_token })).body).toEqual({ ok: true })
    expect((await tracesOf(one)).erasedAt).toBeNull()
    await pay(transactionId, { amount: '0.00100000' })
    await app.moveTo(now() + 2 * DAY)
    expect((await tracesOf(one)).erasedAt).not.toBeNull()
    expect(await balanceOf(app.db, winnings(one.id))).toBe(0n)
  })

  it('closing keeps a self-exclusion in force while the account is paid and afterwards', async () => {
    const one = await player()
    await pay(await order(one.bearer, { lines: 1 }))
    const body = { excluded_until: now() + 200 * DAY }
    await app.call('PUT', '/settings/responsible-play', { bearer: one.bearer, body })
    await close(one)
    expect((await register(one.email)).body.error.code).toBe('SELF_EXCLUDED')
    await app.moveTo(now() + DAY)
    expect((await tracesOf(one)).erasedAt).not.toBeNull()
    expect((await register(one.email)).body.error.code).toBe('SELF_EXCLUDED')
  })

  it('closing happens once if it is requested twice at the same time', async () => {
    const one = await player()
    await pay(await order(one.bearer, { lines: 1 }))
    const statuses = (await Promise.all([close(one), close(one), close(one)])).map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 401, 401])
    const closing = (await mailsTo(one.email)).filter(({ subject }) => subject === 'Your account is being closed')
    expect(closing).toHaveLength(1)
  })

  it('an order that comes after a concurrent closing is refused', async () => {
    const one = await player()
    await pay(await order(one.bearer, { lines: 1 }))
    const body = { type: 'lotto', key: 'bitcoin-hero', days: [4], weeks: 1, tickets: [] as object[] }
    body.tickets.push({ isLuckyDip: false, numbers: [1, 2, 3, 4, 5] })
    const results = await Promise.all([close(one), app.call('POST', '/payment', { bearer: one.bearer, body })])
    expect(results[0]?.status).toBe(200)
    expect([201, 401, 403]).toContain(results[1]?.status)
    await app.moveTo(now() + 2 * DAY)
    expect((await tracesOf(one)).erasedAt).not.toBeNull()
  })

  it('closing is finished after a restart if the process ended in between', async () => {
    const one = await player()
    await pay(await order(one.bearer))
    await close(one)
    const draw = await nextDraw()
    await app.application.close()
    const { db, runtime } = app
    const application = await createApplication({ config: CONFIG, runtime, db, checksAnswers: true, withPages: false })
    const moved = await application.http.inject({
      method: 'POST',
      url: '/api/v1/dev/clock',
      payload: { to: draw.end_at + HOUR },
    })
    expect(moved.statusCode).toBe(200)
    expect(await tracesOf(one)).toMatchObject({ email: null, addresses: 0 })
    const { sats } = await db.one(sumWon, [one.id])
    const sent = (await application.http.inject('/api/v1/dev/wallet')).json().sent
    expect(sent.map((payout: { amount: string }) => BigInt(payout.amount.replace('.', '')))).toEqual([sats])
    app = { ...app, call: async () => ({ status: 200, headers: {}, body: { solvent: true } }) }
    await application.close()
  })
})
