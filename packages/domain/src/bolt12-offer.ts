import type { BitcoinNetwork } from './btc-address.ts'
import { toHex, utf8Text } from './protocol/bytes.ts'

/**
 * Offers to be paid over Lightning, as text (BOLT 12): what they ask for. Keys and paths in them are the node's to
 * judge, which asks for the invoice.
 */

/** What an offer says. */
interface Offer {
  /** hashes of the chains it can be paid on, hex */
  readonly chains: readonly string[]
  /** the least amount, in thousandths of a satoshi, or the smallest unit of `currency`; null if the payer chooses */
  readonly amount: bigint | null
  /** null for bitcoin */
  readonly currency: string | null
  /** epoch seconds; null for none */
  readonly expiresAt: number | null
  /** whether the payer has to say how many of something */
  readonly isCounted: boolean
  /** the node that is paid, hex, if the offer names it */
  readonly issuer: string | null
}

/** The hashes of the first blocks, as the wire has them. */
const CHAINS: Record<BitcoinNetwork, string> = {
  mainnet: '6fe28c0ab6f1b372c1a6a246ae63f74f931e8365e15a089c68d6190000000000',
  testnet4: '43f08bdab050e35b567c864b91f47f50ae725ae2de53bcfbbaf284da00000000',
  signet: 'f61eee3b63a380a477a063af32b2bbc97c9ff9f01f2c4225e973988108000000',
  regtest: '06226e46111a0b59caaf126043eb5bbf28c34f3a5e332a1fc7b2b73cf188910f',
}

const ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
/** Numbers of the fields. Odd ones that are not here may be there; even ones must be known. */
const FIELD = {
  chains: 2n,
  metadata: 4n,
  currency: 6n,
  amount: 8n,
  description: 10n,
  features: 12n,
  expiry: 14n,
  paths: 16n,
  issuerName: 18n,
  quantity: 20n,
  issuer: 22n,
} as const
const KNOWN = new Set<bigint>(Object.values(FIELD))
const LAST_FIELD = 79n
const EXPERIMENTS = [1_000_000_000n, 1_999_999_999n] as const
const CHAIN_BYTES = 32
const KEY_BYTES = 33
const MAX_NUMBER_BYTES = 8

/** Whether an offer can be paid on a network. */
export function isOnNetwork({ chains }: Pick<Offer, 'chains'>, network: BitcoinNetwork): boolean {
  return chains.includes(CHAINS[network])
}

/** Reads an offer in lower case, in one piece. @returns null if it is none, or asks for what is not known here */
export function readOffer(text: string): Offer | null {
  const bytes = text.startsWith('lno1') ? bytesOf(text.slice(4)) : null
  const fields = bytes === null ? null : fieldsOf(bytes)
  if (fields === null) return null
  const chains = fields.get(FIELD.chains)
  const amount = fields.get(FIELD.amount)
  const expiry = fields.get(FIELD.expiry)
  const issuer = fields.get(FIELD.issuer)
  const [amountNumber, expiryNumber, quantity] = [amount, expiry, fields.get(FIELD.quantity)].map((value) =>
    value === undefined ? null : numberOf(value),
  )
  const texts = [FIELD.currency, FIELD.description, FIELD.issuerName].map((type) => textOf(fields.get(type)))
  const isWhole =
    (chains === undefined || (chains.length > 0 && chains.length % CHAIN_BYTES === 0)) &&
    [amountNumber, expiryNumber, quantity, ...texts].every((value) => value !== undefined) &&
    hasOnlyOddBits(fields.get(FIELD.features)) &&
    (issuer === undefined ? fields.has(FIELD.paths) : issuer.length === KEY_BYTES && [2, 3].includes(issuer[0] ?? 0)) &&
    (amount === undefined || fields.has(FIELD.description)) &&
    (!fields.has(FIELD.currency) || amount !== undefined)
  if (!isWhole) return null
  return {
    chains: chains === undefined ? [CHAINS.mainnet] : piecesOf(toHex(chains), 2 * CHAIN_BYTES),
    amount: amountNumber ?? null,
    currency: texts[0] ?? null,
    expiresAt: expiryNumber == null ? null : Number(expiryNumber),
    isCounted: fields.has(FIELD.quantity),
    issuer: issuer === undefined ? null : toHex(issuer),
  }
}

/** Whole bytes of letters of five bits each; there is no checksum. */
function bytesOf(letters: string): Uint8Array | null {
  const bytes: number[] = []
  let bits = 0
  let value = 0
  for (const letter of letters) {
    const word = ALPHABET.indexOf(letter)
    if (word === -1) return null
    value = ((value << 5) | word) & 0xfff
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push((value >> bits) & 0xff)
  }
  const isPadded = bits < 5 && (value & ((1 << bits) - 1)) === 0
  return isPadded ? new Uint8Array(bytes) : null
}

/** The fields by their numbers, which ascend. @returns null if one is cut off or out of order, or must be known and is not */
function fieldsOf(bytes: Uint8Array): ReadonlyMap<bigint, Uint8Array> | null {
  const fields = new Map<bigint, Uint8Array>()
  let last = -1n
  for (let at = 0; at < bytes.length;) {
    const type = sizeAt(bytes, at)
    const length = type === null ? null : sizeAt(bytes, type.end)
    if (type === null || length === null || length.value > BigInt(bytes.length - length.end)) return null
    const isExperiment = type.value >= EXPERIMENTS[0] && type.value <= EXPERIMENTS[1]
    const isAllowed = type.value <= LAST_FIELD || isExperiment
    if (type.value <= last || !isAllowed || (type.value % 2n === 0n && !KNOWN.has(type.value))) return null
    at = length.end + Number(length.value)
    fields.set(type.value, bytes.subarray(length.end, at))
    last = type.value
  }
  return fields
}

/** A number of one, three, five or nine bytes, in its shortest form (BOLT 1). */
function sizeAt(bytes: Uint8Array, at: number): { readonly value: bigint; readonly end: number } | null {
  const first = bytes[at]
  if (first === undefined) return null
  if (first < 0xfd) return { value: BigInt(first), end: at + 1 }
  const length = 2 ** (first - 0xfc)
  const digits = bytes.subarray(at + 1, at + 1 + length)
  const value = bigOf(digits)
  const least = first === 0xfd ? 0xfdn : 1n << BigInt(4 * length)
  return digits.length < length || value < least ? null : { value, end: at + 1 + length }
}

function bigOf(bytes: Uint8Array): bigint {
  return bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
}

/** @returns undefined for a number that is not in its shortest form */
function numberOf(bytes: Uint8Array): bigint | undefined {
  return bytes.length > MAX_NUMBER_BYTES || bytes[0] === 0 ? undefined : bigOf(bytes)
}

/** @returns undefined for what is no UTF-8 */
function textOf(bytes: Uint8Array | undefined): string | null | undefined {
  if (bytes === undefined) return null
  try {
    return utf8Text(bytes)
  } catch {
    return undefined
  }
}

/** An even feature would have to be known, and none is. */
function hasOnlyOddBits(bytes: Uint8Array | undefined): boolean {
  return bytes === undefined || bytes.every((byte) => (byte & 0b0101_0101) === 0)
}

function piecesOf(text: string, length: number): string[] {
  return Array.from({ length: text.length / length }, (_, index) => text.slice(index * length, (index + 1) * length))
}
