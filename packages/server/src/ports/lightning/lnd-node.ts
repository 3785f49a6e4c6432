import { createHash } from 'node:crypto'
import type { MonotonicTime } from '../../runtime/runtime.ts'
import {
  type LightningInfo,
  type LightningInvoice,
  type LightningNode,
  type LightningRequest,
  type LightningSender,
  NodeRefused,
} from './lightning-node.ts'
import { lndFees, lndMovedBy, lndLiquidity } from './lnd-money.ts'
import { paidSince, send, track } from './lnd-payments.ts'
import { type LndRest, lndRest, type LndServer } from './lnd-rest.ts'
import { infoShape, type LndInvoice, invoiceShape, invoicesShape, madeShape, shaped } from './lnd-shapes.ts'

const LIMIT_MS = 5_000
/** The most payments of one answer of `settledSince`, and the most invoices of one page. */
const MAX_SETTLED = 500
/** A stream of what was settled has been read to its end after so long without another, in ms. */
const SILENCE_MS = 1_000
/** How long the node is listened to for a payment, in ms. */
const WAIT_MS = 50_000
const STREAM_MS = 60_000
/** gRPC's code of what does not exist. */
const NOT_FOUND = 5
/** What a node says instead that has never made an invoice. */
const NO_INVOICES = /there are no existing invoices/

const NETWORKS: Readonly<Record<string, LightningInfo['network']>> = {
  mainnet: 'mainnet',
  testnet4: 'testnet4',
  signet: 'signet',
  regtest: 'regtest',
}

/** What the adapter measures time by. */
interface LndTime {
  readonly monotonic: Pick<MonotonicTime, 'sleep'>
  /** epoch seconds, by the time outside: the node's own */
  readonly now: () => number
}

/** The operator's lnd node, of version 0.19 or newer. */
export function createLndNode(server: LndServer, time: LndTime): LightningNode & LightningSender {
  const lnd = lndRest(server, time.monotonic)
  return {
    name: 'lnd',
    info: () => info(lnd),
    createInvoice: (request) => createInvoice(lnd, request),
    invoice: (hash) => invoice(lnd, time, hash),
    closeInvoice: (hash) => closeInvoice(lnd, time, hash),
    settledSince: (cursor) => settledSince(lnd, time, cursor),
    waitSettled: (cursor, signal) => waitSettled(lnd, time, cursor, signal),
    liquidity: () => lndLiquidity(lnd),
    fees: lndFees(lnd),
    movedBy: (txid) => lndMovedBy(lnd, txid),
    send: (payment) => send(lnd, payment),
    track: (hash) => track(lnd, hash),
    paidSince: (cursor) => paidSince(lnd, cursor),
  }
}

async function info(lnd: LndRest): Promise<LightningInfo> {
  const path = '/v1/getinfo'
  const told = shaped(await lnd.call({ path, timeoutMs: LIMIT_MS }), infoShape, path)
  const on = told.chains[0]?.network ?? 'no chain'
  const network = NETWORKS[on]
  if (network === undefined) throw new NodeRefused(`a node on ${on} cannot be used`, 0)
  return {
    nodeId: told.identity_pubkey,
    network,
    version: told.version,
    height: told.block_height,
    isSynced: told.synced_to_chain,
    activeChannels: told.num_active_channels,
  }
}

/** lnd has no names for invoices: the preimage alone makes the same one of the same request. */
async function createInvoice(lnd: LndRest, request: LightningRequest): Promise<string> {
  const { preimage, amountMsat, description, expirySeconds } = request
  const path = '/v1/invoices'
  const body = {
    memo: description,
    r_preimage: Buffer.from(preimage).toString('base64'),
    value_msat: String(amountMsat),
    expiry: String(expirySeconds),
    private: true, // a payer needs hints on the way through channels that nobody else knows
  }
  try {
    return shaped(await lnd.call({ path, body, timeoutMs: LIMIT_MS }), madeShape, path).payment_request
  } catch (error) {
    if (!(error instanceof NodeRefused) || !error.message.includes('already exists')) throw error
    // An earlier call made it, and its answer was lost.
    const made = await find(lnd, createHash('sha256').update(preimage).digest('hex'))
    if (made === null || made.value_msat !== amountMsat) throw error
    return made.payment_request
  }
}

async function find(lnd: LndRest, hash: string): Promise<LndInvoice | null> {
  const path = `/v1/invoice/${hash}`
  try {
    return shaped(await lnd.call({ path, timeoutMs: LIMIT_MS }), invoiceShape, '/v1/invoice')
  } catch (error) {
    if (error instanceof NodeRefused && (error.code === NOT_FOUND || NO_INVOICES.test(error.message))) return null
    throw error
  }
}

/** One that we ended is unknown from then on; lnd itself ends one whose time is over. */
function stateOf(found: LndInvoice, time: LndTime): 'open' | 'expired' | 'unknown' {
  if (found.state !== 'CANCELED') return 'open'
  return BigInt(time.now()) < found.creation_date + found.expiry ? 'unknown' : 'expired'
}

async function invoice(lnd: LndRest, time: LndTime, hash: string): Promise<LightningInvoice> {
  const found = await find(lnd, hash)
  if (found === null) return { state: 'unknown' }
  if (found.state !== 'SETTLED') return { state: stateOf(found, time) }
  return { state: 'paid', receivedMsat: found.amt_paid_msat, paidAt: Number(found.settle_date) }
}

async function closeInvoice(lnd: LndRest, time: LndTime, hash: string): Promise<'closed' | 'paid' | 'unknown'> {
  const found = await find(lnd, hash)
  if (found === null || (found.state === 'CANCELED' && stateOf(found, time) === 'unknown')) return 'unknown'
  if (found.state === 'SETTLED') return 'paid'
  const body = { payment_hash: Buffer.from(hash, 'hex').toString('base64') }
  try {
    await lnd.call({ path: '/v2/invoices/cancel', body, timeoutMs: LIMIT_MS })
    return 'closed'
  } catch (error) {
    if (!(error instanceof NodeRefused)) throw error
    const now = await find(lnd, hash) // it was paid meanwhile, or the node ended it
    if (now === null) return 'unknown'
    if (now.state === 'SETTLED') return 'paid'
    if (now.state === 'CANCELED') return 'closed'
    throw error
  }
}

async function settledSince(lnd: LndRest, time: LndTime, cursor: string | null) {
  const after = BigInt(cursor ?? 0)
  const settled = after === 0n ? await everSettled(lnd) : await settledAfter(lnd, time, after)
  const told = settled.toSorted((a, b) => Number(a.settle_index - b.settle_index)).slice(0, MAX_SETTLED)
  return { cursor: String(told.at(-1)?.settle_index ?? after), hashes: told.map((one) => one.r_hash) }
}

/** A stream from the beginning would tell only what comes: lnd takes 0 as "none of the past". */
async function everSettled(lnd: LndRest): Promise<LndInvoice[]> {
  const settled: LndInvoice[] = []
  for (let offset = 0n; ;) {
    const path = `/v1/invoices?index_offset=${offset}&num_max_invoices=${MAX_SETTLED}`
    const page = shaped(await lnd.call({ path, timeoutMs: LIMIT_MS }), invoicesShape, '/v1/invoices')
    settled.push(...page.invoices.filter(({ state }) => state === 'SETTLED'))
    if (page.invoices.length < MAX_SETTLED) return settled
    offset = page.last_index_offset
  }
}

async function settledAfter(lnd: LndRest, { monotonic }: LndTime, after: bigint): Promise<LndInvoice[]> {
  const stop = new AbortController()
  const stream = settlements(lnd, after, stop.signal)
  const settled: LndInvoice[] = []
  try {
    while (settled.length < MAX_SETTLED) {
      const heard = new AbortController()
      const silence = monotonic.sleep(SILENCE_MS, heard.signal).then(
        () => null,
        () => null, // another one came first
      )
      const next = await Promise.race([stream.next(), silence])
      heard.abort()
      if (next === null || next.done === true) break
      settled.push(next.value)
    }
    return settled
  } finally {
    stop.abort()
  }
}

async function waitSettled(
  lnd: LndRest,
  { monotonic }: LndTime,
  cursor: string | null,
  signal: AbortSignal,
): Promise<void> {
  const after = BigInt(cursor ?? 0)
  if (after === 0n && (await everSettled(lnd)).length > 0) return
  const stop = new AbortController()
  void monotonic.sleep(WAIT_MS, stop.signal).then(
    () => stop.abort(),
    () => undefined, // something was paid first
  )
  try {
    await settlements(lnd, after, AbortSignal.any([signal, stop.signal])).next()
  } finally {
    stop.abort()
  }
}

/** What is settled beyond a place, then what is settled from now on; ends with the signal. */
async function* settlements(
  lnd: LndRest,
  after: bigint,
  signal: AbortSignal,
): AsyncGenerator<LndInvoice, void, undefined> {
  const path = `/v1/invoices/subscribe?settle_index=${after}`
  try {
    // New invoices are told too.
    for await (const message of lnd.stream({ path, timeoutMs: STREAM_MS, signal })) {
      const told = shaped(message, invoiceShape, '/v1/invoices/subscribe')
      if (told.state === 'SETTLED' && told.settle_index > after) yield told
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
