import { expect, it, vi } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { FIXTURE_DUE_SATS, moneyFixture } from '../../../test/money.ts'
import { TEST_START_AT, testRuntime } from '../../runtime/test-runtime.ts'
import { moneyOf } from '../payments/service.ts'
import { listChain } from './audit-queries.ts'
import { paymentCommands } from './payment-commands.ts'

vi.mock('../../ports/bitcoin.ts', async (original) => ({
  ...(await original<object>()),
  chooseBitcoin: async () => ({ provider: { operatorAddress: async () => 'bcrt1qoperator' } }),
}))

it('the command shows an order by its id, its address and its payment, with the provider’s answer, and nothing of another', async () => {
  const { db } = await testDatabase()
  const money = await moneyFixture({
    db,
    runtime: testRuntime(),
    wrapProvider: (provider) => ({
      ...provider,
      get: async (ref) => ({ ...(await provider.get(ref)), raw: { status: 'Settled', long: 'x'.repeat(20_000) } }),
    }),
  })
  const draw = await money.draw(1, TEST_START_AT + 86_400)
  const player = await money.player()
  const orderId = await money.order(player.id, [draw])
  const other = await money.order(player.id, [draw])
  await money.pay(orderId, FIXTURE_DUE_SATS)
  const { address } = await moneyOf(money.payments, orderId)
  // The command uses only the database of its context.
  const show = (name: string) => paymentCommands['payments-show'].run({ db } as never, [name])

  const shown = await show(orderId)
  const [order, times, invoice, payment, words = ''] = shown.split('\n')
  expect(order).toBe(`order ${orderId}: PAID, player ${player.id}, bitcoin-hero, 0.00001000 BTC`)
  expect(times).toMatch(/^made \d{4}-\d\d-\d\dT[\d:]{8}Z, expires /)
  expect(invoice).toBe(`invoice ${address} at test, address ${address}`)
  expect(payment).toMatch(/^payment [0-9a-f]{64}:0: 0\.00001000 BTC, seen \S+, in a block \S+, confirmed \S+$/)
  expect(words).toMatch(/^test says since \S+: \{"status":"Settled"/)
  expect(words.length).toBeLessThan(16_100)
  const txid = payment?.slice('payment '.length, 'payment '.length + 64) ?? ''
  for (const name of [address ?? '', txid, `${txid}:0`]) expect(await show(name)).toBe(shown)
  expect(await show(other)).toContain(`order ${other}: PENDING`)
  await expect(show('nothing')).rejects.toThrow('No order has an id, invoice, address or payment nothing.')
})

it('the command gives an address for the operator’s own deposits only if deposits have an account of ours', async () => {
  const config = { payments: 'btcpay' }
  await expect(paymentCommands['deposit-address'].run({ config } as never)).rejects.toThrow(
    'With PAYMENTS=btcpay deposits have no account here: make an address there.',
  )
})

it('the command’s audit line names the person who asked for the address, and why', async () => {
  const { db } = await testDatabase()
  const by = { staffId: null, reason: 'Coins for the bankroll.' }
  const installation = { db, runtime: testRuntime(), config: { payments: 'bitcoin-core', publicUrl: null }, by }
  expect(await paymentCommands['deposit-address'].run(installation as never)).toBe('bcrt1qoperator')
  const [line] = await db.run(listChain, [0n, 10])
  expect(line).toMatchObject({ subject: 'bcrt1qoperator', reason: by.reason })
})
