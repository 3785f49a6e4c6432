import { MAX_SATS } from './numbers.ts'
import { partsOf } from './parts.ts'

/** The values of statements (section 4): each is read strictly and written back byte for byte. */

/** A text is not a statement. The message gives the reason, for people who run a log. */
export class StatementError extends Error {
  override readonly name = 'StatementError'
}

/**
 * Reads and writes one kind of value. `read` throws for invalid text, and `write` restores valid text byte for byte.
 */
export interface Codec<T> {
  readonly read: (text: string) => T
  readonly write: (value: T) => string
}

/** Placeholder for "no hash": Z in the protocol. */
export const NO_HASH = '0'.repeat(64)

const NUMBER = /^(?:0|[1-9][0-9]{0,15})$/
const QUOTE = /^([^=@,]+)=([0-9]+)@([0-9]+)$/

/** Any value of a line. The line reader has checked that it is printable, not empty and without spaces at its ends. */
export const anyText: Codec<string> = { read: (text) => text, write: String }
/** One word of printable characters. */
export const word = matching(/^[\x21-\x7e]+$/, 'a word')
export const hash32 = matching(/^[0-9a-f]{64}$/, '64 hex digits')
export const hex16 = matching(/^[0-9a-f]{32}$/, '32 hex digits')
export const hex20 = matching(/^[0-9a-f]{40}$/, '40 hex digits')
export const hex48 = matching(/^[0-9a-f]{96}$/, '96 hex digits')
export const hex96 = matching(/^[0-9a-f]{192}$/, '192 hex digits')
export const gameKey = matching(/^[a-z][a-z0-9-]{1,30}$/, 'the key of a game')
const currency = matching(/^[A-Z]{3}$/, 'a currency')
const host = matching(/^[\x21-\x2b\x2d-\x3c\x3e\x3f\x41-\x7e]+$/, 'a host')

/** A number of section 2: no leading zero, at most 2^53 − 1. */
export const whole: Codec<number> = {
  read: (text) => {
    const value = NUMBER.test(text) ? Number(text) : Number.NaN
    return Number.isSafeInteger(value) ? value : fail(`not a number: ${text}`)
  },
  write: String,
}

/** Satoshis, at most all that will ever exist. */
export const sats: Codec<bigint> = {
  read: (text) => {
    const value = BigInt(whole.read(text))
    return value <= MAX_SATS ? value : fail(`more satoshis than there are: ${text}`)
  },
  write: String,
}

/** A rate or price: `<currency> <number>`. */
export interface CurrencyValue {
  readonly currency: string
  /** satoshis per whole unit of a rate, minor units of a price */
  readonly value: number
}

export const currencyValue = words(currency, whole)(
  (currencyCode, value): CurrencyValue => ({ currency: currencyCode, value }),
  ({ currency: currencyCode, value }) => [currencyCode, value],
)

/** The state of a game (section 9). */
export interface GameState {
  /** draws closed or void so far, which is the number of the last one */
  readonly closed: number
  readonly settled: number
  readonly pot: bigint
  /** free tickets won and used so far */
  readonly won: number
  readonly used: number
  /** paid lines of draws void after their close, whose money is in the pot */
  readonly carried: number
}

export const gameState = words(
  whole,
  whole,
  sats,
  whole,
  whole,
  whole,
)(
  (closed, settled, pot, won, used, carried): GameState => ({ closed, settled, pot, won, used, carried }),
  ({ closed, settled, pot, won, used, carried }) => [closed, settled, pot, won, used, carried],
)

/** A prize tier in a result: its winners and the prize of each, in satoshis. */
export interface ResultTier {
  readonly matches: number
  readonly kind: 'jackpot' | 'fixed' | 'free'
  readonly winners: number
  readonly each: bigint
}

export const resultTier = words(
  whole,
  oneOf('jackpot', 'fixed', 'free'),
  whole,
  sats,
)(
  (matches, kind, winners, each): ResultTier => ({ matches, kind, winners, each }),
  ({ matches, kind, winners, each }) => [matches, kind, winners, each],
)

/** A source's price of one bitcoin, converted to satoshis per whole unit, and its time (section 9). */
export interface Quote {
  readonly source: string
  readonly rate: number
  /** epoch seconds */
  readonly at: number
}

const quote: Codec<Quote> = {
  read: (text) => {
    const [source, rate, at] = partsOf<[string, string, string]>(QUOTE, text) ?? fail(`not a quote: ${text}`)
    return { source: host.read(source), rate: whole.read(rate), at: whole.read(at) }
  },
  write: ({ source, rate, at }) => `${host.write(source)}=${rate}@${at}`,
}
export const quotes = separated(quote, ',')
export const hosts = separated(host, ',')
export const numbers = separated(whole, ',')

/** A codec of one of some words. */
export function oneOf<const W extends string>(...choices: readonly W[]): Codec<W> {
  const check = (text: string): W =>
    choices.find((choice) => choice === text) ?? fail(`not one of ${choices.join(', ')}`)
  return { read: check, write: check }
}

/** A codec of a value or of one word in its place, which is read as null. */
export function orWord<T>(instead: string, codec: Codec<T>): Codec<T | null> {
  return {
    read: (text) => (text === instead ? null : codec.read(text)),
    write: (value) => (value === null ? instead : codec.write(value)),
  }
}

type CodecsOf<V extends readonly unknown[]> = { readonly [I in keyof V]: Codec<V[I]> }

/** A codec of words separated by one space, each with its own codec. */
export function words<V extends readonly unknown[]>(...codecs: CodecsOf<V>) {
  return <T>(join: (...values: V) => T, split: (value: T) => V): Codec<T> => ({
    read: (text) => {
      const parts = text.split(' ')
      if (parts.length !== codecs.length) return fail(`not ${codecs.length} words: ${text}`)
      // One codec per value, in order, so the results have the codecs' types.
      return join(...(codecs.map((codec, place) => codec.read(parts[place] ?? '')) as unknown as V))
    },
    write: (value) => {
      const parts = split(value)
      return codecs.map((codec, place) => codec.write(parts[place])).join(' ')
    },
  })
}

/** A codec of a list with at least one item. */
function separated<T>(codec: Codec<T>, separator: string): Codec<readonly T[]> {
  return {
    read: (text) => text.split(separator).map(codec.read),
    write: (items) => items.map(codec.write).join(separator),
  }
}

function matching(pattern: RegExp, what: string): Codec<string> {
  const check = (text: string): string => (pattern.test(text) ? text : fail(`not ${what}: ${text}`))
  return { read: check, write: check }
}

/** @throws StatementError always */
export function fail(message: string): never {
  throw new StatementError(message)
}
