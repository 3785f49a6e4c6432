import { type Codec, column, t as types, type ValueOf } from './codecs.ts'

export { array, nullable, t, type Codec, type ValueOf } from './codecs.ts'

/** The codecs of a statement's parameters: in the order of `$1`, `$2`, …, or by the names in its text, `$playerId`. */
export type ParamCodecs = readonly Codec<unknown>[] | NamedCodecs
type NamedCodecs = Readonly<Record<string, Codec<unknown>>>
/** The codecs of a statement's columns, by name: `gameKey` is read from the column `game_key`. */
export type RowCodecs = Readonly<Record<string, Codec<unknown>>>

/** One statement of the program: its text, its parameters and its columns. Made by `sql`. */
export interface Statement<P extends ParamCodecs = ParamCodecs, R extends RowCodecs = RowCodecs> {
  /** `module.verb-object`, unique in the program; the name of the prepared statement. */
  readonly name: string
  /** for PostgreSQL: parameters by number */
  readonly text: string
  readonly params: P
  readonly row: R
  /**
   * How one run serves several callers (see `shared-transactions.ts`, `shared-reads.ts`): each has arguments of its own, and the number of
   * the caller in the column `place` of its rows; or all of them have the same.
   */
  readonly serves?: 'each' | 'same' | undefined
}

/** The arguments of a statement, in order or by name as it declares them. */
export type ArgsOf<P extends ParamCodecs> = { readonly [K in keyof P]: ValueOf<P[K]> }
/** The arguments of any statement. */
export type Args = readonly unknown[] | Readonly<Record<string, unknown>>
/** A row of a statement. */
export type RowOf<S> = S extends Statement<infer _P, infer R> ? { -readonly [K in keyof R]: ValueOf<R[K]> } : never

/** PostgreSQL cuts longer names, and two could become one. */
const LONGEST_NAME_BYTES = 63
const NAME = /^[a-z][a-z0-9-]*\.[a-z][a-z0-9-]*$/

/**
 * More callers than one run ever has. Between both limits PostgreSQL expects one: so the plan for one and that for many
 * are the same, and it is kept.
 */
const PLACES = 1_000_000

const NAMED_PARAMETER = /\$([a-z]\w*)/gi

const statements = new Map<string, Statement>()

/**
 * Declares a statement and enters it in the registry, so that a test can prepare every one on the migrated schema and
 * compare its parameters and columns with the declaration.
 *
 * @param declaration `params` in the order of `$1`, `$2`, …, or by the names in the text if there are five or more;
 *   `row` with a codec for each column by its name in camelCase, missing for a statement without rows. A column may be
 *   null only if its codec is `nullable`. `serves`: a text for `each` that writes reads the arguments of the callers from
 *   `$each`, whose columns are named like the parameters, and returns `place` with each row; one that reads is written
 *   for one caller.
 * @throws Error if the name is malformed, too long or taken, or its parameters are not those of its text
 */
export function sql<
  const P extends ParamCodecs = readonly [],
  const R extends RowCodecs = Record<never, never>,
>(declaration: { name: string; text: string; params?: P; row?: R; serves?: 'each' | 'same' }): Statement<P, R> {
  const { name, serves } = declaration
  if (!NAME.test(name)) throw new Error(`a statement is named module.verb-object, not '${name}'`)
  if (Buffer.byteLength(name) > LONGEST_NAME_BYTES) throw new Error(`the statement's name is too long: ${name}`)
  if (statements.has(name)) throw new Error(`two statements are named ${name}`)

  const params = declaration.params ?? ([] as unknown as P) // P is [] if none were given
  const row = declaration.row ?? ({} as R) // R is {} if none was given
  const text = serves === 'each' ? textForEach(declaration, params) : numbered(name, declaration.text, params)
  const statement = { name, text, params, row, serves }
  statements.set(name, statement)
  return statement
}

/** Every statement declared by the modules loaded so far, by name. */
export function registeredStatements(): readonly Statement[] {
  return [...statements.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** The codecs of a statement's parameters as it is sent, `$1` first. */
export function codecsOf(statement: Statement): readonly Codec<unknown>[] {
  return statement.serves === 'each' ? forMany(statement).params : ownCodecsOf(statement)
}

function ownCodecsOf({ params }: Statement): readonly Codec<unknown>[] {
  return isNamed(params) ? Object.values(params) : params
}

type ForMany = Statement<readonly Codec<unknown>[], RowCodecs & { readonly place: Codec<number> }>
const ofMany = new WeakMap<Statement, ForMany>()

/**
 * The same statement for several callers of one run: its arguments are the lists of theirs, parameter by parameter, and
 * each of its rows has the `place` of the caller it is for, from 1.
 */
export function forMany(statement: Statement): ForMany {
  const { name, text, row } = statement
  let known = ofMany.get(statement)
  if (known === undefined) {
    known = { name, text, params: ownCodecsOf(statement).map(column), row: { ...row, place: types.whole } }
    ofMany.set(statement, known)
  }
  return known
}

/** The arguments of some callers for `forMany`. */
export function argsOfMany(statement: Statement, callers: readonly Args[]): unknown[][] {
  return namesOf(statement).map((name) => callers.map((args) => (args as Readonly<Record<string, unknown>>)[name]))
}

function namesOf({ params }: Statement): string[] {
  return isNamed(params) ? Object.keys(params) : params.map((_, index) => String(index))
}

const WRITING = /\b(?:insert into|delete from|update\s+\w+\s+(?:(?:as\s+)?\w+\s+)?set)\b/i

/** Whether a statement changes something that would have to be undone; locks and numbers of a sequence need not be. */
export function isWriting({ text }: Pick<Statement, 'text'>): boolean {
  return WRITING.test(text)
}

const columns = new Map<string, string>()

/** The column that a name in `row` is read from: `game_key` for `gameKey`, and for `game_key` itself. */
export function columnOf(name: string): string {
  let column = columns.get(name)
  if (column === undefined) {
    column = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    columns.set(name, column)
  }
  return column
}

/** The columns of a row as a text lists them: `id, game_key`. */
export function columnList(row: RowCodecs): string {
  return Object.keys(row).map(columnOf).join(', ')
}

/**
 * A statement's arguments for the driver.
 *
 * @throws TypeError that names the statement and the parameter if one does not fit its type
 */
export function encodeArgs(statement: Statement, args: Args): unknown[] {
  const { name, params, serves } = statement
  const names = namesOf(statement)
  if (Object.keys(args).length !== names.length)
    throw new TypeError(`${name} takes ${names.length} arguments, not ${Object.keys(args).length}`)
  const given = args as Readonly<Record<string, unknown>> // an array's keys are its places
  return codecsOf(statement).map((codec, index) => {
    const key = names[index] ?? ''
    try {
      return codec.encode(serves === 'each' ? [given[key]] : given[key]) // the codec checks it
    } catch (error) {
      throw new TypeError(`${name}, $${isNamed(params) ? key : index + 1}: ${(error as Error).message}`)
    }
  })
}

/**
 * A row as the statement declares it; undeclared columns are dropped.
 *
 * @throws TypeError that names the statement and the column if a value does not fit its type
 */
export function decodeRow(statement: Statement, raw: Record<string, unknown>): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (const [name, codec] of Object.entries(statement.row)) {
    const column = columnOf(name)
    try {
      row[name] = codec.decode(raw[column])
    } catch (error) {
      throw new TypeError(`${statement.name}, column ${column}: ${(error as Error).message}`)
    }
  }
  return row
}

function isNamed(params: ParamCodecs): params is NamedCodecs {
  return !Array.isArray(params)
}

/** @throws Error if the text has a parameter that is not declared, or lacks one that is */
function numbered(statement: string, text: string, params: ParamCodecs): string {
  if (!isNamed(params)) return text
  const names = Object.keys(params)
  const unused = new Set(names)
  const replaced = text.replace(NAMED_PARAMETER, (_, name: string) => {
    if (!names.includes(name)) throw new Error(`${statement} declares no parameter $${name}`)
    unused.delete(name)
    return `$${names.indexOf(name) + 1}`
  })
  if (unused.size > 0) throw new Error(`${statement} has no use for $${[...unused].join(', $')}`)
  return replaced
}

/** The text of a statement that serves each of several callers in one run. */
function textForEach({ name: statement, text }: { name: string; text: string }, params: ParamCodecs): string {
  const columns = isNamed(params)
    ? Object.entries(params).map(([name, codec]) => ({ name: columnOf(name), codec }))
    : params.map((codec, index) => ({ name: `p${index + 1}`, codec }))
  const names = columns.map(({ name }) => name)
  const sent = columns.map(({ codec }, index) => `$${index + 1}::${column(codec).type}`)
  const read = columns.map(({ name, codec: { type } }) => (type.endsWith('[]') ? `${name}::${type} as ${name}` : name))
  const each = `(select ${[...read, 'place'].join(', ')} from unnest(${sent.join(', ')}) with ordinality as a (${names.join(', ')}, place)
      where place between 1 and ${PLACES})`
  if (text.includes('$each')) return text.replace('$each', each)
  const one = numbered(statement, text, params).replaceAll(
    /\$(\d+)/g,
    (_, number: string) => `m.${names[Number(number) - 1]}`,
  )
  return `select m.place, one.* from ${each} m cross join lateral (select * from (${one}) s offset 0) one`
}
