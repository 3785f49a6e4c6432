import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClnNode } from '../../src/ports/lightning/cln-node.ts'
import { NodeSilent } from '../../src/ports/lightning/lightning-node.ts'
import { monotonicTime, systemRuntime } from '../../src/runtime/system-runtime.ts'
import { lightningContract, type NodeUnderTest, sendingContract } from '../lightning-contract.ts'
import { waitUntil } from '../bitcoin/node.ts'
import { type LightningNetwork, receivedBy, sendAmount, startNetwork } from './nodes.ts'

let network: LightningNetwork
let node: ReturnType<typeof createClnNode>
const { clock } = systemRuntime({ logLevel: 'silent', secrets: [] })

beforeAll(async () => {
  network = await startNetwork()
  node = createClnNode(network.operator.file, monotonicTime)
})
afterAll(() => network.stop())

describe('a Core Lightning node', () => {
  lightningContract(() => underTest())
  sendingContract(() => underTest())

  it('what a transaction did to the coins of the node is told by its bookkeeper', async () => {
    const { bech32 } = await network.operator.call<{ bech32: string }>('newaddr', { addresstype: 'bech32' })
    const deposit = await network.bitcoin.pay(bech32, 2_000_000n)
    await network.mine(1)
    await waitUntil('the deposit is known', async () => (await node.movedBy(deposit)).receivedSats > 0n)
    expect(await node.movedBy(deposit)).toEqual({ receivedSats: 2_000_000n, isSpender: false })
    const destination = await network.bitcoin.call<string>('getnewaddress', {}, { wallet: 'miner' })
    const { txid } = await network.operator.call<{ txid: string }>('withdraw', { destination, satoshi: 1_000_000 })
    await network.mine(1)
    await waitUntil('the withdrawal is known', async () => (await node.movedBy(txid)).isSpender)
    expect(await node.movedBy('ab'.repeat(32))).toEqual({ receivedSats: 0n, isSpender: false })
  })

  it('a node that is away is silent, whatever is asked', async () => {
    const away = createClnNode('/nowhere/lightning-rpc', monotonicTime)
    const hash = 'ab'.repeat(32)
    const asked = [
      () => away.info(),
      () => away.invoice(hash),
      () => away.settledSince(null),
      () => away.liquidity(),
      () => away.closeInvoice(hash),
      () => away.track(hash),
      () => away.paidSince(null),
    ]
    for (const question of asked) await expect(question()).rejects.toThrow(NodeSilent)
  })
})

function underTest(): NodeUnderTest {
  const { payer } = network
  return {
    node,
    payee: {
      async invoice({ amountMsat, expirySeconds }) {
        const params = {
          amount_msat: String(amountMsat),
          label: randomUUID(),
          description: 'a prize',
          expiry: expirySeconds,
        }
        return (await payer.call<{ bolt11: string }>('invoice', params)).bolt11
      },
      receivedMsat: (hash) => receivedBy(payer, hash),
      hold: () => payer.hold(),
      release: (how) => payer.release(how),
    },
    async pay(bolt11, msat) {
      const { ended } = await sendAmount(network, 'payer', bolt11, { msat })
      return (await ended()) === 'complete'
    },
    now: () => clock.now(),
    pass: (seconds) => monotonicTime.sleep(seconds * 1000),
  }
}
