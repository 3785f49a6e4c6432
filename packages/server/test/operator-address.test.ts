import { expect, it } from 'vitest'
import { PASSWORD, testApplication } from './application.ts'

it('an address at which the program takes payments cannot be a payout address: the money would come in again', async () => {
  const test = await testApplication()
  const { bearer } = await test.signUp({ address: null })
  const games = (await test.call('GET', '/games')).body as { key: string; next_draw: { start_at: number } }[]
  const startAt = games.find((game) => game.key === 'bitcoin-hero')?.next_draw.start_at ?? 0
  const day = new Date(startAt * 1000).getUTCDay() || 7
  const tickets = [{ numbers: [1, 2, 3, 4, 5], isLuckyDip: false }]
  const order = await test.call('POST', '/payment', {
    bearer,
    body: { type: 'lotto', key: 'bitcoin-hero', days: [day], weeks: 1, tickets },
  })
  const { body } = await test.call('GET', `/checkout/${order.body.transaction_id}`)
  const saved = await test.call('PUT', '/settings/crypto-account-details', {
    bearer,
    body: { btc_address: body.address, password: PASSWORD },
  })
  expect(saved).toMatchObject({ status: 400, body: { error: { code: 'INVALID_BTC_ADDRESS' } } })
})
