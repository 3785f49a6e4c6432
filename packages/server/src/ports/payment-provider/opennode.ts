import { createHash, createHmac } from 'node:crypto'
import type { BitcoinNetwork } from '@fairball/domain/btc-address'
import type { Runtime } from '../../runtime/runtime.ts'
import {
  AccountBalance,
  addressOf,
  type Charge,
  Charges,
  OneCharge,
  outputsOf,
  rawOf,
  secondsOf,
} from './opennode-answers.ts'
import {
  type Checkout,
  type CheckoutRequest,
  type Holding,
  type InvoiceSnapshot,
  type PaymentProvider,
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
  shaped,
} from './provider-api.ts'

/** The name under which OpenNode's charges are stored. */
const OPENNODE = 'opennode'
/** Where OpenNode's messages arrive, below the site's address. */
const OPENNODE_WEBHOOK_PATH = '/webhooks/opennode'
/** OpenNode's APIs, for bitcoin and for test coins. */
export const OPENNODE_API_URL = 'https://api.opennode.com'
export const OPENNODE_TEST_API_URL = 'https://dev-api.opennode.com'

const PAYMENT_SECONDS = 30
const CONFIRMATION_SECONDS = 60
const FIT_MS = 10 * 60_000
/** Maximum number of remembered orders whose charge's answer was lost; each is kept until its next request. */
const MAX_LOST = 1000
/** An id that no charge has. */
const NO_CHARGE = '00000000-0000-0000-0000-000000000000'
const UNAUTHORIZED = 401
const FORBIDDEN = 403
const NOT_FOUND = 404

/** An account at OpenNode, and access to it. */
export interface OpennodeOptions {
  /** without a slash at its end */
  readonly apiUrl: string
  /** may read and make charges ("E-commerce"); OpenNode's messages are signed with it too */
  readonly apiKey: string
  readonly network: BitcoinNetwork
  /** number of confirmations of what OpenNode has settled, now */
  readonly requiredConfirmations: () => number
  /** the site's address without a slash at the end: OpenNode sends its messages below it */
  readonly publicUrl: string
}

/** The account, what is remembered of it, and when it last passed its check. */
interface Account {
  readonly runtime: Pick<Runtime, 'clock' | 'monotonic' | 'log'>
  readonly options: OpennodeOptions
  readonly api: ProviderApi
  readonly lostOrders: Set<string>
  /** by the monotonic time; null before, and after a wrong network was seen */
  fitAtMs: number | null
}

/**
 * OpenNode (payments.md section 1b). It keeps the money until it is paid out, so what counts is what it credits: the
 * transactions and the Lightning payment of a charge that is `paid`. While a charge is underpaid its page lets the
 * payer take the money back, so until then nothing of it is ours; after that (`refunded`), nothing pays the charge.
 *
 * OpenNode's signature covers only the id of a charge: anyone who saw one message can forge any other about the same
 * charge. It proves no more than that the charge is worth reading.
 *
 * @throws ProviderUnfit if the options cannot work
 */
export function createOpennodeProvider(
  runtime: Pick<Runtime, 'clock' | 'monotonic' | 'fetch' | 'log'>,
  options: OpennodeOptions,
): PaymentProvider {
  const { apiUrl, apiKey } = options
  assertOptionsFit(options)
  const account: Account = {
    runtime,
    options,
    api: new ProviderApi(runtime, { provider: OPENNODE, baseUrl: apiUrl, authorization: apiKey }),
    lostOrders: new Set(),
    fitAtMs: null,
  }
  return {
    name: OPENNODE,
    tellsBlockTime: false,
    createCheckout: (request) => createCheckout(account, request),
    get: (ref) => readCharge(account, ref),
    nextLookAt: (now, awaited) => onGrid(now, awaited === 'payment' ? PAYMENT_SECONDS : CONFIRMATION_SECONDS),
    assertFit: () => assertFit(account),
    balance: () => balance(account),
    webhook: { path: OPENNODE_WEBHOOK_PATH, read: (_headers, rawBody) => readMessage(apiKey, rawBody) },
  }
}

function assertOptionsFit({ apiUrl, apiKey, network }: OpennodeOptions): void {
  if (!isKey(apiKey)) throw new ProviderUnfit('OPENNODE_API_KEY: not a valid OpenNode key; copy it again.')
  const isTest = new URL(apiUrl).hostname.startsWith('dev-')
  const isOpennode = new URL(apiUrl).hostname.endsWith('opennode.com')
  if (isOpennode && isTest === (network === 'mainnet'))
    throw new ProviderUnfit(
      `OPENNODE_API_URL=${apiUrl} does not go with BITCOIN_NETWORK=${network}: set ${isTest ? OPENNODE_API_URL : OPENNODE_TEST_API_URL}.`,
    )
}

async function createCheckout(account: Account, request: CheckoutRequest): Promise<Checkout> {
  const { lostOrders, options } = account
  const earlier = lostOrders.has(request.orderId) ? await withFitKey(() => findLive(account, request)) : null
  const charge = earlier ?? (await withFitKey(() => createCharge(account, request)))
  if (BigInt(charge.amount) !== request.amountSats) throw new Error('opennode made another charge than asked for')
  assertOnNetwork(account, charge)
  lostOrders.delete(request.orderId)
  const checkoutUrl = charge.hosted_checkout_url ?? pageOf(charge.id, options.apiUrl)
  if (!isPage(checkoutUrl)) throw new ProviderSilent('opennode made a charge without a page')
  return { ref: charge.id, checkoutUrl, address: addressOf(charge), expiresAt: request.expiresAt }
}

/** The charge that was made for an order and can still be paid, the first one if there are several. */
async function findLive({ api }: Account, { orderId, amountSats }: CheckoutRequest): Promise<Charge | null> {
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

async function createCharge(account: Account, request: CheckoutRequest): Promise<Charge> {
  const { api, options, runtime, lostOrders } = account
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
    // It may have been made, with only the answer lost. Searched for now, and again before another is made.
    if (lostOrders.size >= MAX_LOST) lostOrders.clear()
    lostOrders.add(request.orderId)
    const made = await findLive(account, request).catch(() => null)
    if (made === null) throw error
    runtime.log.warn({ orderId: request.orderId, chargeId: made.id }, 'a charge whose answer was lost was found')
    return made
  }
}

/** @throws ProviderUnfit; then the account is checked again before the next charge */
function assertOnNetwork(account: Account, charge: Charge): void {
  const { network } = account.options
  const destinations = [addressOf(charge), charge.lightning_invoice?.payreq]
  if (destinations.every((destination) => !destination || isOnNetwork(destination, network))) return
  account.fitAtMs = null
  throw new ProviderUnfit(
    `OPENNODE_API_KEY: this account does not take ${network}. Set BITCOIN_NETWORK and OPENNODE_API_URL to its network.`,
  )
}

async function readCharge({ api, options, runtime }: Account, ref: string): Promise<InvoiceSnapshot> {
  try {
    const path = `/v1/charge/${encodeURIComponent(ref)}`
    const { data } = shaped(OPENNODE, OneCharge, await withFitKey(() => api.get(path)))
    const outputs = outputsOf(data, options.requiredConfirmations(), runtime.clock.now())
    // OpenNode does not take back what it has credited, whatever happens on the chain.
    const isCredited = data.status === 'paid' && outputs.every((output) => output.confirmations > 0)
    // Only uncredited money is returned; what counted here was credited, and only time makes it final.
    const leavesCounted = data.status === 'refunded'
    return { outputs, isFinal: isCredited, leavesCounted, raw: rawOf(data) }
  } catch (error) {
    if (!(error instanceof ProviderRefusal) || error.status !== NOT_FOUND) throw error
    return { outputs: [], isFinal: true, isUnknown: true, raw: { status: NOT_FOUND } }
  }
}

/**
 * Asks for a charge that does not exist: a key of another environment is refused, a valid one finds nothing. The list
 * of charges has no limit. The first charge shows which test network it is.
 */
async function assertFit(account: Account): Promise<void> {
  const nowMs = account.runtime.monotonic.nowMs()
  if (account.fitAtMs !== null && nowMs - account.fitAtMs < FIT_MS) return
  await withFitKey(() => account.api.get(`/v1/charge/${NO_CHARGE}`)).catch((error: unknown) => {
    if (!(error instanceof ProviderRefusal)) throw error
  })
  account.fitAtMs = nowMs
}

async function balance({ api }: Account): Promise<Holding[]> {
  const { data } = shaped(OPENNODE, AccountBalance, await withFitKey(() => api.get('/v1/account/balance')))
  return [{ name: 'deposits', sats: BigInt(data.balance.BTC) }]
}

/** A request whose refused key is reported in the operator's words. */
async function withFitKey<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ProviderRefusal) || ![UNAUTHORIZED, FORBIDDEN].includes(error.status)) throw error
    const advice = 'Make a key that may create and read charges.'
    throw new ProviderUnfit(`OPENNODE_API_KEY: OpenNode refuses it. ${advice}`, { cause: error })
  }
}

function readMessage(apiKey: string, rawBody: Uint8Array): WebhookHint | null {
  if (rawBody.length > MAX_WEBHOOK_BYTES) return null
  const form = new URLSearchParams(Buffer.from(rawBody).toString('utf8'))
  const [id, ...moreIds] = form.getAll('id')
  const [signature, ...moreSignatures] = form.getAll('hashed_order')
  if (!id || moreIds.length > 0 || signature === undefined || moreSignatures.length > 0) return null
  if (!isSameText(signature, createHmac('sha256', apiKey).update(id).digest('hex'))) return null
  // Messages have no id of their own: the same content about the same charge is the same message.
  const status = form.get('status') ?? ''
  return { ref: id, key: `${id}:${status.slice(0, 20)}:${createHash('sha256').update(rawBody).digest('hex')}` }
}

/** OpenNode's own form of a charge's page. */
function pageOf(id: string, apiUrl: string): string {
  const host = new URL(apiUrl).hostname.startsWith('dev-') ? 'checkout.dev.opennode.com' : 'checkout.opennode.com'
  return `https://${host}/${encodeURIComponent(id)}`
}

/** The only number of satoshis sent as a number: JSON's are exact far beyond the 21 million. */
function amountOf(sats: bigint): number {
  return Number(sats)
}
