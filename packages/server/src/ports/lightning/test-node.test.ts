import { readBolt11 } from '@fairball/domain/bolt11'
import { payeeOfBolt11 } from '@fairball/domain/bolt11-signature'
import { beforeAll, describe, expect, it } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { lightningContract, type NodeUnderTest, sendingContract } from '../../../test/lightning-contract.ts'
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
    payee: {
      invoice: ({ amountMsat, expirySeconds }) =>
        node.createWalletInvoice({
          amountMsat,
          expirySeconds,
          descriptionHash: null,
          destination: 'ann@shop.example',
        }),
      receivedMsat: async (hash) =>
        (await node.arrivedAtWallet()).find((payment) => payment.hash === hash)?.amountMsat ?? 0n,
      hold: () => node.setMode('hold'),
      release: (how) => node.setMode(how === 'take' ? 'ok' : 'fail'),
    },
    pay: (bolt11, amountMsat) => node.payIn(readBolt11(bolt11)?.hash ?? '', amountMsat),
    now: () => runtime.clock.now(),
    pass: async (seconds) => runtime.clock.set(runtime.clock.now() + seconds),
  }
})

describe('the demo’s Lightning node', () => {
  lightningContract(() => opened)
  sendingContract(() => opened)

  it('what it holds stays in flight while it is down, arrives once, and the wallet has its preimage', async () => {
    const destination = 'ann@shop.example'
    const descriptionHash = 'cd'.repeat(32)
    const invoice = await node.createWalletInvoice({ amountMsat: 5_000_000n, descriptionHash, destination })
    const { hash, description, features, expirySeconds } = readBolt11(invoice) ?? { hash: '' }
    expect([description, features, expirySeconds]).toEqual([null, [8, 14, 17], 600])
    expect(readBolt11(invoice)?.descriptionHash).toBe(descriptionHash)
    expect(payeeOfBolt11(invoice)).toBe(node.walletId)
    expect(node.walletId).not.toBe((await node.info()).nodeId)

    const payment = { invoice, hash, maxFeeMsat: 6_000n, retrySeconds: 30, label: 'payout-1' }
    await node.setMode('hold')
    await expect(node.send(payment)).rejects.toThrow(NodeSilent)
    await node.setMode('down')
    await expect(node.send(payment)).rejects.toThrow(NodeSilent)
    await node.setMode('hold')
    expect(await node.track(hash)).toEqual({ is: 'in-flight' })
    await expect(node.send(payment)).rejects.toMatchObject({ name: 'NodeRefused', code: -3 })
    await node.setMode('ok')
    const tracked = await node.track(hash)
    expect(tracked).toMatchObject({ is: 'complete', sentMsat: 5_006_000n })
    const preimage = tracked.is === 'complete' ? tracked.preimage : ''
    const [newest] = await node.arrivedAtWallet()
    expect(newest).toEqual({ hash, preimage, destination, amountMsat: 5_000_000n, at: opened.now() })
  })

  it('while it is down it answers nothing', async () => {
    await node.setMode('down')
    const hash = 'ab'.repeat(32)
    const asked = [
      () => node.info(),
      () => node.invoice(hash),
      () => node.settledSince(null),
      () => node.liquidity(),
      () => node.closeInvoice(hash),
      () => node.track(hash),
      () => node.paidSince(null),
    ]
    for (const question of asked) await expect(question()).rejects.toThrow(NodeSilent)
    await node.setMode('ok')
    await node.info()
  })
})
