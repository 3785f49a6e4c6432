import { createHash, createHmac } from 'node:crypto'
import { nodeIdOf, signBolt11 } from '@fairball/domain/bolt11-signature'
import type { BitcoinNetwork } from '@fairball/domain/btc-address'
import type { Db } from '../../db/pool.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import * as queries from './test-payee-queries.ts'

/** TLV onion, payment secret, several parts (BOLT 9). */
export const FEATURES = [8, 14, 17]
export const FINAL_CLTV = 18
/** How long an invoice of the wallet may be paid. */
const EXPIRY_SECONDS = 600
/** The newest payments that a page of the demo shows. */
const LISTED = 1000n

/** What somebody asks the demo's wallet to be paid. */
export interface WalletInvoiceRequest {
  readonly amountMsat: bigint
  /** SHA-256 of what the payer was told before, hex; null for an invoice with a text of its own */
  readonly descriptionHash: string | null
  /** whom the payer meant to pay */
  readonly destination: string
  readonly expirySeconds?: number
}

/** A payment that arrived at the demo's wallet. */
export interface ArrivedPayment {
  readonly hash: string
  readonly preimage: string
  readonly destination: string
  readonly amountMsat: bigint
  /** epoch seconds */
  readonly at: number
}

/**
 * The demo's Lightning wallet: it stands for every payee that there is, with a key of its own. The demo's node pays
 * it, and what that node completed has arrived.
 */
export class TestPayee {
  /** its public key, hex */
  readonly nodeId: string
  readonly #db: Db
  readonly #runtime: Pick<Runtime, 'clock' | 'random'>
  readonly #network: BitcoinNetwork
  readonly #key: Uint8Array

  /** @param options.seed of the demo's wallet: the key is derived from it */
  constructor(options: {
    db: Db
    runtime: Pick<Runtime, 'clock' | 'random'>
    network: BitcoinNetwork
    seed: Uint8Array
  }) {
    this.#db = options.db
    this.#runtime = options.runtime
    this.#network = options.network
    this.#key = new Uint8Array(createHmac('sha256', options.seed).update('demo-ln-wallet').digest())
    this.nodeId = nodeIdOf(this.#key)
  }

  /** Makes an invoice, another one each time. @returns BOLT 11 */
  async createInvoice(request: WalletInvoiceRequest): Promise<string> {
    const { amountMsat, descriptionHash, destination, expirySeconds = EXPIRY_SECONDS } = request
    const now = this.#runtime.clock.now()
    const preimage = this.#runtime.random.bytes(32)
    const hash = createHash('sha256').update(preimage).digest('hex')
    const bolt11 = signBolt11(
      {
        network: this.#network,
        amountMsat,
        madeAt: now,
        hash,
        description: descriptionHash === null ? 'The demo’s wallet' : null,
        descriptionHash,
        secret: createHmac('sha256', this.#key).update(hash).digest('hex'),
        expirySeconds,
        minFinalCltv: FINAL_CLTV,
        features: FEATURES,
      },
      this.#key,
    )
    const expiresAt = now + expirySeconds
    await this.#db.execute(queries.insertInvoice, { hash, amountMsat, now, expiresAt, destination, preimage, bolt11 })
    return bolt11
  }

  /** What arrived, newest first. */
  async arrived(): Promise<ArrivedPayment[]> {
    const rows = await this.#db.run(queries.listArrived, [LISTED])
    return rows.map(({ paymentHash, preimage, paidAt, ...payment }) => ({
      ...payment,
      hash: paymentHash,
      preimage: Buffer.from(preimage).toString('hex'),
      at: paidAt ?? 0,
    }))
  }
}
