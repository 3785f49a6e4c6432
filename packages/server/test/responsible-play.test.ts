import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { luckyDip } from '@fairball/domain/lucky-dip'
import { createLedger } from '../src/modules/ledger/service.ts'
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
  it('is never passed by orders made at once, and none is refused that still fits', async () => {
    const app = await testApplication()
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

  it('counts an order that nobody paid until it has run out, and the week from each order on', async () => {
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
  it('may not play, and still logs in, reads the results and is paid', async () => {
    const app = await testApplication()
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
    expect(await createLedger().violations(app.db)).toEqual([])
  })
})
