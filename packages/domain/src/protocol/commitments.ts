import { assert } from '../assert.ts'
import { asciiBytes, tagBytes, toHex, utf8Bytes } from './bytes.ts'
import { mac, nobleHash } from './hash.ts'

/** The hidden commitments of a promise (section 10): lines, payout address, secret. */

const LINES_TAG = tagBytes('fairball/lines/v2')
const PAYTO_TAG = tagBytes('fairball/payto/v2')
const SECRET_TAG = tagBytes('fairball/secret/v2')
const BLIND_LINES_TAG = tagBytes('fairball/blind-lines/v2')
const BLIND_PAYTO_TAG = tagBytes('fairball/blind-payto/v2')

/** The lines of an order, by play, in the order of the promise. */
type OrderLines = readonly (readonly (readonly number[])[])[]

/** The committed text of an order's lines: plays joined by LF, lines by `;`, numbers by `,`. */
export function linesText(plays: OrderLines): string {
  return plays.map((lines) => lines.map((line) => line.join(',')).join(';')).join('\n')
}

/** Reads the lines of an order; null for any other text. */
export function readLinesText(text: string): OrderLines | null {
  if (!/^(?:[1-9][0-9]?[,;\n])*[1-9][0-9]?$/.test(text)) return null
  return text.split('\n').map((play) => play.split(';').map((line) => line.split(',').map(Number)))
}

/**
 * The blind of the lines: a paper that reveals its lines reveals this, not the order's secret.
 *
 * @param secret 32 bytes
 */
export function linesBlind(secret: Uint8Array): Uint8Array {
  return mac(secret, BLIND_LINES_TAG)
}

/** `lines` of a promise: `H(T("fairball/lines/v2") || blind || text)`, hex. */
export function linesCommitment(blind: Uint8Array, text: string): string {
  return toHex(nobleHash(LINES_TAG, blind, utf8Bytes(text)))
}

/** `payto` of a promise, hex. @param address the payout address, empty if there is none */
export function paytoCommitment(secret: Uint8Array, address: string): string {
  return toHex(nobleHash(PAYTO_TAG, mac(secret, BLIND_PAYTO_TAG), asciiBytes(address)))
}

/** `secret` of a promise: `H(T("fairball/secret/v2") || secret)`, hex. */
export function secretCommitment(secret: Uint8Array): string {
  assert(secret.length === 32, 'a secret has 32 bytes')
  return toHex(nobleHash(SECRET_TAG, secret))
}
