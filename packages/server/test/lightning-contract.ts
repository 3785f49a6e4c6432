import { createHash } from 'node:crypto'
import { readBolt11 } from '@fairball/domain/bolt11'
import { payeeOfBolt11, signBolt11 } from '@fairball/domain/bolt11-signature'
import { expect, it } from 'vitest'
import {
  type LightningNode,
  type LightningSender,
  NodeRefused,
  NodeSilent,
  type Tracked,
} from '../src/ports/lightning/lightning-node.ts'

/** A node of the operator, and a payer who can reach it. */
export interface NodeUnderTest {
  readonly node: LightningNode & LightningSender
  /** who can be paid by it */
  readonly payee: PayeeUnderTest
  /** Pays an invoice whole, or another amount. @returns whether the node took it */
  pay(bolt11: string, amountMsat: bigint): Promise<boolean>
  /** epoch seconds, by the node's clock */
  now(): number
  /** Passes time for the node, at least so many seconds. */
  pass(seconds: number): Promise<void>
  /** What it does otherwise than Core Lightning. */
  readonly habits?: {
    /** invoices have no names: only the preimage makes two of them one */
    readonly hasNoLabels?: true
    /** payments for which it finds no way are kept as failed */
    readonly keepsRefused?: true
    /** the code where every way costs more than allowed */
    readonly tooExpensive?: number
  }
}

/** A node of somebody else, which the operator's node can reach. What a way to it costs is more than nothing. */
interface PayeeUnderTest {
  /** @returns BOLT 11 */
  invoice(request: { readonly amountMsat: bigint; readonly expirySeconds: number }): Promise<string>
  /** what arrived for an invoice, 0 while it is not paid */
  receivedMsat(hash: string): Promise<bigint>
  /** Keeps what arrives waiting until `release`, and refuses it from then on if it is to fail. */
  hold(): Promise<void>
  release(how: 'take' | 'fail'): Promise<void>
}

const AMOUNT_MSAT = 21_000_001n
const PRIZE_MSAT = 2_000_001n
const NO_FEE = 0n
const SOME_FEE = 50_000n
const RETRY_SECONDS = 5
/** More than any test's node holds. */
const TOO_MUCH_MSAT = 90_000_000_000n

/** What every Lightning node does for the program: the same tests for each of them. */
export function lightningContract(open: () => NodeUnderTest): void {
  let count = 0
  const requestOf = (changes: { amountMsat?: bigint; expirySeconds?: number } = {}) => {
    count += 1
    const preimage = new Uint8Array(createHash('sha256').update(`preimage ${count}`).digest())
    const hash = createHash('sha256').update(preimage).digest('hex')
    const request = {
      label: `order-${count}`,
      preimage,
      amountMsat: AMOUNT_MSAT,
      description: 'Fairball: a game',
      expirySeconds: 600,
    }
    return { hash, request: { ...request, ...changes } }
  }

  it('the node says who and where it is', async () => {
    const info = await open().node.info()
    expect(info).toMatchObject({ network: 'regtest', isSynced: true })
    expect(info.nodeId).toMatch(/^0[23][0-9a-f]{64}$/)
    expect(info.activeChannels).toBeGreaterThan(0)
  })

  it('an invoice has the hash of its preimage, and the same request again gives the same one', async () => {
    const { node, now, habits } = open()
    const { hash, request } = requestOf()
    const bolt11 = await node.createInvoice(request)
    const { nodeId } = await node.info()
    expect(readBolt11(bolt11)).toMatchObject({
      network: 'regtest',
      hash,
      amountMsat: AMOUNT_MSAT,
      description: 'Fairball: a game',
    })
    expect(payeeOfBolt11(bolt11)).toBe(nodeId)
    const invoice = readBolt11(bolt11)
    expect(Math.abs((invoice?.madeAt ?? 0) - now())).toBeLessThan(30)
    expect(await node.createInvoice(request)).toBe(bolt11)
    expect(await node.invoice(hash)).toEqual({ state: 'open' })
    await expect(node.createInvoice({ ...request, amountMsat: 1_000n })).rejects.toThrow(NodeRefused)
    if (habits?.hasNoLabels !== true)
      await expect(node.createInvoice({ ...requestOf().request, label: request.label })).rejects.toThrow(NodeRefused)
  })

  it('a payment is whole, and told once with its exact amount and time', async () => {
    const { node, pay, now } = open()
    const { hash, request } = requestOf()
    const bolt11 = await node.createInvoice(request)
    const { cursor } = await node.settledSince(null)
    const before = await node.liquidity()
    expect(await pay(bolt11, AMOUNT_MSAT)).toBe(true)
    const invoice = await node.invoice(hash)
    expect(invoice).toMatchObject({ state: 'paid', receivedMsat: AMOUNT_MSAT })
    expect(Math.abs((invoice.state === 'paid' ? invoice.paidAt : 0) - now())).toBeLessThan(30)
    const settled = await node.settledSince(cursor)
    expect(settled.hashes).toEqual([hash])
    expect(await node.settledSince(cursor)).toEqual(settled)
    expect(await node.settledSince(settled.cursor)).toEqual({ cursor: settled.cursor, hashes: [] })
    expect((await node.settledSince(null)).hashes).toContain(hash)
    await expect.poll(async () => (await node.liquidity()).oursMsat - before.oursMsat).toBe(AMOUNT_MSAT)
    expect(await node.closeInvoice(hash)).toBe('paid')
    expect(await node.fees()).toEqual({ routedMsat: 0n, chainFeeMsat: 0n })
  })

  it('an invoice that is closed cannot be paid, and one that is not known has no state', async () => {
    const { node, pay } = open()
    const { hash, request } = requestOf()
    const bolt11 = await node.createInvoice(request)
    expect(await node.closeInvoice(hash)).toBe('closed')
    expect(await pay(bolt11, AMOUNT_MSAT)).toBe(false)
    expect([await node.invoice(hash), await node.closeInvoice(hash)]).toEqual([{ state: 'unknown' }, 'unknown'])
    expect(await node.invoice('ab'.repeat(32))).toEqual({ state: 'unknown' })
  })

  it('an invoice whose time is over is expired and refused, and its close is exact', async () => {
    const { node, pay, pass } = open()
    const { hash, request } = requestOf({ expirySeconds: 2 })
    const bolt11 = await node.createInvoice(request)
    await pass(3)
    await expect.poll(async () => (await node.invoice(hash)).state).toBe('expired')
    expect(await pay(bolt11, AMOUNT_MSAT)).toBe(false)
    expect(await node.closeInvoice(hash)).toBe('closed')
  })

  it('a caller that waits is told of a payment', async () => {
    const { node, pay } = open()
    const { request } = requestOf()
    const bolt11 = await node.createInvoice(request)
    const { cursor } = await node.settledSince(null)
    const heard = node.waitSettled(cursor, new AbortController().signal)
    expect(await pay(bolt11, AMOUNT_MSAT)).toBe(true)
    await heard
    expect((await node.settledSince(cursor)).hashes).toHaveLength(1)
    // What was paid before is heard at once, and a stop ends the waiting.
    await node.waitSettled(cursor, new AbortController().signal)
    const stop = new AbortController()
    const { cursor: last } = await node.settledSince(cursor)
    const waiting = node.waitSettled(last, stop.signal)
    stop.abort()
    await waiting
  })
}

const LABEL = 'a payout'

/** What every Lightning node does for payouts: the same tests for each of them. */
export function sendingContract(open: () => NodeUnderTest): void {
  const asked = async ({ amountMsat = PRIZE_MSAT, expirySeconds = 3600 } = {}) => {
    const invoice = await open().payee.invoice({ amountMsat, expirySeconds })
    return { invoice, hash: readBolt11(invoice)?.hash ?? '' }
  }
  const outcomeOf = async (hash: string): Promise<Tracked['is']> => (await open().node.track(hash)).is
  const received = async (hash: string): Promise<bigint> => await open().payee.receivedMsat(hash)

  /** The code of a refusal; null without one, or if the node did not answer. */
  const sent = async (one: { invoice: string; hash: string }, maxFeeMsat = SOME_FEE): Promise<number | null> => {
    const payment = { ...one, maxFeeMsat, retrySeconds: RETRY_SECONDS, label: LABEL }
    return await open()
      .node.send(payment)
      .then(
        () => null,
        (error: unknown) => {
          if (error instanceof NodeRefused) return error.code
          if (error instanceof NodeSilent) return null
          throw error
        },
      )
  }

  it('a payment that arrives is complete, with its preimage and what it cost, and is among those since before', async () => {
    const { node } = open()
    const { cursor } = await node.paidSince(null)
    const { oursMsat: before } = await node.liquidity()
    const one = await asked()
    expect(await outcomeOf(one.hash)).toBe('none')
    expect(await sent(one)).toBeNull()
    const tracked = await node.track(one.hash)
    if (tracked.is !== 'complete') throw new Error(`it is ${tracked.is}`)
    expect(createHash('sha256').update(Buffer.from(tracked.preimage, 'hex')).digest('hex')).toBe(one.hash)
    expect(tracked.sentMsat).toBeGreaterThan(PRIZE_MSAT)
    expect(tracked.sentMsat).toBeLessThanOrEqual(PRIZE_MSAT + SOME_FEE)
    expect(await received(one.hash)).toBe(PRIZE_MSAT)
    const since = await node.paidSince(cursor)
    // Only Core Lightning keeps labels.
    expect(since.payments).toEqual([{ hash: one.hash, label: node.name === 'cln' ? LABEL : null }])
    expect(await node.paidSince(cursor)).toEqual(since)
    expect(await node.paidSince(since.cursor)).toEqual({ cursor: since.cursor, payments: [] })
    await expect.poll(async () => before - (await node.liquidity()).oursMsat).toBe(tracked.sentMsat)
  })

  it('the same invoice again, and at the same moment, is paid once', async () => {
    const { node } = open()
    const { oursMsat: before } = await node.liquidity()
    const one = await asked()
    await Promise.all([sent(one), sent(one), sent(one)])
    await expect.poll(() => outcomeOf(one.hash)).toBe('complete')
    expect(await sent(one)).toBe(219)
    const tracked = await node.track(one.hash)
    expect(tracked.is).toBe('complete')
    expect(await received(one.hash)).toBe(PRIZE_MSAT)
    // A node's books may be some moments behind.
    const costMsat = tracked.is === 'complete' ? tracked.sentMsat : 0n
    await expect.poll(async () => before - (await node.liquidity()).oursMsat).toBe(costMsat)
  })

  /** What a node says of a payment that it could not begin. */
  const refused = (): Tracked['is'] => (open().habits?.keepsRefused === true ? 'failed' : 'none')

  it('a way that costs more than allowed is not taken: nothing is on its way', async () => {
    const one = await asked()
    expect(await sent(one, NO_FEE)).toBe(open().habits?.tooExpensive ?? 206)
    expect(await outcomeOf(one.hash)).toBe(refused())
    expect(await sent(one)).toBeNull()
    expect(await outcomeOf(one.hash)).toBe('complete')
  })

  it('more than the channels hold, and an expired invoice, are not sent', async () => {
    const large = await asked({ amountMsat: TOO_MUCH_MSAT })
    expect(await sent(large, TOO_MUCH_MSAT)).toBe(205)
    expect(await outcomeOf(large.hash)).toBe(refused())
    const late = await asked({ expirySeconds: 1 })
    await open().pass(3)
    expect(await sent(late)).toBe(207)
    expect(await outcomeOf(late.hash)).toBe('none')
  })

  it('an invoice of a payee to whom there is no way is not sent', async () => {
    const hash = createHash('sha256').update('nobody').digest('hex')
    const draft = { network: 'regtest', amountMsat: PRIZE_MSAT, madeAt: open().now(), hash, description: '' } as const
    const usual = { descriptionHash: null, expirySeconds: null, minFinalCltv: 18, features: [8, 14, 17] }
    const invoice = signBolt11({ ...draft, ...usual, secret: hash }, new Uint8Array(32).fill(9))
    expect(await sent({ invoice, hash })).toBe(205)
    expect(await outcomeOf(hash)).toBe(refused())
  })

  it('a payment that its payee holds is in flight, is refused a second time, and completes', async () => {
    const { node, payee } = open()
    const before = await node.liquidity()
    const one = await asked()
    await payee.hold()
    const sending = sent(one)
    await expect.poll(() => outcomeOf(one.hash)).toBe('in-flight')
    expect(await sent(one)).not.toBe(219)
    const held = await node.liquidity()
    expect(held.inFlightMsat - before.inFlightMsat).toBeGreaterThan(PRIZE_MSAT)
    expect(held.sendableMsat).toBeLessThan(before.sendableMsat - PRIZE_MSAT)
    expect(held.oursMsat).toBe(before.oursMsat)
    expect(await received(one.hash)).toBe(0n)
    await payee.release('take')
    await sending
    await expect.poll(() => outcomeOf(one.hash)).toBe('complete')
    expect(await received(one.hash)).toBe(PRIZE_MSAT)
    await expect.poll(async () => (await node.liquidity()).inFlightMsat).toBe(before.inFlightMsat)
  })

  it('a payment that its payee refuses has failed, and the same invoice can be sent again', async () => {
    const { node, payee } = open()
    const { cursor } = await node.paidSince(null)
    const one = await asked()
    await payee.hold()
    const sending = sent(one)
    await expect.poll(() => outcomeOf(one.hash)).toBe('in-flight')
    await payee.release('fail')
    await sending
    await expect.poll(() => outcomeOf(one.hash)).toBe('failed')
    expect(await sent(one)).not.toBeNull() // it is refused at once
    await expect.poll(() => outcomeOf(one.hash)).toBe('failed')
    expect((await node.paidSince(cursor)).payments).toEqual([])
    await payee.release('take')
    expect(await sent(one)).toBeNull()
    expect(await outcomeOf(one.hash)).toBe('complete')
    expect(await received(one.hash)).toBe(PRIZE_MSAT)
  })
}
