import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findViolations } from '../src/modules/invariants/service.ts'
import { lightning, suspense } from '../src/modules/ledger/accounts.ts'
import { balanceOf } from '../src/modules/ledger/service.ts'
import { createOrder } from '../src/modules/orders/service.ts'
import { checkoutOf, followProvider, moneyOf, openInvoice, refreshPayments } from '../src/modules/payments/service.ts'
import { bookLightningFees } from '../src/modules/treasury/service.ts'
import { chooseLightning } from '../src/ports/lightning/choose.ts'
import { monotonicTime } from '../src/runtime/system-runtime.ts'
import { CERTIFICATES, type FakeLnd, startFakeLnd } from './fake-lnd/fake-lnd.ts'
import { TEST_BITCOIN, testLottery, type TestLottery } from './lottery.ts'

const TICKETS = [{ numbers: [1, 2, 3, 4, 5], isLuckyDip: false }]
/** Every wait is a twentieth, and none is longer than half a second. */
const IMPATIENT = {
  nowMs: () => monotonicTime.nowMs(),
  sleep: (ms: number, signal?: AbortSignal) => monotonicTime.sleep(Math.min(ms / 20, 500), signal),
}

let test: TestLottery
let fake: FakeLnd
let folder: string
beforeEach(async () => {
  test = await testLottery()
  fake = await startFakeLnd(() => test.runtime.clock.now())
  folder = await mkdtemp(join(tmpdir(), 'fairball-lnd-'))
  await writeFile(join(folder, 'macaroon'), Buffer.from(fake.server.macaroon, 'hex'))
  await writeFile(join(folder, 'tls.cert'), CERTIFICATES.own)
})
afterEach(async () => {
  expect(await findViolations(test.db)).toEqual([])
  expect(await test.violations()).toEqual([])
  expect(fake.problems).toEqual([])
  await fake.stop()
  await rm(folder, { recursive: true })
})

/** From now on the lottery takes Lightning at the fake. */
async function takeLightning(): Promise<void> {
  const lnd = {
    url: fake.server.url,
    macaroonFile: join(folder, 'macaroon'),
    certificateFile: join(folder, 'tls.cert'),
  }
  await test.restart({
    bitcoin: { ...TEST_BITCOIN, lightning: 'lnd', lnd },
    chooseLightning: (deps) => chooseLightning({ ...deps, runtime: { ...deps.runtime, monotonic: IMPATIENT } }),
  })
}

const payments = () => test.lottery.payments
const statusOf = async (orderId: string): Promise<string> => (await moneyOf(payments(), orderId)).status

async function order(): Promise<{ orderId: string; bolt11: string; dueMsat: bigint }> {
  const playerId = await test.addPlayer()
  const wanted = { playerId, gameKey: 'bitcoin-hero', days: [4], weeks: 1, tickets: TICKETS, idempotencyKey: null }
  const { orderId } = await createOrder(test.lottery.orders, wanted)
  await openInvoice(payments(), orderId)
  const { lightning: invoice } = await checkoutOf(payments(), orderId)
  return { orderId, bolt11: invoice?.bolt11 ?? '', dueMsat: (await moneyOf(payments(), orderId)).dueSats * 1000n }
}

async function settle(): Promise<void> {
  await followProvider(payments())
  await test.lottery.queue.runDue()
}

it('an order is paid over lnd, and what the node holds is what the ledger says', async () => {
  await takeLightning()
  const before = await balanceOf(test.db, lightning)
  const { orderId, bolt11, dueMsat } = await order()
  expect(fake.ledger.payIn(bolt11, dueMsat)).toBe(true)
  await settle()
  expect(await statusOf(orderId)).toBe('PAID')
  expect((await balanceOf(test.db, lightning)) - before).toBe(dueMsat / 1000n)
  expect((await balanceOf(test.db, lightning)) * 1000n).toBe(
    (await test.lottery.lightning?.node.liquidity())?.oursMsat ?? 0n,
  )
})

it('what the node took before it was accepted is booked once, and what it takes while we are away is found', async () => {
  for (const name of ['a', 'b']) {
    const preimage = createHash('sha256').update(name).digest()
    const { bolt11 } = fake.ledger.addInvoice({ preimage, memo: '', valueMsat: 7_000_000n, expirySeconds: 600 })
    fake.ledger.payIn(bolt11, 7_000_000n)
  }
  await takeLightning()
  await settle()
  const held = await balanceOf(test.db, lightning)
  expect(await balanceOf(test.db, suspense)).toBe(held)
  const one = await order()
  await test.restart({ bitcoin: TEST_BITCOIN })
  fake.ledger.payIn(one.bolt11, one.dueMsat * 2n)
  await takeLightning()
  await settle()
  expect(await statusOf(one.orderId)).toBe('PAID')
  expect((await balanceOf(test.db, lightning)) - held).toBe((one.dueMsat * 2n) / 1000n)
})

it('the first output on the chain cancels the invoice at the node, and an expired one is refused', async () => {
  await takeLightning()
  const { orderId, bolt11, dueMsat } = await order()
  const { address } = await checkoutOf(payments(), orderId)
  const chain = test.lottery.bitcoin.testChain
  await chain?.payIn({ address: address ?? '', sats: dueMsat / 2000n, minedConfirmations: 1 })
  await refreshPayments(payments(), orderId)
  await test.lottery.queue.runDue()
  expect(await statusOf(orderId)).toBe('UNDERPAID')
  expect(fake.ledger.payIn(bolt11, dueMsat)).toBe(false)
  const late = await order()
  await test.moveTo(test.runtime.clock.now() + 3600)
  expect(fake.ledger.payIn(late.bolt11, late.dueMsat)).toBe(false)
})

it('what the node earns and pays to the chain is booked as it grows', async () => {
  await takeLightning()
  const before = await balanceOf(test.db, lightning)
  fake.instead.set('GET /v1/transactions', () => ({ transactions: [{ tx_hash: 'aa', total_fees: '1540' }] }))
  const events = [[{ fee_msat: '40000' }, { fee_msat: '2500' }]]
  fake.instead.set('POST /v1/switch', () => ({ forwarding_events: events.pop() ?? [], last_offset_index: 2 }))
  await bookLightningFees(test.lottery.treasury)
  expect((await balanceOf(test.db, lightning)) - before).toBe(42n - 1540n)
})
