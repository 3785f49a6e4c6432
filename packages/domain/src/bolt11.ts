import { bech32 } from '@scure/base'
import type { BitcoinNetwork } from './btc-address.ts'
import { concatBytes, fromHex, toHex, utf8Bytes, utf8Text } from './protocol/bytes.ts'

/** Lightning invoices as text (BOLT 11): what they say. Who signed them is in bolt11-signature.ts. */

/** What an invoice says. */
interface Bolt11 {
  readonly network: BitcoinNetwork
  /** thousandths of a satoshi; null for an invoice without an amount */
  readonly amountMsat: bigint | null
  /** when it was made, epoch seconds */
  readonly madeAt: number
  /** SHA-256 of the preimage that a payment reveals, hex */
  readonly hash: string
  /** null if it has a hash of the description instead */
  readonly description: string | null
  /** SHA-256 of a description that the payer knows from elsewhere, hex; null if there is none */
  readonly descriptionHash: string | null
  /** hex; null in invoices of old programs */
  readonly secret: string | null
  /** how long it may be paid after it was made */
  readonly expirySeconds: number
  /** the least number of blocks that the last part of a payment has to wait */
  readonly minFinalCltv: number
  /** the numbers of the bits that are set, ascending */
  readonly features: readonly number[]
  /** the node that is paid, hex, if the invoice names it */
  readonly payee: string | null
}

/** An invoice to be written. What is null is left out; readers then assume the usual value. */
export type Bolt11Draft = Omit<Bolt11, 'payee' | 'expirySeconds' | 'minFinalCltv'> & {
  readonly expirySeconds: number | null
  readonly minFinalCltv: number | null
}

/** The parts of an invoice: what is signed, and the signature. Data is in groups of five bits. */
interface Bolt11Parts {
  readonly prefix: string
  readonly data: readonly number[]
  /** r, s and the number by which the signer is found: 65 bytes */
  readonly signature: Uint8Array
}

const CURRENCIES: Record<BitcoinNetwork, string> = { mainnet: 'bc', testnet4: 'tb', signet: 'tbs', regtest: 'bcrt' }
const PREFIX = /^ln(bcrt|bc|tbs|tb)(?:([1-9]\d{0,19})([munp])?)?$/
/** Thousandths of a satoshi in each unit of an amount; a pico-bitcoin is a tenth of one. */
const MSAT_PER_BTC = 100_000_000_000n
const UNITS = [
  ['', MSAT_PER_BTC],
  ['m', 100_000_000n],
  ['u', 100_000n],
  ['n', 100n],
] as const
const MAX_MSAT = 21_000_000n * MSAT_PER_BTC

/** Numbers of the tagged fields. */
const TAG = {
  hash: 1,
  features: 5,
  expiry: 6,
  description: 13,
  secret: 16,
  payee: 19,
  descriptionHash: 23,
  cltv: 24,
} as const
const TIME_WORDS = 7
const SIGNATURE_WORDS = 104
const HASH_WORDS = 52
const PAYEE_WORDS = 53
const MAX_FIELD_WORDS = 1023
const USUAL_EXPIRY_SECONDS = 3600
const USUAL_CLTV = 18
/** No invoice of a channel's life needs more; a larger number is no number here. */
const MAX_NUMBER_WORDS = 10
/** Even features that a payer knows (BOLT 9); with any other even one an invoice must not be paid. */
const KNOWN_FEATURES = new Set([8, 14, 16, 24, 48])

/** Splits an invoice, upper or lower case. @returns null if it is not one, or was not copied whole */
export function splitBolt11(text: string): Bolt11Parts | null {
  const decoded = bech32.decodeUnsafe(text, false)
  if (decoded === undefined || decoded.words.length < TIME_WORDS + SIGNATURE_WORDS) return null
  const { prefix, words } = decoded
  return { prefix, data: words.slice(0, -SIGNATURE_WORDS), signature: bytesOf(words.slice(-SIGNATURE_WORDS)) }
}

/**
 * Reads what an invoice says, without a look at its signature.
 *
 * @returns null if it cannot be read, or asks for what is not known here
 */
export function readBolt11(text: string): Bolt11 | null {
  const parts = splitBolt11(text)
  const money = parts === null ? null : moneyOf(parts.prefix)
  const fields = parts === null ? null : fieldsOf(parts.data.slice(TIME_WORDS))
  if (parts === null || money === null || fields === null) return null
  const first = (tag: number, length?: number): readonly number[] | null =>
    fields.find((field) => field.tag === tag && (length === undefined || field.words.length === length))?.words ?? null
  const hexOf = (words: readonly number[] | null): string | null => (words === null ? null : toHex(bytesOf(words)))
  const hash = hexOf(first(TAG.hash, HASH_WORDS))
  const features = bitsOf(first(TAG.features) ?? [])
  const expirySeconds = numberOf(first(TAG.expiry), USUAL_EXPIRY_SECONDS)
  const minFinalCltv = numberOf(first(TAG.cltv), USUAL_CLTV)
  const isUnderstood = features.every((bit) => bit % 2 === 1 || KNOWN_FEATURES.has(bit))
  if (hash === null || !isUnderstood || expirySeconds === null || minFinalCltv === null) return null
  return {
    ...money,
    madeAt: numberOf(parts.data.slice(0, TIME_WORDS), 0) ?? 0,
    hash,
    description: textOf(first(TAG.description)),
    descriptionHash: hexOf(first(TAG.descriptionHash, HASH_WORDS)),
    secret: hexOf(first(TAG.secret, HASH_WORDS)),
    expirySeconds,
    minFinalCltv,
    features,
    payee: hexOf(first(TAG.payee, PAYEE_WORDS)),
  }
}

/**
 * Writes an invoice.
 *
 * @param sign signs bytes: r, s and the number by which the signer is found
 * @throws RangeError for an amount, time or description that does not fit
 */
export function writeBolt11(draft: Bolt11Draft, sign: (bytes: Uint8Array) => Uint8Array): string {
  const { hash, description, descriptionHash, secret, expirySeconds, minFinalCltv, features } = draft
  const prefix = `ln${CURRENCIES[draft.network]}${amountText(draft.amountMsat)}`
  const data = [
    ...padded(wordsOfNumber(draft.madeAt), TIME_WORDS),
    ...field(TAG.hash, wordsOf(fromHex(hash, 32))),
    ...(description === null ? [] : field(TAG.description, wordsOf(utf8Bytes(description)))),
    ...(descriptionHash === null ? [] : field(TAG.descriptionHash, wordsOf(fromHex(descriptionHash, 32)))),
    ...(secret === null ? [] : field(TAG.secret, wordsOf(fromHex(secret, 32)))),
    ...(expirySeconds === null ? [] : field(TAG.expiry, wordsOfNumber(expirySeconds))),
    ...(minFinalCltv === null ? [] : field(TAG.cltv, wordsOfNumber(minFinalCltv))),
    ...(features.length === 0 ? [] : field(TAG.features, wordsOfBits(features))),
  ]
  return bech32.encode(prefix, [...data, ...wordsOf(sign(signedBytes({ prefix, data })))], false)
}

/** The bytes that the signature of an invoice covers. */
export function signedBytes({ prefix, data }: Pick<Bolt11Parts, 'prefix' | 'data'>): Uint8Array {
  const length = Math.ceil((data.length * 5) / 8)
  return concatBytes(utf8Bytes(prefix), bytesOf([...data, 0, 0]).subarray(0, length))
}

function moneyOf(prefix: string): Pick<Bolt11, 'network' | 'amountMsat'> | null {
  const [, currency, digits, unit = ''] = PREFIX.exec(prefix) ?? []
  const network = (Object.keys(CURRENCIES) as BitcoinNetwork[]).find((name) => CURRENCIES[name] === currency)
  if (network === undefined) return null
  if (digits === undefined) return { network, amountMsat: null }
  const value = BigInt(digits)
  const msatPerUnit = UNITS.find(([name]) => name === unit)?.[1] ?? 1n
  if (unit === 'p' && value % 10n !== 0n) return null
  const amountMsat = unit === 'p' ? value / 10n : value * msatPerUnit
  return amountMsat > MAX_MSAT ? null : { network, amountMsat }
}

/** The shortest spelling of an amount. */
function amountText(msat: bigint | null): string {
  if (msat === null) return ''
  if (msat <= 0n || msat > MAX_MSAT) throw new RangeError(`no amount of an invoice: ${msat} msat`)
  const unit = UNITS.find(([, msatPerUnit]) => msat % msatPerUnit === 0n)
  return unit === undefined ? `${msat * 10n}p` : `${msat / unit[1]}${unit[0]}`
}

/** The tagged fields in their order. @returns null if the last one is cut off */
function fieldsOf(words: readonly number[]): { readonly tag: number; readonly words: readonly number[] }[] | null {
  const fields: { tag: number; words: readonly number[] }[] = []
  for (let at = 0; at < words.length;) {
    const [tag, high, low] = words.slice(at, at + 3)
    if (tag === undefined || high === undefined || low === undefined) return null
    const end = at + 3 + high * 32 + low
    if (end > words.length) return null
    fields.push({ tag, words: words.slice(at + 3, end) })
    at = end
  }
  return fields
}

function field(tag: number, words: readonly number[]): number[] {
  if (words.length > MAX_FIELD_WORDS) throw new RangeError('a field of an invoice is too long')
  return [tag, words.length >> 5, words.length & 31, ...words]
}

/** Whole bytes of groups of five bits; what is left over is dropped. */
function bytesOf(words: readonly number[]): Uint8Array {
  const bytes: number[] = []
  let bits = 0
  let value = 0
  for (const word of words) {
    value = ((value << 5) | word) & 0xfff
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push((value >> bits) & 0xff)
  }
  return new Uint8Array(bytes)
}

function wordsOf(bytes: Uint8Array): number[] {
  return bech32.toWords(bytes)
}

/** @returns `usual` where there is none, null for one that is too large */
function numberOf(words: readonly number[] | null, usual: number): number | null {
  if (words === null) return usual
  return words.length > MAX_NUMBER_WORDS ? null : words.reduce((sum, word) => sum * 32 + word, 0)
}

function wordsOfNumber(value: number): number[] {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`no number of an invoice: ${value}`)
  const words: number[] = []
  for (let left = value; left > 0; left = Math.floor(left / 32)) words.unshift(left % 32)
  return words
}

function padded(words: readonly number[], length: number): number[] {
  if (words.length > length) throw new RangeError('a time of an invoice is too late')
  return [...Array.from({ length: length - words.length }, () => 0), ...words]
}

function bitsOf(words: readonly number[]): number[] {
  return words
    .toReversed()
    .flatMap((word, place) => [0, 1, 2, 3, 4].flatMap((bit) => ((word >> bit) & 1 ? [place * 5 + bit] : [])))
}

function wordsOfBits(bits: readonly number[]): number[] {
  const length = Math.floor(Math.max(...bits) / 5) + 1
  const words = Array.from({ length }, () => 0)
  for (const bit of bits)
    words[length - 1 - Math.floor(bit / 5)] = (words[length - 1 - Math.floor(bit / 5)] ?? 0) | (1 << (bit % 5))
  return words
}

/** @returns null where there is none, or it is no UTF-8 */
function textOf(words: readonly number[] | null): string | null {
  if (words === null) return null
  try {
    return utf8Text(bytesOf(words))
  } catch {
    return null
  }
}
