import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClnNode } from '../../src/ports/lightning/cln-node.ts'
import { NodeSilent } from '../../src/ports/lightning/lightning-node.ts'
import { monotonicTime, systemRuntime } from '../../src/runtime/system-runtime.ts'
import { lightningContract, type NodeUnderTest, sendingContract } from '../lightning-contract.ts'
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
