import { createHash, createHmac } from 'node:crypto'
import type { Db } from '../src/db/pool.ts'
import type { LightningPayouts } from '../src/modules/payouts/service.ts'
import {
  type LightningNode,
  type LightningPayment,
  type LightningSender,
  NodeRefused,
  NodeSilent,
  type PaidByNode,
  type Tracked,
} from '../src/ports/lightning/lightning-node.ts'
import { NodeWatch } from '../src/ports/lightning/node-watch.ts'
import type { Payees } from '../src/ports/lightning/payee.ts'
import { PayeeRefused } from '../src/ports/lightning/payee-refused.ts'
import { acceptFirst } from '../src/ports/lightning/queries.ts'
import type { TestRuntime } from '../src/runtime/test-runtime.ts'

/**
 * What a node does with a call that sends beside paying, as Core Lightning was seen to: the payee refuses, or there is no
 * way; it holds the payment for some seconds, with or without an answer before; it dies before the payment leaves; it
 * is frozen and reads the call when its caller has left; or the call never arrives.
 */
export const TROUBLES = [
  'pays, answer lost',
  'refuses',
  'no way',
  'too expensive',
  'answers an error, then pays',
  'holds, then pays',
  'holds, then fails',
  'dies before it leaves',
  'frozen, then pays',
  'never hears',
] as const
/** No node was seen to forget what it accepted. */
export type Behaviour = 'pays' | 'accepts and forgets' | (typeof TROUBLES)[number]

/** What a stand-in node knows of an invoice. */
interface Payment {
  readonly hash: string
  readonly preimage: string
  readonly destination: string
  readonly amountMsat: bigint
  readonly expiresAt: number
  state: 'none' | 'in-flight' | 'never-left' | 'failed' | 'complete'
  feeMsat: bigint
  endedAt: number
}

const NODE_ID = `02${'11'.repeat(32)}`
/** What it holds at first. */
const HELD_MSAT = 50_000_000_000n
const INVOICE_SECONDS = 600
const FEE_MSAT = 1_500n

/** What a payment that was completed took from the node. */
interface StandInPayment {
  readonly hash: string
  readonly destination: string
  readonly amountMsat: bigint
  readonly feeMsat: bigint
}

/** A Lightning node that pays, and the wallets it pays, whose every call goes as a test says. */
export class StandInNode {
  /** how the next calls go, in order; afterwards it pays */
  readonly next: Behaviour[] = []
  /** how many seconds until what is held, or read late, is over */
  laterSeconds = 20
  /** why wallets give no invoice; null if they give one */
  walletSays: string | null = null
  /** the life of an invoice, in seconds */
  invoiceSeconds = INVOICE_SECONDS
  isAway = false
  sendableMsat: bigint | null = null
  /** every call that sent, by hash */
  readonly calls: string[] = []
  /** what the operator paid by hand at the node */
  readonly foreign: PaidByNode[] = []
  readonly #payments = new Map<string, Payment>()
  readonly #paid: string[] = []
  readonly #labels = new Map<string, string>()
  #later: { readonly at: number; readonly happen: () => void }[] = []
  readonly #now: () => number

  /** @param now epoch seconds */
  constructor(now: () => number) {
    this.#now = now
  }

  /** What arrived at a destination, in msat, payment by payment. */
  arrivedAt(destination: string): bigint[] {
    this.#passTime()
    return [...this.#payments.values()].flatMap((one) =>
      one.destination === destination && one.state === 'complete' ? [one.amountMsat] : [],
    )
  }

  heldMsat(): bigint {
    this.#passTime()
    return [...this.#payments.values()].reduce(
      (held, one) => (one.state === 'complete' ? held - one.amountMsat - one.feeMsat : held),
      HELD_MSAT,
    )
  }

  /** Every payment that was completed, in the order in which its invoice was made. */
  completed(): StandInPayment[] {
    this.#passTime()
    return [...this.#payments.values()].filter(({ state }) => state === 'complete')
  }

  /** When what the node held of a payment ended, epoch seconds: null while it is held, 0 if it never was. */
  endedAt(hash: string): number | null {
    this.#passTime()
    const payment = this.#payments.get(hash)
    return payment?.state === 'in-flight' ? null : (payment?.endedAt ?? 0)
  }

  payees(): Payees {
    return {
      takesOffers: false,
      check: async () => ({ minMsat: 1_000n, maxMsat: HELD_MSAT }),
      fetchInvoice: async ({ value }, amountMsat) => {
        if (this.walletSays !== null) throw new PayeeRefused(this.walletSays)
        const preimage = createHmac('sha256', 'stand-in').update(String(this.#payments.size)).digest()
        const hash = createHash('sha256').update(preimage).digest('hex')
        const expiresAt = this.#now() + this.invoiceSeconds
        const known = { destination: value, amountMsat, expiresAt, state: 'none' as const, feeMsat: 0n, endedAt: 0 }
        this.#payments.set(hash, { hash, preimage: preimage.toString('hex'), ...known })
        return { invoice: `lnbcrt-${hash}`, hash, expiresAt }
      },
    }
  }

  node(): LightningNode & LightningSender {
    const unused = (): never => {
      throw new Error('payouts do not ask for this')
    }
    return {
      name: 'test',
      info: async () => {
        this.#assertUp()
        const version = 'stand-in'
        return { nodeId: NODE_ID, network: 'regtest', version, height: 1, isSynced: true, activeChannels: 1 }
      },
      liquidity: async () => {
        this.#assertUp()
        const oursMsat = this.heldMsat()
        const sendableMsat = this.sendableMsat ?? oursMsat
        return { oursMsat, sendableMsat, receivableMsat: HELD_MSAT, inFlightMsat: 0n, nextExpiry: null, channels: [] }
      },
      send: async (payment) => this.#send(payment),
      track: async (hash) => this.#track(hash),
      paidSince: async (cursor) => {
        this.#assertUp()
        this.#passTime()
        const start = Number(cursor ?? 0)
        const paid = this.#paid.map((hash) => ({ hash, label: this.#labels.get(hash) ?? null }))
        const all = [...paid, ...this.foreign]
        return { cursor: String(all.length), payments: all.slice(start) }
      },
      createInvoice: unused,
      invoice: unused,
      closeInvoice: unused,
      settledSince: unused,
      waitSettled: unused,
      fees: unused,
      movedBy: unused,
    }
  }

  async #send({ hash, maxFeeMsat, label }: LightningPayment): Promise<void> {
    this.#assertUp()
    this.#passTime()
    this.calls.push(hash)
    this.#labels.set(hash, label)
    const payment = this.#paymentOf(hash)
    const how = this.next.shift() ?? 'pays'
    if (how === 'never hears') throw new NodeSilent('no answer')
    if (how === 'frozen, then pays') {
      this.#happenLater(() => this.#take(payment, maxFeeMsat))
      throw new NodeSilent('no answer')
    }
    if (payment.state === 'in-flight' || payment.state === 'never-left') throw new NodeRefused('still in progress', -3)
    if (payment.state === 'complete') throw new NodeRefused('already paid', 219)
    if (payment.expiresAt <= this.#now()) throw new NodeRefused('expired', 207)
    switch (how) {
      case 'no way':
        throw new NodeRefused('no way', 205)
      case 'too expensive':
        throw new NodeRefused('too expensive', 206)
      case 'refuses':
        payment.state = 'failed'
        throw new NodeRefused('the payee refuses', 203)
      case 'dies before it leaves':
        payment.state = 'never-left'
        throw new NodeSilent('the node died')
      case 'accepts and forgets':
        return
      case 'pays':
        return this.#complete(payment, maxFeeMsat)
      case 'pays, answer lost':
        this.#complete(payment, maxFeeMsat)
        throw new NodeSilent('the answer is lost')
      case 'answers an error, then pays':
        payment.state = 'in-flight'
        this.#endLater(payment, () => this.#complete(payment, maxFeeMsat))
        throw new NodeRefused('a part failed', 209)
      case 'holds, then pays':
      case 'holds, then fails':
        payment.state = 'in-flight'
        this.#endLater(payment, () =>
          how === 'holds, then pays' ? this.#complete(payment, maxFeeMsat) : void (payment.state = 'failed'),
        )
        throw new NodeSilent('no answer while it is held')
    }
  }

  /** A node that was frozen reads a call: as if it came now. */
  #take(payment: Payment, maxFeeMsat: bigint): void {
    if (payment.expiresAt > this.#now() && (payment.state === 'none' || payment.state === 'failed'))
      this.#complete(payment, maxFeeMsat)
  }

  #complete(payment: Payment, maxFeeMsat: bigint): void {
    payment.state = 'complete'
    payment.feeMsat = FEE_MSAT < maxFeeMsat ? FEE_MSAT : maxFeeMsat
    this.#paid.push(payment.hash)
  }

  #track(hash: string): Tracked {
    this.#assertUp()
    this.#passTime()
    const payment = this.#paymentOf(hash)
    const { state, preimage, amountMsat, feeMsat } = payment
    return state === 'complete' ? { is: 'complete', preimage, sentMsat: amountMsat + feeMsat } : { is: state }
  }

  #paymentOf(hash: string): Payment {
    const payment = this.#payments.get(hash)
    if (payment === undefined) throw new Error(`nobody made an invoice ${hash}`)
    return payment
  }

  #endLater(payment: Payment, end: () => void): void {
    this.#happenLater((at) => {
      payment.endedAt = at
      end()
    })
  }

  #happenLater(happen: (at: number) => void): void {
    const at = this.#now() + this.laterSeconds
    this.#later.push({ at, happen: () => happen(at) })
  }

  #passTime(): void {
    const due = this.#later.filter(({ at }) => at <= this.#now())
    this.#later = this.#later.filter((one) => !due.includes(one))
    for (const { happen } of due) happen()
  }

  #assertUp(): void {
    if (this.isAway) throw new NodeSilent('the node is away')
  }
}

/** The same for tests of one process, with what pays over it. */
export class StandInLightning extends StandInNode {
  readonly #runtime: TestRuntime

  constructor(runtime: TestRuntime) {
    super(() => runtime.clock.now())
    this.#runtime = runtime
  }

  /** What pays over this node. `wrap` breaks it, as a bug in it would. */
  payouts(db: Db, wrap = <T extends LightningSender>(node: T): T => node): LightningPayouts {
    const node = wrap(this.node())
    const { clock, log, monotonic } = this.#runtime
    // What is known of it grows old with the clock of the test.
    const runtime = { log, monotonic: { ...monotonic, nowMs: () => clock.now() * 1000 } }
    const watch = new NodeWatch({ db, node, runtime, chainHeight: async () => null })
    const limits = { maxSats: 1_000_000n, feePpm: 5_000n, feeMinSats: 10n, floatSats: null }
    return {
      node,
      watch,
      payees: this.payees(),
      limits: () => limits,
      isClockWrong: async () => false,
      compared: { at: null },
      asked: new Map(),
    }
  }

  /** The operator takes the node as the lottery's. */
  async accept(db: Db): Promise<void> {
    await db.execute(acceptFirst, [NODE_ID, this.#runtime.clock.now()])
  }
}
