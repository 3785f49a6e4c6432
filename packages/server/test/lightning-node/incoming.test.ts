import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findViolations } from '../../src/modules/invariants/service.ts'
import { lightning, suspense } from '../../src/modules/ledger/accounts.ts'
import { balanceOf } from '../../src/modules/ledger/service.ts'
import { createOrder } from '../../src/modules/orders/service.ts'
import {
  checkoutOf,
  followProvider,
  moneyOf,
  openInvoice,
  refreshPayments,
} from '../../src/modules/payments/service.ts'
import { chooseLightning } from '../../src/ports/lightning/choose.ts'
import { monotonicTime, systemRuntime } from '../../src/runtime/system-runtime.ts'
import { seededRandom } from '../../src/runtime/test-runtime.ts'
import { TEST_BITCOIN, testLottery, type TestLottery } from '../lottery.ts'
import { waitUntil } from '../bitcoin/node.ts'
import { type LightningNetwork, sendAmount, startNetwork } from './nodes.ts'

const TICKETS = [{ numbers: [1, 2, 3, 4, 5], isLuckyDip: false }]
const WEEK = [1, 2, 3, 4, 5, 6, 7]
/** From the end of a payment until its order is PAID, in ms. */
const PAID_WITHIN_MS = 2_000
/** Kills around a settlement, and the longest delay before one, in ms. */
const KILLS = 6
const KILLED_WITHIN_MS = 120
const RACES = 8
const { clock } = systemRuntime({ logLevel: 'silent', secrets: [] })

let network: LightningNetwork
let lotteries = 0
beforeAll(async () => {
  network = await startNetwork()
})
afterAll(() => network.stop())

/** Pays an invoice as a wallet does. @returns whether it was paid */
async function pay(bolt11: string): Promise<boolean> {
  return await network.payer.call('xpay', { invstring: bolt11, retry_for: 10 }).then(
    () => true,
    () => false,
  )
}

/** Sends an amount that the invoice may not ask for. @returns whether the operator's node took it */
async function payExactly(bolt11: string, msat: bigint): Promise<boolean> {
  return (await (await sendAmount(network, 'payer', bolt11, { msat })).ended()) === 'complete'
}

/** What the payer's node says of a payment. */
async function paymentOf(hash: string): Promise<string | undefined> {
  const { payments } = await network.payer.call<{ payments: { status: string }[] }>('listsendpays', {
    payment_hash: hash,
  })
  return payments.find(({ status }) => status !== 'failed')?.status ?? payments[0]?.status
}

/** A lottery that takes Lightning at the operator's node, at the real time. */
async function lotteryOnNode() {
  lotteries += 1
  // All share a node, which knows invoices by their orders.
  const test = await testLottery({ startAt: clock.now(), random: seededRandom(`lightning ${lotteries}`) })
  const bitcoin = { ...TEST_BITCOIN, lightning: 'cln', clnRpcFile: network.operator.file } as const
  // The demo's wallet is on a chain of its own: it says nothing of the node's height.
  await test.restart({
    bitcoin,
    // The node is at the real time, so the lottery is too.
    runtime: { ...test.runtime, clock, readDatabaseClock: (toldMs) => toldMs },
    chooseLightning: (deps) => chooseLightning({ ...deps, chainHeight: async () => null }),
  })
  return { test, bitcoin, ...controlsOf(test) }
}

/** Whether an order can be paid over Lightning now. */
async function isOffered(test: TestLottery, orderId: string): Promise<boolean> {
  return (await checkoutOf(test.lottery.payments, orderId)).lightning?.state === 'open'
}

function controlsOf(test: TestLottery) {
  const payments = () => test.lottery.payments
  const shown = async (orderId: string) => {
    const { lightning: invoice } = await checkoutOf(payments(), orderId)
    if (invoice?.bolt11 == null) throw new Error(`order ${orderId} has no invoice: ${invoice?.state}`)
    return { ...invoice, bolt11: invoice.bolt11 }
  }
  return {
    shown,
    async order(): Promise<string> {
      const playerId = await test.addPlayer()
      const wanted = { playerId, gameKey: 'bitcoin-hero', days: WEEK, weeks: 1, tickets: TICKETS, idempotencyKey: null }
      const { orderId } = await createOrder(test.lottery.orders, wanted)
      await openInvoice(payments(), orderId)
      return orderId
    },
    /** Finds what was paid as a worker does. */
    async settle(): Promise<void> {
      await followProvider(payments())
      await test.lottery.queue.runDue()
    },
    statusOf: async (orderId: string) => (await moneyOf(payments(), orderId)).status,
    dueMsat: async (orderId: string) => (await moneyOf(payments(), orderId)).dueSats * 1000n,
    async assertSound(): Promise<void> {
      expect(await findViolations(test.db)).toEqual([])
      expect(await test.violations()).toEqual([])
    },
  }
}

it('an order is PAID within two seconds of its payment', async () => {
  const { test, order, shown, statusOf, settle, assertSound } = await lotteryOnNode()
  const orderId = await order()
  const { bolt11, payment_hash: hash } = await shown(orderId)
  const { node } = test.lottery.lightning ?? {}
  const { cursor } = (await node?.settledSince(null)) ?? { cursor: null }
  const heard = node?.waitSettled(cursor, new AbortController().signal)
  expect(await pay(bolt11)).toBe(true)
  const startedMs = monotonicTime.nowMs()
  await heard
  await settle()
  expect(await statusOf(orderId)).toBe('PAID')
  expect(monotonicTime.nowMs() - startedMs).toBeLessThan(PAID_WITHIN_MS)
  expect((await checkoutOf(test.lottery.payments, orderId)).lightning).toMatchObject({
    state: 'paid',
    payment_hash: hash,
  })
  await assertSound()
})

it('a thousandth of a satoshi less is refused, twice the amount is taken, and a little more is not', async () => {
  const { test, order, shown, dueMsat, statusOf, settle, assertSound } = await lotteryOnNode()
  const orderId = await order()
  const { bolt11 } = await shown(orderId)
  const due = await dueMsat(orderId)
  expect(await payExactly(bolt11, due - 1n)).toBe(false)
  expect(await payExactly(bolt11, (due * 21n) / 10n)).toBe(false)
  await settle()
  expect(await statusOf(orderId)).toBe('PENDING')
  expect(await payExactly(bolt11, due * 2n)).toBe(true)
  await settle()
  expect(await statusOf(orderId)).toBe('PAID')
  const [row] = await test.rows<{ sats: string }>(`select sum(sats) as sats from payables where kind = 'excess'`)
  expect(BigInt(row?.sats ?? 0) * 1000n).toBe(due)
  await assertSound()
})

it('two halves of two payers are one payment', async () => {
  const { order, shown, dueMsat, statusOf, settle, assertSound } = await lotteryOnNode()
  const orderId = await order()
  const { bolt11 } = await shown(orderId)
  const due = await dueMsat(orderId)
  const first = await sendAmount(network, 'payer', bolt11, { msat: due / 2n, totalMsat: due })
  await settle()
  expect(await statusOf(orderId)).toBe('PENDING')
  const second = await sendAmount(network, 'router', bolt11, { msat: due - due / 2n, totalMsat: due })
  expect(await Promise.all([first.ended(), second.ended()])).toEqual(['complete', 'complete'])
  await settle()
  expect(await statusOf(orderId)).toBe('PAID')
  await assertSound()
})

it('the first output on the chain closes the invoice at the node', async () => {
  const { test, order, shown, statusOf, assertSound } = await lotteryOnNode()
  const orderId = await order()
  const { bolt11 } = await shown(orderId)
  const { address, dueSats } = await moneyOf(test.lottery.payments, orderId)
  await test.lottery.chain.payIn({ address: address ?? '', sats: dueSats / 2n, minedConfirmations: 1 })
  await refreshPayments(test.lottery.payments, orderId)
  await test.lottery.queue.runDue()
  expect(await pay(bolt11)).toBe(false)
  await test.lottery.chain.payIn({ address: address ?? '', sats: dueSats - dueSats / 2n, minedConfirmations: 1 })
  expect(await refreshPayments(test.lottery.payments, orderId)).toBe('PAID')
  expect(await statusOf(orderId)).toBe('PAID')
  await assertSound()
})

it('an order that is paid both ways is played once, and what came second goes back', async () => {
  const { test, order, shown, settle, dueMsat, assertSound } = await lotteryOnNode()
  const orderId = await order()
  const { bolt11 } = await shown(orderId)
  const { address, dueSats } = await moneyOf(test.lottery.payments, orderId)
  expect(await pay(bolt11)).toBe(true)
  await test.lottery.chain.payIn({ address: address ?? '', sats: dueSats, minedConfirmations: 1 })
  await settle()
  await refreshPayments(test.lottery.payments, orderId)
  const [row] = await test.rows<{ sats: string; plays: number }>(
    `select (select sum(sats) from payables where kind = 'excess') as sats, (select count(*)::int from plays) as plays`,
  )
  expect([BigInt(row?.sats ?? 0) * 1000n, row?.plays]).toEqual([await dueMsat(orderId), WEEK.length])
  await assertSound()
})

it(`a payment and a close at the same moment have one outcome, in ${RACES} races`, async () => {
  const { test, order, shown, statusOf, settle, assertSound } = await lotteryOnNode()
  for (let race = 0; race < RACES; race += 1) {
    const orderId = await order()
    const { bolt11, payment_hash: hash } = await shown(orderId)
    const paying = pay(bolt11)
    await monotonicTime.sleep(race * 4)
    const closed = await test.lottery.lightning?.node.closeInvoice(hash)
    const isPaid = await paying
    expect([isPaid, closed]).toEqual([isPaid, isPaid ? 'paid' : 'closed'])
    await settle()
    expect(await statusOf(orderId)).toBe(isPaid ? 'PAID' : 'PENDING')
  }
  await assertSound()
})

it(`what the payer paid counts once, when the node is killed around the settlement ${KILLS} times`, async () => {
  const { test, order, shown, statusOf, settle, assertSound } = await lotteryOnNode()
  for (let kill = 0; kill < KILLS; kill += 1) {
    const orderId = await order()
    // A node that has just started makes none for a moment.
    await waitUntil('the invoice is there', async () => await isOffered(test, orderId))
    const { bolt11, payment_hash: hash } = await shown(orderId)
    const paying = pay(bolt11)
    await monotonicTime.sleep((kill * KILLED_WITHIN_MS) / KILLS)
    await network.operator.kill9()
    await settle() // nobody answers, and nothing breaks
    await network.operator.restart()
    const isPaid = await paying
    await waitUntil('the payment has ended', async () => (await paymentOf(hash)) !== 'pending')
    const hasPaid = isPaid || (await paymentOf(hash)) === 'complete'
    if (hasPaid) await waitUntil('the node knows it', async () => await knowsPaid(hash))
    await settle()
    expect([kill, await statusOf(orderId)]).toEqual([kill, hasPaid ? 'PAID' : 'PENDING'])
  }
  await assertSound()

  async function knowsPaid(hash: string): Promise<boolean> {
    const { invoices } = await network.operator.call<{ invoices: { status: string }[] }>('listinvoices', {
      payment_hash: hash,
    })
    return invoices[0]?.status === 'paid'
  }
})

it('a frozen node delays no order for long, and the invoice is there once it continues', async () => {
  const { test, order, shown } = await lotteryOnNode()
  await shown(await order()) // it is known to work
  network.operator.signal('SIGSTOP')
  const startedMs = monotonicTime.nowMs()
  const orderId = await order()
  expect(monotonicTime.nowMs() - startedMs).toBeLessThan(5_000)
  expect((await checkoutOf(test.lottery.payments, orderId)).lightning?.state).toBe('unavailable')
  network.operator.signal('SIGCONT')
  await waitUntil('the invoice is there', async () => await isOffered(test, orderId))
  const { payment_hash: hash } = await shown(orderId)
  const made = await network.operator.call<{ invoices: object[] }>('listinvoices', { label: orderId })
  expect(made.invoices).toMatchObject([{ payment_hash: hash }])
})

it('a payment that the node reports again counts once', async () => {
  const { test, order, shown, statusOf, settle, assertSound } = await lotteryOnNode()
  const [beginning] = await test.rows<{ cursor: string }>(`select cursor from provider_cursors`)
  const orderId = await order()
  expect(await pay((await shown(orderId)).bolt11)).toBe(true)
  await settle()
  const before = await balanceOf(test.db, lightning)
  await test.rows(`update provider_cursors set cursor = $1`, [beginning?.cursor])
  await settle()
  await settle()
  expect([await balanceOf(test.db, lightning), await statusOf(orderId)]).toEqual([before, 'PAID'])
  await assertSound()
})

it('money that nobody asked for is in suspense: an invoice made by hand, and a payment without an invoice', async () => {
  const { test, settle, assertSound } = await lotteryOnNode()
  const before = await balanceOf(test.db, suspense)
  const byHand = { amount_msat: '7001999', label: `by hand ${clock.now()}`, description: '' }
  const { bolt11 } = await network.operator.call<{ bolt11: string }>('invoice', byHand)
  expect(await pay(bolt11)).toBe(true)
  const { id } = await network.operator.call<{ id: string }>('getinfo')
  await network.payer.call('xkeysend', { destination: id, amount_msat: '5000000' })
  await settle()
  await settle()
  expect((await balanceOf(test.db, suspense)) - before).toBe(12_001n)
  await assertSound()
})

it('a start refuses another node until the operator accepts it', async () => {
  const { test, bitcoin } = await lotteryOnNode()
  const other = { ...bitcoin, clnRpcFile: network.payer.file }
  const { id } = await network.payer.call<{ id: string }>('getinfo')
  await expect(test.restart({ bitcoin: other })).rejects.toThrow(`lightning-accept-node ${id}`)
  await test.rows(`update lightning_node set node_id = $1`, [id])
  await test.restart({ bitcoin: other })
})

it('preimages follow from the key of the installation, and the node knows them by their hash', async () => {
  const { order, shown } = await lotteryOnNode()
  const orderId = await order()
  const { bolt11, payment_hash: hash } = await shown(orderId)
  expect(await pay(bolt11)).toBe(true)
  const { invoices } = await network.operator.call<{ invoices: { payment_preimage: string }[] }>('listinvoices', {
    label: orderId,
  })
  const preimage = Buffer.from(invoices[0]?.payment_preimage ?? '', 'hex')
  expect(createHash('sha256').update(preimage).digest('hex')).toBe(hash)
})

it('what the node held when it was first asked is in suspense, and nothing that it was paid before counts again', async () => {
  const { test, settle, assertSound } = await lotteryOnNode()
  await settle()
  const { node } = test.lottery.lightning ?? expect.fail('this lottery takes Lightning')
  const { oursMsat } = await node.liquidity()
  expect(oursMsat).toBeGreaterThan(0n)
  expect(await balanceOf(test.db, lightning)).toBe(oursMsat / 1000n)
  expect(await balanceOf(test.db, suspense)).toBe(oursMsat / 1000n)
  await assertSound()
})

it('while the node is away new orders are paid on the chain alone, and older ones can be', async () => {
  const { test, order, shown, statusOf, assertSound } = await lotteryOnNode()
  const older = await order()
  await shown(older)
  await network.operator.kill9()
  const newer = await order()
  for (const orderId of [older, newer]) {
    const { address, dueSats } = await moneyOf(test.lottery.payments, orderId)
    await test.lottery.chain.payIn({ address: address ?? '', sats: dueSats, minedConfirmations: 1 })
    await refreshPayments(test.lottery.payments, orderId)
    expect(await statusOf(orderId)).toBe('PAID')
  }
  await network.operator.restart()
  await test.lottery.queue.runDue()
  await assertSound()
})
