import { readBolt11 } from '@fairball/domain/bolt11'
import type { Db, Queries, Tx } from '../../db/pool.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { type LightningPayment, NodeRefused, NodeSilent, type PaidByNode, type Tracked } from './lightning-node.ts'
import * as nodeQueries from './test-node-queries.ts'
import * as queries from './test-sender-queries.ts'

/** What the made-up way costs: 1 sat and a thousandth of the amount. */
const FEE_BASE_MSAT = 1000n
const FEE_DIVISOR = 1000n
const MAX_PAID = 500n

/** Error codes, as Core Lightning has them. */
const CODE = {
  inProgress: -3,
  notAnInvoice: -32_602,
  refusedByPayee: 203,
  noWay: 205,
  tooExpensive: 206,
  expired: 207,
  alreadyPaid: 219,
} as const

/** How the demo's node behaves: it answers, is down, keeps what it sends in flight, or has it refused by the payee. */
export type TestLightningMode = 'ok' | 'down' | 'hold' | 'fail'

/** What the demo's node holds, and what of it is on its way out. */
interface TestMoney {
  readonly receivedMsat: bigint
  readonly oursMsat: bigint
  readonly sendableMsat: bigint
  readonly receivableMsat: bigint
  readonly inFlightMsat: bigint
}

/** What a payment takes from the node, and where it goes. */
interface Wanted {
  readonly invoice: string
  readonly hash: string
  readonly amountMsat: bigint
  readonly feeMsat: bigint
  readonly maxFeeMsat: bigint
  readonly isExpired: boolean
}

/** The part of the demo's node that pays: the demo's wallet, and nobody else. Each write is one transaction. */
export class TestSender {
  readonly #db: Db
  readonly #clock: Pick<Runtime['clock'], 'now'>
  readonly #sideMsat: bigint

  /** @param options.sideMsat what each side of its channel held at the start */
  constructor(options: { readonly db: Db; readonly clock: Pick<Runtime['clock'], 'now'>; readonly sideMsat: bigint }) {
    this.#db = options.db
    this.#sideMsat = options.sideMsat
    this.#clock = options.clock
  }

  /** @throws NodeRefused with the codes of Core Lightning; NodeSilent while it is down, or what it sends is held */
  async send({ invoice, maxFeeMsat }: LightningPayment): Promise<void> {
    const now = this.#clock.now()
    const read = readBolt11(invoice)
    if (read?.amountMsat == null) throw new NodeRefused('this is no invoice over an amount', CODE.notAnInvoice)
    const { hash, amountMsat } = read
    const feeMsat = FEE_BASE_MSAT + amountMsat / FEE_DIVISOR
    const isExpired = read.madeAt + read.expirySeconds <= now
    const wanted = { invoice, hash, amountMsat, feeMsat, maxFeeMsat, isExpired }
    const error = await this.#db.transaction(async (tx) => {
      await tx.one(nodeQueries.lockSettling, [])
      const { mode } = await tx.one(nodeQueries.findMode, [])
      const refusal = mode === 'down' ? new NodeSilent('the demo’s node is down') : await this.#refusalOf(tx, wanted)
      if (refusal !== null) return refusal
      const state = mode === 'fail' ? 'failed' : 'in-flight'
      await tx.execute(queries.storePayment, { hash, amountMsat, feeMsat, now, state })
      await settleHeld(tx, mode, now)
      if (mode === 'fail') return new NodeRefused('the payee refuses', CODE.refusedByPayee)
      return mode === 'hold' ? new NodeSilent('no answer while the payment is held') : null
    })
    if (error !== null) throw error
  }

  async track(hash: string): Promise<Tracked> {
    const payment = await this.#db.maybeOne(queries.findPayment, [hash])
    if (payment === null) return { is: 'none' }
    const { state, amountMsat, feeMsat, preimage } = payment
    if (state !== 'complete') return { is: state }
    return { is: 'complete', preimage: Buffer.from(preimage).toString('hex'), sentMsat: amountMsat + feeMsat }
  }

  async paidSince(cursor: string | null): Promise<{ cursor: string; payments: PaidByNode[] }> {
    const paid = await this.#db.run(queries.listPaid, [BigInt(cursor ?? 0), MAX_PAID])
    const last = paid.at(-1)?.paidIndex ?? cursor ?? 0
    return { cursor: String(last), payments: paid.map(({ paymentHash: hash }) => ({ hash, label: null })) }
  }

  /** Changes how the node behaves; what was held is settled by it. */
  async setMode(mode: TestLightningMode): Promise<void> {
    await this.#db.transaction(async (tx) => {
      await tx.one(nodeQueries.lockSettling, [])
      await tx.execute(nodeQueries.storeMode, [mode])
      await settleHeld(tx, mode, this.#clock.now())
    })
  }

  async money(): Promise<TestMoney> {
    return await this.#moneyIn(this.#db)
  }

  async #moneyIn(db: Queries): Promise<TestMoney> {
    const { receivedMsat, sentMsat, inFlightMsat } = await db.one(queries.sumMoney, [])
    const oursMsat = this.#sideMsat + receivedMsat - sentMsat
    return {
      receivedMsat,
      oursMsat,
      sendableMsat: oursMsat - inFlightMsat,
      receivableMsat: 2n * this.#sideMsat - oursMsat,
      inFlightMsat,
    }
  }

  /** Why a payment cannot be sent at all: nothing is noted of it. Null if it can. */
  async #refusalOf(tx: Tx, wanted: Wanted): Promise<NodeRefused | null> {
    if (wanted.isExpired) return new NodeRefused('the invoice has expired', CODE.expired)
    const payable = await tx.maybeOne(queries.findPayable, [wanted.hash])
    if (payable?.bolt11 !== wanted.invoice.toLowerCase()) return new NodeRefused('no way to the payee', CODE.noWay)
    if (payable.state === 'complete') return new NodeRefused('the invoice is paid already', CODE.alreadyPaid)
    if (payable.state === 'in-flight') return new NodeRefused('the payment is still in progress', CODE.inProgress)
    const { sendableMsat } = await this.#moneyIn(tx)
    if (wanted.amountMsat + wanted.feeMsat > sendableMsat) return new NodeRefused('the channel holds less', CODE.noWay)
    if (wanted.feeMsat > wanted.maxFeeMsat) return new NodeRefused('the way costs more than allowed', CODE.tooExpensive)
    return null
  }
}

/** What is in flight arrives or fails, unless it is held, or nobody is there to be told. */
async function settleHeld(tx: Tx, mode: TestLightningMode, now: number): Promise<void> {
  if (mode === 'ok') await tx.execute(queries.completeInFlight, [now])
  if (mode === 'fail') await tx.execute(queries.failInFlight, [])
}
