import { createHash, createHmac } from 'node:crypto'
import { z } from 'zod'
import type { BitcoinNetwork } from '@fairball/domain/btc-address'
import { satsToBtc } from '@fairball/domain/money'
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
  satsOfDecimal,
  shaped,
} from './provider-api.ts'

/** The name under which BTCPay's invoices are kept. */
export const BTCPAY = 'btcpay'
/** Where BTCPay's messages arrive, below the site's address. */
export const BTCPAY_WEBHOOK_PATH = '/webhooks/btcpay'

/** The methods an invoice is paid with; the second works where the store has Lightning. */
const METHODS = ['BTC-CHAIN', 'BTC-LN'] as const
/**
 * How long BTCPay follows the payments of an expired invoice: as long as we wait for what is not confirmed. Within it
 * the state of a late or stuck payment goes on being told.
 */
const MONITORING_MINUTES = 14 * 24 * 60
/** An open order is asked for at every half minute, one that waits for a block at every minute. */
const PAYMENT_SECONDS = 30
const CONFIRMATION_SECONDS = 60
/** What was found fit is not asked for again within this. */
const FIT_MS = 10 * 60_000
/** The deepest that BTCPay can be asked to wait (`LowSpeed`). */
const DEEPEST = 6
/** What our invoices say of themselves: a store may take payments for others too. */
const SOURCE = 'fairball'
/** Expired invoices that money came for are looked for this often, this many at a time, up to so many of them. */
const SWEEP_SECONDS = 60 * 60
const SWEEP_PAGE = 250
const MOST_SWEPT = 50_000
const UNAUTHORIZED = 401
const FORBIDDEN = 403
const NOT_FOUND = 404

/** A store of a BTCPay Server, and how to reach it. */
export interface BtcpayOptions {
  /** the server's address without a slash at its end */
  readonly baseUrl: string
  /** store-scoped: cancreateinvoice, canviewinvoices, canviewwallet */
  readonly apiKey: string
  readonly storeId: string
  /** what BTCPay signs its messages with */
  readonly webhookSecret: string
  readonly network: BitcoinNetwork
  /** 1 to 6: the store waits for so many before it calls a payment settled, or for more */
  readonly requiredConfirmations: number
}

/** Unknown members are passed over: a newer server may say more. */
const Invoice = z.object({
  id: z.string().min(1),
  storeId: z.string(),
  amount: z.string(),
  paidAmount: z.string().nullish(),
  currency: z.string(),
  checkoutLink: z.string(),
  createdTime: z.number(),
  expirationTime: z.number(),
  monitoringExpiration: z.number(),
  status: z.string(),
  additionalStatus: z.string(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
})
type Invoice = z.infer<typeof Invoice>

const PaymentMethods = z.array(
  z.object({
    paymentMethodId: z.string(),
    destination: z.string().nullish(),
    payments: z.array(
      z.object({ id: z.string().min(1), receivedDate: z.number(), value: z.string(), status: z.string() }),
    ),
  }),
)
type PaymentMethods = z.infer<typeof PaymentMethods>

/** What there is to be had, which leaves out what waits in the mempool. */
const Overview = z.object({ confirmedBalance: z.string() })
/** In thousandths of a satoshi: what our side of the channels holds. */
const LightningBalance = z.object({
  offchain: z
    .object({
      local: z
        .string()
        .regex(/^\d{1,19}$/)
        .nullish(),
    })
    .nullish(),
})

const Preview = z.object({ addresses: z.array(z.object({ address: z.string() })) })

const Message = z.object({
  deliveryId: z.string().nullish(),
  originalDeliveryId: z.string().nullish(),
  invoiceId: z.string().nullish(),
})

/**
 * BTCPay Server through its Greenfield API (payments.md section 1a): nested routes, which servers before 2.4 have as well.
 *
 * Money is read from the payments of an invoice alone, never from its status: that goes back to New without a message when
 * a payment is replaced, stays Expired for ever when money is late, and says what a person marked. A payment that is
 * Settled is as deep as was asked for, one that is Processing counts for nothing yet, and one that is Invalid was
 * replaced or spent elsewhere and is left out.
 *
 * @throws ProviderUnfit when the options cannot work
 */
export function createBtcpayProvider(
  runtime: Pick<Runtime, 'clock' | 'steady' | 'fetch' | 'log'>,
  options: BtcpayOptions,
): PaymentProvider {
  const { network, requiredConfirmations } = options
  if (!isKey(options.apiKey)) throw new ProviderUnfit('BTCPAY_API_KEY: not a key of BTCPay. Copy it once more.')
  if (options.webhookSecret === '') throw new ProviderUnfit('BTCPAY_WEBHOOK_SECRET: empty. Copy it from the webhook.')
  const speedPolicy = speedPolicyFor(requiredConfirmations)
  const api = createProviderApi(runtime, {
    provider: BTCPAY,
    baseUrl: options.baseUrl,
    authorization: `token ${options.apiKey}`,
  })
  const store = `/api/v1/stores/${encodeURIComponent(options.storeId)}`
  let fitAtMs: number | null = null

  async function methodsOf(ref: string): Promise<PaymentMethods> {
    const path = `${store}/invoices/${encodeURIComponent(ref)}/payment-methods?onlyAccountedPayments=false`
    return shaped(BTCPAY, PaymentMethods, await api.get(path))
  }

  /** The invoice that was made for an order and is still good, the first one where there are several. */
  async function findLive({ orderId, amountSats }: CheckoutRequest): Promise<Invoice | null> {
    const found = shaped(
      BTCPAY,
      z.array(Invoice),
      await api.get(`${store}/invoices?orderId=${encodeURIComponent(orderId)}`),
    )
    const live = found.filter(
      (invoice) =>
        invoice.metadata?.['orderId'] === orderId &&
        invoice.expirationTime > runtime.clock.now() &&
        ['New', 'Processing', 'Settled'].includes(invoice.status) &&
        isFor(invoice, amountSats),
    )
    return live.toSorted((a, b) => a.createdTime - b.createdTime || (a.id < b.id ? -1 : 1))[0] ?? null
  }

  async function create(request: CheckoutRequest): Promise<Invoice> {
    const body = {
      amount: satsToBtc(request.amountSats),
      currency: 'BTC',
      metadata: { orderId: request.orderId, itemDesc: request.description, source: SOURCE },
      checkout: {
        speedPolicy,
        paymentMethods: METHODS,
        lazyPaymentMethods: false, // the address is checked before anybody is sent there
        expirationMinutes: minutesUntil(request.expiresAt, runtime.clock.now()),
        monitoringMinutes: MONITORING_MINUTES,
        paymentTolerance: 0,
        redirectURL: request.returnUrl,
        redirectAutomatically: true,
      },
    }
    try {
      return shaped(BTCPAY, Invoice, await api.post(`${store}/invoices`, body))
    } catch (error) {
      if (!(error instanceof ProviderSilent)) throw error
      // It may have been made, only the answer is lost. Asked for once; a later call looks before it makes another.
      const made = await findLive(request).catch(() => null)
      if (made === null) throw error
      runtime.log.warn({ orderId: request.orderId, invoiceId: made.id }, 'an invoice whose answer was lost was found')
      return made
    }
  }

  /** The address of an invoice. @throws ProviderUnfit where it, or the Lightning invoice, is of another network */
  async function checkedAddress(ref: string): Promise<string> {
    const methods = await methodsOf(ref)
    const destinationOf = (id: string): string | null => {
      return methods.find((method) => method.paymentMethodId === id)?.destination || null
    }
    const address = destinationOf('BTC-CHAIN')
    if (address === null) throw new ProviderSilent('btcpay made an invoice without a bitcoin address')
    for (const destination of [address, destinationOf('BTC-LN')])
      if (destination !== null && !isOnNetwork(destination, network)) throw wrongNetwork()
    return address
  }

  function wrongNetwork(): ProviderUnfit {
    fitAtMs = null
    return new ProviderUnfit(
      `BTCPAY_STORE_ID: the wallet of this store is not on ${network}. Set BITCOIN_NETWORK to its network, or name the store of this one.`,
    )
  }

  /** A request in which a refused key or store is said in the operator's words. */
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

  return {
    name: BTCPAY,

    /** An order that already has a live invoice gets that one: its answer may have been lost the last time. */
    async createCheckout(request): Promise<Checkout> {
      const earlier = await withFitKey('canviewinvoices', () => findLive(request))
      const invoice = earlier ?? (await withFitKey('cancreateinvoice', () => create(request)))
      if (!isFor(invoice, request.amountSats)) throw new Error('btcpay made another invoice than it was asked for')
      if (!isPage(invoice.checkoutLink)) throw new ProviderSilent('btcpay made an invoice without a page')
      const address = await withFitKey('canviewinvoices', () => checkedAddress(invoice.id))
      return { ref: invoice.id, checkoutUrl: invoice.checkoutLink, address, expiresAt: invoice.expirationTime }
    },

    async get(ref): Promise<InvoiceSnapshot> {
      try {
        const path = `${store}/invoices/${encodeURIComponent(ref)}`
        const invoice = await withFitKey('canviewinvoices', async () => shaped(BTCPAY, Invoice, await api.get(path)))
        // Read last: nothing of the older answer is decided upon.
        const methods = await methodsOf(ref)
        return {
          outputs: outputsOf(methods, requiredConfirmations),
          isFinal: isDone(invoice, methods, runtime.clock.now()),
          raw: rawOf(invoice, methods),
        }
      } catch (error) {
        // BTCPay deletes an invoice that expired unpaid after half a year.
        const isGone =
          error instanceof ProviderRefusal && error.status === NOT_FOUND && error.code === 'invoice-not-found'
        if (!isGone) throw error
        return { outputs: [], isFinal: true, isUnknown: true, raw: { code: error.code } }
      }
    },

    nextLookAt: (now, awaited) => onGrid(now, awaited === 'payment' ? PAYMENT_SECONDS : CONFIRMATION_SECONDS),

    /** Asks with the key for the store's invoices and for an address of its wallet: key, store and network in one. */
    async assertFit() {
      const nowMs = runtime.steady.nowMs()
      if (fitAtMs !== null && nowMs - fitAtMs < FIT_MS) return
      await withFitKey('canviewinvoices', () => api.get(`${store}/invoices?take=1`))
      const address = await withFitKey('canviewwallet', () => firstAddress())
      if (!isOnNetwork(address, network)) throw wrongNetwork()
      fitAtMs = nowMs
    },

    /**
     * Once an hour: our expired invoices that have money, as long as BTCPay follows them. A message about late money may
     * be lost, and the order itself is looked at no more when it is a day past its expiry. The cursor is the last time.
     */
    async follow(cursor) {
      const now = runtime.clock.now()
      if (cursor !== null && now < Number(cursor) + SWEEP_SECONDS) return { cursor, refs: [], unknown: [] }
      return { cursor: String(now), refs: await withFitKey('canviewinvoices', () => lateRefs(now)), unknown: [] }
    },

    async balance() {
      const path = `${store}/payment-methods/BTC-CHAIN/wallet`
      const chain = await withFitKey('canviewwallet', async () => shaped(BTCPAY, Overview, await api.get(path)))
      const lightning = await lightningSats()
      return [
        { name: 'deposits', sats: satsOfDecimal(chain.confirmedBalance) },
        ...(lightning === null ? [] : [{ name: 'lightning', sats: lightning }]),
      ]
    },

    webhook: { path: BTCPAY_WEBHOOK_PATH, read: (headers, rawBody) => read(headers['btcpay-sig'], rawBody) },
  }

  /** A key that may not look at the Lightning node, or a store without one, tells nothing. */
  async function lightningSats(): Promise<bigint | null> {
    try {
      const balance = shaped(BTCPAY, LightningBalance, await api.get(`${store}/lightning/BTC/balance`))
      const local = balance.offchain?.local
      return local === null || local === undefined ? null : BigInt(local) / 1000n
    } catch (error) {
      if (error instanceof ProviderRefusal) return null
      throw error
    }
  }

  async function lateRefs(now: number): Promise<string[]> {
    const refs = new Set<string>()
    const startDate = now - MONITORING_MINUTES * 60
    for (let skip = 0; skip < MOST_SWEPT; skip += SWEEP_PAGE) {
      const path = `${store}/invoices?status=Expired&startDate=${startDate}&skip=${skip}&take=${SWEEP_PAGE}`
      const page = shaped(BTCPAY, z.array(Invoice), await api.get(path))
      for (const { id, metadata, additionalStatus } of page)
        if (metadata?.['source'] === SOURCE && ['PaidLate', 'PaidPartial'].includes(additionalStatus)) refs.add(id)
      if (page.length < SWEEP_PAGE) return [...refs]
    }
    runtime.log.warn({ listed: MOST_SWEPT }, 'btcpay has more expired invoices than are looked through for late money')
    return [...refs]
  }

  async function firstAddress(): Promise<string> {
    try {
      const path = `${store}/payment-methods/BTC-CHAIN/wallet/preview?count=1`
      const { addresses } = shaped(BTCPAY, Preview, await api.get(path))
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

  /** An event that speaks of no invoice (of a payout, or one we do not know) has an empty ref, which no order has. */
  function read(signature: string | string[] | undefined, rawBody: Uint8Array): WebhookHint | null {
    if (rawBody.length > LARGEST_WEBHOOK) return null
    const expected = `sha256=${createHmac('sha256', options.webhookSecret).update(rawBody).digest('hex')}`
    if (typeof signature !== 'string' || !isSameText(signature, expected)) return null
    const message = messageIn(rawBody)
    if (message === null) return null
    // A redelivery has an id and a body of its own; what it repeats is the same.
    const key = message.originalDeliveryId || message.deliveryId || createHash('sha256').update(rawBody).digest('hex')
    return { ref: message.invoiceId ?? '', key }
  }
}

/** The least that the store has to wait for so many confirmations. @throws ProviderUnfit where BTCPay cannot */
function speedPolicyFor(confirmations: number): 'MediumSpeed' | 'LowMediumSpeed' | 'LowSpeed' {
  if (!Number.isInteger(confirmations) || confirmations < 1 || confirmations > DEEPEST)
    throw new ProviderUnfit(`BITCOIN_CONFIRMATIONS=${confirmations}: BTCPay can wait for 1 to ${DEEPEST}.`)
  if (confirmations === 1) return 'MediumSpeed'
  return confirmations === 2 ? 'LowMediumSpeed' : 'LowSpeed'
}

function isFor(invoice: Invoice, amountSats: bigint): boolean {
  return invoice.currency === 'BTC' && satsOfDecimal(invoice.amount) === amountSats
}

/**
 * Whether BTCPay will say nothing more of what is in an invoice now: it follows it no longer, or called it and each of its
 * payments settled, after which it never looks at the chain for them again. A payment that comes later is told all the same.
 */
function isDone(invoice: Invoice, methods: PaymentMethods, now: number): boolean {
  const payments = methods.flatMap((method) => method.payments)
  const isSettled = payments.length > 0 && payments.every((payment) => payment.status === 'Settled')
  if (invoice.status === 'Settled' && isSettled) return true
  return invoice.status !== 'New' && invoice.monitoringExpiration < now
}

function outputsOf(methods: PaymentMethods, requiredConfirmations: number): SeenOutput[] {
  const outputs = methods
    .filter((method) => method.paymentMethodId.startsWith('BTC-'))
    .flatMap(({ paymentMethodId, payments }) =>
      payments
        .filter((payment) => payment.status !== 'Invalid')
        .map((payment): SeenOutput => {
          const isSettled = payment.status === 'Settled'
          const [network, depth] =
            paymentMethodId === 'BTC-CHAIN'
              ? (['ONCHAIN', requiredConfirmations] as const)
              : (['LIGHTNING', LIGHTNING_CONFIRMATIONS] as const)
          return {
            outpoint: network === 'ONCHAIN' ? outpointOf(payment.id) : `ln:${payment.id}:0`,
            sats: satsOfDecimal(payment.value),
            confirmations: isSettled ? depth : 0,
            seenAt: Math.floor(payment.receivedDate),
            network,
          }
        }),
    )
  return inOrder(outputs.filter((output) => output.sats > 0n))
}

/** BTCPay writes `txid-vout`. */
function outpointOf(id: string): string {
  const match = /^([0-9a-f]{64})-(\d{1,10})$/.exec(id)
  if (match === null) throw new ProviderSilent('btcpay names a payment by what is no output')
  return `${match[1]}:${match[2]}`
}

/** What the operator may want to know; what we gave BTCPay ourselves is left out. */
function rawOf(invoice: Invoice, methods: PaymentMethods) {
  const { id, status, additionalStatus, amount, paidAmount, expirationTime, monitoringExpiration } = invoice
  const payments = methods.flatMap(({ paymentMethodId, payments }) =>
    payments.map((payment) => ({ paymentMethodId, ...payment })),
  )
  return { id, status, additionalStatus, amount, paidAmount, expirationTime, monitoringExpiration, payments }
}

function messageIn(rawBody: Uint8Array): z.infer<typeof Message> | null {
  try {
    return Message.safeParse(JSON.parse(Buffer.from(rawBody).toString('utf8'))).data ?? null
  } catch {
    return null
  }
}
