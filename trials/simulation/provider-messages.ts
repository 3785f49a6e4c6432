import { createHmac } from 'node:crypto'
import { createBtcpayProvider, type WebhookHint } from '@fairball/server/testing/ports'
import { testRuntime } from '@fairball/server/testing/runtime'

const SECRET = 'what the provider and the lottery share'
const HEADER = 'btcpay-sig'

/** A message as it arrives over the network. */
export interface ProviderMessage {
  readonly body: Uint8Array
  readonly signature: string | null
}

/** Forgeries by someone who does not know the secret, but has seen messages. */
export const FORGERIES = [
  'unsigned',
  'wrong',
  'truncated',
  'of another order',
  'changed amount',
  'other order',
] as const
type Forgery = (typeof FORGERIES)[number]

// Only reads the message, so it needs neither clock nor network.
const provider = createBtcpayProvider(testRuntime(), {
  baseUrl: 'https://pay.example',
  apiKey: '0123456789abcdef0123456789abcdef01234567',
  storeId: 'store',
  webhookSecret: SECRET,
  network: 'regtest',
  requiredConfirmations: () => 1,
})

/** A signed message of the provider about an invoice. @param id of the delivery; a repeated delivery keeps it */
export function messageOf(ref: string, id: string): ProviderMessage {
  const body = Buffer.from(
    JSON.stringify({ deliveryId: id, invoiceId: ref, type: 'InvoicePaymentSettled', amount: '1' }),
  )
  return { body, signature: signatureOver(body, SECRET) }
}

/** Forges a message. @param other a genuine message that the forger saw */
export function forged(how: Forgery, ref: string, other: ProviderMessage): ProviderMessage {
  const wanted = messageOf(ref, `forged ${how}`)
  switch (how) {
    case 'unsigned':
      return { ...wanted, signature: null }
    case 'wrong':
      return { ...wanted, signature: signatureOver(wanted.body, 'a guess') }
    case 'truncated':
      return { ...wanted, signature: wanted.signature?.slice(0, -2) ?? null }
    case 'of another order':
      return { ...wanted, signature: other.signature }
    case 'changed amount':
      return { ...other, body: Buffer.from(Buffer.from(other.body).toString().replace('"amount":"1"', '"amount":"9"')) }
    case 'other order':
      return {
        ...other,
        body: Buffer.from(
          Buffer.from(other.body)
            .toString()
            .replace(/"invoiceId":"[^"]*"/, `"invoiceId":"${ref} "`),
        ),
      }
  }
}

/** The content of a genuine message, as the program reads it; null for a forged one. */
export function readMessage({ body, signature }: ProviderMessage): WebhookHint | null {
  return provider.webhook?.read(signature === null ? {} : { [HEADER]: signature }, body) ?? null
}

function signatureOver(body: Uint8Array, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
}
