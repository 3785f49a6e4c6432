import { createHash } from 'node:crypto'
import { readBolt11 } from '@fairball/domain/bolt11'
import { payeeOfBolt11 } from '@fairball/domain/bolt11-signature'
import { expect, it } from 'vitest'
import { type LightningNode, NodeRefused } from '../src/ports/lightning/lightning-node.ts'

/** A node of the operator, and a payer who can reach it. */
export interface NodeUnderTest {
  readonly node: LightningNode
  /** Pays an invoice whole, or another amount. @returns whether the node took it */
  pay(bolt11: string, amountMsat: bigint): Promise<boolean>
  /** epoch seconds, by the node's clock */
  now(): number
  /** Passes time for the node, at least so many seconds. */
  pass(seconds: number): Promise<void>
}

const AMOUNT_MSAT = 21_000_001n

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
    const { node, now } = open()
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
