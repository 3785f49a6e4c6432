import { createHmac } from 'node:crypto'

/** What a webhook's secret begins with as its receiver keeps it. */
const PREFIX = 'whsec_'

/** A secret as its receiver keeps it. @param secret 32 bytes */
export function secretText(secret: Uint8Array): string {
  return PREFIX + Buffer.from(secret).toString('base64')
}

/**
 * The headers by which a receiver knows that a message is from here, and new (Standard Webhooks). Several secrets each
 * sign.
 *
 * @param at when it is sent, in epoch seconds
 */
export function signedHeaders(
  message: { readonly id: string; readonly at: number; readonly body: string },
  secrets: readonly Uint8Array[],
): Record<string, string> {
  const { id, at, body } = message
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', secret).update(`${id}.${at}.${body}`).digest('base64')}`,
  )
  return { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': signatures.join(' ') }
}
