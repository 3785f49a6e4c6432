import { randomBytes, randomUUID } from 'node:crypto'
import { Transaction } from '@scure/btc-signer'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createBitcoinCoreProvider, type BitcoinCoreOptions } from '../../src/ports/payment-provider/bitcoin-core.ts'
import { parseAccountKey } from '../../src/ports/payment-provider/account-key.ts'
import { type PaymentProvider, ProviderUnfit } from '../../src/ports/payment-provider/payment-provider.ts'
import { LEAST_AHEAD } from '../../src/ports/payment-provider/watch-wallet.ts'
import { NodeError, NodeUnreachable } from '../../src/ports/bitcoin-node/rpc.ts'
import { REGTEST } from '../../src/ports/wallet/test-chain.ts'
import { monotonicTime, systemClock } from '../../src/runtime/system-runtime.ts'
import { testDatabase, type TestDatabase } from '../database.ts'
import { testAccount } from './account.ts'
import { btcOf, connect, MINER, partition, startNode, type TestNode, waitUntil } from './node.ts'
import { type Coin, coinOf } from './payer.ts'

const PUBLIC_URL = 'https://fairball.test'
/** More than the wallet pays as a fee, so that the money for it remains. */
const DUE = 100_000n

let database: TestDatabase
let node: TestNode
let other: TestNode
let accounts = 0

beforeAll(async () => {
  database = await testDatabase()
  ;[node, other] = await Promise.all([startNode(), startNode({ openingBlocks: 0 })])
})
afterAll(async () => {
  await Promise.all([node?.stop(), other?.stop()])
  await database.drop()
})
beforeEach(async () => {
  await settleMempool()
})

/** A provider with a wallet of the test's own on the shared node. */
function providerOf(options: Partial<BitcoinCoreOptions> = {}): PaymentProvider {
  accounts += 1
  return createBitcoinCoreProvider({
    db: database.db,
    runtime: { clock: systemClock(), monotonic: monotonicTime },
    node: node.node,
    network: 'regtest',
    xpub: testAccount(new Uint8Array(32).fill(accounts)),
    wallet: `watch-${accounts}`,
    publicUrl: PUBLIC_URL,
    ...options,
  })
}

/** The extended key of the provider made as the n-th. */
function accountOf(n: number): string {
  return parseAccountKey(testAccount(new Uint8Array(32).fill(n)), 'regtest').xpub
}

/** An order's invoice. */
async function invoice(provider: PaymentProvider, orderId: string = randomUUID()) {
  const request = { orderId, amountSats: DUE, description: 'a test', expiresAt: 1, returnUrl: PUBLIC_URL }
  return { orderId, ...(await provider.createCheckout(request)) }
}

/** What pays an invoice, as sats and confirmations. */
async function seen(provider: PaymentProvider, ref: string) {
  return (await provider.get(ref)).outputs.map(({ sats, confirmations }) => [sats, confirmations])
}

/** Leaves no transactions of another test waiting. */
async function settleMempool(): Promise<void> {
  if ((await node.call<string[]>('getrawmempool')).length > 0) await node.mine(1)
}

/**
 * Replaces a transaction of the miner's by one that spends the same coins and pays more.
 *
 * @returns the replacement's id
 */
async function replace(txid: string, payment: { address: string; sats: bigint }): Promise<string> {
  const { hex } = await node.call<{ hex: string }>('gettransaction', { txid }, { wallet: MINER })
  const { vin } = await node.call<{ vin: { txid: string; vout: number }[] }>('decoderawtransaction', { hexstring: hex })
  const change = await node.call<string>('getnewaddress', {}, { wallet: MINER })
  const raw = await node.call<string>('createrawtransaction', {
    inputs: vin.map((input) => ({ txid: input.txid, vout: input.vout, sequence: 0xfffffffd })),
    outputs: [{ [payment.address]: btcOf(payment.sats) }],
  })
  const funded = await node.call<{ hex: string }>(
    'fundrawtransaction',
    { hexstring: raw, options: { changeAddress: change, fee_rate: 20, add_inputs: false, replaceable: true } },
    { wallet: MINER },
  )
  const signed = await node.call<{ hex: string }>(
    'signrawtransactionwithwallet',
    { hexstring: funded.hex },
    { wallet: MINER },
  )
  return await send(signed.hex)
}

/** Sends signed bytes, and waits until the wallets have heard of them. @returns the transaction's id */
async function send(hex: string): Promise<string> {
  const txid = await node.call<string>('sendrawtransaction', { hexstring: hex, maxfeerate: 0 })
  await node.heard()
  return txid
}

/** A coin of the miner's that both nodes know, small enough to be sent whole. */
async function smallCoin(): Promise<Coin & { readonly sats: bigint }> {
  const sats = 5_000_000n
  return { ...(await coinOf(node, sats, other)), sats }
}

/** A signed transaction that sends a coin to an address, not sent yet. */
async function signed({ txid, vout, sats }: Coin & { sats: bigint }, address: string): Promise<string> {
  const outputs = [{ [address]: btcOf(sats - 1_000n) }]
  const raw = await node.call<string>('createrawtransaction', { inputs: [{ txid, vout }], outputs })
  const { hex } = await node.call<{ hex: string }>(
    'signrawtransactionwithwallet',
    { hexstring: raw },
    { wallet: MINER },
  )
  return hex
}

describe('an order’s address', () => {
  it('an order’s address is derived by us, equal to the node’s derivation, and no one else’s', async () => {
    const provider = providerOf()
    const [one, two] = [await invoice(provider), await invoice(provider)]
    expect(one.checkoutUrl).toBe(`${PUBLIC_URL}/checkout/${one.orderId}`)
    expect(one.address).toMatch(/^bcrt1q/)
    expect(one.ref).toBe(one.address)
    expect(two.address).not.toBe(one.address)
    expect(await invoice(provider, one.orderId)).toEqual(one)
    expect(await node.call('getaddressinfo', { address: one.address }, { wallet: `watch-${accounts}` })).toMatchObject({
      ismine: true,
      labels: [one.orderId],
    })
  })

  it('an order’s address stays the same when it is requested many times at once', async () => {
    const provider = providerOf()
    const orderId = randomUUID()
    const made = await Promise.all(Array.from({ length: 8 }, () => invoice(provider, orderId)))
    expect(new Set(made.map((one) => one.ref)).size).toBe(1)
  })

  it('an order’s address is never one that was given out before the database was restored', async () => {
    const provider = providerOf()
    const given = [await invoice(provider), await invoice(provider)].map((one) => one.ref)
    const client = await database.connect()
    await client.query('delete from deposit_addresses where address = any($1)', [given])
    await client.query('delete from deposit_accounts where account = $1', [accountOf(accounts)])
    const after = [await invoice(provider), await invoice(provider)].map((one) => one.ref)
    expect(new Set([...given, ...after]).size).toBe(4)
  })

  it('an order’s address is none that the operator’s own wallet gave, or that ever received anything outside the program', async () => {
    const xpub = testAccount(randomBytes(32))
    const provider = providerOf({ xpub })
    await provider.assertFit()
    const { addressAt } = parseAccountKey(xpub, 'regtest')
    const wallet = `watch-${accounts}`
    // Used at the cold wallet's receive tab and paid; labelled by hand; without a label, as the node's wallet does.
    await node.pay(addressAt(0), 4_321n)
    await node.call('setlabel', { address: addressAt(1), label: 'my savings' }, { wallet })
    await node.call('setlabel', { address: addressAt(2), label: '' }, { wallet })
    await node.pay(addressAt(4), 1_234n)
    await node.mine(1)
    const given = [await invoice(provider), await invoice(provider)].map((one) => one.ref)
    expect(given).toEqual([addressAt(3), addressAt(5)])
    const { unknown } = await provider.follow!(null)
    expect(new Set(unknown.map((output) => output.sats))).toEqual(new Set([1_234n, 4_321n]))
  })

  it('only we give out addresses: the node’s wallet gives none, even one that was made to', async () => {
    const xpub = testAccount(randomBytes(32))
    const wallet = `eager-${accounts}`
    await node.call('createwallet', { wallet_name: wallet, disable_private_keys: true, blank: true, descriptors: true })
    const { receiving, change, addressAt } = parseAccountKey(xpub, 'regtest')
    const requests: object[] = []
    for (const descriptor of [receiving, change]) {
      const { checksum } = await node.call<{ checksum: string }>('getdescriptorinfo', { descriptor })
      const desc = `${descriptor}#${checksum}`
      requests.push({ desc, active: true, internal: descriptor === change, range: [0, 2000], timestamp: 'now' })
    }
    await node.call('importdescriptors', { requests }, { wallet })
    const own = await node.call<string>('getnewaddress', { address_type: 'bech32' }, { wallet })
    expect(own).toBe(addressAt(0))
    const provider = providerOf({ xpub, wallet })
    const { ref } = await invoice(provider)
    expect(ref).toBe(addressAt(1))
    await expect(node.call('getnewaddress', { address_type: 'bech32' }, { wallet })).rejects.toThrow(NodeError)
    // Everything else continues: payments are seen, the range grows, and the wallet can make change for the operator.
    await node.pay(ref, DUE)
    expect(await seen(provider, ref)).toEqual([[DUE, 0]])
    expect(await node.call('getrawchangeaddress', { address_type: 'bech32' }, { wallet })).toMatch(/^bcrt1q/)
    const client = await database.connect()
    await client.query('update deposit_accounts set next_index = 2500 where account = $1', [
      parseAccountKey(xpub, 'regtest').xpub,
    ])
    const again = providerOf({ xpub, wallet })
    const far = await invoice(again)
    expect(far.ref).toBe(addressAt(2500))
    await node.restart()
    await node.pay(far.ref, DUE)
    await waitUntil('it is seen', async () => (await seen(again, far.ref)).length === 1)
    await expect(node.call('getnewaddress', { address_type: 'bech32' }, { wallet })).rejects.toThrow(NodeError)
  })

  it('an address given out twice, by two installations with one wallet, is refused rather than counted twice', async () => {
    const options = { xpub: testAccount(randomBytes(32)), wallet: `both-${accounts}` }
    const elsewhere = await testDatabase()
    try {
      const [one, other] = [providerOf(options), providerOf({ ...options, db: elsewhere.db })]
      const refs = [await invoice(one), await invoice(other), await invoice(one)].map(({ ref }) => ref)
      expect(new Set(refs).size).toBe(3)
      // At the very same moment both may take one: then it belongs to the one whose label the node keeps.
      const orderId = randomUUID()
      await node.call('setlabel', { address: refs[0], label: orderId }, { wallet: options.wallet })
      await node.pay(refs[0]!, DUE)
      await expect(one.get(refs[0]!)).rejects.toThrow('was given out for something else as well')
      // And what pays the other's order is unattributed money here, which is reported.
      await node.pay(refs[1]!, 4_444n)
      expect((await one.follow!(null)).unknown).toMatchObject([{ sats: 4_444n }])
    } finally {
      await elsewhere.drop()
    }
  })

  it('an address paid before the database was restored and the node’s wallet lost is given to no other order', async () => {
    const xpub = testAccount(randomBytes(32))
    const before = providerOf({ xpub })
    const kept = await invoice(before)
    const lost = await invoice(before)
    await node.pay(lost.ref, DUE)
    await node.mine(1)
    const client = await database.connect()
    await client.query('delete from deposit_addresses where address = $1', [lost.ref])
    await client.query('update deposit_accounts set next_index = 1 where account = $1', [
      parseAccountKey(xpub, 'regtest').xpub,
    ])
    const restored = providerOf({ xpub, wallet: `fresh-${accounts}` })
    const { ref } = await invoice(restored)
    expect([kept.ref, lost.ref]).not.toContain(ref)
    expect((await restored.follow!(null)).unknown).toMatchObject([{ sats: DUE, confirmations: 1 }])
    expect(await seen(restored, ref)).toEqual([])
  })

  it('the operator’s deposit address differs each time and is no order’s: what comes there is unattributed', async () => {
    const provider = providerOf()
    const made = [await provider.operatorAddress!(), await provider.operatorAddress!(), (await invoice(provider)).ref]
    expect(new Set(made).size).toBe(3)
    const { cursor } = await provider.follow!(null)
    await node.pay(made[0]!, 4_321n)
    expect(await provider.follow!(cursor)).toMatchObject({ refs: [], unknown: [{ sats: 4_321n, isOperators: true }] })
    // An older backup of the database does not give it out either.
    const client = await database.connect()
    await client.query('delete from deposit_addresses where account = $1', [accountOf(accounts)])
    await client.query('delete from deposit_accounts where account = $1', [accountOf(accounts)])
    expect(made).not.toContain((await invoice(provider)).ref)
  })

  it('an order’s address is always among those the node watches, with hundreds behind it', async () => {
    const provider = providerOf()
    await provider.assertFit()
    const client = await database.connect()
    await client.query('insert into deposit_accounts (account, next_index) values ($1, 1200)', [accountOf(accounts)])
    const { ref } = await invoice(provider)
    const { descriptors } = await node.call<{ descriptors: { range: [number, number]; internal: boolean }[] }>(
      'listdescriptors',
      {},
      { wallet: `watch-${accounts}` },
    )
    expect(descriptors.find((one) => !one.internal)?.range[1]).toBeGreaterThanOrEqual(1_200 + LEAST_AHEAD)
    await node.pay(ref, DUE)
    expect(await seen(provider, ref)).toEqual([[DUE, 0]])
  })

  it('an address beyond the node’s range is found with its money after the node’s wallet was lost', async () => {
    const xpub = testAccount(randomBytes(32))
    const { ref } = await invoice(providerOf({ xpub }))
    await node.pay(ref, DUE)
    await node.mine(2)
    // A wallet made by hand, which watches only the first ten addresses.
    const wallet = `narrow-${accounts}`
    await node.call('createwallet', { wallet_name: wallet, disable_private_keys: true, blank: true, descriptors: true })
    const { receiving } = parseAccountKey(xpub, 'regtest')
    const { checksum } = await node.call<{ checksum: string }>('getdescriptorinfo', { descriptor: receiving })
    const desc = `${receiving}#${checksum}`
    const request = { desc, active: true, internal: false, range: [0, 10], timestamp: 'now' }
    await node.call('importdescriptors', { requests: [request] }, { wallet })
    const provider = providerOf({ xpub, wallet })
    await provider.assertFit()
    expect(await seen(provider, ref)).toEqual([[DUE, 2]])
    expect((await provider.follow!(null)).refs).toEqual([ref])
  })
})

describe('what pays an invoice', () => {
  it('a payment is seen in the mempool and counts its confirmations', async () => {
    const provider = providerOf()
    const { ref } = await invoice(provider)
    expect(await seen(provider, ref)).toEqual([])
    const txid = await node.pay(ref, DUE)
    const { outputs, raw } = await provider.get(ref)
    expect(outputs).toMatchObject([{ sats: DUE, confirmations: 0, network: 'ONCHAIN' }])
    expect(outputs[0]?.outpoint).toMatch(new RegExp(`^${txid}:[01]$`))
    expect(raw).toMatchObject([{ txid, state: 'waiting', confirmations: 0 }])
    expect(Math.abs((outputs[0]?.seenAt ?? 0) - systemClock().now())).toBeLessThan(60)
    await node.mine(1)
    expect(await seen(provider, ref)).toEqual([[DUE, 1]])
    await node.mine(5)
    expect(await seen(provider, ref)).toEqual([[DUE, 6]])
  })

  it('a payment is too little first, and enough with what is paid on top', async () => {
    const provider = providerOf()
    const { ref } = await invoice(provider)
    await node.pay(ref, DUE - 1n)
    await node.mine(1)
    await node.pay(ref, 1_000n)
    const paid = await seen(provider, ref)
    expect(paid).toHaveLength(2)
    expect(paid).toContainEqual([DUE - 1n, 1])
    expect(paid).toContainEqual([1_000n, 0])
  })

  it('a payment too large or made twice is counted with each satoshi', async () => {
    const provider = providerOf()
    const { ref } = await invoice(provider)
    const txids = [await node.pay(ref, DUE + 12_345n), await node.pay(ref, DUE)]
    await node.mine(1)
    const { outputs } = await provider.get(ref)
    expect(new Set(outputs.map((one) => one.sats))).toEqual(new Set([DUE, DUE + 12_345n]))
    expect(new Set(outputs.map((one) => one.outpoint.split(':')[0]))).toEqual(new Set(txids))
  })

  it('two outputs of one transaction are two payments, if a wallet pays two orders or one order twice', async () => {
    const provider = providerOf()
    const [one, two] = [await invoice(provider), await invoice(provider)]
    const outputs = [{ [one.ref]: btcOf(DUE) }, { [two.ref]: btcOf(2n * DUE) }]
    await node.call('send', { outputs, fee_rate: 2 }, { wallet: MINER })
    await node.heard()
    expect([await seen(provider, one.ref), await seen(provider, two.ref)]).toEqual([[[DUE, 0]], [[2n * DUE, 0]]])
  })

  it('each output of a transaction counts once, and a transaction with many costs a few questions', async () => {
    const asked: string[] = []
    const counted: typeof node.node = {
      call: (method, params, options) => {
        asked.push(method)
        return node.node.call(method, params, options)
      },
      callEach: (method, params, options) => {
        asked.push(method)
        return node.node.callEach(method, params, options)
      },
    }
    const xpub = testAccount(randomBytes(32))
    const provider = providerOf({ xpub, node: counted })
    const { ref } = await invoice(provider)
    const { cursor } = await provider.follow!(null)
    const { addressAt } = parseAccountKey(xpub, 'regtest')
    const coin = await smallCoin()
    // To an order a thousand times, to addresses of no order two hundred times, and two outputs that are worth nothing.
    const tx = new Transaction({ allowUnknownOutputs: true })
    tx.addInput({ txid: coin.txid, index: coin.vout, sequence: 0xfffffffd })
    for (let place = 0; place < 1_000; place += 1) tx.addOutputAddress(ref, 1_000n, REGTEST)
    for (let index = 100; index < 300; index += 1) tx.addOutputAddress(addressAt(index), 1_000n, REGTEST)
    for (const address of [ref, addressAt(99)]) tx.addOutputAddress(address, 0n, REGTEST)
    const { hex } = await node.call<{ hex: string }>(
      'signrawtransactionwithwallet',
      { hexstring: Buffer.from(tx.unsignedTx).toString('hex') },
      { wallet: MINER },
    )
    await node.call('generateblock', {
      output: await node.call('getnewaddress', {}, { wallet: MINER }),
      transactions: [hex],
    })
    await node.heard()
    asked.splice(0)
    const { outputs } = await provider.get(ref)
    expect(outputs).toHaveLength(1_000)
    expect(new Set(outputs.map((output) => output.outpoint)).size).toBe(1_000)
    const { refs, unknown } = await provider.follow!(cursor)
    expect(refs).toEqual([ref])
    expect(unknown).toHaveLength(200)
    expect([...outputs, ...unknown].every((output) => output.sats === 1_000n)).toBe(true)
    expect(asked.length).toBeLessThan(30)
  })

  it('a payment that its payer replaces with a higher fee is another outpoint, and the money counts once', async () => {
    const provider = providerOf()
    const { ref } = await invoice(provider)
    const txid = await node.pay(ref, DUE)
    const { cursor } = await provider.follow!(null)
    const { txid: bumped } = await node.call<{ txid: string }>('bumpfee', { txid }, { wallet: MINER })
    await node.heard()
    const { outputs, raw } = await provider.get(ref)
    expect(outputs.map((one) => [one.outpoint.split(':')[0], one.sats])).toEqual([[bumped, DUE]])
    expect(raw).toContainEqual(expect.objectContaining({ txid, state: 'replaced', mempoolconflicts: [bumped] }))
    expect((await provider.follow!(cursor)).refs).toEqual([ref])
    await node.mine(1)
    expect(await seen(provider, ref)).toEqual([[DUE, 1]])
  })

  it('a payment that its payer withdraws before it is mined is gone', async () => {
    const provider = providerOf()
    const { ref } = await invoice(provider)
    const txid = await node.pay(ref, DUE)
    const { cursor } = await provider.follow!(null)
    await replace(txid, { address: await node.call('getnewaddress', {}, { wallet: MINER }), sats: DUE })
    expect(await seen(provider, ref)).toEqual([])
    const changes = await provider.follow!(cursor)
    expect(changes.refs).toEqual([ref])
    await node.mine(1)
    expect(await provider.get(ref)).toMatchObject({ outputs: [] })
    expect((await provider.follow!(changes.cursor)).refs).toEqual([ref])
  })

  it('a block reward is no payment: it cannot be spent for a hundred blocks', async () => {
    const provider = providerOf()
    const { ref } = await invoice(provider)
    await node.mine(1, ref)
    expect(await seen(provider, ref)).toEqual([])
    await node.mine(100)
    expect((await seen(provider, ref)).map(([, confirmations]) => confirmations)).toEqual([101])
  })

  it('a payment does nothing for another’s invoice, or for an unknown one', async () => {
    const provider = providerOf()
    const [one, two] = [await invoice(provider), await invoice(provider)]
    await node.pay(one.ref, DUE)
    expect(await seen(provider, two.ref)).toEqual([])
    expect(await seen(provider, await node.call('getnewaddress', {}, { wallet: MINER }))).toEqual([])
  })
})

describe('what changed since a cursor', () => {
  it('a change is reported once its cursor is stored, and again until then', async () => {
    const provider = providerOf()
    const { ref } = await invoice(provider)
    const start = await provider.follow!(null)
    expect(start).toMatchObject({ refs: [], unknown: [] })
    await node.pay(ref, DUE)
    const first = await provider.follow!(start.cursor)
    expect(first).toMatchObject({ refs: [ref], unknown: [] })
    expect((await provider.follow!(start.cursor)).refs).toEqual([ref]) // not stored: reported again
    const second = await provider.follow!(first.cursor)
    expect(second.refs).toEqual([])
  })

  it('every new block is a change until a payment is final, and then no more', async () => {
    const provider = providerOf()
    const { ref } = await invoice(provider)
    await node.pay(ref, DUE)
    let { cursor } = await provider.follow!(null)
    const told: number[] = []
    for (let depth = 1; depth <= 9; depth++) {
      await node.mine(1)
      const changes = await provider.follow!(cursor)
      if (changes.refs.includes(ref)) told.push(depth)
      ;({ cursor } = changes)
    }
    expect(told.slice(0, 6)).toEqual([1, 2, 3, 4, 5, 6])
    expect(told.length).toBeLessThanOrEqual(7)
  })

  it('a payment is reported until it is as deep as required, and once more, if that is more than six', async () => {
    const xpub = testAccount(randomBytes(32))
    const provider = providerOf({ xpub, requiredConfirmations: () => 8 })
    const { ref } = await invoice(provider)
    await node.pay(ref, DUE)
    await node.pay(parseAccountKey(xpub, 'regtest').addressAt(40), 4_321n)
    let { cursor } = await provider.follow!(null)
    const told: [number, number | undefined][] = []
    for (let depth = 1; depth <= 9; depth++) {
      await node.mine(1)
      const changes = await provider.follow!(cursor)
      if (changes.refs.includes(ref)) told.push([depth, changes.unknown[0]?.confirmations])
      ;({ cursor } = changes)
    }
    expect(told.slice(0, 8)).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((depth) => [depth, depth]))
  })

  it('a fresh process reports changes too, from the cursor that was stored', async () => {
    const options = { xpub: testAccount(randomBytes(32)), wallet: `shared-${accounts}` }
    const before = providerOf(options)
    const { ref } = await invoice(before)
    const { cursor } = await before.follow!(null)
    await node.pay(ref, DUE)
    expect((await providerOf(options).follow!(cursor)).refs).toEqual([ref])
  })

  it('changes are read from further back if the node does not know the cursor, or it is not a cursor', async () => {
    const provider = providerOf()
    const { ref } = await invoice(provider)
    await node.pay(ref, DUE)
    await node.mine(1)
    for (const cursor of [`60:${'ab'.repeat(32)}:00`, `9999999:${'ab'.repeat(32)}:00`, 'nonsense', ''])
      expect((await provider.follow!(cursor)).refs).toEqual([ref])
  })

  it('changes include money that came to an address no order has', async () => {
    const xpub = testAccount(randomBytes(32))
    const provider = providerOf({ xpub })
    const { ref } = await invoice(provider)
    const { cursor } = await provider.follow!(null)
    const stranger = parseAccountKey(xpub, 'regtest').addressAt(17)
    expect(stranger).not.toBe(ref)
    await node.pay(stranger, 4_321n)
    const seenFirst = await provider.follow!(cursor)
    expect(seenFirst).toMatchObject({ refs: [], unknown: [{ sats: 4_321n, confirmations: 0, network: 'ONCHAIN' }] })
    await node.mine(1)
    expect((await provider.follow!(seenFirst.cursor)).unknown).toMatchObject([{ sats: 4_321n, confirmations: 1 }])
  })

  it('changes include unknown money again when its payer withdrew it', async () => {
    const xpub = testAccount(randomBytes(32))
    const provider = providerOf({ xpub })
    await provider.assertFit()
    const txid = await node.pay(parseAccountKey(xpub, 'regtest').addressAt(3), 4_321n)
    const { cursor } = await provider.follow!(null)
    await replace(txid, { address: await node.call('getnewaddress', {}, { wallet: MINER }), sats: 4_321n })
    const [gone, ...others] = (await provider.follow!(cursor)).unknown
    expect(gone).toMatchObject({ sats: 4_321n, confirmations: -1 })
    expect(gone?.outpoint.startsWith(txid)).toBe(true)
    expect(others).toEqual([])
  })
})

describe('a reorganisation', () => {
  it('a reorganisation returns a payment to those that wait, and it is mined again', async () => {
    const provider = providerOf()
    const { ref } = await invoice(provider)
    await node.pay(ref, DUE)
    const [block] = await node.mine(1)
    const { cursor } = await provider.follow!(null)
    expect(await seen(provider, ref)).toEqual([[DUE, 1]])
    await node.invalidate(block!)
    await expect(provider.get(ref)).rejects.toThrow('The bitcoin node has lost blocks that it had')
    await node.mineEmpty()
    await node.mineEmpty()
    expect(await seen(provider, ref)).toEqual([[DUE, 0]])
    const after = await provider.follow!(cursor)
    expect(after.refs).toEqual([ref])
    await node.mine(1)
    expect(await seen(provider, ref)).toEqual([[DUE, 1]])
    expect((await provider.follow!(after.cursor)).refs).toEqual([ref])
  })

  it('in a true partition a confirmed payment is gone for good if the longer side spent it elsewhere', async () => {
    const provider = providerOf()
    const { ref } = await invoice(provider)
    await connect(node, other)
    // The payer signs two transactions over one coin. Each side of the partition hears of one of them.
    const coin = await smallCoin()
    const ours = await signed(coin, ref)
    const theirs = await signed(coin, await node.call<string>('getnewaddress', {}, { wallet: MINER }))
    await partition(node, other)
    const txid = await send(ours)
    await node.mine(2)
    expect(await seen(provider, ref)).toEqual([[coin.sats - 1_000n, 2]])
    const { cursor } = await provider.follow!(null)

    await other.call('sendrawtransaction', { hexstring: theirs, maxfeerate: 0 })
    const address = await node.call<string>('getnewaddress', {}, { wallet: MINER })
    await other.mine(4, address)
    await connect(node, other)
    expect(await provider.get(ref)).toMatchObject({ outputs: [] })
    const changes = await provider.follow!(cursor)
    expect(changes).toMatchObject({ refs: [ref], unknown: [] })
    expect(changes.cursor).not.toBe(cursor)
    const standing = await node.call<{ confirmations: number }>(
      'gettransaction',
      { txid },
      { wallet: `watch-${accounts}` },
    )
    expect(standing.confirmations).toBeLessThan(0)
  })

  it('in a true partition a payment that the longer side mined as well remains', async () => {
    const provider = providerOf()
    const { ref } = await invoice(provider)
    await connect(node, other)
    await node.pay(ref, DUE)
    await waitUntil('the other node hears of it', async () => (await other.call<string[]>('getrawmempool')).length > 0)
    await partition(node, other)
    await node.mine(1)
    const { cursor } = await provider.follow!(null)
    await other.mine(3, await node.call<string>('getnewaddress', {}, { wallet: MINER }))
    await connect(node, other)
    expect(await seen(provider, ref)).toEqual([[DUE, 3]])
    expect((await provider.follow!(cursor)).refs).toEqual([ref])
  })
})

describe('a node that is restarted', () => {
  it('a node restarted in order knows what waited, and a provider continues without a reset', async () => {
    const provider = providerOf()
    const { ref } = await invoice(provider)
    await node.pay(ref, DUE)
    const { cursor } = await provider.follow!(null)
    await node.restart()
    await waitUntil('the payment is seen', async () => (await seen(provider, ref)).length === 1)
    expect(await seen(provider, ref)).toEqual([[DUE, 0]])
    expect((await provider.follow!(cursor)).refs).toEqual([])
    await node.mine(1)
    expect(await seen(provider, ref)).toEqual([[DUE, 1]])
    expect((await invoice(provider)).address).toMatch(/^bcrt1/)
  })

  it('a node restarted after kill −9 is asked again, and no payment is lost or counted twice', async () => {
    const provider = providerOf()
    const { ref } = await invoice(provider)
    await node.flush()
    const txid = await node.pay(ref, DUE)
    await node.mine(1)
    const { cursor } = await provider.follow!(null)
    const { hex } = await node.call<{ hex: string }>('gettransaction', { txid }, { wallet: MINER })
    await node.kill9()
    await expect(provider.get(ref)).rejects.toThrow(NodeUnreachable)
    await expect(provider.follow!(cursor)).rejects.toThrow(NodeUnreachable)
    await expect(provider.assertFit()).rejects.toThrow(NodeUnreachable)
    await expect(invoice(provider)).rejects.toThrow(NodeUnreachable)
    await node.restart()
    // The block was not on the disk yet: what the node says now proves nothing about the payment, nor requires new
    // ones.
    await expect(provider.get(ref)).rejects.toThrow(ProviderUnfit)
    await expect(provider.follow!(cursor)).rejects.toThrow(ProviderUnfit)
    await expect(invoice(provider)).rejects.toThrow(ProviderUnfit)
    // The network still has the transaction; here the payer sends it again.
    await send(hex).catch((error: unknown) => {
      if (!(error instanceof NodeError)) throw error
    })
    await node.mine(2)
    expect(await seen(provider, ref)).toEqual([[DUE, 2]])
    expect((await provider.follow!(cursor)).refs).toEqual([ref])
  })
})

describe('the node’s watching wallet', () => {
  it('the watching wallet is loaded again when it was unloaded', async () => {
    const provider = providerOf()
    const { ref } = await invoice(provider)
    await node.pay(ref, DUE)
    await node.call('unloadwallet', { wallet_name: `watch-${accounts}` })
    expect(await seen(provider, ref)).toEqual([[DUE, 0]])
    expect((await invoice(provider)).ref).not.toBe(ref)
  })

  it('the watching wallet is made by one of several processes that start together', async () => {
    const options = { xpub: testAccount(randomBytes(32)), wallet: `together-${accounts}` }
    const providers = [providerOf(options), providerOf(options), providerOf(options)]
    const starts = await Promise.allSettled(providers.map((provider) => provider.assertFit()))
    expect(starts.filter((start) => start.status === 'rejected').map(({ reason }) => String(reason))).toEqual([])
    const made = await Promise.all(providers.flatMap((provider) => [invoice(provider), invoice(provider)]))
    expect(new Set(made.map((one) => one.ref)).size).toBe(6)
  })
})

describe('a node that cannot be trusted with payments', () => {
  const failure = (provider: PaymentProvider) =>
    provider.assertFit().then(
      () => null,
      (error: unknown) => (error instanceof ProviderUnfit ? error.message : error),
    )

  it('a node on another chain is not trusted', async () => {
    const provider = providerOf({ network: 'signet' })
    expect(await failure(provider)).toBe('The bitcoin node is on regtest, and BITCOIN_NETWORK is signet.')
    await expect(invoice(provider)).rejects.toThrow(ProviderUnfit)
  })

  it('a node without a block for two hours is not trusted', async () => {
    let later = 0
    const clock = { ...systemClock(), now: () => systemClock().now() + later, offsetSeconds: () => 0 }
    const provider = providerOf({ runtime: { clock, monotonic: monotonicTime }, longestTipAgeSeconds: 7200 })
    await node.mine(1)
    expect(await failure(provider)).toBeNull()
    later = 7_000
    expect(await failure(provider)).toBeNull()
    later = 7_400
    expect(await failure(provider)).toMatch(/^The bitcoin node has had no block for 12\d minutes/)
    await node.mine(1)
  })

  it('a node with its blocks in time is trusted, however far the demo’s clock was moved', async () => {
    const clock = systemClock()
    const provider = providerOf({ runtime: { clock, monotonic: monotonicTime }, longestTipAgeSeconds: 7200 })
    await node.mine(1)
    clock.setOffsetSeconds(400 * 86_400)
    expect(await failure(provider)).toBeNull()
  })

  it('a node that is still reading the chain is not trusted', async () => {
    const fresh = await startNode({ openingBlocks: 0 })
    try {
      const provider = providerOf({ node: fresh.node, longestTipAgeSeconds: 7200 })
      expect(await failure(provider)).toBe('The bitcoin node is still reading the chain: 0 of 0 blocks.')
    } finally {
      await fresh.stop()
    }
  })

  it('a node with a wallet other than the one that watches the orders’ addresses is not trusted', async () => {
    const xpub = testAccount(randomBytes(32))
    const { ref } = await invoice(providerOf({ xpub }))
    await node.pay(ref, DUE)
    const changed = providerOf({ xpub: testAccount(randomBytes(32)) })
    await expect(changed.get(ref)).rejects.toThrow(`does not watch ${ref}, which an order has`)
  })

  it('a node whose wallet of that name can spend is not trusted', async () => {
    expect(await failure(providerOf({ wallet: MINER }))).toContain('no watching wallet')
  })
})
