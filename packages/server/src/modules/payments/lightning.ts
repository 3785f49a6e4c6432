import { createHash, createHmac, type KeyObject } from 'node:crypto'
import { readBolt11 } from '@fairball/domain/bolt11'
import type { BitcoinNetwork } from '@fairball/domain/btc-address'
import { CLOCK_TOLERANCE_SECONDS } from '@fairball/domain/clock-tolerance'
import type { Db, Tx } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import type { JobHandler } from '../../jobs/job.ts'
import type { Jobs } from '../../jobs/queue.ts'
import { isPaidBy } from '../../ports/lightning/invoice-signer.ts'
import type { LightningNode } from '../../ports/lightning/lightning-node.ts'
import type { NodeWatch } from '../../ports/lightning/node-watch.ts'
import type { SeenOutput } from '../../ports/payment-provider/payment-provider.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import * as queries from './lightning-queries.ts'
import { addLook } from './looks.ts'

/** Seconds before the close of an order's first draw at which its invoice ends (docs/fairness.md, section 10). */
const BEFORE_CLOSE_SECONDS = 60
/** With less time left, an invoice is not offered. */
const LEAST_SECONDS = 60
/** Longest wait for the node while a player waits, in ms. */
const PATIENCE_MS = 3_000
const MSAT = 1000n
const CLOSE = 'payments.close-lightning'

/** What taking payments over Lightning needs. */
export interface LightningDesk {
  readonly db: Db
  readonly runtime: Pick<Runtime, 'clock' | 'monotonic' | 'log'>
  readonly jobs: Jobs
  readonly node: LightningNode
  readonly watch: NodeWatch
  readonly network: BitcoinNetwork
  /** the preimages of all orders follow from it: 32 bytes, never logged */
  readonly preimageKey: KeyObject
  /** up to this many satoshis the page offers Lightning first */
  readonly firstMaxSats: bigint
  /** above this many an order is paid on the chain alone */
  readonly inMaxSats: bigint
  /** invoices that the node is asked for just now, by their order: the page is public, and asks once */
  readonly asked: Map<string, Promise<string | null>>
}

/** An order that may be paid over Lightning. */
interface OfferedOrder {
  readonly orderId: string
  /** epoch seconds */
  readonly expiresAt: number
  /** when sales of its first draw close, epoch seconds */
  readonly closesAt: number
  /** sats */
  readonly dueSats: bigint
}

type StoredInvoice = RowOf<typeof queries.findLightning>

/** The Lightning invoice of an order, as the checkout page shows it. */
export interface OfferedInvoice {
  readonly bolt11: string | null
  readonly payment_hash: string
  readonly expires_at: number
  readonly paid_at: number | null
  readonly is_first: boolean
  readonly state: 'open' | 'paid' | 'closed' | 'unavailable'
}

/**
 * Notes the invoice of a new order in the transaction that makes the order: its hash is known before the node is asked.
 * One that leaves no time to pay is closed from the start.
 */
export async function offerLightning(desk: LightningDesk, tx: Tx, order: OfferedOrder): Promise<void> {
  const { orderId, dueSats } = order
  if (dueSats === 0n || dueSats > desk.inMaxSats) return
  const now = desk.runtime.clock.now()
  const expiresAt = Math.min(order.expiresAt, order.closesAt - BEFORE_CLOSE_SECONDS)
  const isTooLate = expiresAt - now < LEAST_SECONDS
  await tx.execute(queries.insertLightning, {
    hash: hashOf(preimageOf(desk, orderId)),
    orderId,
    now,
    expiresAt,
    closedAt: isTooLate ? now : null,
    amountSats: dueSats,
  })
}

/** The Lightning invoice of an order whose promise is not signed yet. */
interface OpenedLightning {
  /** what the promise names */
  readonly hash: string
  /** to be stored; null if the node did not answer */
  readonly bolt11: string | null
}

/**
 * Has the node make the invoice of an order, before its promise is signed. A node that cannot be used now takes nothing
 * for this order at all. One that was asked and did not answer may have made it: the checkout page asks again.
 *
 * @returns null if the order is paid on the chain alone
 */
export async function openLightning(desk: LightningDesk, orderId: string): Promise<OpenedLightning | null> {
  const invoice = await desk.db.maybeOne(queries.findLightning, [orderId])
  if (invoice === null || invoice.closedAt !== null) return null
  const { paymentHash: hash, bolt11 } = invoice
  if (bolt11 !== null) return { hash, bolt11 }
  if (!(await desk.watch.canReceive(invoice.amountSats * MSAT))) {
    await desk.db.execute(queries.closeLightning, { orderId, now: desk.runtime.clock.now() })
    return null
  }
  return { hash, bolt11: await makeOnce(desk, orderId, invoice) }
}

/**
 * What the checkout page shows of an order's Lightning invoice; null if the order never had one. An invoice that the
 * node should have made and has not said so is asked for again.
 *
 * @param isPayable whether more may be paid for the order
 */
export async function lightningOf(
  desk: LightningDesk,
  orderId: string,
  isPayable: boolean,
): Promise<OfferedInvoice | null> {
  const invoice = await desk.db.maybeOne(queries.findLightning, [orderId])
  if (invoice === null) return null
  const now = desk.runtime.clock.now()
  const isOpen = isPayable && invoice.closedAt === null && invoice.isPromised && invoice.paidAt === null
  const isTimeLeft = invoice.expiresAt - now >= LEAST_SECONDS
  const isMissing = invoice.bolt11 === null && isOpen && isTimeLeft
  const bolt11 = isMissing ? await makeOnce(desk, orderId, invoice) : invoice.bolt11
  if (isMissing && bolt11 !== null) await desk.db.execute(queries.storeBolt11, [orderId, bolt11])
  return {
    bolt11,
    payment_hash: invoice.paymentHash,
    expires_at: invoice.expiresAt,
    paid_at: invoice.paidAt,
    is_first: invoice.amountSats <= desk.firstMaxSats,
    state: stateOf({ ...invoice, bolt11 }, { isOpen, isTimeLeft, now }),
  }
}

function stateOf(
  { bolt11, paidAt, expiresAt }: StoredInvoice,
  { isOpen, isTimeLeft, now }: { readonly isOpen: boolean; readonly isTimeLeft: boolean; readonly now: number },
): OfferedInvoice['state'] {
  if (paidAt !== null) return 'paid'
  if (bolt11 === null) return 'unavailable'
  if (!isOpen || now >= expiresAt) return 'closed'
  return isTimeLeft ? 'open' : 'unavailable'
}

/**
 * An order is paid on the chain, or has ended: its Lightning invoice must no longer be paid. The node is told by a
 * job, and what it took at the same moment is found and returned.
 */
export async function closeLightning(desk: LightningDesk, tx: Tx, orderId: string): Promise<void> {
  const now = desk.runtime.clock.now()
  if ((await tx.execute(queries.closeLightning, { orderId, now })) === 0) return
  await desk.jobs.add(tx, CLOSE, { orderId }, { key: `${CLOSE}:${orderId}` })
}

/** From the first output on the chain on, an order is paid there: the rest of a payment over Lightning cannot come. */
export async function closeWhenPaidOnChain(
  desk: LightningDesk | null,
  tx: Tx,
  orderId: string,
  appeared: readonly SeenOutput[],
): Promise<void> {
  if (desk !== null && appeared.some(({ network }) => network === 'ONCHAIN')) await closeLightning(desk, tx, orderId)
}

/**
 * Marks the invoice of an order paid, in the transaction that books its money.
 *
 * @param outpoint of the payment
 * @param outputs what the node shows, with the exact amount
 */
export async function settleLightning(tx: Tx, outpoint: string, outputs: readonly SeenOutput[]): Promise<void> {
  const paid = outputs.find((output) => output.outpoint === outpoint)
  if (paid?.msat === undefined) throw new Error(`${outpoint} counts, and nobody says how much it is`)
  await tx.execute(queries.settleLightning, [outpoint, paid.msat, paid.seenAt])
}

export function lightningJobs(desk: LightningDesk): JobHandler[] {
  return [
    {
      kind: CLOSE,
      mode: 'outside',
      asks: 'lightning',
      async run(payload, { finish }) {
        const orderId = payload['orderId'] as string // see closeLightning
        const invoice = await desk.db.maybeOne(queries.findLightning, [orderId])
        const outcome = invoice === null ? 'unknown' : await desk.node.closeInvoice(invoice.paymentHash)
        await desk.db.transaction(async (tx) => {
          if (outcome === 'paid') await addLook(tx, desk.jobs, orderId, desk.runtime.clock.now())
          await finish(tx)
        })
      },
    },
  ]
}

/** As `makeInvoice`; callers at the same moment share one question. */
async function makeOnce(desk: LightningDesk, orderId: string, invoice: StoredInvoice): Promise<string | null> {
  const { asked } = desk
  const asking = asked.get(orderId) ?? makeInvoice(desk, orderId, invoice).finally(() => asked.delete(orderId))
  asked.set(orderId, asking)
  return await asking
}

/** @returns the invoice; null if the node does not answer, or answers with another one */
async function makeInvoice(desk: LightningDesk, orderId: string, invoice: StoredInvoice): Promise<string | null> {
  const { runtime, node } = desk
  try {
    const asked = node.createInvoice({
      label: orderId,
      preimage: preimageOf(desk, orderId),
      amountMsat: invoice.amountSats * MSAT,
      description: descriptionOf(orderId, invoice),
      expirySeconds: invoice.expiresAt - runtime.clock.now(),
    })
    const bolt11 = await inTime(desk, asked)
    const fault = faultOf(desk, invoice, bolt11)
    if (fault !== null) throw new Error(`the node made another invoice than it was asked for: ${fault}`)
    return bolt11
  } catch (error) {
    runtime.log.error({ err: error, orderId }, 'the Lightning node made no invoice')
    return null
  }
}

/** What is wrong with an invoice, by our own reading of it. */
function faultOf(desk: LightningDesk, wanted: StoredInvoice, bolt11: string): string | null {
  const invoice = readBolt11(bolt11)
  if (invoice === null) return 'it cannot be read'
  if (invoice.network !== desk.network) return 'it is of another network'
  if (invoice.amountMsat !== wanted.amountSats * MSAT) return 'its amount is another'
  if (invoice.hash !== wanted.paymentHash) return 'its hash is another'
  // A real node has the time outside, and the demo's clock runs ahead of it.
  const offset = desk.node.name === 'test' ? 0 : desk.runtime.clock.offsetSeconds()
  const endsAt = invoice.madeAt + offset + invoice.expirySeconds
  if (endsAt > wanted.expiresAt + CLOCK_TOLERANCE_SECONDS) return 'it ends too late'
  return isPaidBy(bolt11, invoice, wanted.nodeId) ? null : 'it pays another node'
}

async function inTime(desk: LightningDesk, asked: Promise<string>): Promise<string> {
  const done = new AbortController()
  const limit = desk.runtime.monotonic.sleep(PATIENCE_MS, done.signal).then(
    () => Promise.reject(new Error(`no answer within ${PATIENCE_MS} ms`)),
    () => new Promise<never>(() => undefined), // the answer came first
  )
  try {
    return await Promise.race([asked, limit])
  } finally {
    done.abort()
  }
}

/** What the payer's wallet shows of an order. */
function descriptionOf(orderId: string, { gameName, lines, draws }: StoredInvoice): string {
  const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`
  return `Fairball: ${gameName}, ${counted(lines, 'line')}, ${counted(draws, 'draw')}. Order ${orderId.slice(0, 8)}`
}

function preimageOf({ preimageKey }: LightningDesk, orderId: string): Uint8Array {
  return new Uint8Array(createHmac('sha256', preimageKey).update(orderId).digest())
}

function hashOf(preimage: Uint8Array): string {
  return createHash('sha256').update(preimage).digest('hex')
}
