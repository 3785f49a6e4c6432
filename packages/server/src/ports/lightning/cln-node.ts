import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { MonotonicTime } from '../../runtime/runtime.ts'
import { type ClnSocket, clnSocket } from './cln-socket.ts'
import {
  type DecodedInvoice,
  FalsePreimage,
  type LightningFees,
  type LightningInfo,
  type LightningInvoice,
  type LightningNode,
  type LightningPayment,
  type LightningRequest,
  type LightningSender,
  type NodeMovement,
  type Liquidity,
  NodeRefused,
  NodeSilent,
  type Tracked,
} from './lightning-node.ts'

/** Usual time limit of a call. */
const LIMIT_MS = 5_000
/** How long the node is asked to wait for a payment, and the call for its answer. */
const WAIT_SECONDS = 50
const WAIT_LIMIT_MS = 60_000
/** The most payments of one answer of `settledSince`. */
const MAX_SETTLED = 500

/** How long the node waits for the payee of an offer, in seconds. */
const FETCH_SECONDS = 20
/** How long a BOLT 12 invoice may be paid that does not say it. */
const USUAL_EXPIRY_SECONDS = 7200
/** Room for the node's own answer after the time that it was given, in ms. */
const ANSWER_MS = 15_000

/** Error codes of the node (its `common/jsonrpc_errors.h`). */
const CODE = {
  labelExists: 900,
  preimageExists: 901,
  noneInTime: 904,
  notFound: 905,
  otherStatus: 906,
} as const

/** The networks by the node's names. */
const NETWORKS = {
  bitcoin: 'mainnet',
  testnet4: 'testnet4',
  signet: 'signet',
  regtest: 'regtest',
} as const

const whole = z.union([z.int(), z.bigint()]).transform((value) => BigInt(value))
const infoShape = z.object({
  id: z.string(),
  version: z.string(),
  network: z.string(),
  blockheight: z.int(),
  num_active_channels: z.int(),
  warning_bitcoind_sync: z.optional(z.string()),
  warning_lightningd_sync: z.optional(z.string()),
})
const invoiceShape = z.object({
  label: z.string(),
  status: z.enum(['unpaid', 'paid', 'expired']),
  payment_hash: z.string(),
  bolt11: z.optional(z.string()),
  amount_msat: z.optional(whole),
  amount_received_msat: z.optional(whole),
  paid_at: z.optional(z.int()),
})
const invoicesShape = z.object({ invoices: z.array(invoiceShape) })
const settledShape = z.object({ pay_index: whole, payment_hash: z.string() })
const balancesShape = z.object({
  accounts: z.array(z.object({ account: z.string(), balances: z.array(z.object({ balance_msat: whole })) })),
})
const channelsShape = z.object({
  channels: z.array(
    z.object({
      state: z.string(),
      peer_connected: z.boolean(),
      spendable_msat: z.optional(whole),
      receivable_msat: z.optional(whole),
      htlcs: z.optional(z.array(z.object({ amount_msat: whole, direction: z.enum(['in', 'out']), expiry: z.int() }))),
    }),
  ),
})

const sendsShape = z.object({
  payments: z.array(
    z.object({
      payment_hash: z.string(),
      status: z.enum(['pending', 'complete', 'failed']),
      payment_preimage: z.optional(z.string()),
      amount_sent_msat: whole,
      label: z.optional(z.string()),
      updated_index: z.optional(whole),
    }),
  ),
})
const htlcsShape = z.object({
  htlcs: z.array(z.object({ direction: z.enum(['in', 'out']), payment_hash: z.string() })),
})
const decodedShape = z.object({
  type: z.string(),
  valid: z.boolean(),
  invoice_amount_msat: z.optional(whole),
  invoice_payment_hash: z.optional(z.string()),
  invoice_node_id: z.optional(z.string()),
  invoice_created_at: z.optional(z.int()),
  invoice_relative_expiry: z.optional(z.int()),
})
const incomeShape = z.object({
  income_events: z.array(z.object({ tag: z.string(), credit_msat: whole, debit_msat: whole })),
})

const eventsShape = z.object({
  events: z.array(
    z.object({
      tag: z.string(),
      credit_msat: whole,
      outpoint: z.optional(z.string()),
      txid: z.optional(z.string()),
    }),
  ),
})

const NORMAL = 'CHANNELD_NORMAL'

/** The operator's Core Lightning node, of version 26.06 or newer. @param path of its socket */
export function createClnNode(
  path: string,
  monotonic: Pick<MonotonicTime, 'sleep'>,
): LightningNode & Required<LightningSender> {
  const socket = clnSocket(path, monotonic)
  return {
    name: 'cln',
    info: () => info(socket),
    createInvoice: (request) => createInvoice(socket, request),
    invoice: (hash) => invoice(socket, hash),
    closeInvoice: (hash) => closeInvoice(socket, hash),
    settledSince: (cursor) => settledSince(socket, cursor),
    waitSettled: (cursor, signal) => waitSettled(socket, cursor, signal),
    liquidity: () => liquidity(socket),
    send: (payment) => send(socket, payment),
    track: (hash) => track(socket, hash),
    paidSince: (cursor) => paidSince(socket, cursor),
    fetchInvoice: (offer, amountMsat, note) => fetchInvoice(socket, { offer, amountMsat, note }),
    decodeInvoice: (invoice) => decodeInvoice(socket, invoice),
    fees: () => fees(socket),
    movedBy: (txid) => movedBy(socket, txid),
  }
}

async function info(socket: ClnSocket): Promise<LightningInfo> {
  const told = await ask(socket, 'getinfo', {}, infoShape)
  const network = Object.entries(NETWORKS).find(([name]) => name === told.network)?.[1]
  if (network === undefined) throw new NodeRefused(`a node on ${told.network} cannot be used`, 0)
  return {
    nodeId: told.id,
    network,
    version: told.version,
    height: told.blockheight,
    isSynced: told.warning_bitcoind_sync === undefined && told.warning_lightningd_sync === undefined,
    activeChannels: told.num_active_channels,
  }
}

async function createInvoice(socket: ClnSocket, request: LightningRequest): Promise<string> {
  const { label, preimage, amountMsat, description, expirySeconds } = request
  const params = {
    label,
    description,
    amount_msat: String(amountMsat),
    expiry: expirySeconds,
    preimage: Buffer.from(preimage).toString('hex'),
  }
  try {
    return (await ask(socket, 'invoice', params, z.object({ bolt11: z.string() }))).bolt11
  } catch (error) {
    if (!isCode(error, CODE.labelExists) && !isCode(error, CODE.preimageExists)) throw error
    // An earlier call made it, and its answer was lost.
    const made = await find(socket, createHash('sha256').update(preimage).digest('hex'))
    if (made?.bolt11 === undefined || made.amount_msat !== amountMsat) throw error
    return made.bolt11
  }
}

async function find(socket: ClnSocket, hash: string) {
  const { invoices } = await ask(socket, 'listinvoices', { payment_hash: hash }, invoicesShape)
  return invoices[0] ?? null
}

async function invoice(socket: ClnSocket, hash: string): Promise<LightningInvoice> {
  const found = await find(socket, hash)
  if (found === null) return { state: 'unknown' }
  if (found.status !== 'paid') return { state: found.status === 'unpaid' ? 'open' : 'expired' }
  const { amount_received_msat: receivedMsat, paid_at: paidAt } = found
  if (receivedMsat === undefined || paidAt === undefined) throw new NodeSilent('the node does not say what was paid')
  return { state: 'paid', receivedMsat, paidAt }
}

async function closeInvoice(socket: ClnSocket, hash: string): Promise<'closed' | 'paid' | 'unknown'> {
  const found = await find(socket, hash)
  if (found === null) return 'unknown'
  try {
    await ask(socket, 'delinvoice', { label: found.label, status: 'unpaid' }, z.object({}))
    return 'closed'
  } catch (error) {
    if (isCode(error, CODE.notFound)) return 'unknown'
    if (!isCode(error, CODE.otherStatus)) throw error
    // It was paid meanwhile, or its time is over.
    return (await find(socket, hash))?.status === 'paid' ? 'paid' : 'closed'
  }
}

async function settledSince(socket: ClnSocket, cursor: string | null) {
  const hashes: string[] = []
  let last = BigInt(cursor ?? 0)
  while (hashes.length < MAX_SETTLED) {
    const params = { lastpay_index: Number(last), timeout: 0 }
    const settled = await ask(socket, 'waitanyinvoice', params, settledShape).catch((error: unknown) => {
      if (isCode(error, CODE.noneInTime)) return null
      throw error
    })
    if (settled === null) break
    last = settled.pay_index
    hashes.push(settled.payment_hash)
  }
  return { cursor: String(last), hashes }
}

async function waitSettled(socket: ClnSocket, cursor: string | null, signal: AbortSignal): Promise<void> {
  const params = { lastpay_index: Number(cursor ?? 0), timeout: WAIT_SECONDS }
  try {
    await socket.call('waitanyinvoice', params, { timeoutMs: WAIT_LIMIT_MS, signal })
  } catch (error) {
    if (!signal.aborted && !isCode(error, CODE.noneInTime)) throw error
  }
}

async function liquidity(socket: ClnSocket): Promise<Liquidity> {
  // Not `listfunds`, which counts a closed channel beside the coins that it became.
  const [{ accounts }, { channels }] = await Promise.all([
    ask(socket, 'bkpr-listbalances', {}, balancesShape),
    ask(socket, 'listpeerchannels', {}, channelsShape),
  ])
  const htlcs = channels.flatMap((channel) => channel.htlcs ?? [])
  const usable = channels.filter((channel) => channel.peer_connected && channel.state === NORMAL)
  return {
    oursMsat: sumOf(accounts.flatMap(({ balances }) => balances.map((balance) => balance.balance_msat))),
    sendableMsat: sumOf(usable.map((channel) => channel.spendable_msat)),
    receivableMsat: sumOf(usable.map((channel) => channel.receivable_msat)),
    inFlightMsat: sumOf(htlcs.map((htlc) => htlc.amount_msat)),
    nextExpiry: firstOf(htlcs.filter(({ direction }) => direction === 'out').map(({ expiry }) => expiry)),
    channels: channels.map(({ state, peer_connected: isConnected, spendable_msat, receivable_msat }) => ({
      state,
      isConnected,
      sendableMsat: spendable_msat ?? 0n,
      receivableMsat: receivable_msat ?? 0n,
    })),
  }
}

function firstOf(heights: readonly number[]): number | null {
  return heights.length === 0 ? null : Math.min(...heights)
}

async function send(socket: ClnSocket, payment: LightningPayment): Promise<void> {
  const { invoice: invstring, maxFeeMsat, retrySeconds, label } = payment
  const params = { invstring, maxfee: String(maxFeeMsat), retry_for: retrySeconds, label }
  // Not `pay`, which is deprecated, and repeats differently.
  await socket.call('xpay', params, { timeoutMs: retrySeconds * 1000 + ANSWER_MS })
}

async function track(socket: ClnSocket, hash: string): Promise<Tracked> {
  // Not `listpays`, which shows a failed attempt as pending for a while.
  const { payments: parts } = await ask(socket, 'listsendpays', { payment_hash: hash }, sendsShape)
  const isComplete = parts.some(({ status }) => status === 'complete')
  if (parts.length === 0) return { is: 'none' }
  if (parts.every(({ status }) => status === 'failed')) return { is: 'failed' }
  if (!parts.some(({ status }) => status === 'pending')) return completeOf(hash, parts)
  // A node that was killed keeps a part pending for ever that it never offered to a peer.
  const { htlcs } = await ask(socket, 'listhtlcs', {}, htlcsShape)
  const isOut = htlcs.some(({ direction, payment_hash: of }) => direction === 'out' && of === hash)
  // Its other parts are paid as well, and counted once they are: what ends between two questions is asked for again.
  if (isOut) return { is: 'in-flight' }
  if (!isComplete) return { is: 'never-left' }
  return completeOf(hash, (await ask(socket, 'listsendpays', { payment_hash: hash }, sendsShape)).payments)
}

/** @throws FalsePreimage */
function completeOf(hash: string, parts: z.output<typeof sendsShape>['payments']): Tracked {
  const complete = parts.filter(({ status }) => status === 'complete')
  const preimage = complete.find((part) => part.payment_preimage !== undefined)?.payment_preimage ?? ''
  if (createHash('sha256').update(Buffer.from(preimage, 'hex')).digest('hex') !== hash) throw new FalsePreimage(hash)
  return { is: 'complete', preimage, sentMsat: sumOf(complete.map((part) => part.amount_sent_msat)) }
}

async function paidSince(socket: ClnSocket, cursor: string | null) {
  const start = Number(cursor ?? 0) + 1
  const params = { status: 'complete', index: 'updated', start, limit: MAX_SETTLED }
  const { payments } = await ask(socket, 'listsendpays', params, sendsShape)
  const last = payments.at(-1)?.updated_index ?? cursor ?? 0
  // The parts of a payment have one label.
  const labels = new Map(payments.map(({ payment_hash: hash, label = null }) => [hash, label]))
  return { cursor: String(last), payments: [...labels].map(([hash, label]) => ({ hash, label })) }
}

async function fetchInvoice(
  socket: ClnSocket,
  { offer, amountMsat, note }: { readonly offer: string; readonly amountMsat: bigint; readonly note: string },
): Promise<string> {
  const params = { offer, amount_msat: String(amountMsat), payer_note: note, timeout: FETCH_SECONDS }
  const result = await socket.call('fetchinvoice', params, { timeoutMs: FETCH_SECONDS * 1000 + ANSWER_MS })
  return z.object({ invoice: z.string() }).parse(result).invoice
}

async function decodeInvoice(socket: ClnSocket, invoice: string): Promise<DecodedInvoice> {
  const told = await ask(socket, 'decode', { string: invoice }, decodedShape)
  return {
    isValid: told.valid && told.type === 'bolt12 invoice' && told.invoice_payment_hash !== undefined,
    amountMsat: told.invoice_amount_msat ?? 0n,
    hash: told.invoice_payment_hash ?? '',
    payee: told.invoice_node_id ?? '',
    madeAt: told.invoice_created_at ?? 0,
    expirySeconds: told.invoice_relative_expiry ?? USUAL_EXPIRY_SECONDS,
  }
}

async function fees(socket: ClnSocket): Promise<LightningFees> {
  const { income_events: events } = await ask(socket, 'bkpr-listincome', {}, incomeShape)
  const gained = (tag: string): bigint =>
    sumOf(
      events.filter((event) => event.tag === tag).map(({ credit_msat: credit, debit_msat: debit }) => credit - debit),
    )
  return { routedMsat: gained('routed'), chainFeeMsat: -gained('onchain_fee') }
}

/** The bookkeeper names a deposit by its output, and a withdrawal by the transaction that spent the coin. */
async function movedBy(socket: ClnSocket, txid: string): Promise<NodeMovement> {
  const { events } = await ask(socket, 'bkpr-listaccountevents', { account: 'wallet' }, eventsShape)
  const deposits = events.filter(({ tag, outpoint }) => tag === 'deposit' && outpoint?.split(':')[0] === txid)
  return {
    receivedSats: sumOf(deposits.map((event) => event.credit_msat)) / 1000n,
    isSpender: events.some((event) => event.tag === 'withdrawal' && event.txid === txid),
  }
}

/** @throws NodeSilent for an answer in another shape, which names members and no values */
async function ask<T>(socket: ClnSocket, method: string, params: object, shape: z.ZodType<T>): Promise<T> {
  const result = shape.safeParse(await socket.call(method, params, { timeoutMs: LIMIT_MS }))
  if (result.success) return result.data
  const members = result.error.issues.map((issue) => issue.path.join('.')).slice(0, 5)
  throw new NodeSilent(`the Lightning node answered ${method} in another shape: ${members.join(', ')}`)
}

function isCode(error: unknown, code: number): boolean {
  return error instanceof NodeRefused && error.code === code
}

function sumOf(amounts: readonly (bigint | undefined)[]): bigint {
  return amounts.reduce<bigint>((sum, amount) => sum + (amount ?? 0n), 0n)
}
