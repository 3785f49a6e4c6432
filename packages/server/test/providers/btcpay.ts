import { createHmac } from 'node:crypto'
import type { BitcoinNetwork } from '@fairball/domain/btc-address'
import { btcToSats, satsToBtc } from '@fairball/domain/money'
import { addressAt, hashOf, lightningRequest } from './coins.ts'
import { type JsonObject, listOf, objectOf, textOf } from './openapi.ts'
import { type Answer, type Delivery, type StandIn, type StandInRequest, startStandIn } from './stand-in.ts'

/** What the stand-in is started with. */
export interface BtcpayStandInOptions {
  readonly apiKey: string
  readonly storeId: string
  readonly webhookSecret: string
  /** the network of the store's wallet */
  readonly network: BitcoinNetwork
  /** epoch seconds */
  readonly now: () => number
  /** Default: what our adapter asks for. */
  readonly permissions?: readonly string[]
  /** Default: true. */
  readonly hasLightning?: boolean
}

/** A payment in the stand-in's storage. */
interface Payment {
  /** `txid-vout`, or a payment hash */
  id: string
  readonly method: 'BTC-CHAIN' | 'BTC-LN'
  readonly sats: bigint
  readonly receivedDate: number
  confirmations: number
  /** replaced or spent elsewhere */
  isGone: boolean
}

interface Invoice {
  readonly id: string
  readonly index: number
  readonly amountSats: bigint
  readonly metadata: JsonObject
  readonly checkout: JsonObject
  readonly createdTime: number
  readonly expirationTime: number
  readonly monitoringExpiration: number
  readonly payments: Payment[]
  status: 'New' | 'Processing' | 'Settled' | 'Expired' | 'Invalid'
  additionalStatus: 'None' | 'PaidPartial' | 'PaidOver' | 'PaidLate' | 'Marked' | 'Invalid'
}

/** One message of BTCPay, and what it says. */
export interface BtcpayDelivery extends Delivery {
  readonly type: string
  readonly invoiceId: string
  readonly event: JsonObject
}

const OTHERS_CHECKOUT = { paymentMethods: ['BTC-CHAIN'], expirationMinutes: 15, monitoringMinutes: 1440 }
const CONFIRMATIONS: Record<string, number> = { HighSpeed: 0, MediumSpeed: 1, LowMediumSpeed: 2, LowSpeed: 6 }
const PERMISSIONS = ['cancreateinvoice', 'canviewinvoices', 'canviewwallet']

/** A payment sent to an invoice. */
interface SentPayment {
  readonly sats: bigint
  /** Default: on the chain. */
  readonly over?: 'chain' | 'lightning'
  /** Default: 0. */
  readonly confirmations?: number
  /** Default: an id of its own. */
  readonly txid?: string
}

export type BtcpayStandIn = Awaited<ReturnType<typeof startBtcpay>>

/**
 * Starts a server that behaves like BTCPay Server 2.4.1 (payments.md section 1a), including its flaws: a replaced
 * payment returns an invoice to New without a message, a late one leaves it Expired for ever, a redelivery has another
 * id and other bytes, and some events are sent that are missing from its description.
 */
export async function startBtcpay(options: BtcpayStandInOptions) {
  const { now, storeId, webhookSecret, network } = options
  const permissions = options.permissions ?? PERMISSIONS
  const invoices = new Map<string, Invoice>()
  const deliveries: BtcpayDelivery[] = []
  let count = 0
  let walletNetwork = network

  function found(id: string): Invoice {
    const invoice = invoices.get(id)
    if (invoice === undefined) throw new Error(`no invoice ${id}`)
    return invoice
  }

  function isSettled(invoice: Invoice, payment: Payment): boolean {
    const needed = CONFIRMATIONS[textOf(invoice.checkout['speedPolicy'])] ?? 1
    return payment.method === 'BTC-LN' || payment.confirmations >= needed
  }

  function sumOf(payments: readonly Payment[]): bigint {
    return payments.reduce((sum, payment) => sum + payment.sats, 0n)
  }

  function emit(invoice: Invoice, type: string, more: JsonObject = {}): void {
    const deliveryId = `D${hashOf(`delivery ${deliveries.length}`).slice(0, 21)}`
    deliver({
      deliveryId,
      webhookId: 'W1',
      originalDeliveryId: deliveryId,
      isRedelivery: false,
      type,
      timestamp: now(),
      storeId,
      invoiceId: invoice.id,
      metadata: invoice.metadata,
      ...more,
    })
  }

  function deliver(event: JsonObject): BtcpayDelivery {
    const body = Buffer.from(JSON.stringify(event, null, 2))
    const delivery = {
      type: textOf(event['type']),
      invoiceId: textOf(event['invoiceId']),
      event,
      body,
      headers: { 'content-type': 'application/json; charset=utf-8', 'btcpay-sig': signatureOf(body, webhookSecret) },
    }
    deliveries.push(delivery)
    return delivery
  }

  /** What BTCPay's watcher makes of an invoice. */
  function watch(invoice: Invoice): void {
    const good = invoice.payments.filter((payment) => !payment.isGone)
    const paid = sumOf(good)
    const settled = sumOf(good.filter((payment) => isSettled(invoice, payment)))
    const { amountSats } = invoice
    const overPaid = paid > amountSats
    if (invoice.additionalStatus === 'Marked') return
    if (invoice.status === 'Processing' && paid < amountSats) invoice.status = 'New' // no message is sent for it
    if (invoice.status === 'New') {
      invoice.additionalStatus = paid > 0n && paid < amountSats ? 'PaidPartial' : 'None'
      if (paid >= amountSats) {
        invoice.status = 'Processing'
        emit(invoice, 'InvoiceProcessing', { overPaid })
      } else if (now() >= invoice.expirationTime) {
        invoice.status = 'Expired'
        emit(invoice, 'InvoiceExpired', { partiallyPaid: paid > 0n })
        if (paid > 0n) emit(invoice, 'InvoiceExpiredPaidPartial')
      }
    }
    if (invoice.status === 'Expired' && paid >= amountSats && invoice.additionalStatus !== 'PaidLate') {
      invoice.additionalStatus = 'PaidLate' // and there it stays: only a person settles it
      emit(invoice, 'InvoicePaidAfterExpiration')
    }
    if (invoice.status !== 'Processing') return
    invoice.additionalStatus = overPaid ? 'PaidOver' : 'None'
    if (settled >= amountSats) {
      invoice.status = 'Settled'
      emit(invoice, 'InvoiceSettled', { manuallyMarked: false, overPaid })
    } else if (now() >= invoice.monitoringExpiration) {
      invoice.status = 'Invalid'
      emit(invoice, 'InvoiceInvalid', { manuallyMarked: false })
    }
  }

  function paymentModel(invoice: Invoice, payment: Payment): JsonObject {
    const status = payment.isGone ? 'Invalid' : isSettled(invoice, payment) ? 'Settled' : 'Processing'
    const decimals = payment.method === 'BTC-LN' ? '000' : '' // Lightning counts in thousandths of a satoshi
    return {
      id: payment.id,
      receivedDate: payment.receivedDate,
      value: satsToBtc(payment.sats) + decimals,
      fee: '0',
      status,
      destination: destinationOf(invoice, payment.method),
    }
  }

  function destinationOf(invoice: Invoice, method: 'BTC-CHAIN' | 'BTC-LN'): string {
    return method === 'BTC-CHAIN'
      ? addressAt(invoice.index, walletNetwork)
      : lightningRequest(invoice.amountSats, walletNetwork)
  }

  function invoiceModel(invoice: Invoice): JsonObject {
    return {
      id: invoice.id,
      storeId,
      amount: satsToBtc(invoice.amountSats),
      paidAmount: satsToBtc(sumOf(invoice.payments.filter((payment) => !payment.isGone))),
      currency: 'BTC',
      type: 'Standard',
      checkoutLink: `${standIn.url}/i/${invoice.id}`,
      createdTime: invoice.createdTime,
      expirationTime: invoice.expirationTime,
      monitoringExpiration: invoice.monitoringExpiration,
      status: invoice.status,
      additionalStatus: invoice.additionalStatus,
      availableStatusesForManualMarking: ['Settled', 'Invalid'],
      archived: false,
      metadata: invoice.metadata,
      checkout: invoice.checkout,
      receipt: { enabled: null, showQR: null, showPayments: null },
    }
  }

  function methodModels(invoice: Invoice, onlyAccounted: boolean): JsonObject[] {
    const methods = listOf(invoice.checkout['paymentMethods']).filter(
      (method) => method === 'BTC-CHAIN' || (method === 'BTC-LN' && options.hasLightning !== false),
    ) as ('BTC-CHAIN' | 'BTC-LN')[] // the filter leaves these two
    const paid = sumOf(invoice.payments.filter((payment) => !payment.isGone))
    return methods.map((method) => {
      const own = invoice.payments.filter((payment) => payment.method === method)
      const destination = destinationOf(invoice, method)
      return {
        paymentMethodId: method,
        currency: 'BTC',
        destination,
        paymentLink: method === 'BTC-CHAIN' ? `bitcoin:${destination}` : `lightning:${destination}`,
        rate: '1',
        paymentMethodPaid: satsToBtc(sumOf(own.filter((payment) => !payment.isGone))),
        totalPaid: satsToBtc(paid),
        due: satsToBtc(invoice.amountSats - paid),
        amount: satsToBtc(invoice.amountSats),
        paymentMethodFee: '0',
        payments: own
          .filter((payment) => !onlyAccounted || !payment.isGone)
          .map((payment) => paymentModel(invoice, payment)),
        activated: true,
        additionalData: {},
      }
    })
  }

  function create(body: JsonObject): Answer {
    const checkout = objectOf(body['checkout'])
    const amount = body['amount']
    if (typeof amount !== 'string' || body['currency'] !== 'BTC')
      return { status: 400, body: [{ path: 'amount', message: 'this stand-in makes no top-up and no fiat invoices' }] }
    const minutes = Number(checkout['expirationMinutes'] ?? 15)
    const monitoring = Number(checkout['monitoringMinutes'] ?? 1440)
    count += 1
    const invoice: Invoice = {
      id: `I${hashOf(`invoice ${count}`).slice(0, 21)}`,
      index: count,
      amountSats: btcToSats(amount),
      metadata: objectOf(body['metadata']),
      checkout,
      createdTime: now(),
      expirationTime: now() + minutes * 60,
      monitoringExpiration: now() + (minutes + monitoring) * 60,
      payments: [],
      status: 'New',
      additionalStatus: 'None',
    }
    invoices.set(invoice.id, invoice)
    emit(invoice, 'InvoiceCreated')
    return { status: 200, body: invoiceModel(invoice) }
  }

  function may(permission: string): boolean {
    return permissions.includes(permission)
  }

  function answer(request: StandInRequest): Answer {
    if (request.headers.authorization !== `token ${options.apiKey}`)
      return { status: 401, body: { code: 'unauthenticated', message: 'Authentication is required' } }
    const [, named, rest] = /^\/api\/v1\/stores\/([^/]+)\/(.*)$/.exec(request.path) ?? []
    if (named !== storeId || rest === undefined) return forbidden('btcpay.store.canviewinvoices')
    const what = `${request.method} ${rest}`
    if (what === 'POST invoices')
      return may('cancreateinvoice') ? create(objectOf(request.body)) : forbidden('btcpay.store.cancreateinvoice')
    if (what === 'GET payment-methods/BTC-CHAIN/wallet/preview') {
      if (!may('canviewwallet')) return forbidden('btcpay.store.canviewwallet')
      return { status: 200, body: { addresses: [{ keyPath: '0/0', address: addressAt(0, walletNetwork) }] } }
    }
    if (what === 'GET payment-methods/BTC-CHAIN/wallet') {
      if (!may('canviewwallet')) return forbidden('btcpay.store.canviewwallet')
      const came = [...invoices.values()]
        .flatMap((invoice) => invoice.payments)
        .filter((payment) => payment.method === 'BTC-CHAIN' && !payment.isGone)
      const confirmed = sumOf(came.filter((payment) => payment.confirmations > 0))
      const unconfirmed = sumOf(came) - confirmed
      return {
        status: 200,
        body: {
          balance: satsToBtc(sumOf(came)),
          unconfirmedBalance: satsToBtc(unconfirmed),
          confirmedBalance: satsToBtc(confirmed),
        },
      }
    }
    if (what === 'GET lightning/BTC/balance') {
      if (!may('canuselightningnode')) return forbidden('btcpay.store.canuselightningnode')
      if (options.hasLightning === false)
        return { status: 404, body: { code: 'lightning-node-not-found', message: 'The lightning node was not found' } }
      const came = [...invoices.values()].flatMap((invoice) => invoice.payments)
      const local = sumOf(came.filter((payment) => payment.method === 'BTC-LN')) * 1000n + 999n
      return {
        status: 200,
        body: { onchain: null, offchain: { opening: '0', local: String(local), remote: '5', closing: '0' } },
      }
    }
    if (!may('canviewinvoices')) return forbidden('btcpay.store.canviewinvoices')
    if (what === 'GET invoices') {
      const orderIds = request.query.getAll('orderId')
      const numberOf = (name: string, otherwise: number): number => Number(request.query.get(name) ?? otherwise)
      const [skip, take] = [numberOf('skip', 0), numberOf('take', Infinity)]
      const statuses = request.query.getAll('status')
      for (const invoice of invoices.values()) watch(invoice)
      const listed = [...invoices.values()]
        .filter(({ metadata }) => orderIds.length === 0 || orderIds.includes(textOf(metadata['orderId'])))
        .filter(({ status }) => statuses.length === 0 || statuses.includes(status))
        .filter(({ createdTime }) => createdTime >= numberOf('startDate', 0))
        .toReversed() // newest first
        .slice(skip, skip + take)
      return { status: 200, body: listed.map(invoiceModel) }
    }
    const [, id = '', methods] = /^invoices\/([^/]+)(\/payment-methods)?$/.exec(rest) ?? []
    const invoice = invoices.get(id)
    if (invoice === undefined)
      return { status: 404, body: { code: 'invoice-not-found', message: 'The invoice was not found' } }
    watch(invoice)
    if (methods === undefined) return { status: 200, body: invoiceModel(invoice) }
    return { status: 200, body: methodModels(invoice, request.query.get('onlyAccountedPayments') !== 'false') }
  }

  const standIn: StandIn = await startStandIn(answer)

  return {
    ...standIn,
    /** every message sent so far, oldest first */
    deliveries: deliveries as readonly BtcpayDelivery[],
    /** how many invoices were made */
    count: () => invoices.size,

    /** Another program makes an invoice in the same store. @returns its id */
    addInvoiceOfOthers(orderId: string, sats: bigint): string {
      const made = create({
        amount: satsToBtc(sats),
        currency: 'BTC',
        metadata: { orderId },
        checkout: OTHERS_CHECKOUT,
      })
      return textOf(objectOf(made.body)['id'])
    },

    /** Pays an invoice. @returns the payment's id */
    pay(invoiceId: string, sent: SentPayment): string {
      const invoice = found(invoiceId)
      const method = sent.over === 'lightning' ? 'BTC-LN' : 'BTC-CHAIN'
      const hash = sent.txid ?? hashOf(`payment ${invoice.id} ${invoice.payments.length}`)
      const payment: Payment = {
        id: method === 'BTC-CHAIN' ? `${hash}-0` : hash,
        method,
        sats: sent.sats,
        receivedDate: now(),
        confirmations: sent.confirmations ?? 0,
        isGone: false,
      }
      watch(invoice)
      invoice.payments.push(payment)
      const afterExpiration = now() >= invoice.expirationTime
      const model = (): JsonObject => ({
        afterExpiration,
        paymentMethodId: method,
        payment: paymentModel(invoice, payment),
      })
      emit(invoice, 'InvoiceReceivedPayment', model())
      watch(invoice)
      if (isSettled(invoice, payment)) emit(invoice, 'InvoicePaymentSettled', model())
      return payment.id
    },

    /** Blocks are found on top of a payment, until it has this many confirmations. */
    confirm(invoiceId: string, paymentId: string, confirmations: number): void {
      const invoice = found(invoiceId)
      const payment = invoice.payments.find((one) => one.id === paymentId)
      if (payment === undefined) throw new Error(`no payment ${paymentId}`)
      const before = isSettled(invoice, payment)
      payment.confirmations = confirmations
      const afterExpiration = payment.receivedDate >= invoice.expirationTime
      const model = { afterExpiration, paymentMethodId: payment.method, payment: paymentModel(invoice, payment) }
      if (!before && isSettled(invoice, payment)) emit(invoice, 'InvoicePaymentSettled', model)
      watch(invoice)
    },

    /** A payment is replaced by one that pays another address, or spent elsewhere. No message is sent. */
    replaceAway(invoiceId: string, paymentId: string): void {
      const invoice = found(invoiceId)
      for (const payment of invoice.payments) if (payment.id === paymentId) payment.isGone = true
      watch(invoice)
    },

    /** A person marks an invoice. */
    mark(invoiceId: string, status: 'Settled' | 'Invalid'): void {
      const invoice = found(invoiceId)
      invoice.status = status
      invoice.additionalStatus = 'Marked'
      const more = { manuallyMarked: true, ...(status === 'Settled' ? { overPaid: false } : {}) }
      emit(invoice, `Invoice${status}`, more)
    },

    /** The invoice as BTCPay sees it now. */
    stateOf(invoiceId: string): string {
      const invoice = found(invoiceId)
      watch(invoice)
      return `${invoice.status}/${invoice.additionalStatus}`
    },

    /** BTCPay deletes invoices that expired unpaid half a year ago. */
    forget: (invoiceId: string): boolean => invoices.delete(invoiceId),

    /** The operator connects another wallet. */
    moveTo(other: BitcoinNetwork): void {
      walletNetwork = other
    },

    /** Sends a message again: another id, other bytes, and the first one's id beside it. */
    redeliver(delivery: BtcpayDelivery): BtcpayDelivery {
      const deliveryId = `R${hashOf(`redelivery ${deliveries.length}`).slice(0, 21)}`
      const { originalDeliveryId = null } = delivery.event
      return deliver({ ...delivery.event, deliveryId, originalDeliveryId, isRedelivery: true, timestamp: now() })
    },

    /** Sends an event of any type, as newer servers do. */
    sendEvent(type: string, more: JsonObject): BtcpayDelivery {
      const deliveryId = `E${hashOf(`event ${deliveries.length}`).slice(0, 21)}`
      return deliver({ deliveryId, webhookId: 'W1', originalDeliveryId: deliveryId, type, storeId, ...more })
    },
  }
}

function forbidden(permission: string): Answer {
  return { status: 403, body: { code: 'missing-permission', message: 'Insufficient API Permissions', permission } }
}

/** What BTCPay writes into `BTCPay-Sig`. */
export function signatureOf(body: Uint8Array, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
}
