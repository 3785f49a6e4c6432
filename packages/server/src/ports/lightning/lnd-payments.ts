import { createHash } from 'node:crypto'
import { FalsePreimage, type LightningPayment, NodeRefused, NodeSilent, type Tracked } from './lightning-node.ts'
import type { LndRest } from './lnd-rest.ts'
import { type LndPayment, paymentShape, paymentsShape, shaped } from './lnd-shapes.ts'

const LIMIT_MS = 5_000
/** Room for the node's own answer after the time that it was given, in ms. */
const ANSWER_MS = 15_000
/** The most payments of one answer of `paidSince`, and of one page. */
const MAX_PAID = 500
/** gRPC's code of what does not exist. */
const NOT_FOUND = 5

/** Codes of Core Lightning for what lnd says. */
const CODE = { inProgress: -3, refusedByPayee: 203, noWay: 205, expired: 207, failed: 209, outOfTime: 210, paid: 219 }
/** Refusals before anything was tried, by their words. */
const REFUSALS: readonly (readonly [RegExp, number])[] = [
  [/invoice is already paid/, CODE.paid],
  [/payment is in transition|payment already exists/, CODE.inProgress],
  [/invoice expired/, CODE.expired],
]
/** lnd finds no way also where every way costs too much. */
const FAILURES: Readonly<Record<string, number>> = {
  FAILURE_REASON_TIMEOUT: CODE.outOfTime,
  FAILURE_REASON_NO_ROUTE: CODE.noWay,
  FAILURE_REASON_INSUFFICIENT_BALANCE: CODE.noWay,
  FAILURE_REASON_INCORRECT_PAYMENT_DETAILS: CODE.refusedByPayee,
}

/** Sends a payment; the codes of its refusals are those of Core Lightning. @throws NodeSilent, NodeRefused */
export async function send(lnd: LndRest, payment: LightningPayment): Promise<void> {
  const path = '/v2/router/send'
  const body = {
    payment_request: payment.invoice,
    fee_limit_msat: String(payment.maxFeeMsat),
    timeout_seconds: payment.retrySeconds,
    no_inflight_updates: true,
  }
  const stop = new AbortController()
  const timeoutMs = payment.retrySeconds * 1000 + ANSWER_MS
  try {
    for await (const message of lnd.stream({ path, body, timeoutMs, signal: stop.signal })) {
      const { status, failure_reason: reason } = shaped(message, paymentShape, path)
      if (status === 'SUCCEEDED') return
      if (status === 'FAILED') throw new NodeRefused(`${path}: ${reason}`, FAILURES[reason] ?? CODE.failed)
    }
  } catch (error) {
    if (!(error instanceof NodeRefused)) throw error
    const code = REFUSALS.find(([words]) => words.test(error.message))?.[1]
    throw code === undefined ? error : new NodeRefused(error.message, code)
  } finally {
    stop.abort()
  }
  throw new NodeSilent('the Lightning node ended a payment without a word')
}

/** @throws FalsePreimage */
export async function track(lnd: LndRest, hash: string): Promise<Tracked> {
  const place = Buffer.from(hash, 'hex').toString('base64').replaceAll('+', '-').replaceAll('/', '_')
  const stop = new AbortController()
  try {
    const path = `/v2/router/track/${place}`
    const { value, done } = await lnd.stream({ path, timeoutMs: LIMIT_MS, signal: stop.signal }).next()
    if (done === true) throw new NodeSilent('the Lightning node says nothing of a payment')
    return outcomeOf(shaped(value, paymentShape, '/v2/router/track'), hash)
  } catch (error) {
    if (error instanceof NodeRefused && error.code === NOT_FOUND) return { is: 'none' }
    throw error
  } finally {
    stop.abort()
  }
}

function outcomeOf(payment: LndPayment, hash: string): Tracked {
  const { status, payment_preimage: preimage, value_msat: valueMsat, fee_msat: feeMsat } = payment
  if (status === 'FAILED') return { is: 'failed' }
  if (status !== 'SUCCEEDED') return { is: 'in-flight' }
  if (createHash('sha256').update(Buffer.from(preimage, 'hex')).digest('hex') !== hash) throw new FalsePreimage(hash)
  return { is: 'complete', preimage, sentMsat: valueMsat + feeMsat }
}

/**
 * lnd lists payments by when they began. So the cursor is the last one that was read, and after it those before it that
 * were not decided yet: `1207,1190,1203`. It keeps no labels.
 */
export async function paidSince(lnd: LndRest, cursor: string | null) {
  const [last = 0n, ...undecided] = (cursor ?? '0').split(',').map(BigInt)
  const seen: LndPayment[] = []
  for (const index of undecided) {
    const [payment] = await pageOf(lnd, index - 1n, 1)
    if (payment?.payment_index === index) seen.push(payment)
  }
  const page = await pageOf(lnd, last, MAX_PAID - Math.min(seen.length, MAX_PAID - 1))
  seen.push(...page)
  const open = seen.filter(({ status }) => status !== 'SUCCEEDED' && status !== 'FAILED')
  const paid = seen.filter(({ status }) => status === 'SUCCEEDED')
  return {
    cursor: [page.at(-1)?.payment_index ?? last, ...open.map((payment) => payment.payment_index)].join(','),
    payments: [...new Set(paid.map((payment) => payment.payment_hash))].map((hash) => ({ hash, label: null })),
  }
}

async function pageOf(lnd: LndRest, offset: bigint, most: number): Promise<LndPayment[]> {
  const path = `/v1/payments?include_incomplete=true&index_offset=${offset}&max_payments=${most}`
  return shaped(await lnd.call({ path, timeoutMs: LIMIT_MS }), paymentsShape, '/v1/payments').payments
}
