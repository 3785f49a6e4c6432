import { createHmac } from 'node:crypto'
import type { BitcoinNetwork } from '@fairball/domain/btc-address'
import { addressAt, hashOf, lightningRequest } from './coins.ts'
import { type JsonObject, objectOf, textOf } from './openapi.ts'
import { type Answer, type Delivery, type StandIn, type StandInRequest, startStandIn } from './stand-in.ts'

/** What the stand-in is started with. */
export interface OpennodeStandInOptions {
  readonly apiKey: string
  readonly network: BitcoinNetwork
  /** epoch seconds */
  readonly now: () => number
  /** Default: `today`. Old answers have `chain_invoice.tx` in place of `transactions`, and no page. */
  readonly answers?: 'today' | 'old'
}

interface Transaction {
  readonly tx: string
  readonly sats: bigint
  readonly createdAt: number
  settledAt: number | null
}

interface Charge {
  readonly id: string
  readonly index: number
  readonly orderId: string
  readonly description: string
  readonly callbackUrl: string
  readonly successUrl: string
  readonly sats: bigint
  readonly createdAt: number
  readonly expiresAt: number
  readonly transactions: Transaction[]
  lightningAt: number | null
  status: 'unpaid' | 'underpaid' | 'processing' | 'paid' | 'refunded' | 'expired'
}

/** One message of OpenNode. */
export interface OpennodeDelivery extends Delivery {
  readonly chargeId: string
  readonly status: string
}

export type OpennodeStandIn = Awaited<ReturnType<typeof startOpennode>>

/**
 * Starts a server that behaves like OpenNode (payments.md section 1b), including its flaws: its signature covers only
 * the id of a charge, its messages have no id, are form fields with every number as a text, and may never come.
 */
export async function startOpennode(options: OpennodeStandInOptions) {
  const { apiKey, now, network } = options
  const charges = new Map<string, Charge>()
  const deliveries: OpennodeDelivery[] = []
  const isToday = options.answers !== 'old'
  let accountNetwork = network

  function found(id: string): Charge {
    const charge = charges.get(id)
    if (charge === undefined) throw new Error(`no charge ${id}`)
    return charge
  }

  function sumOf(transactions: readonly Transaction[]): bigint {
    return transactions.reduce((sum, transaction) => sum + transaction.sats, 0n)
  }

  function move(charge: Charge, status: Charge['status']): void {
    if (charge.status === status) return
    charge.status = status
    deliveries.push(messageOf(charge))
  }

  function watch(charge: Charge): void {
    if (charge.status === 'refunded' || charge.status === 'paid') return
    const seen = sumOf(charge.transactions)
    const settled = sumOf(charge.transactions.filter(({ settledAt }) => settledAt !== null))
    if (charge.lightningAt !== null || settled >= charge.sats) move(charge, 'paid')
    else if (seen >= charge.sats) move(charge, 'processing')
    else if (seen > 0n) move(charge, 'underpaid')
    else if (now() >= charge.expiresAt) move(charge, 'expired')
  }

  function rowsOf(charge: Charge): JsonObject[] {
    return charge.transactions.map(({ tx, sats, createdAt, settledAt }) => ({
      address: addressAt(charge.index, accountNetwork),
      tx,
      status: settledAt === null ? 'pending' : 'confirmed',
      amount: Number(sats),
      created_at: createdAt,
      settled_at: settledAt,
    }))
  }

  function differencesOf(charge: Charge): JsonObject {
    const seen = sumOf(charge.transactions)
    if (charge.status === 'underpaid') return { missing_amt: Number(charge.sats - seen) }
    return charge.status === 'paid' && seen > charge.sats ? { overpaid_by: Number(seen - charge.sats) } : {}
  }

  function chargeModel(charge: Charge): JsonObject {
    const settled =
      charge.status === 'paid' ? charge.transactions.find(({ settledAt }) => settledAt !== null) : undefined
    const chain = isToday ? {} : { settled_at: settled?.settledAt ?? null, tx: settled?.tx ?? null }
    return {
      id: charge.id,
      description: charge.description,
      amount: Number(charge.sats),
      status: charge.status,
      fee: charge.status === 'paid' ? Number(charge.sats / 100n) : 0,
      fiat_value: 0,
      currency: 'BTC',
      created_at: charge.createdAt,
      order_id: charge.orderId,
      auto_settle: false,
      ...(isToday ? { hosted_checkout_url: `${standIn.url}/checkout/${charge.id}` } : {}),
      chain_invoice: { address: addressAt(charge.index, accountNetwork), ...chain },
      lightning_invoice: {
        payreq: lightningRequest(charge.sats, accountNetwork),
        expires_at: charge.expiresAt,
        settled_at: charge.lightningAt,
      },
      ...(isToday ? { transactions: rowsOf(charge) } : {}),
      ...differencesOf(charge),
    }
  }

  function messageOf(charge: Charge): OpennodeDelivery {
    const form = new URLSearchParams({
      id: charge.id,
      callback_url: charge.callbackUrl,
      success_url: charge.successUrl,
      status: charge.status,
      order_id: charge.orderId,
      description: charge.description,
      price: String(charge.sats),
      fee: '0',
      auto_settle: '0',
      hashed_order: hashedOrder(charge.id, apiKey),
    })
    for (const [name, value] of Object.entries(differencesOf(charge))) form.set(name, JSON.stringify(value))
    rowsOf(charge).forEach((row, place) => {
      for (const [name, value] of Object.entries(row))
        form.set(`transactions[${place}][${name}]`, value === null ? '' : textOf(value) || JSON.stringify(value))
    })
    return deliveryOf(charge.id, charge.status, form)
  }

  function create(body: JsonObject): Answer {
    const { amount, ttl } = body
    if (typeof amount !== 'number' || !Number.isInteger(amount) || amount < 1 || body['currency'] !== undefined)
      return { status: 400, body: { success: false, message: 'amount is not in satoshis' } }
    const index = charges.size + 1
    const id = hashOf(`charge ${index}`).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
    const minutes = typeof ttl === 'number' ? ttl : 1440
    const charge: Charge = {
      id,
      index,
      orderId: textOf(body['order_id']),
      description: textOf(body['description']),
      callbackUrl: textOf(body['callback_url']),
      successUrl: textOf(body['success_url']),
      sats: BigInt(amount),
      createdAt: now(),
      expiresAt: now() + minutes * 60,
      transactions: [],
      lightningAt: null,
      status: 'unpaid', // no message is sent for it
    }
    charges.set(id, charge)
    return { status: 201, body: { data: chargeModel(charge) } }
  }

  function answer(request: StandInRequest): Answer {
    if (request.headers.authorization !== apiKey)
      return { status: 401, body: { success: false, message: 'Invalid API key' } }
    for (const charge of charges.values()) watch(charge)
    const what = `${request.method} ${request.path}`
    if (what === 'POST /v1/charges') return create(objectOf(request.body))
    if (what === 'GET /v1/charges') return { status: 200, body: { data: [...charges.values()].map(chargeModel) } }
    if (what === 'GET /v1/account/balance')
      return { status: 200, body: { data: { balance: { BTC: balanceSats, USD: 0.05 } } } }
    const charge = charges.get(/^\/v1\/charge\/([^/]+)$/.exec(request.path)?.[1] ?? '')
    if (charge === undefined) return { status: 404, body: { success: false, message: 'Charge not found' } }
    return { status: 200, body: { data: chargeModel(charge) } }
  }

  let balanceSats = 0
  const standIn: StandIn = await startStandIn(answer)

  return {
    ...standIn,
    /** every message sent so far, oldest first */
    deliveries: deliveries as readonly OpennodeDelivery[],
    /** The account's balance from now on, in sats. */
    hold(sats: number): void {
      balanceSats = sats
    },

    /** how many charges were made */
    count: () => charges.size,

    /** Pays a charge's address. @returns the transaction's id */
    pay(chargeId: string, sent: { sats: bigint; isMined?: boolean; txid?: string }): string {
      const charge = found(chargeId)
      watch(charge)
      const tx = sent.txid ?? hashOf(`transaction ${chargeId} ${charge.transactions.length}`)
      const settledAt = sent.isMined === true ? now() : null
      charge.transactions.push({ tx, sats: sent.sats, createdAt: now(), settledAt })
      watch(charge)
      return tx
    },

    /** Pays a charge's Lightning request. */
    payOverLightning(chargeId: string): void {
      const charge = found(chargeId)
      charge.lightningAt = now()
      watch(charge)
    },

    /** A block is found: what waits is mined. */
    mine(chargeId: string): void {
      const charge = found(chargeId)
      for (const transaction of charge.transactions) transaction.settledAt ??= now()
      watch(charge)
    },

    /** A transaction is replaced by one that pays another address. */
    replaceAway(chargeId: string, tx: string): void {
      const charge = found(chargeId)
      charge.transactions.splice(0, charge.transactions.length, ...charge.transactions.filter((one) => one.tx !== tx))
      if (charge.status === 'processing' && sumOf(charge.transactions) < charge.sats) charge.status = 'unpaid'
    },

    /** The payer of an underpaid charge takes the money back on the hosted page. */
    takeBack: (chargeId: string): void => move(found(chargeId), 'refunded'),

    stateOf(chargeId: string): string {
      const charge = found(chargeId)
      watch(charge)
      return charge.status
    },

    forget: (chargeId: string): boolean => charges.delete(chargeId),

    /** The account is another one. */
    moveTo(other: BitcoinNetwork): void {
      accountNetwork = other
    },

    /** What anyone can send who has seen one message of a charge: the signature fits whatever else it says. */
    forge(delivery: OpennodeDelivery, status: string): OpennodeDelivery {
      const form = new URLSearchParams(Buffer.from(delivery.body).toString('utf8'))
      form.set('status', status)
      return deliveryOf(delivery.chargeId, status, form)
    },
  }
}

function deliveryOf(chargeId: string, status: string, form: URLSearchParams): OpennodeDelivery {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return { chargeId, status, headers, body: Buffer.from(form.toString()) }
}

/** What OpenNode writes into `hashed_order`. */
export function hashedOrder(chargeId: string, apiKey: string): string {
  return createHmac('sha256', apiKey).update(chargeId).digest('hex')
}
