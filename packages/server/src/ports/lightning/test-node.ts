import { createHash, createHmac } from 'node:crypto'
import { nodeIdOf, signBolt11 } from '@fairball/domain/bolt11-signature'
import type { BitcoinNetwork } from '@fairball/domain/btc-address'
import type { Db } from '../../db/pool.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import {
  type LightningFees,
  type LightningInfo,
  type LightningInvoice,
  type LightningNode,
  type LightningPayment,
  type LightningRequest,
  type LightningSender,
  type Liquidity,
  type NodeMovement,
  NodeRefused,
  NodeSilent,
  type Tracked,
} from './lightning-node.ts'
import * as queries from './test-node-queries.ts'
import { type ArrivedPayment, FEATURES, FINAL_CLTV, TestPayee, type WalletInvoiceRequest } from './test-payee.ts'
import { type TestLightningMode, TestSender } from './test-sender.ts'

/** What the demo's node holds at the start, and what it can receive: one made-up channel, in sats each way. */
export const CHANNEL_SATS = 50_000_000n
const MSAT = 1000n
/** Channel on which processes hear that something was paid. */
const SETTLED = 'test_ln_settled'
/** Longest wait for that, in ms. */
const WAIT_MS = 50_000
const MAX_SETTLED = 500n

/**
 * The demo's Lightning node: invoices and payments are rows, signed by a key of the demo's wallet. It belongs to the
 * outside world, so it runs in transactions of its own and knows nothing of orders and payouts.
 */
export class TestLightning implements LightningNode, LightningSender {
  readonly name = 'test'
  readonly #db: Db
  readonly #runtime: Runtime
  readonly #network: BitcoinNetwork
  readonly #key: Uint8Array
  readonly #sender: TestSender
  readonly #payee: TestPayee

  /** @param options.seed of the demo's wallet: the keys of the node and of its payee are derived from it */
  constructor(options: { db: Db; runtime: Runtime; network: BitcoinNetwork; seed: Uint8Array }) {
    this.#db = options.db
    this.#runtime = options.runtime
    this.#network = options.network
    this.#key = new Uint8Array(createHmac('sha256', options.seed).update('demo-ln-node').digest())
    this.#sender = new TestSender({ db: options.db, clock: options.runtime.clock, sideMsat: CHANNEL_SATS * MSAT })
    this.#payee = new TestPayee(options)
  }

  async info(): Promise<LightningInfo> {
    await this.#assertUp()
    const height = Math.floor(this.#now() / 600)
    const { version, network } = { version: 'test', network: this.#network }
    return { nodeId: nodeIdOf(this.#key), network, version, height, isSynced: true, activeChannels: 1 }
  }

  async createInvoice({ label, preimage, amountMsat, description, expirySeconds }: LightningRequest): Promise<string> {
    const now = this.#now()
    const hash = createHash('sha256').update(preimage).digest('hex')
    const secret = createHmac('sha256', this.#key).update(hash).digest('hex')
    const bolt11 = signBolt11(
      {
        network: this.#network,
        amountMsat,
        madeAt: now,
        hash,
        description,
        descriptionHash: null,
        secret,
        expirySeconds,
        minFinalCltv: FINAL_CLTV,
        features: FEATURES,
      },
      this.#key,
    )
    const expiresAt = now + expirySeconds
    const invoice = { hash, label, preimage, amountMsat, now, expiresAt, bolt11 }
    const { mode, isMade } = await this.#db.one(queries.insertInvoice, invoice)
    assertUp(mode)
    if (isMade) return bolt11
    const earlier = await this.#db.maybeOne(queries.findInvoice, [hash])
    if (earlier === null || earlier.amountMsat !== amountMsat)
      throw new NodeRefused('this label has another invoice', 900)
    return earlier.bolt11
  }

  async invoice(hash: string): Promise<LightningInvoice> {
    await this.#assertUp()
    const invoice = await this.#db.maybeOne(queries.findInvoice, [hash])
    if (invoice === null) return { state: 'unknown' }
    const { receivedMsat, paidAt, expiresAt } = invoice
    if (receivedMsat !== null && paidAt !== null) return { state: 'paid', receivedMsat, paidAt }
    return { state: this.#now() < expiresAt ? 'open' : 'expired' }
  }

  async closeInvoice(hash: string): Promise<'closed' | 'paid' | 'unknown'> {
    await this.#assertUp()
    if ((await this.#db.execute(queries.deleteUnpaid, [hash])) > 0) return 'closed'
    return (await this.#db.maybeOne(queries.findInvoice, [hash])) === null ? 'unknown' : 'paid'
  }

  async settledSince(cursor: string | null) {
    await this.#assertUp()
    const settled = await this.#db.run(queries.listSettled, [BigInt(cursor ?? 0), MAX_SETTLED])
    const last = settled.at(-1)?.settleIndex ?? cursor ?? 0
    return { cursor: String(last), hashes: settled.map(({ paymentHash }) => paymentHash) }
  }

  async waitSettled(cursor: string | null, signal: AbortSignal): Promise<void> {
    const heard = Promise.withResolvers<void>()
    const done = new AbortController()
    const unlisten = await this.#db.listen(SETTLED, () => heard.resolve(), heard.resolve)
    try {
      if ((await this.settledSince(cursor)).hashes.length > 0) return
      const waited = this.#runtime.monotonic.sleep(WAIT_MS, AbortSignal.any([signal, done.signal]))
      await Promise.race([heard.promise, waited.catch(() => undefined)]) // stopped
    } finally {
      done.abort()
      await unlisten()
    }
  }

  async liquidity(): Promise<Liquidity> {
    await this.#assertUp()
    const { oursMsat, sendableMsat, receivableMsat, inFlightMsat } = await this.#sender.money()
    const channel = { state: 'NORMAL', isConnected: true, sendableMsat, receivableMsat }
    return { oursMsat, sendableMsat, receivableMsat, inFlightMsat, nextExpiry: null, channels: [channel] }
  }

  /** Nobody else's payments pass through it, and its channel was always there. */
  async fees(): Promise<LightningFees> {
    await this.#assertUp()
    return { routedMsat: 0n, chainFeeMsat: 0n }
  }

  /** It has no coins on the chain. */
  async movedBy(): Promise<NodeMovement> {
    return { receivedSats: 0n, isSpender: false }
  }

  /**
   * Pays an invoice from the demo's wallet, as a node takes it: whole, and up to twice its amount.
   *
   * @returns false if the node refuses: the amount is another, or the invoice is closed, paid or expired
   * @throws NodeSilent
   */
  async payIn(hash: string, amountMsat: bigint): Promise<boolean> {
    await this.#assertUp()
    const invoice = await this.#db.maybeOne(queries.findInvoice, [hash])
    if (invoice === null || amountMsat < invoice.amountMsat || amountMsat > 2n * invoice.amountMsat) return false
    return await this.#db.transaction(async (tx) => {
      await tx.one(queries.lockSettling, [])
      const paid = await tx.execute(queries.payInvoice, [hash, amountMsat, this.#now()])
      if (paid > 0) await tx.notify(SETTLED, hash)
      return paid > 0
    })
  }

  /** Pays an invoice of the demo's wallet; nobody else can be reached. */
  async send(payment: LightningPayment): Promise<void> {
    await this.#sender.send(payment)
  }

  async track(hash: string): Promise<Tracked> {
    await this.#assertUp()
    return await this.#sender.track(hash)
  }

  async paidSince(cursor: string | null) {
    await this.#assertUp()
    return await this.#sender.paidSince(cursor)
  }

  /** The public key of the demo's wallet, hex: of everybody whom the node can pay. */
  get walletId(): string {
    return this.#payee.nodeId
  }

  /** Makes an invoice of the demo's wallet, another one each time; it may be paid for ten minutes. @returns BOLT 11 */
  async createWalletInvoice(request: WalletInvoiceRequest): Promise<string> {
    return await this.#payee.createInvoice(request)
  }

  /** What was paid to the node, in thousandths of a satoshi; it also says so while it is down. */
  async receivedMsat(): Promise<bigint> {
    return (await this.#sender.money()).receivedMsat
  }

  /** What the node paid to the demo's wallet, newest first. */
  async arrivedAtWallet(): Promise<ArrivedPayment[]> {
    return await this.#payee.arrived()
  }

  /** What is in flight is completed once the mode is `ok`, and fails once it is `fail`. */
  async setMode(mode: TestLightningMode): Promise<void> {
    await this.#sender.setMode(mode)
  }

  async #assertUp(): Promise<void> {
    assertUp((await this.#db.one(queries.findMode, [])).mode)
  }

  #now(): number {
    return this.#runtime.clock.now()
  }
}

/** @throws NodeSilent */
function assertUp(mode: TestLightningMode): void {
  if (mode === 'down') throw new NodeSilent('the demo’s node is down')
}
