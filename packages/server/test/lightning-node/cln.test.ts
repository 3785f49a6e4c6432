import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClnNode } from '../../src/ports/lightning/cln-node.ts'
import { type LightningNode, NodeSilent } from '../../src/ports/lightning/lightning-node.ts'
import { monotonicTime, systemRuntime } from '../../src/runtime/system-runtime.ts'
import { lightningContract } from '../lightning-contract.ts'
import { type LightningPair, startPair } from './nodes.ts'

let pair: LightningPair
let node: LightningNode
const { clock } = systemRuntime({ logLevel: 'silent', secrets: [] })

beforeAll(async () => {
  pair = await startPair()
  node = createClnNode(pair.operator.rpcFile, monotonicTime)
})
afterAll(() => pair.stop())

describe('a Core Lightning node', () => {
  lightningContract(() => ({
    node,
    pay: (bolt11, amountMsat) => pair.payExactly(bolt11, amountMsat),
    now: () => clock.now(),
    pass: (seconds) => monotonicTime.sleep(seconds * 1000),
  }))

  it('a node that is away is silent, whatever is asked', async () => {
    const away = createClnNode('/nowhere/lightning-rpc', monotonicTime)
    const hash = 'ab'.repeat(32)
    const asked = [
      () => away.info(),
      () => away.invoice(hash),
      () => away.settledSince(null),
      () => away.liquidity(),
      () => away.closeInvoice(hash),
    ]
    for (const question of asked) await expect(question()).rejects.toThrow(NodeSilent)
  })
})
