import { z } from 'zod'
import type { SeenOutput } from './payment-provider.ts'
import { inOrder, LIGHTNING_CONFIRMATIONS, ProviderSilent, satsOfDecimal } from './provider-api.ts'

/** The answers of BTCPay, and how they are read. */

/** Unknown members are ignored: a newer server may say more. */
export const Invoice = z.object({
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
export type Invoice = z.infer<typeof Invoice>

export const PaymentMethods = z.array(
  z.object({
    paymentMethodId: z.string(),
    destination: z.string().nullish(),
    payments: z.array(
      z.object({ id: z.string().min(1), receivedDate: z.number(), value: z.string(), status: z.string() }),
    ),
  }),
)
export type PaymentMethods = z.infer<typeof PaymentMethods>

/** The available amount, which excludes what waits in the mempool. */
export const Overview = z.object({ confirmedBalance: z.string() })
/** In thousandths of a satoshi: our side of the channels. */
export const LightningBalance = z.object({
  offchain: z
    .object({
      local: z
        .string()
        .regex(/^\d{1,19}$/)
        .nullish(),
    })
    .nullish(),
})

export const Preview = z.object({ addresses: z.array(z.object({ address: z.string() })) })

const Message = z.object({
  deliveryId: z.string().nullish(),
  originalDeliveryId: z.string().nullish(),
  invoiceId: z.string().nullish(),
})

/** Whether an invoice asks for this amount of bitcoin. */
export function isFor(invoice: Invoice, amountSats: bigint): boolean {
  return invoice.currency === 'BTC' && satsOfDecimal(invoice.amount) === amountSats
}

/**
 * Whether BTCPay will report nothing more about the present contents of an invoice. It no longer follows the invoice,
 * or called it and each of its payments settled, after which it never checks the chain for them again. A later payment
 * is still reported.
 */
export function isDone(invoice: Invoice, methods: PaymentMethods, now: number): boolean {
  const payments = methods.flatMap((method) => method.payments)
  const isSettled = payments.length > 0 && payments.every((payment) => payment.status === 'Settled')
  if (invoice.status === 'Settled' && isSettled) return true
  return invoice.status !== 'New' && invoice.monitoringExpiration < now
}

/**
 * Everything that pays an invoice.
 *
 * @throws ProviderSilent if BTCPay names a payment by something that is no output
 */
export function outputsOf(methods: PaymentMethods, requiredConfirmations: number): SeenOutput[] {
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
export function rawOf(invoice: Invoice, methods: PaymentMethods) {
  const { id, status, additionalStatus, amount, paidAmount, expirationTime, monitoringExpiration } = invoice
  const payments = methods.flatMap(({ paymentMethodId, payments }) =>
    payments.map((payment) => ({ paymentMethodId, ...payment })),
  )
  return { id, status, additionalStatus, amount, paidAmount, expirationTime, monitoringExpiration, payments }
}

/** Null if the bytes are none of BTCPay's messages. */
export function messageIn(rawBody: Uint8Array): z.infer<typeof Message> | null {
  try {
    return Message.safeParse(JSON.parse(Buffer.from(rawBody).toString('utf8'))).data ?? null
  } catch {
    return null
  }
}
