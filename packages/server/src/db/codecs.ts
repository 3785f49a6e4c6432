/**
 * How a PostgreSQL value becomes one of ours, and the other way round.
 *
 * Times are stored as `bigint` epoch seconds, so no type for dates is here; a `numeric` stays text, because nothing
 * else holds every value.
 */

/** One type of column or parameter. */
export interface Codec<T> {
  /** PostgreSQL's name of the type, as `format_type` writes it. */
  readonly type: string
  /** PostgreSQL's number of the type, fixed for built-in types. */
  readonly oid: number
  /** Whether null is one of the values. */
  readonly isNullable: boolean
  /** A value as the driver takes it. @throws TypeError if it is not one of this type */
  encode(value: T): unknown
  /** A value as the driver returned it. @throws TypeError if it is not one of this type */
  decode(raw: unknown): T
}

/** The type of the values of a codec. */
export type ValueOf<C> = C extends Codec<infer T> ? T : never

/** The number of the array type over each element type. */
const ARRAY_OIDS: Record<number, number> = {
  16: 1000, // boolean
  17: 1001, // bytea
  20: 1016, // bigint
  21: 1005, // smallint
  23: 1007, // integer
  25: 1009, // text
  701: 1022, // double precision
  1700: 1231, // numeric
  2950: 2951, // uuid
  3802: 3807, // jsonb
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const NUMERIC = /^-?\d+(\.\d+)?$/

const isText = (value: unknown): value is string => typeof value === 'string'
const isBigint = (value: unknown): value is bigint => typeof value === 'bigint' && BigInt.asIntN(64, value) === value
const isInteger =
  (least: number, most: number) =>
  (value: unknown): value is number =>
    Number.isInteger(value) && (value as number) >= least && (value as number) <= most

/** Makes a codec for values that the driver takes and returns as they are. */
function plain<T>(type: string, oid: number, isOne: (value: unknown) => value is T): Codec<T> {
  const checked = (value: unknown): T => {
    if (!isOne(value)) throw new TypeError(`${printable(value)} is no ${type}`)
    return value
  }
  return { type, oid, isNullable: false, encode: checked, decode: checked }
}

/** `2026n is no integer`: long values and bytes are cut, because the message may end up in a log. */
function printable(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`
  if (value instanceof Uint8Array) return `${value.length} bytes`
  return String(JSON.stringify(value) ?? value).slice(0, 60)
}

const bigint: Codec<bigint> = {
  ...plain('bigint', 20, isBigint),
  encode(value) {
    if (!isBigint(value)) throw new TypeError(`${printable(value)} is no bigint`)
    return value.toString()
  },
}

/** @param what of which it is a whole number, for errors */
const wholeNumber = (what: string): Codec<number> => ({
  type: 'bigint',
  oid: 20,
  isNullable: false,
  encode(value) {
    if (!Number.isSafeInteger(value)) throw new TypeError(`${printable(value)} is no whole number${what}`)
    return value
  },
  decode(raw) {
    const value = typeof raw === 'bigint' ? Number(raw) : NaN
    if (!Number.isSafeInteger(value)) throw new TypeError(`${printable(raw)} is no whole number${what}`)
    return value
  },
})

const bytea: Codec<Uint8Array> = {
  ...plain('bytea', 17, (value): value is Uint8Array => value instanceof Uint8Array),
  encode(value) {
    if (!(value instanceof Uint8Array)) throw new TypeError(`${printable(value)} is no bytea`)
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  },
  // The driver's Buffer would be a Uint8Array too, but its `slice` shares memory and deep equality rejects it.
  decode(raw) {
    if (!(raw instanceof Uint8Array)) throw new TypeError(`${printable(raw)} is no bytea`)
    return new Uint8Array(raw)
  },
}

/** A `jsonb` column. Its content was written by us: `J` declares its shape, and nothing checks it again. */
function json<J = unknown>(): Codec<J> {
  return {
    type: 'jsonb',
    oid: 3802,
    isNullable: false,
    encode: (value) => JSON.stringify(value),
    decode: (raw) => raw as J, // see above: the shape is the writer's promise
  }
}

/** A `text` column that holds one of a few words, as its check constraint says. */
function oneOf<const W extends string>(words: readonly W[]): Codec<W> {
  return plain('text', 25, (value): value is W => words.includes(value as W))
}

/** The types for columns and parameters. */
export const t = {
  /** `bigint` as a bigint: ids, satoshis, masks. */
  bigint,
  /** `bigint` as a number: epoch seconds, `…At` in code. */
  epochSeconds: wholeNumber(' of seconds'),
  /** `bigint` as a number, at most 2^53 − 1: counts, places, milliseconds. */
  whole: wholeNumber(''),
  /** `integer`. */
  int: plain('integer', 23, isInteger(-(2 ** 31), 2 ** 31 - 1)),
  /** `smallint`. */
  smallint: plain('smallint', 21, isInteger(-(2 ** 15), 2 ** 15 - 1)),
  /** `double precision`; never money. */
  float: plain('double precision', 701, (value): value is number => typeof value === 'number'),
  text: plain('text', 25, isText),
  bool: plain('boolean', 16, (value): value is boolean => typeof value === 'boolean'),
  bytea,
  uuid: plain('uuid', 2950, (value): value is string => isText(value) && UUID.test(value)),
  /** `numeric` as its decimal text. */
  numeric: plain('numeric', 1700, (value): value is string => isText(value) && NUMERIC.test(value)),
  json,
  oneOf,
} as const

/** The same type, or null. */
export function nullable<T>(codec: Codec<T>): Codec<T | null> {
  return {
    type: codec.type,
    oid: codec.oid,
    isNullable: true,
    encode: (value) => (value === null ? null : codec.encode(value)),
    decode: (raw) => (raw === null ? null : codec.decode(raw)),
  }
}

/**
 * An array of one dimension without nulls.
 * @throws TypeError at once for a type whose arrays are not known here
 */
export function array<T>(element: Codec<T>): Codec<T[]> {
  const oid = ARRAY_OIDS[element.oid]
  if (oid === undefined || element.isNullable) throw new TypeError(`no arrays of ${element.type} are known`)
  return {
    type: `${element.type}[]`,
    oid,
    isNullable: false,
    encode: (value) => value.map((one) => element.encode(one)),
    decode(raw) {
      if (!Array.isArray(raw)) throw new TypeError(`${printable(raw)} is no ${element.type}[]`)
      return raw.map((one) => element.decode(one))
    },
  }
}

/** The values of one parameter for several callers. Arrays of them could not differ in length, so each is sent as text. */
export function column(codec: Codec<unknown>): Codec<unknown> {
  const isArray = codec.type.endsWith('[]')
  const { type, oid } = isArray ? t.text : codec
  return {
    type: `${type}[]`,
    oid: ARRAY_OIDS[oid] ?? 0,
    isNullable: false,
    encode: (values) =>
      (values as readonly unknown[]).map((value) => {
        const encoded = codec.encode(value)
        return isArray && encoded !== null ? arrayText(encoded as readonly unknown[]) : encoded
      }),
    decode: (raw) => raw,
  }
}

function arrayText(values: readonly unknown[]): string {
  const quoted = values.map((value) => {
    const text = value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : String(value)
    return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`
  })
  return `{${quoted.join(',')}}`
}
