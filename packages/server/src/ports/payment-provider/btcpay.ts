import { createHash, createHmac } from 'node:crypto'
import { z } from 'zod'
import type { BitcoinNetwork } from '@fairball/domain/btc-address'
import { satsToBtc } from '@fairball/domain/money'
import type { Runtime } from '../../runtime/runtime.ts'
import {
  Invoice,
  isDone,
  isFor,
  LightningBalance,
  messageIn,
  outputsOf,
  Overview,
  PaymentMethods,
  Preview,
  rawOf,
} from './btcpay-answers.ts'
import {
  type Checkout,
  type CheckoutRequest,
  type Holding,
  type InvoiceSnapshot,
  type PaymentProvider,
  type ProviderChanges,
  ProviderUnfit,
  type WebhookHint,
} from './payment-provider.ts'
import {
  isKey,
  isOnNetwork,
  isPage,
  isSameText,
  MAX_WEBHOOK_BYTES,
  minutesUntil,
  onGrid,
  ProviderApi,
  ProviderRefusal,
  ProviderSilent,
  satsOfDecimal,
  shaped,
} from './provider-api.ts'

/** The name under which BTCPay's invoices are stored. */
const BTCPAY = 'btcpay'
/** Where BTCPay's messages arrive, below the site's address. */
const BTCPAY_WEBHOOK_PATH = '/webhooks/btcpay'

/** The payment methods of an invoice; the second works if the store has Lightning. */
const METHODS = ['BTC-CHAIN', 'BTC-LN'] as const
/**
 * How long BTCPay follows the payments of an expired invoice: as long as we wait for unconfirmed money. Until then it
 * keeps reporting the state of a late or stuck payment.
 */
const MONITORING_MINUTES = 14 * 24 * 60
/** An open order is checked every half minute, one that waits for a block every minute. */
const PAYMENT_SECONDS = 30
const CONFIRMATION_SECONDS = 60
/** Time for which a successful check is not repeated. */
const FIT_MS = 10 * 60_000
/** The deepest that BTCPay can be made to wait (`LowSpeed`). */
export const BTCPAY_CONFIRMATIONS = 6
/** The mark on our invoices: a store may take payments for others too. */
const SOURCE = 'fairball'
/** How often expired invoices with money are searched, how many at a time, and how many in total. */
const SWEEP_SECONDS = 60 * 60
const SWEEP_PAGE = 250
const MAX_SWEPT = 50_000
const UNAUTHORIZED = 401
const FORBIDDEN = 403
const NOT_FOUND = 404

/** A store of a BTCPay Server, and access to it. */
export interface BtcpayOptions {
  /** the server's address without a slash at its end */
  readonly baseUrl: string
  /** store-scoped: cancreateinvoice, canviewinvoices, canviewwallet */
  readonly apiKey: string
  readonly storeId: string
  /** the secret BTCPay signs its messages with */
  readonly webhookSecret: string
  readonly network: BitcoinNetwork
  /** 1 to 6, now: the store waits for at least this many before it calls a payment of a new invoice settled */
  readonly requiredConfirmations: () => number
}

/** The store, and when it last passed its check. */
interface Store {
  readonly runtime: Pick<Runtime, 'clock' | 'monotonic' | 'log'>
  readonly options: BtcpayOptions
  readonly api: ProviderApi
  /** the path of the store's own calls */
  readonly path: string
  /** by the monotonic time; null before, and after a wrong network was seen */
  fitAtMs: number | null
}

/**
 * BTCPay Server through its Greenfield API (payments.md section 1a): nested routes, which servers before 2.4 have as
 * well.
 *
 * Money is read only from the payments of an invoice, never from its status: that returns to New without a message when
 * a payment is replaced, stays Expired for ever when money is late, and repeats what a person marked. A Settled payment
 * is at the required depth, a Processing one counts for nothing yet, and an Invalid one was replaced or spent elsewhere
 * and is left out.
 *
 * @throws ProviderUnfit if the options cannot work
 */
export function createBtcpayProvider(
  runtime: Pick<Runtime, 'clock' | 'monotonic' | 'fetch' | 'log'>,
  options: BtcpayOptions,
): PaymentProvider {
  const { baseUrl, apiKey, webhookSecret } = options
  if (!isKey(apiKey)) throw new ProviderUnfit('BTCPAY_API_KEY: not a valid BTCPay key; copy it again.')
  if (webhookSecret === '') throw new ProviderUnfit('BTCPAY_WEBHOOK_SECRET: empty. Copy it from the webhook.')
  speedPolicyFor(options.requiredConfirmations()) // a number that no store can wait for is refused at the start
  const store: Store = {
    runtime,
    options,
    api: new ProviderApi(runtime, { provider: BTCPAY, baseUrl, authorization: `token ${apiKey}` }),
    path: `/api/v1/stores/${encodeURIComponent(options.storeId)}`,
    fitAtMs: null,
  }
  return {
    name: BTCPAY,
    tellsBlockTime: false,
    createCheckout: (request) => createCheckout(store, request),
    get: (ref) => readInvoice(store, ref),
    nextLookAt: (now, awaited) => onGrid(now, awaited === 'payment' ? PAYMENT_SECONDS : CONFIRMATION_SECONDS),
    assertFit: () => assertFit(store),
    follow: (cursor) => follow(store, cursor),
    balance: () => balance(store),
    webhook: {
      path: BTCPAY_WEBHOOK_PATH,
      read: (headers, rawBody) => readMessage(webhookSecret, headers['btcpay-sig'], rawBody),
    },
  }
}

/** An order that already has a live invoice gets that one: its answer may have been lost the last time. */
async function createCheckout(store: Store, request: CheckoutRequest): Promise<Checkout> {
  const earlier = await withFitKey('canviewinvoices', () => findLive(store, request))
  const invoice = earlier ?? (await withFitKey('cancreateinvoice', () => createInvoice(store, request)))
  if (!isFor(invoice, request.amountSats)) throw new Error('btcpay made another invoice than it was asked for')
  if (!isPage(invoice.checkoutLink)) throw new ProviderSilent('btcpay made an invoice without a page')
  const address = await withFitKey('canviewinvoices', () => checkedAddress(store, invoice.id))
  return { ref: invoice.id, checkoutUrl: invoice.checkoutLink, address, expiresAt: invoice.expirationTime }
}

/** The invoice that was made for an order and is still valid, the first one if there are several. */
async function findLive(store: Store, { orderId, amountSats }: CheckoutRequest): Promise<Invoice | null> {
  const path = `${store.path}/invoices?orderId=${encodeURIComponent(orderId)}`
  const found = shaped(BTCPAY, z.array(Invoice), await store.api.get(path))
  const live = found.filter(
    (invoice) =>
      invoice.metadata?.['orderId'] === orderId &&
      invoice.expirationTime > store.runtime.clock.now() &&
      ['New', 'Processing', 'Settled'].includes(invoice.status) &&
      isFor(invoice, amountSats),
  )
  return live.toSorted((a, b) => a.createdTime - b.createdTime || (a.id < b.id ? -1 : 1))[0] ?? null
}

async function createInvoice(store: Store, request: CheckoutRequest): Promise<Invoice> {
  const { clock, log } = store.runtime
  const body = {
    amount: satsToBtc(request.amountSats),
    currency: 'BTC',
    metadata: { orderId: request.orderId, itemDesc: request.description, source: SOURCE },
    checkout: {
      speedPolicy: speedPolicyFor(store.options.requiredConfirmations()),
      paymentMethods: METHODS,
      lazyPaymentMethods: false, // the address is checked before a player is sent there
      expirationMinutes: minutesUntil(request.expiresAt, clock.now()),
      monitoringMinutes: MONITORING_MINUTES,
      paymentTolerance: 0,
      redirectURL: request.returnUrl,
      redirectAutomatically: true,
    },
  }
  try {
    return shaped(BTCPAY, Invoice, await store.api.post(`${store.path}/invoices`, body))
  } catch (error) {
    if (!(error instanceof ProviderSilent)) throw error
    // It may have been made, with only the answer lost. Searched for once; a later call searches before it makes
    // another.
    const made = await findLive(store, request).catch(() => null)
    if (made === null) throw error
    log.warn({ orderId: request.orderId, invoiceId: made.id }, 'an invoice whose answer was lost was found')
    return made
  }
}

/** The address of an invoice. @throws ProviderUnfit if it, or the Lightning invoice, is of another network */
async function checkedAddress(store: Store, ref: string): Promise<string> {
  const methods = await methodsOf(store, ref)
  const destinationOf = (id: string): string | null =>
    methods.find((method) => method.paymentMethodId === id)?.destination || null
  const address = destinationOf('BTC-CHAIN')
  if (address === null) throw new ProviderSilent('btcpay made an invoice without a bitcoin address')
  for (const destination of [address, destinationOf('BTC-LN')])
    if (destination !== null) assertOnNetwork(store, destination)
  return address
}

async function methodsOf({ api, path }: Store, ref: string): Promise<PaymentMethods> {
  const methods = `${path}/invoices/${encodeURIComponent(ref)}/payment-methods?onlyAccountedPayments=false`
  return shaped(BTCPAY, PaymentMethods, await api.get(methods))
}

async function readInvoice(store: Store, ref: string): Promise<InvoiceSnapshot> {
  const { api, path, options, runtime } = store
  try {
    const invoice = await withFitKey('canviewinvoices', async () =>
      shaped(BTCPAY, Invoice, await api.get(`${path}/invoices/${encodeURIComponent(ref)}`)),
    )
    // Read last: no decision uses the older answer.
    const methods = await methodsOf(store, ref)
    return {
      outputs: outputsOf(methods, options.requiredConfirmations()),
      isFinal: isDone(invoice, methods, runtime.clock.now()),
      raw: rawOf(invoice, methods),
    }
  } catch (error) {
    // BTCPay deletes an invoice that expired unpaid after half a year.
    const isGone = error instanceof ProviderRefusal && error.status === NOT_FOUND && error.code === 'invoice-not-found'
    if (!isGone) throw error
    return { outputs: [], isFinal: true, isUnknown: true, raw: { code: error.code } }
  }
}

/** Asks with the key for the store's invoices and for an address of its wallet: key, store and network in one. */
async function assertFit(store: Store): Promise<void> {
  const nowMs = store.runtime.monotonic.nowMs()
  if (store.fitAtMs !== null && nowMs - store.fitAtMs < FIT_MS) return
  await withFitKey('canviewinvoices', () => store.api.get(`${store.path}/invoices?take=1`))
  assertOnNetwork(store, await withFitKey('canviewwallet', () => firstAddress(store)))
  store.fitAtMs = nowMs
}

/** @throws ProviderUnfit; then the store is checked again before the next invoice */
function assertOnNetwork(store: Store, destination: string): void {
  const { network } = store.options
  if (isOnNetwork(destination, network)) return
  store.fitAtMs = null
  throw new ProviderUnfit(
    `BTCPAY_STORE_ID: the wallet of this store is not on ${network}. Set BITCOIN_NETWORK to its network, or name the store of this one.`,
  )
}

async function firstAddress({ api, path }: Store): Promise<string> {
  try {
    const preview = await api.get(`${path}/payment-methods/BTC-CHAIN/wallet/preview?count=1`)
    const { addresses } = shaped(BTCPAY, Preview, preview)
    if (addresses[0] === undefined) throw new ProviderSilent('btcpay showed no address of the wallet')
    return addresses[0].address
  } catch (error) {
    if (!(error instanceof ProviderRefusal) || error.status !== NOT_FOUND || error.code === 'store-not-found')
      throw error
    throw new ProviderUnfit('BTCPAY_STORE_ID: the store has no bitcoin wallet. Set one up in BTCPay.', {
      cause: error,
    })
  }
}

/**
 * Once an hour: our expired invoices that have money, as long as BTCPay follows them. A message about late money may be
 * lost, and the order itself is no longer checked a day after its expiry. The cursor is the last time.
 */
async function follow(store: Store, cursor: string | null): Promise<ProviderChanges> {
  const now = store.runtime.clock.now()
  if (cursor !== null && now < Number(cursor) + SWEEP_SECONDS) return { cursor, refs: [], unknown: [] }
  return { cursor: String(now), refs: await withFitKey('canviewinvoices', () => lateRefs(store, now)), unknown: [] }
}

async function lateRefs({ api, path, runtime }: Store, now: number): Promise<string[]> {
  const refs = new Set<string>()
  const expired = `${path}/invoices?status=Expired&startDate=${now - MONITORING_MINUTES * 60}`
  for (let skip = 0; skip < MAX_SWEPT; skip += SWEEP_PAGE) {
    const page = shaped(BTCPAY, z.array(Invoice), await api.get(`${expired}&skip=${skip}&take=${SWEEP_PAGE}`))
    for (const { id, metadata, additionalStatus } of page)
      if (metadata?.['source'] === SOURCE && ['PaidLate', 'PaidPartial'].includes(additionalStatus)) refs.add(id)
    if (page.length < SWEEP_PAGE) return [...refs]
  }
  runtime.log.warn({ listed: MAX_SWEPT }, 'btcpay has more expired invoices than are looked through for late money')
  return [...refs]
}

async function balance(store: Store): Promise<Holding[]> {
  const chain = await withFitKey('canviewwallet', async () =>
    shaped(BTCPAY, Overview, await store.api.get(`${store.path}/payment-methods/BTC-CHAIN/wallet`)),
  )
  const lightning = await lightningSats(store)
  return [
    { name: 'deposits', sats: satsOfDecimal(chain.confirmedBalance) },
    ...(lightning === null ? [] : [{ name: 'lightning', sats: lightning }]),
  ]
}

/** A key that may not read the Lightning node, or a store without one, reports nothing. */
async function lightningSats({ api, path }: Store): Promise<bigint | null> {
  try {
    const balance = shaped(BTCPAY, LightningBalance, await api.get(`${path}/lightning/BTC/balance`))
    const local = balance.offchain?.local
    return local === null || local === undefined ? null : BigInt(local) / 1000n
  } catch (error) {
    if (error instanceof ProviderRefusal) return null
    throw error
  }
}

/** A request whose refused key or store is reported in the operator's words. */
async function withFitKey<T>(permission: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error
    const { status, code } = error
    if (status === UNAUTHORIZED)
      throw new ProviderUnfit('BTCPAY_API_KEY: BTCPay refuses it. Make a new one.', { cause: error })
    if (status === FORBIDDEN)
      throw new ProviderUnfit(
        `BTCPAY_API_KEY: it may not do what is needed. Give it btcpay.store.${permission} for the store of BTCPAY_STORE_ID.`,
        { cause: error },
      )
    if (status === NOT_FOUND && code === 'store-not-found')
      throw new ProviderUnfit('BTCPAY_STORE_ID: BTCPay knows no such store.', { cause: error })
    throw error
  }
}

/** An event about no invoice (about a payout, or an unknown one) has an empty ref, which no order has. */
function readMessage(
  webhookSecret: string,
  signature: string | string[] | undefined,
  rawBody: Uint8Array,
): WebhookHint | null {
  if (rawBody.length > MAX_WEBHOOK_BYTES) return null
  const expected = `sha256=${createHmac('sha256', webhookSecret).update(rawBody).digest('hex')}`
  if (typeof signature !== 'string' || !isSameText(signature, expected)) return null
  const message = messageIn(rawBody)
  if (message === null) return null
  // A redelivery has an id and a body of its own; what it repeats is the same.
  const key = message.originalDeliveryId || message.deliveryId || createHash('sha256').update(rawBody).digest('hex')
  return { ref: message.invoiceId ?? '', key }
}

type SpeedPolicy = 'MediumSpeed' | 'LowMediumSpeed' | 'LowSpeed'

/** The least that makes the store wait for this many confirmations. @throws ProviderUnfit if BTCPay cannot */
function speedPolicyFor(confirmations: number): SpeedPolicy {
  if (!Number.isInteger(confirmations) || confirmations < 1 || confirmations > BTCPAY_CONFIRMATIONS)
    throw new ProviderUnfit(`BITCOIN_CONFIRMATIONS=${confirmations}: BTCPay can wait for 1 to ${BTCPAY_CONFIRMATIONS}.`)
  if (confirmations === 1) return 'MediumSpeed'
  return confirmations === 2 ? 'LowMediumSpeed' : 'LowSpeed'
}
