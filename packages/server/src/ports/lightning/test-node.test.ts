import { readBolt11 } from '@fairball/domain/bolt11'
import { beforeAll, describe, expect, it } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { lightningContract, type NodeUnderTest } from '../../../test/lightning-contract.ts'
import { monotonicTime } from '../../runtime/system-runtime.ts'
import { testRuntime } from '../../runtime/test-runtime.ts'
import { NodeSilent } from './lightning-node.ts'
import { TestLightning } from './test-node.ts'

let node: TestLightning
let opened: NodeUnderTest

beforeAll(async () => {
  const runtime = { ...testRuntime(), monotonic: monotonicTime }
  const { db } = await testDatabase({ runtime })
  node = new TestLightning({ db, runtime, network: 'regtest', seed: new Uint8Array(32).fill(7) })
  opened = {
    node,
    pay: (bolt11, amountMsat) => node.payIn(readBolt11(bolt11)?.hash ?? '', amountMsat),
    now: () => runtime.clock.now(),
    pass: async (seconds) => runtime.clock.set(runtime.clock.now() + seconds),
  }
})

describe('the demo’s Lightning node', () => {
  lightningContract(() => opened)

  it('while it is down it answers nothing', async () => {
    await node.setMode('down')
    const hash = 'ab'.repeat(32)
    const asked = [
      () => node.info(),
      () => node.invoice(hash),
      () => node.settledSince(null),
      () => node.liquidity(),
      () => node.closeInvoice(hash),
    ]
    for (const question of asked) await expect(question()).rejects.toThrow(NodeSilent)
    await node.setMode('ok')
    await node.info()
  })
})
