import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClnNode } from '../../src/ports/lightning/cln-node.ts'
import { NodeRefused, NodeSilent, type Tracked } from '../../src/ports/lightning/lightning-node.ts'
import { monotonicTime } from '../../src/runtime/system-runtime.ts'
import { waitUntil } from '../bitcoin/node.ts'
import { type LightningNetwork, SIDE_SATS, startNetwork, type TestLightningNode } from './nodes.ts'

const AMOUNT_MSAT = 2_000_000n
const NO_FEE = 0n
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
async function asked({
  from = network.payer,
  msat = AMOUNT_MSAT,
  expiry = 3600,
}: {
  from?: TestLightningNode
  msat?: bigint
  expiry?: number
} = {}): Promise<{ invoice: string; hash: string }> {
  const label = randomBytes(8).toString('hex')
  const made = await from.call<{ bolt11: string; payment_hash: string }>('invoice', {
    amount_msat: String(msat),
    label,
    description: 'a prize',
    expiry,
  })
  return { invoice: made.bolt11, hash: made.payment_hash }
}

/** Sends, and returns the code of a refusal; null without one, or if the node did not answer. */
async function sent(one: { invoice: string; hash: string }, maxFeeMsat = SOME_FEE): Promise<number | null> {
  const payment = { ...one, maxFeeMsat, retrySeconds: RETRY_SECONDS, label: 'a payout' }
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

/** What a node says it received for an invoice; 0 while it is not paid. */
async function receivedBy(payee: TestLightningNode, hash: string): Promise<bigint> {
  const { invoices } = await payee.call<{ invoices: { amount_received_msat?: number }[] }>('listinvoices', {
    payment_hash: hash,
  })
  return invoices.reduce((total, { amount_received_msat: msat = 0 }) => total + BigInt(msat), 0n)
}

describe('a payment of a Core Lightning node', () => {
  it('a payment that arrives is complete, with its preimage and what it cost, and is among those since before', async () => {
    const { cursor } = await node.paidSince(null)
    const one = await asked()
    expect(await outcomeOf(one.hash)).toBe('none')
    expect(await sent(one)).toBeNull()
    const tracked = await node.track(one.hash)
    expect(tracked).toMatchObject({ is: 'complete', preimage: expect.stringMatching(/^[0-9a-f]{64}$/) })
    if (tracked.is !== 'complete') return
    expect(tracked.sentMsat).toBeGreaterThan(AMOUNT_MSAT)
    expect(tracked.sentMsat).toBeLessThanOrEqual(AMOUNT_MSAT + SOME_FEE)
    expect(await receivedBy(network.payer, one.hash)).toBe(AMOUNT_MSAT)
    const since = await node.paidSince(cursor)
    expect(since.hashes).toEqual([one.hash])
    expect((await node.paidSince(since.cursor)).hashes).toEqual([])
  })

  it('the same invoice again, and at the same moment, is paid once', async () => {
    const one = await asked()
    await Promise.all([sent(one), sent(one), sent(one)])
    await sent(one)
    expect(await outcomeOf(one.hash)).toBe('complete')
    expect(await receivedBy(network.payer, one.hash)).toBe(AMOUNT_MSAT)
  })

  it('a way that costs more than allowed is not taken: nothing is known of the payment', async () => {
    const one = await asked()
    expect(await sent(one, NO_FEE)).toBe(206)
    expect(await outcomeOf(one.hash)).toBe('none')
    expect(await sent(one)).toBeNull()
    expect(await outcomeOf(one.hash)).toBe('complete')
  })

  it('more than the channels hold, and an expired invoice, leave no trace', async () => {
    const large = await asked({ msat: 3n * SIDE_SATS * 1000n })
    expect(await sent(large)).toBe(205)
    expect(await outcomeOf(large.hash)).toBe('none')
    const late = await asked({ expiry: 1 })
    await monotonicTime.sleep(2100)
    expect(await sent(late)).toBe(207)
    expect(await outcomeOf(late.hash)).toBe('none')
  })

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

  it('a payment that its payee refuses has failed, and the same invoice can be sent again', async () => {
    const one = await asked()
    await network.payer.hold()
    const sending = sent(one)
    await waitUntil('it is in flight', async () => (await outcomeOf(one.hash)) === 'in-flight')
    await network.payer.release('fail')
    expect(await sending).not.toBeNull()
    await waitUntil('it has failed', async () => (await outcomeOf(one.hash)) === 'failed')
    await network.payer.release('take')
    expect(await sent(one)).toBeNull()
    expect(await outcomeOf(one.hash)).toBe('complete')
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
