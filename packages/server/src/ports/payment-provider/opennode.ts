import { createHash, createHmac } from 'node:crypto'
import { z } from 'zod'
import type { BitcoinNetwork } from '@fairball/domain/btc-address'
import type { Runtime } from '../../runtime/runtime.ts'
import {
  type Checkout,
  type CheckoutRequest,
  type InvoiceSnapshot,
  type PaymentProvider,
  ProviderUnfit,
  type SeenOutput,
  type WebhookHint,
} from './payment-provider.ts'
import {
  createProviderApi,
  inOrder,
  isKey,
  isOnNetwork,
  isPage,
  isSameText,
  LARGEST_WEBHOOK,
  LIGHTNING_CONFIRMATIONS,
  minutesUntil,
  onGrid,
  ProviderRefusal,
  ProviderSilent,
  shaped,
} from './provider-api.ts'

/** The name under which OpenNode's charges are kept. */
export const OPENNODE = 'opennode'
/** Where OpenNode's messages arrive, below the site's address. */
export const OPENNODE_WEBHOOK_PATH = '/webhooks/opennode'
/** Where OpenNode answers, for bitcoin and for test coins. */
export const OPENNODE_API_URL = 'https://api.opennode.com'
export const OPENNODE_TEST_API_URL = 'https://dev-api.opennode.com'

const PAYMENT_SECONDS = 30
const CONFIRMATION_SECONDS = 60
const FIT_MS = 10 * 60_000
/** Orders whose charge's answer was lost, remembered until somebody asks again. */
const MOST_LOST = 1000
/** An id that no charge has. */
const NO_CHARGE = '00000000-0000-0000-0000-000000000000'
const UNAUTHORIZED = 401
const FORBIDDEN = 403
const NOT_FOUND = 404

/** An account at OpenNode, and how to reach it. */
export interface OpennodeOptions {
  /** without a slash at its end */
  readonly apiUrl: string
  /** may read and make charges ("E-commerce"); OpenNode's messages are signed with it too */
  readonly apiKey: string
  readonly network: BitcoinNetwork
  readonly requiredConfirmations: number
  /** the site's address without a slash at the end: OpenNode sends its messages below it */
  readonly publicUrl: string
}

const amount = z.union([z.number().int().nonnegative(), z.string().regex(/^\d{1,16}$/)])
/** Epoch seconds, or a date as text; null and 0 say that it has not happened. */
const moment = z.union([z.number(), z.string()]).nullish()

const Charge = z.object({
  id: z.string().min(1),
  status: z.string(),
  amount,
  order_id: z.string().nullish(),
  created_at: moment,
  settled_at: moment,
  fee: amount.nullish(),
  missing_amt: amount.nullish(),
  overpaid_by: amount.nullish(),
  payment_method: z.string().nullish(),
  hosted_checkout_url: z.string().nullish(),
  address: z.string().nullish(),
  chain_invoice: z.object({ address: z.string().nullish(), settled_at: moment, tx: z.string().nullish() }).nullish(),
  lightning_invoice: z.object({ payreq: z.string().nullish(), settled_at: moment, expires_at: moment }).nullish(),
  transactions: z
    .array(
      z.object({
        address: z.string().nullish(),
        tx: z.string().regex(/^[0-9a-f]{64}$/),
        status: z.string().nullish(),
        amount,
        created_at: moment,
        settled_at: moment,
      }),
    )
    .nullish(),
})
type Charge = z.infer<typeof Charge>

/** What the account holds, by currency; bitcoin in satoshis. */
const Account = z.object({ data: z.object({ balance: z.object({ BTC: amount }) }) })

const OneCharge = z.object({ data: Charge })
const Charges = z.object({ data: z.array(Charge) })

/**
 * OpenNode (payments.md section 1b). It keeps the money until it is paid out, so what counts is what it credits: the
 * transactions and the Lightning payment of a charge that is `paid`. While a charge is underpaid its page lets the payer
 * take the money back, so until then nothing of it is ours; once it did (`refunded`), nothing pays the charge.
 *
 * OpenNode's signature covers the id of a charge and nothing else: whoever saw one message can forge any other about the
 * same charge. It proves no more than that the charge is worth reading.
 *
 * @throws ProviderUnfit when the options cannot work
 */
export function createOpennodeProvider(
  runtime: Pick<Runtime, 'clock' | 'steady' | 'fetch' | 'log'>,
  options: OpennodeOptions,
): PaymentProvider {
  const { apiUrl, apiKey, network } = options
  if (!isKey(apiKey)) throw new ProviderUnfit('OPENNODE_API_KEY: not a key of OpenNode. Copy it once more.')
  const isTest = new URL(apiUrl).hostname.startsWith('dev-')
  const isOpennode = new URL(apiUrl).hostname.endsWith('opennode.com')
  if (isOpennode && isTest === (network === 'mainnet'))
    throw new ProviderUnfit(
      `OPENNODE_API_URL=${apiUrl} does not go with BITCOIN_NETWORK=${network}: set ${isTest ? OPENNODE_API_URL : OPENNODE_TEST_API_URL}.`,
    )
  const api = createProviderApi(runtime, { provider: OPENNODE, baseUrl: apiUrl, authorization: apiKey })
  const lostOrders = new Set<string>()
  let fitAtMs: number | null = null

  /** The charge that was made for an order and can still be paid, the first one where there are several. */
  async function findLive({ orderId, amountSats }: CheckoutRequest): Promise<Charge | null> {
    const { data } = shaped(OPENNODE, Charges, await api.get('/v1/charges'))
    const live = data.filter(
      (charge) =>
        charge.order_id === orderId &&
        BigInt(charge.amount) === amountSats &&
        ['unpaid', 'underpaid', 'processing', 'paid'].includes(charge.status),
    )
    const madeAt = (charge: Charge): number => secondsOf(charge.created_at) ?? 0
    return live.toSorted((a, b) => madeAt(a) - madeAt(b) || (a.id < b.id ? -1 : 1))[0] ?? null
  }

  async function create(request: CheckoutRequest): Promise<Charge> {
    const body = {
      amount: amountOf(request.amountSats), // without a currency these are satoshis
      description: request.description,
      order_id: request.orderId,
      callback_url: options.publicUrl + OPENNODE_WEBHOOK_PATH,
      success_url: request.returnUrl,
      ttl: minutesUntil(request.expiresAt, runtime.clock.now()),
      auto_settle: false,
    }
    try {
      return shaped(OPENNODE, OneCharge, await api.post('/v1/charges', body)).data
    } catch (error) {
      if (!(error instanceof ProviderSilent)) throw error
      // It may have been made, only the answer is lost. Asked for now, and again before another is made.
      if (lostOrders.size >= MOST_LOST) lostOrders.clear()
      lostOrders.add(request.orderId)
      const made = await findLive(request).catch(() => null)
      if (made === null) throw error
      runtime.log.warn({ orderId: request.orderId, chargeId: made.id }, 'a charge whose answer was lost was found')
      return made
    }
  }

  function checkNetwork(charge: Charge): void {
    const destinations = [addressOf(charge), charge.lightning_invoice?.payreq]
    if (destinations.every((destination) => !destination || isOnNetwork(destination, network))) return
    fitAtMs = null
    throw new ProviderUnfit(
      `OPENNODE_API_KEY: this account does not take ${network}. Set BITCOIN_NETWORK and OPENNODE_API_URL to its network.`,
    )
  }

  /** A request in which a refused key is said in the operator's words. */
  async function withFitKey<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ProviderRefusal) || ![UNAUTHORIZED, FORBIDDEN].includes(error.status)) throw error
      const advice = 'Make a key that may create and read charges.'
      throw new ProviderUnfit(`OPENNODE_API_KEY: OpenNode refuses it. ${advice}`, { cause: error })
    }
  }

  return {
    name: OPENNODE,

    async createCheckout(request): Promise<Checkout> {
      const earlier = lostOrders.has(request.orderId) ? await withFitKey(() => findLive(request)) : null
      const charge = earlier ?? (await withFitKey(() => create(request)))
      if (BigInt(charge.amount) !== request.amountSats) throw new Error('opennode made another charge than asked for')
      checkNetwork(charge)
      lostOrders.delete(request.orderId)
      const checkoutUrl = charge.hosted_checkout_url ?? pageOf(charge.id, apiUrl)
      if (!isPage(checkoutUrl)) throw new ProviderSilent('opennode made a charge without a page')
      return { ref: charge.id, checkoutUrl, address: addressOf(charge), expiresAt: request.expiresAt }
    },

    async get(ref): Promise<InvoiceSnapshot> {
      try {
        const path = `/v1/charge/${encodeURIComponent(ref)}`
        const { data } = shaped(OPENNODE, OneCharge, await withFitKey(() => api.get(path)))
        const outputs = outputsOf(data, options.requiredConfirmations, runtime.clock.now())
        // What OpenNode has credited it does not take back, whatever becomes of the chain.
        const isCredited = data.status === 'paid' && outputs.every((output) => output.confirmations > 0)
        // Given back is what it did not credit; what counted here was credited, and only time makes it final.
        const leavesCounted = data.status === 'refunded'
        return { outputs, isFinal: isCredited, leavesCounted, raw: rawOf(data) }
      } catch (error) {
        if (!(error instanceof ProviderRefusal) || error.status !== NOT_FOUND) throw error
        return { outputs: [], isFinal: true, isUnknown: true, raw: { status: NOT_FOUND } }
      }
    },

    nextLookAt: (now, awaited) => onGrid(now, awaited === 'payment' ? PAYMENT_SECONDS : CONFIRMATION_SECONDS),

    /**
     * Asks for a charge that does not exist: a key of another environment is refused, a good one finds nothing. The list
     * of charges has no limit. Which test network it is shows at the first charge.
     */
    async assertFit() {
      const nowMs = runtime.steady.nowMs()
      if (fitAtMs !== null && nowMs - fitAtMs < FIT_MS) return
      await withFitKey(() => api.get(`/v1/charge/${NO_CHARGE}`)).catch((error: unknown) => {
        if (!(error instanceof ProviderRefusal)) throw error
      })
      fitAtMs = nowMs
    },

    async balance() {
      const { data } = shaped(OPENNODE, Account, await withFitKey(() => api.get('/v1/account/balance')))
      return [{ name: 'deposits', sats: BigInt(data.balance.BTC) }]
    },

    webhook: { path: OPENNODE_WEBHOOK_PATH, read: (_headers, rawBody) => read(rawBody) },
  }

  function read(rawBody: Uint8Array): WebhookHint | null {
    if (rawBody.length > LARGEST_WEBHOOK) return null
    const form = new URLSearchParams(Buffer.from(rawBody).toString('utf8'))
    const [id, ...moreIds] = form.getAll('id')
    const [signature, ...moreSignatures] = form.getAll('hashed_order')
    if (!id || moreIds.length > 0 || signature === undefined || moreSignatures.length > 0) return null
    if (!isSameText(signature, createHmac('sha256', apiKey).update(id).digest('hex'))) return null
    // Messages have no id of their own: the same words about the same charge are the same message.
    const status = form.get('status') ?? ''
    return { ref: id, key: `${id}:${status.slice(0, 20)}:${createHash('sha256').update(rawBody).digest('hex')}` }
  }
}

/**
 * What pays a charge. An output's place in its transaction is not told, so the address takes its place in the outpoint:
 * one transaction may pay the charges of several orders. Two outputs of one transaction to one address are told apart by
 * their place among them, the largest first: whatever order an answer has, and if one is missing, never too much counts.
 *
 * @throws ProviderSilent where a payment cannot be named: with another name in the next answer it would count twice
 */
function outputsOf(charge: Charge, requiredConfirmations: number, now: number): SeenOutput[] {
  if (charge.status === 'refunded') return []
  const isPaid = charge.status === 'paid'
  const times = new Map<string, number>()
  const onChain = transactionsOf(charge)
    .toSorted((one, other) => Number(BigInt(other.amount) - BigInt(one.amount)))
    .map((transaction): SeenOutput => {
      const address = transaction.address || addressOf(charge)
      if (address === null) throw new ProviderSilent('opennode says that a charge was paid, and not to which address')
      const output = `${transaction.tx}:${nameOf(address)}`
      const before = times.get(output) ?? 0
      times.set(output, before + 1)
      return {
        outpoint: before === 0 ? output : `${output}#${before}`,
        sats: BigInt(transaction.amount),
        confirmations: isPaid && isSettled(transaction) ? requiredConfirmations : 0,
        seenAt: secondsOf(transaction.created_at) ?? secondsOf(transaction.settled_at) ?? now,
        network: 'ONCHAIN',
      }
    })
  const lightning = isPaid && isPaidOverLightning(charge) ? [lightningOutput(charge, now)] : []
  return inOrder([...onChain, ...lightning].filter((output) => output.sats > 0n))
}

/** An address of ours as it is written everywhere: bech32 may come in capitals. */
function nameOf(address: string): string {
  return address === address.toUpperCase() ? address.toLowerCase() : address
}

type Transaction = NonNullable<Charge['transactions']>[number]

/**
 * The transactions of a charge. Older answers have no list of them and tell of the one that paid it in `chain_invoice`
 * alone; a list that is empty (yet) is no reason to read that, because the one amount there may be that of several.
 */
function transactionsOf(charge: Charge): readonly Transaction[] {
  const { transactions, chain_invoice: chain } = charge
  if (transactions) return transactions
  if (charge.status !== 'paid' || !chain?.tx || !/^[0-9a-f]{64}$/.test(chain.tx)) return []
  const sats = BigInt(charge.amount) + BigInt(charge.overpaid_by ?? 0)
  return [{ address: chain.address, tx: chain.tx, amount: String(sats), settled_at: chain.settled_at }]
}

/** The words of a transaction that is mined and credited; `settled_at` says the same. */
function isSettled(transaction: Transaction): boolean {
  return (
    secondsOf(transaction.settled_at) !== null || ['confirmed', 'settled', 'paid'].includes(transaction.status ?? '')
  )
}

/**
 * Whether a paid charge was paid over Lightning: it says so. That no transaction is told (yet) says nothing: the next
 * answer may name one, and the payment would count twice.
 *
 * @throws ProviderSilent where it is not told how it was paid
 */
function isPaidOverLightning(charge: Charge): boolean {
  if (secondsOf(charge.lightning_invoice?.settled_at) !== null || charge.payment_method === 'lightning') return true
  if (transactionsOf(charge).length > 0) return false
  throw new ProviderSilent('opennode says that a charge is paid, and not by what')
}

/** A charge is paid over Lightning once. Its payment hash could change with a renewed request; the charge's id cannot. */
function lightningOutput(charge: Charge, now: number): SeenOutput {
  return {
    outpoint: `ln:${charge.id}:0`,
    sats: lightningSats(charge.lightning_invoice?.payreq ?? '') ?? BigInt(charge.amount),
    confirmations: LIGHTNING_CONFIRMATIONS,
    // A Lightning request cannot be paid after its expiry, so without a time of its own it was paid in time.
    seenAt: secondsOf(charge.lightning_invoice?.settled_at) ?? secondsOf(charge.created_at) ?? now,
    network: 'LIGHTNING',
  }
}

/** Millisatoshis in one bitcoin, and how many of each part of a bitcoin that BOLT 11 knows make one. */
const MSAT_PER_BTC = 100_000_000_000n
const PARTS: Record<string, bigint> = { '': 1n, m: 1000n, u: 1_000_000n, n: 1_000_000_000n, p: 1_000_000_000_000n }

/** The whole satoshis a Lightning request asks for; null where it names no amount. */
function lightningSats(request: string): bigint | null {
  const match = /^ln(?:bcrt|bc|tbs|tb)(\d{1,12})([munp]?)1/.exec(request.toLowerCase())
  const parts = PARTS[match?.[2] ?? '']
  if (match === null || parts === undefined) return null
  return (BigInt(match[1] ?? '0') * MSAT_PER_BTC) / parts / 1000n
}

function addressOf(charge: Charge): string | null {
  return charge.chain_invoice?.address || charge.address || null
}

/** OpenNode's own form of a charge's page. */
function pageOf(id: string, apiUrl: string): string {
  const host = new URL(apiUrl).hostname.startsWith('dev-') ? 'checkout.dev.opennode.com' : 'checkout.opennode.com'
  return `https://${host}/${encodeURIComponent(id)}`
}

/** The only number of satoshis that leaves as a number: JSON's are exact far beyond the 21 million. */
function amountOf(sats: bigint): number {
  return Number(sats)
}

/** What the operator may want to know: what OpenNode keeps for itself (`fee`) is in it. */
function rawOf(charge: Charge) {
  const { id, status, amount, fee, missing_amt, overpaid_by, payment_method, transactions } = charge
  return { id, status, amount, fee, missing_amt, overpaid_by, payment_method, transactions }
}

/** Milliseconds are later than this in epoch seconds, and seconds are not. */
const LATEST_SECONDS = 100_000_000_000

/** Epoch seconds of a moment as OpenNode writes it, null where it has not come. */
function secondsOf(value: number | string | null | undefined): number | null {
  if (value === null || value === undefined || value === '') return null
  const number = typeof value === 'number' || /^\d+$/.test(value) ? Number(value) : Date.parse(value) / 1000
  if (!Number.isFinite(number) || number <= 0) return null
  return Math.floor(number > LATEST_SECONDS ? number / 1000 : number)
}
