import { createHash } from 'node:crypto'
import { nodeIdOf, signBolt11 } from '@fairball/domain/bolt11-signature'
import { type Behaviour, StandInNode, TROUBLES } from '@fairball/server/testing/fixtures'
import {
  type LightningInvoice,
  type LightningNode,
  type LightningRequest,
  type LightningSender,
  NodeRefused,
  NodeSilent,
  type Payees,
} from '@fairball/server/testing/ports'
import { createPrng, type Prng } from './prng.ts'

const LIKELIHOOD = 0.14
/** How long a payment is held, or a frozen node takes to read a call, in seconds. */
const HOLDS = [1, 3, 20, 70, 300, 900, 1500, 7200] as const
/** The lives of the wallets' invoices, in seconds. */
const LIVES = [61, 120, 600, 600, 900] as const
/** How long a node is down that died, in seconds. */
const DOWN_SECONDS = { least: 5, most: 400 }
/** What the node holds at first, and can receive. */
const CHANNEL_MSAT = 50_000_000_000n
const KEY = new Uint8Array(32).fill(11)
/** The features and the delay that every invoice needs. */
const FEATURES = [8, 14, 17]
const FINAL_CLTV = 18

/** What goes wrong with Lightning in a seed. */
export interface LightningFaults {
  /** which troubles calls that send meet */
  readonly troubles: readonly Behaviour[]
  /** probability that such a call meets one */
  trouble: number
  /** probability that the node dies at a call: before it, or after it with the answer lost */
  death: number
  /** probability that only the answer of a call is lost */
  lostAnswer: number
  /** probability that a wallet gives no invoice */
  silentWallet: number
  /** probability that nobody hears of a payment that came */
  lostHint: number
}

/** An invoice of ours. */
interface OwnInvoice {
  readonly bolt11: string
  readonly amountMsat: bigint
  readonly expiresAt: number
  paid: { readonly msat: bigint; readonly at: number } | null
}

/** Replaces what the node says, as a bug in the program that asks it would. */
export type WrapNode = (node: LightningNode & LightningSender) => LightningNode & LightningSender

/** What goes wrong with Lightning in a seed; null if the operator has no node. */
export function lightningFaultsOf(seed: number): LightningFaults | null {
  // A separate stream, so that the other seeds take the steps that they took without Lightning.
  const prng = createPrng(`${seed} Lightning wallets`)
  if (!prng.chance(LIKELIHOOD)) return null
  const count = prng.between(2, 6)
  return {
    troubles: Array.from({ length: count }, () => prng.pick(TROUBLES)),
    trouble: prng.pick([0.4, 0.7, 1]),
    death: prng.pick([0, 0.01, 0.04]),
    lostAnswer: prng.pick([0, 0.03, 0.1]),
    silentWallet: prng.pick([0, 0, 0.4]),
    lostHint: prng.pick([0, 0.5, 1]),
  }
}

/**
 * The operator's Lightning node, and the wallets of players. It pays like the stand-in of the server's tests, and takes
 * payments for orders; it can die at every call.
 */
export class SimulatedLightning {
  readonly nodeId = nodeIdOf(KEY)
  readonly #prng: Prng
  readonly #faults: LightningFaults
  readonly #now: () => number
  readonly #onFault: (what: string) => void
  readonly #standIn: StandInNode
  readonly #invoices = new Map<string, OwnInvoice>()
  /** hashes of invoices that were paid, in that order */
  readonly #settled: string[] = []
  readonly #waiting = new Set<() => void>()
  #downUntil = 0
  #isCalm = false

  constructor(options: {
    readonly seed: number
    readonly faults: LightningFaults
    /** epoch seconds */
    readonly now: () => number
    readonly onFault: (what: string) => void
  }) {
    this.#prng = createPrng(`${options.seed} Lightning world`)
    this.#faults = options.faults
    this.#now = options.now
    this.#onFault = options.onFault
    this.#standIn = new StandInNode(options.now)
  }

  /** Whether the node answers every call. */
  get isSteady(): boolean {
    return this.#faults.death === 0 && this.#faults.lostAnswer === 0
  }

  /** Ends all faults. What is held stays held for its time. */
  calm(): void {
    Object.assign(this.#faults, { trouble: 0, death: 0, lostAnswer: 0, silentWallet: 0, lostHint: 0 })
    this.#downUntil = 0
    this.#isCalm = true
  }

  /** The node, as a process calls it. Each call is done or not at once. */
  node(): LightningNode & LightningSender {
    const node = this.#sound()
    return {
      ...node,
      info: () => this.#asked('info', () => node.info()),
      liquidity: () => this.#asked('liquidity', () => node.liquidity()),
      fees: () => this.#asked('fees', () => node.fees()),
      movedBy: (txid) => this.#asked('movedBy', () => node.movedBy(txid)),
      createInvoice: (request) => this.#asked('createInvoice', () => node.createInvoice(request)),
      invoice: (hash) => this.#asked('invoice', () => node.invoice(hash)),
      closeInvoice: (hash) => this.#asked('closeInvoice', () => node.closeInvoice(hash)),
      settledSince: (cursor) => this.#asked('settledSince', () => node.settledSince(cursor)),
      send: (payment) => this.#asked('send', () => node.send(payment)),
      track: (hash) => this.#asked('track', () => node.track(hash)),
      paidSince: (cursor) => this.#asked('paidSince', () => node.paidSince(cursor)),
    }
  }

  /** The wallets of players. */
  payees(): Payees {
    const payees = this.#standIn.payees()
    return {
      ...payees,
      fetchInvoice: async (destination, amountMsat) => {
        const isSilent = this.#prng.chance(this.#faults.silentWallet)
        if (isSilent) this.#onFault('wallets that give no invoice')
        this.#standIn.walletSays = isSilent ? 'the wallet is away' : null
        this.#standIn.invoiceSeconds = this.#prng.pick(LIVES)
        return await payees.fetchInvoice(destination, amountMsat)
      },
    }
  }

  /** Resolves once something is paid, if its hint is not lost; or when it is stopped. */
  nextPayment(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.add(resolve)
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
  }

  /** Whoever waits for payments looks again. */
  wake(): void {
    for (const resolve of this.#waiting) resolve()
    this.#waiting.clear()
  }

  /** A player's wallet pays an invoice of ours: whole, and up to twice. @returns false if the node refuses */
  pay(hash: string, msat: bigint): boolean {
    const invoice = this.#invoices.get(hash)
    const now = this.#now()
    if (invoice === undefined || invoice.paid !== null || now >= invoice.expiresAt || now < this.#downUntil)
      return false
    if (msat < invoice.amountMsat || msat > 2n * invoice.amountMsat) return false
    invoice.paid = { msat, at: now }
    this.#settled.push(hash)
    if (!this.#prng.chance(this.#faults.lostHint)) this.wake()
    return true
  }

  /** What the node holds, in msat. */
  heldMsat(): bigint {
    return this.#standIn.heldMsat() + this.#receivedMsat()
  }

  /** How many payments came and went: each may leave a part of a satoshi that is not booked. */
  paymentCount(): number {
    return this.#settled.length + this.#standIn.completed().length
  }

  /** Every payment that the node made. */
  paid(): ReturnType<StandInNode['completed']> {
    return this.#standIn.completed()
  }

  /** When what the node held of a payment ended, epoch seconds: null while it is held, 0 if it never was. */
  endedAt(hash: string): number | null {
    return this.#standIn.endedAt(hash)
  }

  /** The node without its deaths. */
  #sound(): LightningNode & LightningSender {
    const sending = this.#standIn.node()
    return {
      ...sending,
      name: 'cln',
      info: async () => ({
        nodeId: this.nodeId,
        network: 'regtest',
        version: 'v26.06.6',
        height: 1,
        isSynced: true,
        activeChannels: 1,
      }),
      liquidity: async () => {
        const oursMsat = this.heldMsat()
        const sendableMsat = this.#standIn.heldMsat()
        return {
          oursMsat,
          sendableMsat,
          receivableMsat: CHANNEL_MSAT,
          inFlightMsat: 0n,
          nextExpiry: null,
          channels: [],
        }
      },
      fees: async () => ({ routedMsat: 0n, chainFeeMsat: 0n }),
      // Its channels were there before the lottery: none of its coins is spent.
      movedBy: async () => ({ receivedSats: 0n, isSpender: false }),
      createInvoice: async (request) => this.#createInvoice(request),
      invoice: async (hash) => this.#invoice(hash),
      closeInvoice: async (hash) => {
        const invoice = this.#invoices.get(hash)
        if (invoice === undefined) return 'unknown'
        if (invoice.paid !== null) return 'paid'
        this.#invoices.delete(hash)
        return 'closed'
      },
      settledSince: async (cursor) => {
        const hashes = this.#settled.slice(Number(cursor ?? 0))
        return { cursor: String(this.#settled.length), hashes }
      },
      send: async (payment) => {
        this.#standIn.next.splice(0, Infinity, this.#behaviour())
        this.#standIn.laterSeconds = this.#prng.pick(HOLDS)
        await sending.send(payment)
      },
    }
  }

  #createInvoice({ preimage, amountMsat, description, expirySeconds }: LightningRequest): string {
    const hash = createHash('sha256').update(preimage).digest('hex')
    const known = this.#invoices.get(hash)
    if (known !== undefined && known.amountMsat !== amountMsat) throw new NodeRefused('another amount', 900)
    if (known !== undefined) return known.bolt11
    const madeAt = this.#now()
    const what = { network: 'regtest', amountMsat, madeAt, hash, description, descriptionHash: null } as const
    const secret = createHash('sha256').update(`secret ${hash}`).digest('hex')
    const how = { secret, expirySeconds, minFinalCltv: FINAL_CLTV, features: FEATURES }
    const bolt11 = signBolt11({ ...what, ...how }, KEY)
    this.#invoices.set(hash, { bolt11, amountMsat, expiresAt: madeAt + expirySeconds, paid: null })
    return bolt11
  }

  #invoice(hash: string): LightningInvoice {
    const invoice = this.#invoices.get(hash)
    if (invoice === undefined) return { state: 'unknown' }
    if (invoice.paid !== null) return { state: 'paid', receivedMsat: invoice.paid.msat, paidAt: invoice.paid.at }
    return { state: this.#now() < invoice.expiresAt ? 'open' : 'expired' }
  }

  #behaviour(): Behaviour {
    if (!this.#prng.chance(this.#faults.trouble)) return 'pays'
    const trouble = this.#prng.pick(this.#faults.troubles)
    this.#onFault(`payments over Lightning: ${trouble}`)
    return trouble
  }

  /** A call, at which the node may die. */
  async #asked<T>(what: string, call: () => Promise<T>): Promise<T> {
    if (this.#now() < this.#downUntil) throw new NodeSilent('the node is down')
    if (this.#isCalm) return await call()
    const { death, lostAnswer } = this.#faults
    const fate = this.#prng.next()
    if (fate >= death + lostAnswer) return await call()
    const isDeath = fate < death
    const isDone = !isDeath || this.#prng.chance(0.5)
    if (isDone) await call().catch(() => undefined) // its answer is lost
    if (isDeath) this.#downUntil = this.#now() + this.#prng.between(DOWN_SECONDS.least, DOWN_SECONDS.most)
    this.#onFault(`${isDeath ? 'deaths of the Lightning node at' : 'answers of the Lightning node lost to'} ${what}`)
    throw new NodeSilent(isDeath ? 'the node died' : 'the answer is lost')
  }

  #receivedMsat(): bigint {
    return this.#settled.reduce((sum, hash) => sum + (this.#invoices.get(hash)?.paid?.msat ?? 0n), 0n)
  }
}
