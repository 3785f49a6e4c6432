import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { INVOICE_SECONDS } from '@fairball/domain/order-status'
import { createBitcoinCoreProvider } from '../../src/ports/payment-provider/bitcoin-core.ts'
import { monotonicTime } from '../../src/runtime/system-runtime.ts'
import { startNode, type TestNode } from './node.ts'
import { minerAddress } from './payer.ts'
import { fundHotWallet, type Whole, type WholePlayer, wholeProgram } from './whole.ts'

const HOUR = 3_600
const DAY = 24 * HOUR
const LINE = [1, 2, 3, 4, 5]
/** The calls of a check of an order. */
const LOOK = 'listreceivedbyaddress'
/** What waits is checked every ten minutes, in addition to the program's own milestones. */
const MAX_LOOKS_A_DAY = 180
const SATURDAY = 6

let node: TestNode
let whole: Whole
let player: WholePlayer

beforeAll(async () => {
  node = await startNode({ args: ['-mempoolexpiry=1'] })
  await fundHotWallet(node)
  whole = await wholeProgram({ node })
  player = await whole.signUp()
})
afterAll(async () => {
  await whole?.end()
  await node?.stop()
})
afterEach(async () => {
  expect(await whole.problems()).toEqual([])
})

/** An order for days ahead. */
async function buys() {
  const order = await whole.order(await whole.logIn(player), { lines: [LINE], days: [SATURDAY] })
  return { ...order, status: () => whole.statusOf(order), expiresAt: whole.clock.now() + INVOICE_SECONDS }
}

/** Does something by a clock of the node's that is hours ahead. */
async function inHours(hours: number, work: () => Promise<unknown>): Promise<void> {
  const { time } = await node.call<{ time: number }>('getblockchaininfo')
  await node.call('setmocktime', { timestamp: time + hours * HOUR })
  await work()
  await node.call('setmocktime', { timestamp: 0 })
}

async function seenAt(orderId: string): Promise<number> {
  const { seen_at } = await whole.row<{ seen_at: string }>('select seen_at from payments where order_id = $1', [
    orderId,
  ])
  return Number(seen_at)
}

describe('the demo’s clock over a real chain', () => {
  it('the demo has no test wallet to pay from or to view', async () => {
    const order = await buys()
    const body = { transaction_id: order.id }
    expect((await whole.call('POST', '/dev/pay', { body })).status).toBe(404)
    expect((await whole.call('GET', '/dev/wallet')).status).toBe(404)
    expect((await whole.call('GET', '/dev/clock')).status).toBe(200)
    expect((await whole.call('GET', '/dev/mail')).status).toBe(200)
    const { body: checkout } = await whole.call('GET', `/checkout/${order.id}`)
    expect(checkout).toMatchObject({ address: order.address, status: 'PENDING' })
  })

  it('a payment that the node saw before a jump over the expiry counts as in time', async () => {
    const order = await buys()
    await node.pay(order.address, order.due)
    await whole.moveTo(order.expiresAt + HOUR)
    expect(await seenAt(order.id)).toBeLessThanOrEqual(order.expiresAt)
    expect(await order.status()).toBe('PROCESSING')
    await node.mine(1)
    await whole.look()
    expect(await order.status()).toBe('PAID')
  })

  it('a payment after the jump is late by the clock that was moved', async () => {
    const order = await buys()
    await whole.moveTo(order.expiresAt + HOUR)
    expect(await order.status()).toBe('EXPIRED')
    await node.pay(order.address, order.due)
    await whole.look()
    expect(await seenAt(order.id)).toBeGreaterThanOrEqual(order.expiresAt + HOUR - 1)
    expect(await order.status()).toBe('EXPIRED')
    await node.mine(1)
    await whole.look()
    expect(await order.status()).toBe('PAID')
  })

  it('the demo passes through a day without asking the node about every minute of it', async () => {
    const order = await buys()
    await node.pay(order.address, order.due)
    await whole.look()
    expect(await order.status()).toBe('PROCESSING')
    await node.mine(6) // what counts already is final and does not interfere
    await whole.look()
    const waiting = await buys()
    await node.pay(waiting.address, waiting.due)
    await whole.look()
    const before = whole.asked.get(LOOK) ?? 0
    await whole.moveTo(whole.clock.now() + DAY)
    expect((whole.asked.get(LOOK) ?? 0) - before).toBeLessThan(MAX_LOOKS_A_DAY)
    expect(await waiting.status()).toBe('EXPIRED')
    await node.mine(6)
    await whole.look()
    expect(await waiting.status()).toBe('PAID') // late, and its draws are still open
  })

  it('the demo learns without a jump that a payment left the mempool on its own', async () => {
    const order = await buys()
    await node.pay(order.address, order.due)
    await whole.look()
    expect(await order.status()).toBe('PROCESSING')
    await inHours(3, async () => {
      await node.pay(await minerAddress(node), 10_000n) // removes what is too old
      await whole.look()
      expect(await order.status()).toBe('PENDING')
    })
    await whole.moveTo(order.expiresAt)
    expect(await order.status()).toBe('EXPIRED')
  })

  it('the demo finds payments of the days it was ahead, after the node’s wallet was lost', async () => {
    await whole.moveTo(whole.clock.now() + DAY)
    const order = await buys()
    await node.pay(order.address, order.due)
    await node.mine(1)
    // The node always reads the last two hours again.
    await inHours(3, () => node.mine(1))
    const provider = createBitcoinCoreProvider({
      db: whole.db,
      runtime: { clock: whole.clock, monotonic: monotonicTime },
      node: node.node,
      network: 'regtest',
      xpub: whole.config.bitcoinXpub ?? '',
      wallet: 'made-anew',
      publicUrl: whole.config.publicUrl,
    })
    expect((await provider.get(order.address)).outputs).toMatchObject([{ sats: order.due, confirmations: 2 }])
    await whole.look()
    expect(await order.status()).toBe('PAID')
  })

  it('no version with a higher fee is made because of a jump, in which no block can come', async () => {
    const order = await buys()
    await node.pay(order.address, order.due + 50_000n)
    await node.mine(1)
    await whole.look()
    const sent = () => whole.rows<{ state: string }>(`select state from payout_batches where state = 'SENT'`)
    expect(await sent()).toHaveLength(1)
    await whole.moveTo(whole.clock.now() + 6 * HOUR)
    const versions = await whole.rows('select version, fee_sats from payout_txs')
    expect(await sent()).toHaveLength(1)
    expect(versions).toHaveLength(1)
    await whole.finishPayouts()
  })
})
