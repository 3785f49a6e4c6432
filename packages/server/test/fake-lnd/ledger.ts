import { createHash } from 'node:crypto'
import { readBolt11 } from '@fairball/domain/bolt11'
import { nodeIdOf, payeeOfBolt11, signBolt11 } from '@fairball/domain/bolt11-signature'

const MSAT = 1000n
/** What each side of its one channel holds at the start. */
const SIDE_MSAT = 5_000_000_000n
const FEATURES = [8, 14, 17]
const NODE_KEY = new Uint8Array(32).fill(21)
const PAYEE_KEY = new Uint8Array(32).fill(22)
/** What the way to the payee costs. */
const feeOf = (msat: bigint): bigint => 1000n + msat / 10_000n

/** A refusal, with gRPC's code. */
export class LndError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** An invoice of the node. */
export interface FakeInvoice {
  readonly hash: string
  readonly preimage: Buffer
  readonly memo: string
  readonly valueMsat: bigint
  readonly bolt11: string
  readonly madeAt: number
  readonly expirySeconds: number
  readonly addIndex: number
  state: 'OPEN' | 'SETTLED' | 'CANCELED'
  settleIndex: number
  settledAt: number
  paidMsat: bigint
}

/** A payment of the node. */
export interface FakePayment {
  readonly hash: string
  readonly bolt11: string
  readonly valueMsat: bigint
  readonly index: number
  feeMsat: bigint
  status: 'IN_FLIGHT' | 'SUCCEEDED' | 'FAILED'
  failure: string
  preimage: string
}

/** What an lnd node with one channel does about invoices and payments, and a payee at the other end. */
export class FakeLedger {
  readonly nodeId = nodeIdOf(NODE_KEY)
  readonly invoices = new Map<string, FakeInvoice>()
  readonly payments = new Map<string, FakePayment>()
  readonly #owed = new Map<string, { readonly preimage: string; receivedMsat: bigint }>()
  readonly #now: () => number
  #mode: 'take' | 'hold' | 'fail' = 'take'
  #counted = { added: 0, settled: 0, paid: 0, made: 0 }
  /** called after each change of an invoice or a payment */
  onChange: () => void = () => undefined

  constructor(now: () => number) {
    this.#now = now
  }

  addInvoice(request: { preimage: Buffer; memo: string; valueMsat: bigint; expirySeconds: number }): FakeInvoice {
    const { preimage, memo, valueMsat, expirySeconds } = request
    const hash = sha256(preimage)
    if (this.invoices.has(hash)) throw new LndError(2, 'invoice with payment hash already exists')
    const madeAt = this.#now()
    const bolt11 = this.#sign({ hash, madeAt, description: memo, amountMsat: valueMsat, expirySeconds }, NODE_KEY)
    const addIndex = ++this.#counted.added
    const rest = { state: 'OPEN', settleIndex: 0, settledAt: 0, paidMsat: 0n } as const
    const made: FakeInvoice = { hash, preimage, memo, valueMsat, bolt11, madeAt, expirySeconds, addIndex, ...rest }
    this.invoices.set(hash, made)
    this.onChange()
    return made
  }

  /** The node itself cancels what has expired. */
  find(hash: string): FakeInvoice {
    const found = this.invoices.get(hash)
    if (found === undefined) throw new LndError(5, 'unable to locate invoice')
    if (found.state === 'OPEN' && this.#now() >= found.madeAt + found.expirySeconds) found.state = 'CANCELED'
    return found
  }

  cancel(hash: string): void {
    const found = this.find(hash)
    if (found.state === 'SETTLED') throw new LndError(2, 'invoice already settled')
    found.state = 'CANCELED'
    this.onChange()
  }

  /** Pays an invoice of the node from outside. @returns whether it took it */
  payIn(bolt11: string, msat: bigint): boolean {
    const found = this.invoices.get(readBolt11(bolt11)?.hash ?? '')
    if (found === undefined || this.find(found.hash).state !== 'OPEN') return false
    if (msat < found.valueMsat || msat > 2n * found.valueMsat) return false
    Object.assign(found, { state: 'SETTLED', paidMsat: msat, settledAt: this.#now() })
    found.settleIndex = ++this.#counted.settled
    this.onChange()
    return true
  }

  /** An invoice of the payee. */
  askedByPayee(amountMsat: bigint, expirySeconds: number): string {
    this.#counted.made += 1
    const preimage = createHash('sha256').update(`payee ${this.#counted.made}`).digest()
    const hash = sha256(preimage)
    this.#owed.set(hash, { preimage: preimage.toString('hex'), receivedMsat: 0n })
    return this.#sign({ hash, madeAt: this.#now(), description: 'a prize', amountMsat, expirySeconds }, PAYEE_KEY)
  }

  receivedMsat(hash: string): bigint {
    return this.#owed.get(hash)?.receivedMsat ?? 0n
  }

  /** What the payee does with payments: those it held are settled by it. */
  setMode(mode: 'take' | 'hold' | 'fail'): void {
    this.#mode = mode
    for (const payment of this.payments.values()) if (payment.status === 'IN_FLIGHT') this.#settle(payment)
    this.onChange()
  }

  /** @throws LndError where nothing is tried */
  pay(bolt11: string, feeLimitMsat: bigint): FakePayment {
    const read = readBolt11(bolt11)
    if (read?.amountMsat == null) throw new LndError(2, 'invalid payment request')
    if (read.madeAt + read.expirySeconds <= this.#now()) throw new LndError(2, 'invoice expired. Valid until then')
    const before = this.payments.get(read.hash)
    if (before?.status === 'SUCCEEDED') throw new LndError(6, 'invoice is already paid')
    if (before?.status === 'IN_FLIGHT') throw new LndError(6, 'payment is in transition')
    const { hash, amountMsat: valueMsat } = read
    const feeMsat = feeOf(valueMsat)
    const rest = { status: 'IN_FLIGHT', failure: 'FAILURE_REASON_NONE', preimage: '' } as const
    const payment: FakePayment = { hash, bolt11, valueMsat, index: ++this.#counted.paid, feeMsat, ...rest }
    const hasNoWay = payeeOfBolt11(bolt11) !== nodeIdOf(PAYEE_KEY) || feeMsat > feeLimitMsat
    if (valueMsat + feeMsat > this.sides().localMsat) fail(payment, 'INSUFFICIENT_BALANCE')
    else if (hasNoWay) fail(payment, 'NO_ROUTE')
    else this.#settle(payment)
    this.payments.set(hash, payment)
    this.onChange()
    return payment
  }

  /** What both sides of the channel hold, beside what is on its way. */
  sides(): { readonly localMsat: bigint; readonly remoteMsat: bigint; readonly heldMsat: bigint } {
    const sum = (status: string): bigint =>
      [...this.payments.values()]
        .filter((payment) => payment.status === status)
        .reduce((total, payment) => total + payment.valueMsat + payment.feeMsat, 0n)
    const received = [...this.invoices.values()].reduce((total, invoice) => total + invoice.paidMsat, 0n)
    const [sent, heldMsat] = [sum('SUCCEEDED'), sum('IN_FLIGHT')]
    return {
      localMsat: SIDE_MSAT + received - sent - heldMsat,
      remoteMsat: SIDE_MSAT - received + sent,
      heldMsat,
    }
  }

  #settle(payment: FakePayment): void {
    if (this.#mode === 'hold') return
    if (this.#mode === 'fail') return fail(payment, 'INCORRECT_PAYMENT_DETAILS')
    const owed = this.#owed.get(payment.hash)
    if (owed === undefined) return fail(payment, 'INCORRECT_PAYMENT_DETAILS')
    owed.receivedMsat += payment.valueMsat
    Object.assign(payment, { status: 'SUCCEEDED', preimage: owed.preimage })
  }

  #sign(
    draft: { hash: string; madeAt: number; description: string; amountMsat: bigint; expirySeconds: number },
    key: Uint8Array,
  ): string {
    const usual = { network: 'regtest', descriptionHash: null, minFinalCltv: 80, features: FEATURES } as const
    return signBolt11({ ...draft, ...usual, secret: sha256(Buffer.from(draft.hash, 'hex')) }, key)
  }
}

function fail(payment: FakePayment, reason: string): void {
  Object.assign(payment, { status: 'FAILED', failure: `FAILURE_REASON_${reason}`, feeMsat: 0n })
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Satoshis of an amount, rounded down as lnd does. */
export function satsOf(msat: bigint): string {
  return String(msat / MSAT)
}
