import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { TEST_BITCOIN, testLottery, type TestLottery } from '../../../test/lottery.ts'
import { chooseLightning, type Lightning } from '../../ports/lightning/choose.ts'
import { type LightningNode, NodeRefused, NodeSilent } from '../../ports/lightning/lightning-node.ts'
import { NodeWatch } from '../../ports/lightning/node-watch.ts'
import { findViolations } from '../invariants/service.ts'
import { lightning, suspense } from '../ledger/accounts.ts'
import { balanceOf } from '../ledger/service.ts'
import { createOrder } from '../orders/service.ts'
import { checkoutOf, followProvider, moneyOf, openInvoice, refreshPayments } from './service.ts'

const BITCOIN = { ...TEST_BITCOIN, lightning: 'test' } as const
const TICKETS = [{ numbers: [1, 2, 3, 4, 5], isLuckyDip: false }]
const NOTHING: Partial<LightningNode> = {}

let test: TestLottery
/** Takes the place of what the node does, until it is emptied. */
let instead: Partial<LightningNode> = NOTHING

beforeEach(async () => {
  instead = NOTHING
  test = await testLottery()
  await test.restart(changes())
})

/** The demo's node, of which a test changes what it likes. */
const changes = () => ({
  bitcoin: BITCOIN,
  chooseLightning: (async (deps) => {
    const made = await chooseLightning(deps)
    if (made?.test == null) return made
    const real: Lightning['node'] = made.test
    const node = new Proxy(real, {
      get: (target, name) => Reflect.get(instead, name) ?? bound(target, name),
    })
    return {
      ...made,
      node,
      watch: new NodeWatch({ db: deps.db, runtime: deps.runtime, node, chainHeight: async () => null }),
    }
  }) satisfies typeof chooseLightning,
})

function bound(target: object, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name)
  return typeof value === 'function' ? value.bind(target) : value
}

const node = () => {
  const { test: made } = test.lottery.lightning ?? { test: null }
  if (made === null) throw new Error('this lottery has no test node')
  return made
}
const payments = () => test.lottery.payments

async function order(): Promise<string> {
  const playerId = await test.addPlayer()
  const wanted = { playerId, gameKey: 'bitcoin-hero', days: [4, 5], weeks: 1, tickets: TICKETS, idempotencyKey: null }
  const { orderId } = await createOrder(test.lottery.orders, wanted)
  await openInvoice(payments(), orderId)
  return orderId
}

const shownOf = async (orderId: string) => {
  const { lightning: invoice } = await checkoutOf(payments(), orderId)
  if (invoice === null) throw new Error('this order has no Lightning invoice')
  return invoice
}
const dueMsat = async (orderId: string): Promise<bigint> => (await moneyOf(payments(), orderId)).dueSats * 1000n
const statusOf = async (orderId: string): Promise<string> => (await moneyOf(payments(), orderId)).status
const assertSound = async (): Promise<void> => {
  expect(await findViolations(test.db)).toEqual([])
  expect(await test.violations()).toEqual([])
}

describe('a Lightning invoice', () => {
  it('an invoice whose answer was lost is the same one when it is asked for again', async () => {
    instead = {
      async createInvoice(request) {
        await node().createInvoice(request)
        throw new NodeSilent('the answer is lost')
      },
    }
    const orderId = await order()
    expect(await shownOf(orderId)).toMatchObject({ state: 'unavailable', bolt11: null })
    instead = NOTHING
    const { bolt11, state, payment_hash: hash } = await shownOf(orderId)
    expect([state, (await node().invoice(hash)).state]).toEqual(['open', 'open'])
    // A process that died in between, and another that asks at the same moment, find the same one.
    await test.restart(changes())
    const again = await Promise.all([shownOf(orderId), shownOf(orderId), openInvoice(payments(), orderId)])
    expect(again.slice(0, 2)).toMatchObject([{ bolt11 }, { bolt11 }])
    const [{ made } = { made: 0 }] = await test.rows(`select count(*)::int as made from test_ln_invoices`)
    expect(made).toBe(1)
  })

  it.each([
    ['of another amount', { amountMsat: 1n }],
    ['of another hash', { preimage: new Uint8Array(32).fill(1) }],
    ['that ends too late', { expirySeconds: 86_400 }],
  ])('an invoice %s is not shown', async (_what, other) => {
    instead = { createInvoice: (request) => node().createInvoice({ ...request, ...other }) }
    expect(await shownOf(await order())).toMatchObject({ state: 'unavailable', bolt11: null })
    expect(test.runtime.logged).toContainEqual(expect.objectContaining({ msg: 'the Lightning node made no invoice' }))
  })

  it('an order is paid on the chain alone while the node lacks room, is not synced, or is another one', async () => {
    const info = await node().info()
    const liquidity = await node().liquidity()
    for (const unfit of [
      { liquidity: async () => ({ ...liquidity, receivableMsat: 1_000_000n }) },
      { info: async () => ({ ...info, isSynced: false }) },
      { info: async () => ({ ...info, activeChannels: 0 }) },
      { info: async () => ({ ...info, nodeId: `02${'ab'.repeat(32)}` }) },
    ] satisfies Partial<LightningNode>[]) {
      instead = NOTHING
      await test.takeOver(changes()) // what it knew of the node is forgotten
      instead = unfit
      const orderId = await order()
      const [{ promise } = { promise: '' }] = await test.rows<{ promise: string }>(
        `select promise from orders where id = $1`,
        [orderId],
      )
      expect(promise).not.toContain('lightning')
      expect(await shownOf(orderId)).toMatchObject({ state: 'unavailable', bolt11: null })
    }
  })

  it('a payment at the moment the invoice is closed counts, and what is too much goes back', async () => {
    const orderId = await order()
    const { payment_hash: hash } = await shownOf(orderId)
    const { address, dueSats } = await moneyOf(payments(), orderId)
    await test.lottery.chain.payIn({ address: address ?? '', sats: dueSats, minedConfirmations: 1 })
    // The wallet pays after the order was closed here and before the node hears of it.
    instead = {
      async closeInvoice(closed) {
        await node().payIn(hash, await dueMsat(orderId))
        return await node().closeInvoice(closed)
      },
      invoice: async () => ({ state: 'open' }),
    }
    expect(await refreshPayments(payments(), orderId)).toBe('PAID')
    instead = { ...instead, invoice: (asked) => node().invoice(asked) }
    await test.lottery.queue.runDue()
    const [{ excess } = { excess: '0' }] = await test.rows<{ excess: string }>(
      `select coalesce(sum(sats), 0) as excess from payables where order_id = $1 and kind = 'excess'`,
      [orderId],
    )
    expect(BigInt(excess)).toBe(dueSats)
    await assertSound()
  })

  it('a close that the node does not answer is tried again', async () => {
    const orderId = await order()
    const { payment_hash: hash } = await shownOf(orderId)
    const { address } = await moneyOf(payments(), orderId)
    await test.lottery.chain.payIn({ address: address ?? '', sats: 1n, minedConfirmations: 0 })
    await node().setMode('down')
    await refreshPayments(payments(), orderId)
    await test.lottery.queue.runDue()
    await node().setMode('ok')
    expect((await node().invoice(hash)).state).toBe('open')
    await test.moveTo(test.runtime.clock.now() + 120)
    expect((await node().invoice(hash)).state).toBe('unknown')
    expect((await shownOf(orderId)).state).toBe('closed')
  })
})

describe('payments that arrived while nobody looked', () => {
  it('what was paid is found by following the node, once, however many follow', async () => {
    const orders = await Promise.all(Array.from({ length: 5 }, order))
    for (const orderId of orders) await node().payIn((await shownOf(orderId)).payment_hash, await dueMsat(orderId))
    await test.restart(changes())
    await Promise.all([followProvider(payments()), followProvider(payments()), followProvider(payments())])
    await followProvider(payments())
    await test.lottery.queue.runDue()
    expect(await Promise.all(orders.map(statusOf))).toEqual(orders.map(() => 'PAID'))
    await assertSound()
  })

  it('a payment in time that is found after the close is judged by when it was paid', async () => {
    const orderId = await order()
    await node().payIn((await shownOf(orderId)).payment_hash, await dueMsat(orderId))
    await node().setMode('down')
    await test.moveTo(test.runtime.clock.now() + 2 * 86_400)
    expect(await statusOf(orderId)).toBe('EXPIRED')
    await node().setMode('ok')
    await followProvider(payments())
    await test.lottery.queue.runDue()
    expect(['PAID', 'REFUNDED']).toContain(await statusOf(orderId))
    await assertSound()
  })

  it('another node that the operator accepted is followed from its first payment on', async () => {
    const orderId = await order()
    await node().payIn((await shownOf(orderId)).payment_hash, await dueMsat(orderId))
    await followProvider(payments())
    const cursors: (string | null)[] = []
    instead = {
      settledSince: async (cursor) => {
        cursors.push(cursor)
        return await node().settledSince(cursor)
      },
    }
    await followProvider(payments())
    await test.rows(`update lightning_node set node_id = $1`, [`03${'cd'.repeat(32)}`])
    await test.takeOver(changes())
    await followProvider(payments())
    expect(cursors).toEqual(['1', null])
    await test.lottery.queue.runDue()
    expect(await statusOf(orderId)).toBe('PAID')
    await assertSound()
  })

  it('a payment of no order is in suspense, once, and told', async () => {
    const preimage = new Uint8Array(32).fill(3)
    const hash = createHash('sha256').update(preimage).digest('hex')
    const request = { label: 'by hand', preimage, amountMsat: 7_001_999n, description: '', expirySeconds: 600 }
    await node().createInvoice(request)
    await node().payIn(hash, request.amountMsat)
    const before = await balanceOf(test.db, lightning)
    await followProvider(payments())
    await test.restart(changes())
    await test.rows(`delete from provider_cursors`)
    await followProvider(payments())
    expect((await balanceOf(test.db, lightning)) - before).toBe(7001n)
    expect(await balanceOf(test.db, suspense)).toBe(7001n)
    expect(test.runtime.logged).toContainEqual(
      expect.objectContaining({ msg: 'money arrived that belongs to no order' }),
    )
    await assertSound()
  })

  it('while the node is away the chain is followed on, and what it took meanwhile is found once it is back', async () => {
    const orderId = await order()
    await node().payIn((await shownOf(orderId)).payment_hash, await dueMsat(orderId))
    const asked: (string | null)[] = []
    const { bitcoin } = test.lottery
    const follow = async (from: string | null) => {
      asked.push(from)
      return { cursor: `block ${asked.length}`, refs: [], unknown: [] }
    }
    await test.restart({
      ...changes(),
      chooseBitcoin: async () => ({ ...bitcoin, provider: { ...bitcoin.provider, follow } }),
    })
    await node().setMode('down')
    await followProvider(payments())
    await followProvider(payments())
    expect(asked).toEqual([null, 'block 1'])
    expect(await statusOf(orderId)).toBe('PENDING')
    await node().setMode('ok')
    await followProvider(payments())
    await test.lottery.queue.runDue()
    expect([asked.at(-1), await statusOf(orderId)]).toEqual(['block 2', 'PAID'])
    await assertSound()
  })

  it('after Lightning was taken, its cursor is read as the chain’s', async () => {
    await followProvider(payments())
    const [{ cursor } = { cursor: '' }] = await test.rows<{ cursor: string }>(`select cursor from provider_cursors`)
    expect(JSON.parse(cursor)).toEqual({ chain: null, ln: '0', node: (await node().info()).nodeId })
    await test.restart({ bitcoin: TEST_BITCOIN })
    const asked: (string | null)[] = []
    const { provider } = test.lottery.bitcoin
    expect(provider.follow).toBeUndefined()
    await test.restart({
      bitcoin: TEST_BITCOIN,
      chooseBitcoin: async () => ({
        ...test.lottery.bitcoin,
        provider: {
          ...provider,
          follow: async (from) => {
            asked.push(from)
            return { cursor: 'next', refs: [], unknown: [] }
          },
        },
      }),
    })
    await followProvider(payments())
    expect(asked).toEqual([null])
  })
})

describe('a start', () => {
  it.each([
    ['does not answer', { info: () => Promise.reject(new NodeSilent('no socket')) }, /cannot be used: no socket/],
    ['refuses', { info: () => Promise.reject(new NodeRefused('no rights', 19537)) }, /cannot be used: no rights/],
  ] satisfies [string, Partial<LightningNode>, RegExp][])(
    'a start fails if the node %s',
    async (_what, unfit, message) => {
      instead = unfit
      await expect(test.restart(changes())).rejects.toThrow(message)
    },
  )

  it('a start fails on a node of another network, and on another node than before until it is accepted', async () => {
    const info = await node().info()
    instead = { info: async () => ({ ...info, network: 'signet' }) }
    await expect(test.restart(changes())).rejects.toThrow(
      'The Lightning node is on signet, and BITCOIN_NETWORK is regtest.',
    )
    const nodeId = `02${'ef'.repeat(32)}`
    instead = { info: async () => ({ ...info, nodeId }) }
    await expect(test.restart(changes())).rejects.toThrow(`operator -- lightning-accept-node ${nodeId}`)
    await test.rows(`update lightning_node set node_id = $1`, [nodeId])
    await test.restart(changes())
  })

  it('a start continues with a node that has not read the chain, or has no channel', async () => {
    const info = await node().info()
    instead = { info: async () => ({ ...info, isSynced: false, activeChannels: 0 }) }
    await test.restart(changes())
  })
})
