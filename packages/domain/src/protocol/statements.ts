import { partsOf } from './parts.ts'
import {
  anyText,
  type Codec,
  currencyValue,
  fail,
  gameKey,
  gameState,
  hash32,
  hex16,
  hex20,
  hex48,
  hex96,
  hosts,
  numbers,
  oneOf,
  orWord,
  quotes,
  resultTier,
  sats,
  StatementError,
  whole,
  word,
  words,
} from './statement-codecs.ts'
import { LONG_STATEMENT_BYTES, STATEMENT_BYTES } from './numbers.ts'

/** The strict grammar of statements (sections 4 and 10): `readStatement` and `writeStatement` are inverse functions. */

/** A line of a statement type; `many` allows several (`+`: at least one, `*`: any number). */
interface Field<K extends string, T> {
  readonly key: K
  readonly codec: Codec<T>
  readonly many: '' | '+' | '*'
}

function one<K extends string, T>(key: K, codec: Codec<T>) {
  return { key, codec, many: '' } as const
}

function some<K extends string, T>(key: K, codec: Codec<T>) {
  return { key, codec, many: '+' } as const
}

function any<K extends string, T>(key: K, codec: Codec<T>) {
  return { key, codec, many: '*' } as const
}

const rate = one('rate', currencyValue)
const last = one('last', hash32)
const state = one('state', gameState)
const open = one('open', hash32)

const headOfLog = words(
  word,
  whole,
  hash32,
)(
  (origin, size, root) => ({ origin, size, root }),
  ({ origin, size, root }: { origin: string; size: number; root: string }) => [origin, size, root],
)
const revokedList = words(whole, hash32)(
  (count, list) => ({ count, list }),
  ({ count, list }: { count: number; list: string }) => [count, list],
)
const paidDraw = words(
  hash32,
  sats,
  sats,
)(
  (openHash, won, paid) => ({ open: openHash, won, paid }),
  ({ open: openHash, won, paid }: { open: string; won: bigint; paid: bigint }) => [openHash, won, paid],
)
const liability = words(word, sats)(
  (kind, amount) => ({ kind, sats: amount }),
  ({ kind, sats: amount }: { kind: string; sats: bigint }) => [kind, amount],
)
const servedFile: Codec<{ readonly hash: string; readonly path: string }> = {
  read: (text) => {
    const space = text.indexOf(' ')
    return { hash: hash32.read(text.slice(0, Math.max(space, 0))), path: text.slice(space + 1) }
  },
  write: ({ hash, path }) => `${hash32.write(hash)} ${path}`,
}
/** A payment method of an order (section 10): an address, the hash of an invoice, or none if everything is free. */
export type PayBy =
  | { readonly by: 'bitcoin'; readonly address: string }
  | { readonly by: 'lightning'; readonly hash: string }
  | { readonly by: 'none' }
const payBy: Codec<PayBy> = {
  read: (text) => {
    if (text === 'none') return { by: 'none' }
    const space = Math.max(text.indexOf(' '), 0)
    const [by, to] = [text.slice(0, space), text.slice(space + 1)]
    if (by === 'bitcoin') return { by, address: word.read(to) }
    return by === 'lightning' ? { by, hash: hash32.read(to) } : fail(`not a way to pay: ${text}`)
  },
  write: (pay) => {
    if (pay.by === 'none') return 'none'
    return pay.by === 'bitcoin' ? `bitcoin ${pay.address}` : `lightning ${pay.hash}`
  },
}
/** A play of an order (section 10). */
export interface PromisedPlay {
  readonly open: string
  /** 16 bytes as hex */
  readonly play: string
  readonly lines: number
  /** lines paid with free tickets */
  readonly free: number
  readonly sats: bigint
}
const promisedPlay = words(
  hash32,
  hex16,
  whole,
  whole,
  sats,
)(
  (openHash, play, lines, free, amount): PromisedPlay => ({ open: openHash, play, lines, free, sats: amount }),
  ({ open: openHash, play, lines, free, sats: amount }) => [openHash, play, lines, free, amount],
)

const COMMON = [one('log', word), one('time', whole)] as const

const FIELDS = {
  log: [...COMMON, one('key', hash32), one('next', hash32), one('after', orWord('none', headOfLog))],
  key: [...COMMON, one('key', hash32), one('next', hash32)],
  chain: [
    ...COMMON,
    one('name', anyText),
    one('chain', hash32),
    one('public_key', hex96),
    one('period', whole),
    one('genesis', whole),
    one('group_hash', hash32),
    one('beacon_id', anyText),
    one('scheme', anyText),
  ],
  game: [
    ...COMMON,
    one('game', gameKey),
    one('version', whole),
    one('rules', hash32),
    one('from', whole),
    one('reason', oneOf('new', 'price', 'prizes', 'schedule', 'retire')),
    one('pot_to', orWord('none', gameKey)),
  ],
  open: [
    ...COMMON,
    one('game', gameKey),
    one('version', whole),
    one('draw', whole),
    one('close', whole),
    one('start', whole),
    one('chain', hash32),
    one('round', whole),
    one('seedhash', hash32),
    one('rules', hash32),
    rate,
    one('sources', hosts),
    one('band', whole),
    one('policy', hash32),
  ],
  sold: [...COMMON, open, one('size', whole), one('root', hash32), one('stake', sats), rate],
  close: [
    ...COMMON,
    open,
    one('round', whole),
    one('sold', hash32),
    one('size', whole),
    one('root', hash32),
    one('lines', whole),
    one('free', whole),
    one('carried', whole),
    one('revoked', revokedList),
    one('seed', hash32),
    one('stake', sats),
    rate,
    one('quotes', quotes),
    one('added', sats),
    one('pool', sats),
    one('floor', sats),
    one('cover', sats),
    one('short', sats),
    last,
    state,
  ],
  postpone: [...COMMON, open, one('reason', oneOf('outage', 'witness')), one('start', whole), one('round', whole)],
  result: [
    ...COMMON,
    one('close', hash32),
    one('signature', hex48),
    one('numbers', numbers),
    some('tier', resultTier),
    one('left', sats),
    one('sections', hash32),
    last,
    state,
  ],
  void: [...COMMON, open, one('close', hash32), one('reason', oneOf('beacon', 'outage')), last, state],
  paid: [...COMMON, one('size', whole), one('root', hash32), any('draw', paidDraw)],
  solvency: [
    ...COMMON,
    one('accounts', whole),
    one('owed', sats),
    one('root', hash32),
    some('liability', liability),
    one('reserves', sats),
    one('proof', hash32),
  ],
  code: [...COMMON, one('version', anyText), one('commit', hex20), some('file', servedFile)],
  promise: [
    ...COMMON,
    one('order', word),
    some('pay', payBy),
    one('sats', sats),
    rate,
    one('confirmations', whole),
    one('expires', whole),
    some('play', promisedPlay),
    one('lines', hash32),
    one('payto', hash32),
    one('secret', hash32),
  ],
  receipt: [
    ...COMMON,
    one('order', word),
    one('promise', hash32),
    open,
    one('play', hex16),
    one('leaf', hash32),
    one('index', whole),
    one('statement', hash32),
    one('supersedes', hash32),
    one('reason', oneOf('none', 'late', 'void', 'reorg')),
  ],
} as const

export type StatementType = keyof typeof FIELDS

type ValueOf<F> = F extends Field<string, infer T> ? (F['many'] extends '' ? T : readonly T[]) : never

type ValuesOf<F extends readonly { readonly key: string }[]> = {
  readonly [E in F[number] as E['key']]: ValueOf<E>
}

/** A statement of one type, with its values by key. */
export type StatementOf<T extends StatementType> = { readonly type: T } & ValuesOf<(typeof FIELDS)[T]>

/** Any statement, or the text of a promise or receipt. */
export type Statement = { [T in StatementType]: StatementOf<T> }[StatementType]

/** A statement that can be a leaf of the log: any but the players' papers. */
export type LogStatement = Exclude<Statement, { readonly type: 'promise' | 'receipt' }>

/** Statements that carry the state of a game (section 9). */
export type StateStatement = StatementOf<'close'> | StatementOf<'result'> | StatementOf<'void'>

const LONG: ReadonlySet<string> = new Set<StatementType>(['paid', 'code', 'promise'])
const FIRST_LINE = /^fairball\/([a-z]+)\/v2$/
const LINES = /^(?:[\x20-\x7e]+\n)+$/
const LINE = /^([^ ]+) ([^ ](?:.*[^ ])?)$/

/**
 * Reads a statement: the first line states its type, then exactly the keys of that type follow in order.
 *
 * @throws StatementError for anything else, with the reason
 */
export function readStatement(text: string): Statement {
  const [first, ...lines] = linesOf(text)
  const type = FIRST_LINE.exec(first)?.[1]
  if (type === undefined || !isType(type)) return fail(`no statement of version 2: ${first.slice(0, 80)}`)
  if (text.length > (LONG.has(type) ? LONG_STATEMENT_BYTES : STATEMENT_BYTES)) return fail('too long')
  // The table of fields determines the values of each type.
  return { type, ...readFields(lines, FIELDS[type]) } as unknown as Statement
}

/** Reads a statement that may be a leaf of the log. @throws StatementError for anything else */
export function readLogStatement(text: string): LogStatement {
  const statement = readStatement(text)
  if (statement.type === 'promise' || statement.type === 'receipt')
    return fail(`a ${statement.type} is no leaf of the log`)
  return statement
}

/** Reads a statement of one type. @throws StatementError for anything else */
export function readStatementOf<T extends StatementType>(type: T, text: string): StatementOf<T> {
  const statement = readStatement(text)
  // The text has the requested type.
  return statement.type === type
    ? (statement as unknown as StatementOf<T>)
    : fail(`not a ${type} but a ${statement.type}`)
}

/**
 * Writes a statement.
 *
 * @throws StatementError if a value is invalid, so that every written statement can be read
 */
export function writeStatement<T extends StatementType>(statement: StatementOf<T>): string {
  const fields: readonly FieldLike[] = FIELDS[statement.type]
  const text = `fairball/${statement.type}/v2\n${writeFields(fields, statement)}`
  readStatement(text)
  return text
}

/** The lines of a printable text, without line feeds. @throws StatementError for any other text */
export function linesOf(text: string): [string, ...string[]] {
  if (!LINES.test(text)) return fail('not a text of printable lines that end with line feeds')
  return text.slice(0, -1).split('\n') as [string, ...string[]] // a split gives one part at least
}

/** Reads lines by a table of fields: exactly its keys, in its order. @throws StatementError for anything else */
export function readFields(lines: readonly string[], fields: readonly FieldLike[]): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  let at = 0
  for (const { key, codec, many } of fields) {
    const found: unknown[] = []
    while (found.length === 0 || many !== '') {
      const line = lines[at]
      const value = line === undefined ? null : valueOf(line, key)
      if (value === null) break
      found.push(codec.read(value))
      at += 1
    }
    if (found.length === 0 && many !== '*') return fail(`the line "${key}" is missing, or not in its place`)
    values[key] = many === '' ? found[0] : found
  }
  const more = lines[at]
  return more === undefined ? values : fail(`a line too many: ${more.slice(0, 80)}`)
}

/** A field with values of any kind, for loops over all fields. */
interface FieldLike {
  readonly key: string
  readonly codec: { readonly read: (text: string) => unknown; readonly write: (value: never) => string }
  readonly many: '' | '+' | '*'
}

/** Writes the values of a table of fields as lines. */
export function writeFields(fields: readonly FieldLike[], values: object): string {
  let text = ''
  for (const { key, codec, many } of fields) {
    // By the type of `values`, each key has a value for its codec.
    const value = (values as Record<string, unknown>)[key]
    const items = many === '' ? [value] : (value as readonly unknown[])
    for (const item of items) text += `${key} ${(codec as Codec<unknown>).write(item)}\n`
  }
  return text
}

/** Whether an error means that a text is not a statement. */
export function isStatementError(error: unknown): error is StatementError {
  return error instanceof StatementError
}

function valueOf(line: string, key: string): string | null {
  const [found, value] = partsOf<[string, string]>(LINE, line) ?? fail(`not a key and a value: ${line.slice(0, 80)}`)
  return found === key ? value : null
}

function isType(type: string): type is StatementType {
  return Object.hasOwn(FIELDS, type)
}
