import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { networkFees } from '../../src/modules/ledger/accounts.ts'
import { balanceOf } from '../../src/modules/ledger/service.ts'
import { listPayouts, takeBackBatch } from '../../src/modules/operator/payout-actions.ts'
import * as queries from '../../src/modules/payouts/queries.ts'
import { beginReconciling, payoutsStatus } from '../../src/modules/payouts/service.ts'
import type { BitcoinNode } from '../../src/ports/bitcoin-node/rpc.ts'
import { createCoreWallet } from '../../src/ports/wallet/bitcoin-core.ts'
import {
  FeeTooHigh,
  type PaymentVersion,
  type PreparedTx,
  type Wallet,
  WalletRefused,
  WalletShort,
  WalletUnfit,
} from '../../src/ports/wallet/wallet.ts'
import { acceptAll, type PayoutCluster, startPayoutCluster } from '../payout-cluster.ts'
import { MINER, startNode, type TestNode } from './node.ts'
import { HOT_COINS, payoutsOn } from './payouts-on-node.ts'

const LOOKS = 8

let node: TestNode
const { hotWallet, closeWallets, coreCluster, owePrize, pass, expectPaid, minerAddress, mineEmpty, minedTo } =
  payoutsOn(() => node)

beforeAll(async () => {
  node = await startNode()
})
afterAll(async () => {
  await node?.stop()
})

const versionOf = ({ txid, raw, feeSats, inputs }: PreparedTx): PaymentVersion => ({ txid, raw, feeSats, inputs })
const versionsOf = (cluster: PayoutCluster, batchId: bigint) => cluster.db.run(queries.findVersions, [batchId])

/** The wallet's confirmed coins. */
async function owned(name: string): Promise<string[]> {
  const coins = await node.call<{ txid: string; vout: number }[]>('listunspent', {}, { wallet: name })
  return coins.map(({ txid, vout }) => `${txid}:${vout}`)
}
const somebody = async (sats: bigint) => ({ address: await minerAddress(), sats })

/** Mines a transaction that need not be in the mempool, like a miner who never saw a newer one. */
async function mineOnly(raw: string): Promise<void> {
  await node.call('generateblock', { output: await minerAddress(), transactions: [raw] })
}

describe('the hot wallet of a node', () => {
  it('the hot wallet makes what was requested and nothing else, with change of its own, and holds the coins', async () => {
    const { wallet, name } = await hotWallet()
    await wallet.assertFit()
    const address = await minerAddress()
    const one = await wallet.prepare({ label: 'one', outputs: [{ address, sats: 12_345n }], reserved: [] })
    const other = await wallet.prepare({ label: 'other', outputs: [{ address, sats: 54_321n }], reserved: one.inputs })
    expect(one.change).not.toBe(null)
    expect(one.feeSats).toBeGreaterThan(200n)
    expect(one.feeSats).toBeLessThan(2_000n)
    expect(other.inputs.filter((outpoint) => one.inputs.includes(outpoint))).toEqual([])
    const locks = () => node.call<unknown[]>('listlockunspent', {}, { wallet: name })
    expect(await locks()).toHaveLength(2)
    await wallet.release(other.inputs)
    expect(await locks()).toHaveLength(1)
    expect((await wallet.outgoing(null)).txids).toEqual([])
    expect(await wallet.confirmations(one.txid)).toBe(null)
  })

  it('the hot wallet takes its locks again after a restart of the node, and never spends a reserved coin', async () => {
    const { wallet, name } = await hotWallet([100_000_000n, 100_000_000n])
    const address = await minerAddress()
    const one = await wallet.prepare({ label: 'one', outputs: [{ address, sats: 10_000n }], reserved: [] })
    await node.restart()
    expect(await node.call<unknown[]>('listlockunspent', {}, { wallet: name })).toEqual([])
    const other = await wallet.prepare({ label: 'other', outputs: [{ address, sats: 10_000n }], reserved: one.inputs })
    expect(other.inputs.filter((outpoint) => one.inputs.includes(outpoint))).toEqual([])
    await wallet.hold(one.inputs)
    await node.restart()
    const locked = await node.call<{ txid: string; vout: number }[]>('listlockunspent', {}, { wallet: name })
    expect(locked.map(({ txid, vout }) => `${txid}:${vout}`)).toEqual(one.inputs)
  })

  it('the hot wallet says when it does not have enough, and then holds nothing back', async () => {
    const { wallet, name } = await hotWallet([50_000n])
    const request = { label: 'much', outputs: [{ address: await minerAddress(), sats: 60_000n }], reserved: [] }
    await expect(wallet.prepare(request)).rejects.toThrow(WalletShort)
    expect(await node.call<unknown[]>('listlockunspent', {}, { wallet: name })).toEqual([])
  })

  it('the hot wallet does not spend what is in no block yet', async () => {
    const { wallet, name } = await hotWallet([50_000n])
    await node.pay(await node.call<string>('getnewaddress', {}, { wallet: name }), 90_000n)
    expect(await wallet.balances()).toEqual({ spendableSats: 50_000n, incomingSats: 90_000n })
    const request = { label: 'early', outputs: [{ address: await minerAddress(), sats: 60_000n }], reserved: [] }
    await expect(wallet.prepare(request)).rejects.toThrow(WalletShort)
    await node.mine(1)
  })

  it('a wallet without keys and a node on another chain are refused', async () => {
    await node.call('createwallet', { wallet_name: 'blank', disable_private_keys: true, blank: true })
    const blank = createCoreWallet({ node: node.node, wallet: 'blank', network: 'regtest' })
    await expect(blank.assertFit()).rejects.toThrow(WalletUnfit)
    const other = createCoreWallet({ node: node.node, wallet: MINER, network: 'signet' })
    await expect(other.assertFit()).rejects.toThrow('payouts are for signet')
  })

  it('a wallet locked with a passphrase cannot sign and takes no coin, and can once it is unlocked', async () => {
    const { wallet, name } = await hotWallet([100_000_000n])
    await node.call('encryptwallet', { passphrase: 'correct horse' }, { wallet: name })
    await wallet.assertFit()
    const outputs = [{ address: await minerAddress(), sats: 30_000n }]
    const request = { label: 'locked', outputs, reserved: [] }
    await expect(wallet.prepare(request)).rejects.toThrow(`The node's wallet ${name} is locked. Unlock it`)
    expect(await node.call<unknown[]>('listlockunspent', {}, { wallet: name })).toEqual([])
    await node.call('walletpassphrase', { passphrase: 'correct horse', timeout: 60 }, { wallet: name })
    const first = versionOf(await wallet.prepare(request))
    expect(await wallet.broadcast(first, [])).toBe('sent')
    await node.call('walletlock', {}, { wallet: name })
    await expect(wallet.bump({ ...request, versions: [first] })).rejects.toThrow(WalletUnfit)
    await expect(wallet.cancel({ ...request, versions: [first] })).rejects.toThrow(WalletUnfit)
    // What was signed is sent, followed and found without the passphrase.
    expect(await wallet.broadcast(first, [])).toBe('sent')
    await node.mine(1)
    expect(await wallet.confirmations(first.txid)).toBe(1)
    expect((await wallet.outgoing(null)).txids).toEqual([first.txid])
    expect(await wallet.spend(first.txid)).toEqual({ ...first, outputs })
  })

  it('sent bytes are recognised as sent: in the mempool, mined (−27), and with all outputs spent (−25)', async () => {
    const { wallet } = await hotWallet()
    const all = HOT_COINS.reduce((sum, sats) => sum + sats, 0n)
    const address = await minerAddress()
    const outputs = [{ address, sats: all / 2n }]
    const paid = await wallet.prepare({ label: 'paid', outputs, reserved: [] })
    const version = versionOf(paid)
    expect(await wallet.broadcast(version, [])).toBe('sent')
    expect(await wallet.broadcast(version, [])).toBe('sent')
    expect(await wallet.confirmations(paid.txid)).toBe(0)
    await node.mine(1)
    expect(await wallet.confirmations(paid.txid)).toBe(1)
    expect(await wallet.broadcast(version, [])).toBe('already-known')
    const rest = (await wallet.balances()).spendableSats
    const swept = await wallet.prepare({ label: 'rest', outputs: [{ address, sats: rest - 50_000n }], reserved: [] })
    expect(await wallet.broadcast(versionOf(swept), [])).toBe('sent')
    // the payee's output as well
    await node.call('sendall', { recipients: [address] }, { wallet: MINER })
    await node.mine(1)
    expect(await node.call('gettxout', { txid: paid.txid, n: 0 })).toBe(null)
    expect(await node.call('gettxout', { txid: paid.txid, n: 1 })).toBe(null)
    await expect(node.call('sendrawtransaction', { hexstring: paid.raw })).rejects.toThrow('(-25)')
    expect(await wallet.broadcast(version, [])).toBe('already-known')
  })

  it('a bump makes a version with the same coins and payees, which replaces the first', async () => {
    const { wallet } = await hotWallet()
    const outputs = [{ address: await minerAddress(), sats: 30_000n }]
    const first = await wallet.prepare({ label: 'slow', outputs, reserved: [] })
    await wallet.broadcast(versionOf(first), [])
    const request = { label: 'slow', outputs, reserved: [], versions: [versionOf(first)] }
    // No block came yet, so a higher fee would not help.
    expect(await wallet.bump(request)).toBe(null)
    await mineEmpty()
    const second = await wallet.bump(request)
    if (second === null) throw new Error('no dearer version')
    expect(second.inputs).toEqual(first.inputs)
    expect(second.feeSats).toBeGreaterThan(first.feeSats)
    expect(await wallet.broadcast(versionOf(second), [versionOf(first)])).toBe('sent')
    expect(await wallet.confirmations(first.txid)).toBe(null)
    expect(await wallet.broadcast(versionOf(first), [versionOf(second)])).toBe('conflict-of-ours')

    await mineOnly(first.raw)
    expect(await wallet.confirmations(second.txid)).toBe(null)
    expect(await wallet.broadcast(versionOf(second), [versionOf(first)])).toBe('conflict-of-ours')
    expect(await wallet.spender(first.inputs[0] ?? '')).toMatchObject({ txid: first.txid, confirmations: 1 })
    const versions = [versionOf(first), versionOf(second)]
    expect(await wallet.bump({ label: 'slow', outputs, reserved: [], versions })).toBe(null)
  })

  it('a bump rebuilds the version with all coins of the first, if that one never left', async () => {
    const { wallet } = await hotWallet()
    const outputs = [{ address: await minerAddress(), sats: 30_000n }]
    const first = await wallet.prepare({ label: 'unsent', outputs, reserved: [] })
    const second = await wallet.bump({ label: 'unsent', outputs, reserved: [], versions: [versionOf(first)] })
    expect(second?.inputs).toEqual(expect.arrayContaining([...first.inputs]))
    expect(second?.feeSats ?? 0n).toBeGreaterThan(first.feeSats)
    if (second !== null) expect(await wallet.broadcast(versionOf(second), [versionOf(first)])).toBe('sent')
    await node.mine(1)
  })

  it('a stranger’s spend of a coin is told apart from everything else, waiting and mined', async () => {
    const { wallet, name } = await hotWallet([100_000_000n])
    const outputs = [{ address: await minerAddress(), sats: 30_000n }]
    const mine = await wallet.prepare({ label: 'robbed', outputs, reserved: [] })
    await wallet.release(mine.inputs)
    const robbed = { recipients: [await minerAddress()], options: { fee_rate: 50 } }
    const { txid } = await node.call<{ txid: string }>('sendall', robbed, { wallet: name })
    expect(await wallet.broadcast(versionOf(mine), [])).toBe('foreign-conflict')
    await node.mine(1)
    expect(await wallet.broadcast(versionOf(mine), [])).toBe('foreign-conflict')
    expect((await wallet.outgoing(null)).txids).toEqual([txid])
    await expect(
      wallet.cancel({ label: 'robbed', outputs, reserved: [], versions: [versionOf(mine)] }),
    ).rejects.toThrow(WalletRefused)
  })

  it('bytes that cannot be mined yet, or pay too little, are recognised as such', async () => {
    const { wallet, name } = await hotWallet([100_000_000n])
    const [coin] = await node.call<{ txid: string; vout: number }[]>('listunspent', {}, { wallet: name })
    const address = await minerAddress()
    const signed = async (sats: string, locktime: number): Promise<PaymentVersion> => {
      const inputs = [{ txid: coin?.txid, vout: coin?.vout, sequence: 0xfffffffd }]
      const hexstring = await node.call<string>('createrawtransaction', {
        inputs,
        outputs: [{ [address]: sats }],
        locktime,
      })
      const { hex } = await node.call<{ hex: string }>('signrawtransactionwithwallet', { hexstring }, { wallet: name })
      const { txid } = await node.call<{ txid: string }>('decoderawtransaction', { hexstring: hex })
      return { txid, raw: hex, feeSats: 1_000n, inputs: [`${coin?.txid}:${coin?.vout}`] }
    }
    expect(await wallet.broadcast(await signed('0.99999', 5_000_000), [])).toBe('not-final')
    expect(await wallet.broadcast(await signed('1', 0), [])).toBe('too-cheap')
    // a fee that was not stored
    await expect(wallet.broadcast(await signed('0.5', 0), [])).rejects.toThrow(WalletRefused)
    expect((await wallet.balances()).spendableSats).toBe(100_000_000n)
  })

  it('one transaction pays 500 addresses', async () => {
    const { wallet } = await hotWallet()
    const cluster = await startPayoutCluster()
    const outputs = Array.from({ length: 500 }, (_, place) => ({
      address: cluster.money.addressOf(place),
      sats: 1_000n,
    }))
    const paid = await wallet.prepare({ label: 'many', outputs, reserved: [] })
    expect(await wallet.broadcast(versionOf(paid), [])).toBe('sent')
    await node.mine(1)
    expect(await wallet.confirmations(paid.txid)).toBe(1)
  })
})

describe('500 prizes of 5,000 sats', () => {
  /** The wallet, with the node's estimate of a rate in sats per virtual byte. */
  function walletAt(name: string, satsPerVbyte: number) {
    const dear: BitcoinNode = {
      ...node.node,
      // The estimate is the one answer that regtest does not have.
      call: <T>(...call: Parameters<BitcoinNode['call']>): Promise<T> =>
        call[0] === 'estimatesmartfee'
          ? Promise.resolve({ feerate: satsPerVbyte / 1e5 } as T)
          : node.node.call<T>(...call),
    }
    return createCoreWallet({ node: dear, wallet: name, network: 'regtest' })
  }

  it('500 prizes leave at 75 sats per virtual byte, and wait for lower fees at 90, with their coins free', async () => {
    const { name } = await hotWallet()
    const cluster = await startPayoutCluster()
    const outputs = Array.from({ length: 500 }, (_, place) => ({
      address: cluster.money.addressOf(place),
      sats: 5_000n,
    }))
    const request = { label: 'small', outputs, reserved: [] }
    const waits = await walletAt(name, 90)
      .prepare(request)
      .catch((error: unknown) => error)
    expect(waits).toBeInstanceOf(FeeTooHigh)
    expect(String(waits)).toContain('half of the 2500000 sats paid')
    expect(await node.call<unknown[]>('listlockunspent', {}, { wallet: name })).toEqual([])
    const wallet = walletAt(name, 75)
    const paid = await wallet.prepare(request)
    expect(paid.feeSats).toBeGreaterThan(1_100_000n)
    expect(await wallet.broadcast(versionOf(paid), [])).toBe('sent')
    await mineEmpty()
    // A quarter more would exceed half of what is paid: the sent version stays.
    await expect(wallet.bump({ ...request, versions: [versionOf(paid)] })).rejects.toThrow(FeeTooHigh)
    expect(await wallet.confirmations(paid.txid)).toBe(0)
    await node.mine(1)
    expect(await wallet.confirmations(paid.txid)).toBe(1)
  })
})

describe('payouts over a real node', () => {
  it('payouts arrive once, with ledger and wallet equal to the satoshi at every turn', async () => {
    const { cluster } = await coreCluster()
    const working = cluster.worker()
    await beginReconciling(working.payouts)
    const prizes = [await owePrize(cluster, 40_000n), await owePrize(cluster, 294n)]
    await pass(cluster, working, 0)
    expect(await cluster.problems()).toEqual([])
    await pass(cluster, working, LOOKS)
    expect(await cluster.states()).toEqual(['FINAL'])
    await expectPaid(cluster, prizes)
  })

  it('payouts are booked with the fee of the first version if that one is mined after a bump', async () => {
    const { cluster } = await coreCluster()
    const working = cluster.worker()
    const prize = await owePrize(cluster, 40_000n)
    await pass(cluster, working, 3, 'empty')
    const [first, second] = await versionsOf(cluster, 1n)
    expect(second?.inputs).toEqual(first?.inputs)
    expect(await balanceOf(cluster.db, networkFees)).toBe(second?.feeSats)
    expect(await cluster.problems()).toEqual([])
    await mineOnly(first?.raw ?? '')
    await pass(cluster, working, LOOKS)
    expect(await cluster.states()).toEqual(['FINAL'])
    expect(await balanceOf(cluster.db, networkFees)).toBe(first?.feeSats)
    await expectPaid(cluster, [prize])
  })

  it('payouts survive a reorganisation that removes their block', async () => {
    const { cluster } = await coreCluster()
    const working = cluster.worker()
    const prize = await owePrize(cluster, 40_000n)
    await pass(cluster, working, 0)
    const [block = ''] = await node.mine(1)
    await pass(cluster, working, 1, 0)
    expect(await cluster.states()).toEqual(['CONFIRMED'])
    await node.invalidate(block)
    await pass(cluster, working, 1, 0)
    expect(await cluster.states()).toEqual(['SENT'])
    await node.mine(2)
    await pass(cluster, working, LOOKS)
    await expectPaid(cluster, [prize])
  })

  it('payouts spend strangers’ coins from six blocks on and change from one, and end if a coin is gone for good', async () => {
    const { cluster, name, wallet } = await coreCluster({ coins: [100_000n] })
    const working = cluster.worker()
    await owePrize(cluster, 10_000n)
    await pass(cluster, working, 1)
    const [own] = await owned(name)
    await node.pay(await node.call<string>('getnewaddress', {}, { wallet: name }), 500_000n)
    const [block = ''] = await node.mine(1)
    const change = await wallet.prepare({ label: 'change', outputs: [await somebody(20_000n)], reserved: [] })
    expect(change.inputs).toEqual([own])
    await wallet.release(change.inputs)
    await expect(wallet.prepare({ label: 'early', outputs: [await somebody(300_000n)], reserved: [] })).rejects.toThrow(
      '500000 sats that others sent are not six blocks deep yet',
    )

    await node.mine(5)
    const prize = await owePrize(cluster, 300_000n)
    await pass(cluster, working, 0)
    expect((await cluster.states())[1]).toBe('SENT')
    const [version] = await versionsOf(cluster, 2n)
    const gone = version?.inputs.find((outpoint) => outpoint !== own) ?? ''
    expect(await wallet.isLost(gone)).toBe(false)
    const txid = gone.split(':')[0] ?? ''
    const { vin } = (
      await node.call<{ decoded: { vin: { txid: string; vout: number }[] } }>(
        'gettransaction',
        { txid, verbose: true },
        { wallet: MINER },
      )
    ).decoded
    await node.invalidate(block)
    const hexstring = await node.call<string>('createrawtransaction', {
      inputs: vin.map((input) => ({ txid: input.txid, vout: input.vout })),
      outputs: [{ [await minerAddress()]: '0.001' }],
    })
    const { hex } = await node.call<{ hex: string }>('signrawtransactionwithwallet', { hexstring }, { wallet: MINER })
    await mineOnly(hex)
    await pass(cluster, working, 4)
    expect((await cluster.states())[1]).toBe('SENT')
    expect(await wallet.isLost(gone)).toBe(false)
    await pass(cluster, working, 2)
    expect(await wallet.isLost(gone)).toBe(true)
    expect((await cluster.states())[1]).toBe('HALTED')
    await takeBackBatch(cluster.desk, 2n)
    await pass(cluster, working, 2)
    expect((await cluster.states())[1]).toBe('CANCELLED')
    await node.pay(await node.call<string>('getnewaddress', {}, { wallet: name }), 900_000n)
    await pass(cluster, working, LOOKS + LOOKS)
    expect(await cluster.states()).toEqual(['FINAL', 'CANCELLED', 'FINAL'])
    expect(await minedTo(prize.address)).toEqual([300_000n])
  })

  it('payouts never go to an address of the wallet itself, which holds up no others', async () => {
    const { cluster, name, wallet } = await coreCluster()
    const working = cluster.worker()
    const address = await node.call<string>('getrawchangeaddress', { address_type: 'bech32' }, { wallet: name })
    await expect(wallet.assertNotOurs(address)).rejects.toThrow(WalletUnfit)
    await wallet.assertNotOurs(await minerAddress())
    const { id } = await cluster.money.player({ hasAddress: false })
    await cluster.money.saveAddress(id, address)
    await cluster.money.owe(id, 50_000n)
    const prize = await owePrize(cluster, 40_000n)
    await pass(cluster, working, LOOKS)
    expect((await listPayouts(cluster.desk)).setAside).toMatchObject([{ address, sats: 50_000n }])
    expect(await cluster.states()).toEqual(['FINAL'])
    await expectPaid(cluster, [prize])
  })

  it('payouts are cancelled by a self-spend six deep, and paid again', async () => {
    const { cluster } = await coreCluster()
    const working = cluster.worker()
    const prize = await owePrize(cluster, 40_000n)
    await pass(cluster, working, 0)
    await takeBackBatch(cluster.desk, 1n)
    await pass(cluster, working, 0)
    expect(await cluster.states()).toEqual(['CANCELLING'])
    await pass(cluster, working, LOOKS + LOOKS)
    expect(await cluster.states()).toEqual(['CANCELLED', 'FINAL'])
    await expectPaid(cluster, [prize])
  })

  it('all payouts stop when a stranger spends a coin of theirs, and halt when that is accepted', async () => {
    const { cluster, name } = await coreCluster()
    const working = cluster.worker()
    await owePrize(cluster, 40_000n)
    await pass(cluster, working, 0)
    const [first] = await versionsOf(cluster, 1n)
    const [txid = '', vout = ''] = (first?.inputs[0] ?? '').split(':')
    const inputs = [{ txid, vout: Number(vout) }]
    const theft = { recipients: [await minerAddress()], options: { inputs, fee_rate: 100 } }
    const hot = { wallet: name }
    await node.call('abandontransaction', { txid: first?.txid }, hot).catch(() => undefined)
    const stolen = await node.call<{ txid: string }>('sendall', theft, hot).catch(() => null)
    if (stolen === null) {
      // The wallet regards its own coin as spent: the thief has the keys in another program.
      const { value } = await node.call<{ value: number }>('gettxout', {
        txid,
        n: Number(vout),
        include_mempool: false,
      })
      const raw = {
        inputs: [{ ...inputs[0], sequence: 0 }],
        outputs: [{ [await minerAddress()]: (value - 0.01).toFixed(8) }],
      }
      const hexstring = await node.call<string>('createrawtransaction', raw)
      const { hex } = await node.call<{ hex: string }>('signrawtransactionwithwallet', { hexstring }, hot)
      await node.call('sendrawtransaction', { hexstring: hex, maxfeerate: '0' })
    }
    // The wallet is compared before anything is sent again: nothing is sent until the operator has accepted the spend.
    await pass(cluster, working, 1)
    expect((await payoutsStatus(working.payouts)).stopReason).toContain('not ours')
    expect(await cluster.states()).toEqual(['SENT'])
    await acceptAll(cluster.desk)
    await pass(cluster, working, 1)
    expect(await cluster.states()).toEqual(['HALTED'])
  })
})

describe('the death of the node', () => {
  it('a node that dies at any call of a batch’s life, before or after the call, costs no one anything', async () => {
    await closeWallets()
    const { cluster, wallet } = await coreCluster()
    let calls = 0
    let dieAt = 0
    let when: 'before' | 'after' = 'before'
    const call = async <T>(work: () => Promise<T>): Promise<T> => {
      calls += 1
      if (calls !== dieAt) return await work()
      if (when === 'before') await node.kill9()
      const result = await work().catch((error: unknown) => ({ error }))
      if (when === 'after') await node.kill9()
      // An answer that was lost with the connection, if there was one.
      if (when === 'after' || (typeof result === 'object' && result !== null && 'error' in result))
        throw new Error('the node died')
      return result
    }
    const dying: Wallet = {
      ...wallet,
      prepare: (request) => call(() => wallet.prepare(request)),
      broadcast: (version, others) => call(() => wallet.broadcast(version, others)),
      confirmations: (txid) => call(() => wallet.confirmations(txid)),
      hold: (outpoints) => call(() => wallet.hold(outpoints)),
      outgoing: (since) => call(() => wallet.outgoing(since)),
    }
    onTestFinished(() => node.restart())
    const live = async (): Promise<number> => {
      calls = 0
      const prize = await owePrize(cluster, 40_000n)
      const about = `the node died ${when} call ${dieAt}`
      const working = cluster.worker({ wallet: () => dying })
      await working.queue.runDue()
      const seen = calls
      dieAt = 0
      await node.restart()
      cluster.runtime.clock.set(cluster.now() + 61)
      await pass(cluster, working, 0)
      cluster.runtime.clock.set(cluster.now() + 61)
      for (let look = 0; look < LOOKS && (look < 1 || (await listPayouts(cluster.desk)).batches.length > 0); look += 1)
        await pass(cluster, working, 1, 3)
      await expectPaid(cluster, [prize], about)
      expect((await listPayouts(cluster.desk)).batches, about).toEqual([])
      await node.flush()
      return seen
    }
    const most = await live()
    expect(most).toBeGreaterThanOrEqual(4)
    for (let at = 1; at <= most; at += 1) {
      for (const how of ['before', 'after'] as const) {
        dieAt = at
        when = how
        await live()
      }
    }
  }, 300_000)
})
