import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClnNode } from '../../src/ports/lightning/cln-node.ts'
import { createPayees } from '../../src/ports/lightning/payee.ts'
import { NodeRefused, NodeSilent, type Tracked } from '../../src/ports/lightning/lightning-node.ts'
import { monotonicTime, systemClock } from '../../src/runtime/system-runtime.ts'
import { testRuntime } from '../../src/runtime/test-runtime.ts'
import { waitUntil } from '../bitcoin/node.ts'
import { type LightningNetwork, receivedBy, startNetwork } from './nodes.ts'

const AMOUNT_MSAT = 2_000_000n
const SOME_FEE = 50_000n
const RETRY_SECONDS = 5

let network: LightningNetwork
let node: ReturnType<typeof createClnNode>

beforeAll(async () => {
  network = await startNetwork()
  node = createClnNode(network.operator.file, monotonicTime)
})
afterAll(() => network.stop())

/** What the payer of the other tests asks for: here it is paid. */
async function asked(): Promise<{ invoice: string; hash: string }> {
  const made = await network.payer.call<{ bolt11: string; payment_hash: string }>('invoice', {
    amount_msat: String(AMOUNT_MSAT),
    label: randomBytes(8).toString('hex'),
    description: 'a prize',
    expiry: 3600,
  })
  return { invoice: made.bolt11, hash: made.payment_hash }
}

/** Sends, and returns the code of a refusal; null without one, or if the node did not answer. */
async function sent(one: { invoice: string; hash: string }): Promise<number | null> {
  const payment = { ...one, maxFeeMsat: SOME_FEE, retrySeconds: RETRY_SECONDS, label: 'a payout' }
  return await node.send(payment).then(
    () => null,
    (error: unknown) => {
      if (error instanceof NodeRefused) return error.code
      if (error instanceof NodeSilent) return null
      throw error
    },
  )
}

async function outcomeOf(hash: string): Promise<Tracked['is']> {
  return (await node.track(hash)).is
}

describe('a payment of a Core Lightning node', () => {
  it('a payment that its payee holds is in flight, through the death of both nodes, and completes', async () => {
    const one = await asked()
    await network.payer.hold()
    const sending = sent(one)
    await waitUntil('it is in flight', async () => (await outcomeOf(one.hash)) === 'in-flight')
    await network.operator.kill9()
    await expect(node.track(one.hash)).rejects.toBeInstanceOf(NodeSilent)
    await sending
    await network.operator.restart()
    expect(await outcomeOf(one.hash)).toBe('in-flight')
    expect(await sent(one)).not.toBe(219) // refused as in progress, or not answered
    await network.payer.release('take')
    await waitUntil('it is complete', async () => (await outcomeOf(one.hash)) === 'complete')
    expect(await receivedBy(network.payer, one.hash)).toBe(AMOUNT_MSAT)
  })

  it('a node that is frozen takes a payment whose sender has long gone', async () => {
    const one = await asked()
    network.operator.signal('SIGSTOP')
    const quick = createClnNode(network.operator.file, {
      sleep: (_ms, signal) => monotonicTime.sleep(200, signal), // a call of this program that is cut short
    })
    const payment = { ...one, maxFeeMsat: SOME_FEE, retrySeconds: RETRY_SECONDS, label: 'a payout' }
    await expect(quick.send(payment)).rejects.toBeInstanceOf(NodeSilent)
    network.operator.signal('SIGCONT')
    await waitUntil('it is complete', async () => (await outcomeOf(one.hash)) === 'complete')
    expect(await receivedBy(network.payer, one.hash)).toBe(AMOUNT_MSAT)
  })

  it('an invoice of an offer is fetched and paid, another one each time', async () => {
    const { bolt12: offer } = await network.payer.call<{ bolt12: string }>('offer', {
      amount: 'any',
      description: 'prizes',
    })
    const invoices = [await node.fetchInvoice(offer, AMOUNT_MSAT, ''), await node.fetchInvoice(offer, AMOUNT_MSAT, '')]
    expect(new Set(invoices).size).toBe(2)
    const { invoice_payment_hash: hash } = await network.operator.call<{ invoice_payment_hash: string }>('decode', {
      string: invoices[0],
    })
    expect(await sent({ invoice: invoices[0] ?? '', hash })).toBeNull()
    expect(await receivedBy(network.payer, hash)).toBe(AMOUNT_MSAT)
  })

  it('a payee with an offer is checked, and its invoices are read; offers of our own node are no payees', async () => {
    const offerOf = async (from: typeof network.payer, more: object = {}) => {
      const { bolt12 } = await from.call<{ bolt12: string }>('offer', { amount: 'any', description: 'prizes', ...more })
      return { kind: 'OFFER', value: bolt12 } as const
    }
    const { nodeId } = await node.info()
    const payees = createPayees({
      runtime: { clock: systemClock(), monotonic: monotonicTime },
      network: 'regtest',
      outbound: testRuntime().outbound,
      publicUrl: 'https://lottery.example',
      ownServer: null,
      node,
      nodeId: async () => nodeId,
    })
    const offer = await offerOf(network.payer)
    expect(await payees.check(offer)).toMatchObject({ minMsat: 1n })
    const invoice = await payees.fetchInvoice(offer, AMOUNT_MSAT)
    expect(invoice.expiresAt).toBeGreaterThan(systemClock().now() + 60)
    expect(await sent(invoice)).toBeNull()
    expect(await receivedBy(network.payer, invoice.hash)).toBe(AMOUNT_MSAT)

    await expect(payees.check(await offerOf(network.payer, { quantity_max: 5 }))).rejects.toThrow('quantity')
    const own = await offerOf(network.operator)
    await expect(payees.check(own)).rejects.toThrow('of this site')
    await expect(payees.fetchInvoice(own, AMOUNT_MSAT)).rejects.toThrow('of this site')
  })
})

describe('the death of a Core Lightning node around a payment', () => {
  it('what it says of each payment afterwards is what the payee received, whenever it dies', async () => {
    const kills = process.env['FULL_LENGTH'] === '1' ? 60 : 6
    const hashes: string[] = []
    for (let kill = 0; kill < kills; kill += 1) {
      const one = await asked()
      hashes.push(one.hash)
      const sending = sent(one)
      await monotonicTime.sleep((kill * 200) / kills)
      await network.operator.kill9()
      await sending
      await network.operator.restart()
    }
    let completeMsat = 0n
    let receivedMsat = 0n
    for (const hash of hashes) {
      await waitUntil('it is no longer in flight', async () => (await outcomeOf(hash)) !== 'in-flight')
      if ((await outcomeOf(hash)) === 'complete') completeMsat += AMOUNT_MSAT
      receivedMsat += await receivedBy(network.payer, hash)
    }
    expect(receivedMsat).toBe(completeMsat)
  }, 400_000)
})

// Last: it ends a channel. Its blocks take a while, so only the whole trials play it.
it.runIf(process.env['FULL_LENGTH'] === '1')(
  'a payment whose channel is closed by force is in flight until the chain has decided, and then has failed',
  async () => {
    const one = await asked()
    await network.payer.hold()
    const sending = sent(one)
    await waitUntil('it is in flight', async () => (await outcomeOf(one.hash)) === 'in-flight')
    await network.operator.call('close', { id: network.router.id, unilateraltimeout: 1 })
    await sending
    const words = new Set<Tracked['is']>()
    for (let block = 0; block < 60 && !words.has('failed'); block += 1) {
      words.add(await outcomeOf(one.hash))
      await network.mine(1)
    }
    expect([...words]).toEqual(['in-flight', 'failed'])
    expect(await receivedBy(network.payer, one.hash)).toBe(0n)
  },
  120_000,
)
