import { randomBytes } from 'node:crypto'
import { Transaction } from '@scure/btc-signer'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import {
  bankroll,
  losses,
  received,
  stakesHeld,
  suspense,
  wallet,
  winnings,
} from '../../src/modules/ledger/accounts.ts'
import { balanceOf, ledgerViolations } from '../../src/modules/ledger/service.ts'
import { paymentCommands } from '../../src/modules/operator/payment-commands.ts'
import { depositBankroll } from '../../src/modules/operator/treasury-actions.ts'
import { MISSING_SECONDS } from '../../src/modules/payments/order-payments.ts'
import {
  checkoutOf,
  followProvider,
  moneyOf,
  openInvoice,
  paymentsContext,
  type PaymentsContext,
  refreshPayments,
} from '../../src/modules/payments/service.ts'
import { NodeUnreachable, satsOfBtc } from '../../src/ports/bitcoin-node/rpc.ts'
import { parseAccountKey } from '../../src/ports/payment-provider/account-key.ts'
import { createBitcoinCoreProvider } from '../../src/ports/payment-provider/bitcoin-core.ts'
import { OPENING_SATS, REGTEST } from '../../src/ports/wallet/test-chain.ts'
import { systemClock } from '../../src/runtime/system-runtime.ts'
import { testRuntime, type TestRuntime } from '../../src/runtime/test-runtime.ts'
import { testDatabase, type TestDatabase } from '../database.ts'
import { FIXTURE_DUE_SATS as DUE, FIXTURE_GAME, moneyFixture, type MoneyFixture } from '../money.ts'
import { testAccount } from './account.ts'
import { connect, MINER, partition, startNode, type TestNode } from './node.ts'
import { coinOf, FEE, minerAddress, send, signed } from './payer.ts'

const WATCH = 'orders-watch'
const MONTH = 30 * 86_400

let database: TestDatabase
let runtime: TestRuntime
let money: MoneyFixture
let payments: PaymentsContext
let node: TestNode
let other: TestNode
let xpub: string
let drawId: bigint

beforeAll(async () => {
  database = await testDatabase()
  ;[node, other] = await Promise.all([startNode(), startNode({ openingBlocks: 0 })])
  // The node reports when it saw a payment by the real time, so the lottery has to use it too.
  runtime = testRuntime({ startAt: systemClock().now() })
  money = await moneyFixture({ db: database.db, runtime })
  xpub = testAccount(randomBytes(32))
  const { db } = database
  const provider = createBitcoinCoreProvider({
    db,
    runtime,
    node: node.node,
    network: 'regtest',
    xpub,
    wallet: WATCH,
    publicUrl: 'http://fairball.test',
  })
  payments = paymentsContext({
    db,
    runtime,
    jobs: money.queue,
    provider,
    orders: money.orders,
    onOwnCoins: (txids) => money.payouts.reconciling.reportForeign(txids),
    publicUrl: 'http://fairball.test',
    network: 'regtest',
    canPayFromTestWallet: false,
  })
  drawId = await money.draw(1, runtime.clock.now() + MONTH)
  await followProvider(payments)
})
afterAll(async () => {
  await Promise.all([node?.stop(), other?.stop()])
  await database.drop()
})
afterEach(async () => {
  expect(await problems()).toEqual([])
})

/** Everything confirmed in the node's wallet is in the ledger, to the satoshi, and nothing else. */
async function problems(): Promise<string[]> {
  const balances = await node.call<{ mine: { trusted: number } }>('getbalances', {}, { wallet: WATCH })
  const held = satsOfBtc(balances.mine.trusted) + OPENING_SATS
  const booked = await balanceOf(database.db, wallet)
  const apart = booked === held ? [] : [`the ledger's wallet holds ${booked} sats, the node's ${held}`]
  return [...(await ledgerViolations(database.db)), ...apart]
}

/** A player's unpaid order with its address. */
async function newOrder(drawIds = [drawId]) {
  const { id: playerId } = await money.player()
  const orderId = await money.order(playerId, drawIds, { withInvoice: false })
  await openInvoice(payments, orderId)
  const { address } = await moneyOf(payments, orderId)
  if (address === null) throw new Error('the order has no address')
  return { orderId, playerId, address, look: () => refreshPayments(payments, orderId) }
}

const balance = (account: typeof wallet) => balanceOf(database.db, account)

describe('an order paid on a real chain', () => {
  it('an order is PAID once the payment is in a block, not before, however often it is checked', async () => {
    const { orderId, address, look } = await newOrder()
    expect(await look()).toBe('PENDING')
    await node.pay(address, DUE)
    expect(await look()).toBe('PROCESSING')
    const held = await balance(stakesHeld(FIXTURE_GAME))
    expect(await checkoutOf(payments, orderId)).toMatchObject({ address, confirmations: 0, confirmations_needed: 1 })
    await node.mine(1)
    expect(await Promise.all([look(), look(), look()])).toEqual(['PAID', 'PAID', 'PAID'])
    expect(await balance(stakesHeld(FIXTURE_GAME))).toBe(held + DUE)
    await node.mine(6)
    expect(await look()).toBe('PAID')
  })

  it('an order is UNDERPAID until the rest is paid', async () => {
    const { orderId, address, look } = await newOrder()
    await node.pay(address, DUE - 400n)
    await node.mine(1)
    expect(await look()).toBe('UNDERPAID')
    expect(await moneyOf(payments, orderId)).toMatchObject({ missingSats: 400n })
    expect((await checkoutOf(payments, orderId)).uri).toBe(`bitcoin:${address}?amount=0.00000400`)
    await node.pay(address, 400n)
    await look()
    await node.mine(1)
    expect(await look()).toBe('PAID')
  })

  it('an order leaves the excess to the player', async () => {
    const { playerId, address, look } = await newOrder()
    await node.pay(address, DUE + 777n)
    await node.mine(1)
    expect(await look()).toBe('PAID')
    expect(await balance(winnings(playerId))).toBe(777n)
  })

  it('an order paid twice leaves the second payment to the player', async () => {
    const { playerId, address, look } = await newOrder()
    await node.pay(address, DUE)
    await node.mine(1)
    expect(await look()).toBe('PAID')
    await node.pay(address, DUE)
    await look()
    await node.mine(1)
    expect(await look()).toBe('PAID')
    expect(await balance(winnings(playerId))).toBe(DUE)
  })

  it('an order is PAID by several outputs of one transaction, and by none that is worth nothing', async () => {
    const { address, playerId, look } = await newOrder()
    const coin = await coinOf(node, DUE + FEE)
    const tx = new Transaction({ allowUnknownOutputs: true })
    tx.addInput({ txid: coin.txid, index: coin.vout, sequence: 0xfffffffd })
    for (const sats of [DUE / 2n, DUE - DUE / 2n, 0n]) tx.addOutputAddress(address, sats, REGTEST)
    const hexstring = Buffer.from(tx.unsignedTx).toString('hex')
    const { hex } = await node.call<{ hex: string }>('signrawtransactionwithwallet', { hexstring }, { wallet: MINER })
    await node.call('generateblock', { output: await minerAddress(node), transactions: [hex] })
    await node.heard()
    await followProvider(payments)
    expect([await look(), await look()]).toEqual(['PAID', 'PAID'])
    expect(await balance(winnings(playerId))).toBe(0n)
  })

  it('an order counts a payment once that was replaced by one with a higher fee', async () => {
    const { playerId, address, look } = await newOrder()
    const coin = await coinOf(node, DUE + 3n * FEE)
    await send(node, await signed(node, coin, address, DUE + 2n * FEE))
    expect(await look()).toBe('PROCESSING')
    await send(node, await signed(node, coin, address, DUE))
    expect(await look()).toBe('PROCESSING')
    await node.mine(1)
    expect(await look()).toBe('PAID')
    expect(await balance(winnings(playerId))).toBe(0n)
  })

  it('an order waits for money again when its payer withdrew the payment', async () => {
    const { orderId, address, look } = await newOrder()
    const coin = await coinOf(node, DUE + 3n * FEE)
    await send(node, await signed(node, coin, address, DUE + 2n * FEE))
    expect(await look()).toBe('PROCESSING')
    await send(node, await signed(node, coin, await minerAddress(node), DUE))
    expect(await look()).toBe('PENDING')
    await node.mine(1)
    expect(await look()).toBe('PENDING')
    expect(await moneyOf(payments, orderId)).toMatchObject({ seenSats: 0n, missingSats: DUE })
  })
})

describe('an order and a reorganisation', () => {
  it('an order counts a payment once that is mined, removed from the chain and mined again', async () => {
    const { address, look } = await newOrder()
    await node.pay(address, DUE)
    const [block] = await node.mine(1)
    expect(await look()).toBe('PAID')
    const held = await balance(stakesHeld(FIXTURE_GAME))
    await node.invalidate(block!)
    await node.mine(2)
    expect(await look()).toBe('PAID')
    expect(await balance(stakesHeld(FIXTURE_GAME))).toBe(held)
  })

  it('a true partition before an order was PAID removes its payment, and nothing was counted', async () => {
    const { orderId, address, look } = await newOrder()
    const coin = await coinOf(node, DUE + FEE, other)
    const [ours, theirs] = [
      await signed(node, coin, address, DUE),
      await signed(node, coin, await minerAddress(node), DUE),
    ]
    await partition(node, other)
    await send(node, ours)
    expect(await look()).toBe('PROCESSING')
    await node.mine(1)
    await send(other, theirs)
    await other.mine(3, await minerAddress(node))
    await connect(node, other)
    expect(await look()).toBe('PENDING')
    expect(await moneyOf(payments, orderId)).toMatchObject({ seenSats: 0n })
  })

  it('a true partition after an order was PAID removes its entries and its money', async () => {
    const { address, playerId, look } = await newOrder()
    const held = await balance(stakesHeld(FIXTURE_GAME))
    const coin = await coinOf(node, DUE + FEE, other)
    const [ours, theirs] = [
      await signed(node, coin, address, DUE),
      await signed(node, coin, await minerAddress(node), DUE),
    ]
    await partition(node, other)
    await send(node, ours)
    await node.mine(2)
    expect(await look()).toBe('PAID')
    expect(await balance(stakesHeld(FIXTURE_GAME))).toBe(held + DUE)
    await send(other, theirs)
    await other.mine(4, await minerAddress(node))
    await connect(node, other)
    expect(await look()).toBe('PAID') // one answer may be stale
    runtime.clock.set(runtime.clock.now() + MISSING_SECONDS)
    expect(await look()).not.toBe('PAID')
    expect(await balance(stakesHeld(FIXTURE_GAME))).toBe(held)
    expect(await balance(losses)).toBe(0n)
    expect(await balance(winnings(playerId))).toBe(0n)
    expect(await balance(received)).toBe(0n)
  })
})

describe('money that no order expects', () => {
  it('unexpected money is in suspense once it is confirmed, and only once', async () => {
    await followProvider(payments)
    const before = await balance(suspense)
    await node.pay(parseAccountKey(xpub, 'regtest').addressAt(70), 3_210n)
    await followProvider(payments)
    expect(await balance(suspense)).toBe(before)
    await node.mine(1)
    await followProvider(payments)
    await followProvider(payments)
    expect(await balance(suspense)).toBe(before + 3_210n)
  })
})

describe('the operator’s own deposits', () => {
  it('deposits go to an address of the operator, are bankroll once they are six deep, and pay no order', async () => {
    const config = readConfig({
      PAYMENTS: 'bitcoin-core',
      BITCOIN_NETWORK: 'regtest',
      BITCOIN_RPC_URL: node.url,
      BITCOIN_RPC_COOKIE: node.cookieFile,
      BITCOIN_XPUB: xpub,
      BITCOIN_WATCH_WALLET: WATCH,
    })
    const cluster = { db: database.db, runtime: { ...runtime, fetch: globalThis.fetch }, config } as never
    const address = await paymentCommands['deposit-address'].run(cluster)
    const before = { bankroll: await balance(bankroll), suspense: await balance(suspense) }
    await followProvider(payments)
    const txid = await node.pay(address, 200_000n)
    const desk = { db: database.db, runtime, jobs: money.queue, actor: 'test' }
    const { details } = await node.call<{ details: { vout: number; address: string }[] }>(
      'gettransaction',
      { txid },
      { wallet: WATCH },
    )
    const outpoint = `${txid}:${details.find((one) => one.address === address)?.vout}`
    for (let depth = 1; depth <= 5; depth += 1) {
      await node.mine(1)
      await followProvider(payments)
      await expect(depositBankroll(desk, outpoint)).rejects.toThrow('is not six blocks deep yet')
    }
    expect(await balance(suspense)).toBe(before.suspense + 200_000n)
    await node.mine(1)
    await followProvider(payments)
    await depositBankroll(desk, outpoint)
    expect(await balance(bankroll)).toBe(before.bankroll + 200_000n)
    expect(await balance(suspense)).toBe(before.suspense)
    for (let orders = 0; orders < 5; orders += 1) {
      const order = await newOrder()
      expect(order.address).not.toBe(address)
      expect(await order.look()).toBe('PENDING')
    }
  })

  it('deposits to an address used outside the program pay no later order, and none counts twice', async () => {
    await followProvider(payments)
    const { next_index: next } = (await (await database.connect()).query('select next_index from deposit_accounts'))
      .rows[0]
    const used = parseAccountKey(xpub, 'regtest').addressAt(Number(next) + 1)
    await node.pay(used, 300_000n)
    await node.mine(1)
    await followProvider(payments)
    for (let orders = 0; orders < 4; orders += 1) {
      const order = await newOrder()
      expect(order.address).not.toBe(used)
      expect([await order.look(), await balance(winnings(order.playerId))]).toEqual(['PENDING', 0n])
    }
  })
})

describe('a payment that is made in time', () => {
  afterEach(() => node.call('setmocktime', { timestamp: 0 }))

  it('a payment keeps its place when its fee is bumped after the expiry and the close', async () => {
    const now = runtime.clock.now()
    const closing = await money.draw(2, now + 1200)
    const [control, bumped] = [await newOrder([closing]), await newOrder([closing])]
    await node.pay(control.address, DUE)
    const txid = await node.pay(bumped.address, DUE)
    expect([await control.look(), await bumped.look()]).toEqual(['PROCESSING', 'PROCESSING'])
    runtime.clock.set(now + 1800)
    await node.call('setmocktime', { timestamp: now + 1800 })
    const client = await database.connect()
    await client.query(`update draws set status = 'closed' where id = $1`, [closing])
    await node.call('bumpfee', { txid }, { wallet: MINER })
    expect([await control.look(), await bumped.look()]).toEqual(['PROCESSING', 'PROCESSING'])
    await node.mine(1)
    expect([await control.look(), await bumped.look()]).toEqual(['PAID', 'PAID'])
    const plays = await client.query(
      'select d.number from plays p join draws d on d.id = p.draw_id where order_id = any($1)',
      [[control.orderId, bumped.orderId]],
    )
    expect(plays.rows).toEqual([{ number: 1 }, { number: 1 }])
  })
})

describe('a node that ends in the middle', () => {
  it('an order stays as it is while the node is down, and is PAID when the node is back', async () => {
    const { address, look } = await newOrder()
    await node.pay(address, DUE)
    expect(await look()).toBe('PROCESSING')
    await node.flush()
    await node.restart()
    expect(await look()).toBe('PROCESSING')
    await node.kill9()
    await expect(look()).rejects.toThrow(NodeUnreachable)
    await expect(followProvider(payments)).rejects.toThrow(NodeUnreachable)
    await node.restart()
    await node.heard()
    expect(await look()).toBe('PROCESSING')
    await node.mine(1)
    await followProvider(payments)
    expect(await look()).toBe('PAID')
  })
})
