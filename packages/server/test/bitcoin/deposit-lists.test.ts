import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { HDKey } from '@scure/bip32'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type BitcoinNode, NodeError, RPC } from '../../src/ports/bitcoin-node/rpc.ts'
import { parseAccountKey } from '../../src/ports/payment-provider/account-key.ts'
import { type BitcoinCoreOptions, createBitcoinCoreProvider } from '../../src/ports/payment-provider/bitcoin-core.ts'
import { type PaymentProvider, ProviderUnfit } from '../../src/ports/payment-provider/payment-provider.ts'
import { monotonicTime, systemClock } from '../../src/runtime/system-runtime.ts'
import { testDatabase, type TestDatabase } from '../database.ts'
import { TEST_VERSIONS, testAccount } from './account.ts'
import { btcOf, MINER, startNode, type TestNode } from './node.ts'
import { coinOf, minerAddress, signed } from './payer.ts'

const DUE = 100_000n
const DAY_MS = 24 * 60 * 60 * 1000

let database: TestDatabase
let node: TestNode
let accounts = 0

beforeAll(async () => {
  ;[database, node] = await Promise.all([testDatabase(), startNode()])
})
afterAll(async () => {
  await node?.stop()
  await database.drop()
})

/** An account with a wallet of its own on the shared node, and providers that use it: each stands for a process. */
function account() {
  accounts += 1
  const seed = new Uint8Array(32).fill(accounts)
  const [xpub, wallet] = [testAccount(seed), `deposits-${accounts}`]
  const key = parseAccountKey(xpub, 'regtest')
  const provider = (options: Partial<BitcoinCoreOptions> = {}): PaymentProvider =>
    createBitcoinCoreProvider({
      db: database.db,
      runtime: { clock: systemClock(), monotonic: monotonicTime },
      node: node.node,
      network: 'regtest',
      xpub,
      wallet,
      publicUrl: 'https://fairball.test',
      ...options,
    })
  return { seed, wallet, key, provider }
}

/** The shared node, and the names of the calls it gets. */
function counted(): { node: BitcoinNode; asked: string[] } {
  const asked: string[] = []
  return {
    asked,
    node: {
      call: (method, params, options) => {
        asked.push(method)
        return node.node.call(method, params, options)
      },
      callEach: (method, params, options) => {
        asked.push(method)
        return node.node.callEach(method, params, options)
      },
    },
  }
}

async function invoice(provider: PaymentProvider): Promise<string> {
  const request = { orderId: randomUUID(), amountSats: DUE, description: 'a test', expiresAt: 1, returnUrl: '' }
  return (await provider.createCheckout(request)).ref
}

/** What pays an invoice, as sats and confirmations. */
async function seen(provider: PaymentProvider, ref: string) {
  return (await provider.get(ref)).outputs.map(({ sats, confirmations }) => [sats, confirmations])
}

async function run(text: string, values: readonly unknown[]): Promise<void> {
  await (await database.connect()).query(text, [...values])
}

it('neither a new order nor a check of one asks the node for anything that walks its whole wallet', async () => {
  const { node: asking, asked } = counted()
  const { provider: make } = account()
  const provider = make({ node: asking })
  const first = await invoice(provider)
  await node.pay(first, DUE)
  await node.mine(1)
  await provider.follow!(null)

  asked.splice(0)
  const ref = await invoice(provider)
  const ofOrder = ['deriveaddresses', 'getaddressinfo', 'setlabel', 'listdescriptors', 'getaddressinfo']
  expect(asked).toEqual(['getblockchaininfo', ...ofOrder])

  asked.splice(0)
  expect(await seen(provider, ref)).toEqual([])
  expect(asked).toEqual(['getblockchaininfo', 'getaddressinfo', 'listtransactions'])

  asked.splice(0)
  expect(await seen(provider, first)).toEqual([[DUE, 1]])
  expect(asked).toEqual(['getblockchaininfo', 'getaddressinfo', 'listtransactions', 'gettransaction'])
})

it('a check sees everything that came since the last one, however much it is', async () => {
  const { provider: make } = account()
  const provider = make()
  const refs: string[] = []
  for (let orders = 0; orders < 30; orders += 1) refs.push(await invoice(provider))
  await node.pay(refs[0]!, DUE)
  expect(await seen(provider, refs[0]!)).toEqual([[DUE, 0]])
  const outputs = refs.slice(1).map((ref) => ({ [ref]: btcOf(DUE) }))
  for (let times = 0; times < 2; times += 1) await node.call('send', { outputs, fee_rate: 2 }, { wallet: MINER })
  await node.pay(refs[0]!, 2n * DUE)
  await node.heard()
  for (const ref of refs.slice(1))
    expect(await seen(provider, ref)).toEqual([
      [DUE, 0],
      [DUE, 0],
    ])
  expect(await seen(provider, refs[0]!)).toHaveLength(2)
})

it('what is missing in the table is found when a process begins to follow, and once a day', async () => {
  const { provider: make } = account()
  let aheadMs = 0
  const monotonic = { nowMs: () => monotonicTime.nowMs() + aheadMs, sleep: monotonicTime.sleep }
  const provider = make({ runtime: { clock: systemClock(), monotonic } })
  const ref = await invoice(provider)
  await node.pay(ref, DUE)
  await node.mine(8) // final: a list of what is new does not have it
  const { cursor } = await provider.follow!(null)
  const lose = () => run('delete from deposit_txs where address = $1', [ref])

  await lose()
  await provider.follow!(cursor)
  expect(await seen(provider, ref)).toEqual([])
  await make().follow!(cursor)
  expect(await seen(provider, ref)).toEqual([[DUE, 8]])

  await lose()
  aheadMs = DAY_MS
  await provider.follow!(cursor)
  expect(await seen(provider, ref)).toEqual([[DUE, 8]])
})

it('a wallet that is lost is listed from its beginning once it is made again', async () => {
  const { wallet, provider: make } = account()
  const provider = make()
  const [waiting, mined] = [await invoice(provider), await invoice(provider)]
  const coin = await coinOf(node, 50n * DUE)
  const txid = await node.pay(waiting, DUE)
  expect(await seen(provider, waiting)).toEqual([[DUE, 0]])
  await node.call('unloadwallet', { wallet_name: wallet, load_on_startup: false })
  await rm(join(dirname(node.cookieFile), 'wallets', wallet), { recursive: true })
  // The lost wallet never heard of the second payment, which is mined before what it heard of last.
  const second = await signed(node, coin, mined, DUE)
  const output = await minerAddress(node)
  for (const transaction of [second, txid]) await node.call('generateblock', { output, transactions: [transaction] })
  await node.heard()
  expect(await seen(provider, waiting)).toEqual([[DUE, 1]])
  expect(await seen(provider, mined)).toEqual([[DUE, 2]])
})

it('a wallet that does not know what it listed, and reads old blocks, says nothing about a payment', async () => {
  const { provider: make } = account()
  let isReading = false
  const monotonic = { nowMs: monotonicTime.nowMs, sleep: async () => undefined }
  const provider = make({
    runtime: { clock: systemClock(), monotonic },
    node: {
      ...node.node,
      async call<T>(...args: Parameters<BitcoinNode['call']>): Promise<T> {
        const [method] = args
        if (isReading && method === 'gettransaction') throw new NodeError(RPC.unknown, 'not in the wallet', method)
        const answer = await node.node.call<T>(...args)
        return isReading && method === 'getwalletinfo' ? { ...answer, scanning: { progress: 0.5 } } : answer
      },
    },
  })
  const ref = await invoice(provider)
  await node.pay(ref, DUE)
  expect(await seen(provider, ref)).toEqual([[DUE, 0]])
  isReading = true
  await expect(provider.get(ref)).rejects.toThrow(ProviderUnfit)
})

it('an address is no order’s if the operator’s own coins came to it, which the node takes for change', async () => {
  const { seed, key, provider: make } = account()
  const provider = make()
  const cold = `cold-${accounts}`
  await node.call('createwallet', { wallet_name: cold, blank: true })
  const branch = `wpkh(${HDKey.fromMasterSeed(seed, TEST_VERSIONS).derive("m/84'/1'/0'").privateExtendedKey}/0/*)`
  const { checksum } = await node.call<{ checksum: string }>('getdescriptorinfo', { descriptor: branch })
  const request = { desc: `${branch}#${checksum}`, active: true, range: [0, 10], timestamp: 'now' }
  await node.call('importdescriptors', { requests: [request] }, { wallet: cold })
  await provider.follow!(null)
  const paid = await invoice(provider)
  await node.pay(paid, DUE)
  await node.mine(1)
  await node.call('sendall', { recipients: [key.addressAt(2)], fee_rate: 2 }, { wallet: cold })
  await node.mine(1)
  await provider.follow!(null)
  expect([paid, await invoice(provider), await invoice(provider)]).toEqual([0, 1, 3].map((at) => key.addressAt(at)))
})

it('the node still knows which addresses were paid after it watches more of them', async () => {
  const { key, provider: make } = account()
  const provider = make()
  await invoice(provider)
  await node.pay(key.addressAt(40), DUE)
  await node.mine(1)
  await provider.follow!(null)
  // An import reads the blocks of the last two hours again, and would find it there.
  await node.call('setmocktime', { timestamp: systemClock().now() + 3 * 60 * 60 })
  await node.mine(12)
  const moveTo = (index: number) =>
    run('update deposit_accounts set next_index = $2 where account = $1', [key.xpub, index])
  await moveTo(1500)
  expect(await invoice(provider)).toBe(key.addressAt(1500))
  await run('delete from deposit_txs where address = $1', [key.addressAt(40)])
  await moveTo(39)
  expect([await invoice(provider), await invoice(provider)]).toEqual([39, 41].map((at) => key.addressAt(at)))
})
