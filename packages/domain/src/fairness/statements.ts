import type { GameRules } from '../games.ts'
import { SPLIT_PERCENT } from '../jackpot.ts'
import { asciiBytes, toHex } from './bytes.ts'
import { type HashFunctions, NOBLE_HASH } from './hash.ts'
import { SHORTEST_CLOSING_SECONDS } from './protocol.ts'

/** A text that is not a statement: what is wrong with it is the message. Never shown to a player as it is. */
export class StatementError extends Error {
  override readonly name = 'StatementError'
}

/** The most bytes of a statement, and of a receipt (fairness section 3). */
export const STATEMENT_MAX_BYTES = 4096
export const RECEIPT_MAX_BYTES = 65_536
/** `prev` of the first statement of a log. */
export const NO_HASH = '0'.repeat(64)

/** How one kind of value is read and written. `read` throws; what it lets through is written back byte for byte. */
interface Codec<T> {
  readonly read: (text: string) => T
  readonly write: (value: T) => string
}

/** A line that repeats, from no time on; its values are a list. */
interface Repeated<T> {
  readonly line: string
  readonly each: Codec<T>
}

/** The witnesses of a draw: the close is valid only with so many of their signatures (fairness section 5). */
export interface Witnesses {
  /** 0 to the number of witnesses */
  readonly required: number
  readonly list: readonly { readonly name: string; readonly publicKey: string }[]
}

/** A prize tier in the rules of a game (fairness section 3). */
export interface RulesTier {
  readonly matches: number
  readonly kind: 'jackpot' | 'fixed' | 'free'
  /** of a fixed prize, in minor units; 0 otherwise */
  readonly prizeMinor: number
}

/** A prize tier in a result: its winners and what each gets, in satoshis (fairness section 8). */
export interface ResultTier {
  readonly matches: number
  readonly kind: 'jackpot' | 'fixed' | 'free'
  readonly winners: number
  readonly satsEach: bigint
}

/** An entry in a receipt (fairness section 6). */
export interface ReceiptEntry {
  /** 16 bytes as hex */
  readonly id: string
  /** 0 paid, 1 with a free ticket */
  readonly kind: 0 | 1
  /** ascending */
  readonly numbers: readonly number[]
}

const SEPARATE_NUMBERS = ','
const ZERO_TO_SAFE = /^(?:0|[1-9][0-9]{0,15})$/
const ZERO_TO_U64 = /^(?:0|[1-9][0-9]{0,19})$/
const MAX_U64 = 0xffff_ffff_ffff_ffffn
/** What a value may be: printable ASCII, neither empty nor beginning or ending with a space. */
const VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/
const PRINTABLE_LINES = /^[\n\x20-\x7e]*$/

const text: Codec<string> = { read: (value) => value, write: String }
const word = matching(/^[\x21-\x7e]+$/, 'a word')
/** The name before a signature (C2SP signed-note): neither spaces nor plus signs. */
const noteName = matching(/^[\x21-\x2a\x2c-\x7e]+$/, 'a name of a signer')
const hash32 = hex(32)
const whole: Codec<number> = {
  read: (value) => {
    const number = ZERO_TO_SAFE.test(value) ? Number(value) : Number.NaN
    return Number.isSafeInteger(number) ? number : fail(`not a canonical number: ${value}`)
  },
  write: String,
}
const wholeBig: Codec<bigint> = {
  read: (value) => {
    const number = ZERO_TO_U64.test(value) ? BigInt(value) : -1n
    return number >= 0n && number <= MAX_U64 ? number : fail(`not a canonical number: ${value}`)
  },
  write: String,
}
/** Numbers of balls: distinct, from 1 to 64, in the order they stand in. */
const numbers: Codec<readonly number[]> = {
  read: (value) => {
    const list = value.split(SEPARATE_NUMBERS).map((part) => whole.read(part))
    const isLine = list.every((number) => number >= 1 && number <= 64) && new Set(list).size === list.length
    return isLine ? list : fail(`not a list of numbers: ${value}`)
  },
  write: (list) => list.join(SEPARATE_NUMBERS),
}
/** A currency and so many of something for each unit of it. */
const perUnit: Codec<{ readonly currency: string; readonly amount: bigint }> = {
  read: (value) => {
    const [currency = '', amount = '', ...more] = value.split(' ')
    if (!/^[A-Z]{3}$/.test(currency) || more.length > 0) fail(`not a currency and an amount: ${value}`)
    return { currency, amount: wholeBig.read(amount) }
  },
  write: ({ currency, amount }) => `${currency} ${amount}`,
}
const split: Codec<{ readonly prizePool: number; readonly donation: number; readonly fee: number }> = {
  read: (value) => {
    const [prizePool = 0, donation = 0, fee = 0, ...more] = value.split(' ').map((part) => whole.read(part))
    if (more.length > 0 || prizePool + donation + fee !== 100) fail(`not a split into percentages: ${value}`)
    return { prizePool, donation, fee }
  },
  write: ({ prizePool, donation, fee }) => `${prizePool} ${donation} ${fee}`,
}
const witnesses: Codec<Witnesses> = {
  read: (value) => {
    if (value === '0') return { required: 0, list: [] }
    const [required = '', names = '', ...more] = value.split(' ')
    const list = names.split(',').map(readWitness)
    // One key under two names would be one witness counted twice.
    const areDistinct = [list.map(({ name }) => name), list.map(({ publicKey }) => publicKey)].every(
      (values) => new Set(values).size === list.length,
    )
    const isSound = more.length === 0 && areDistinct
    const count = whole.read(required)
    if (!isSound || count < 1 || count > list.length) fail(`not a list of witnesses: ${value}`)
    return { required: count, list }
  },
  write: ({ required, list }) =>
    required === 0 ? '0' : `${required} ${list.map(({ name, publicKey }) => `${name}=${publicKey}`).join(',')}`,
}
const rulesTier: Codec<RulesTier> = {
  read: (value) => {
    const [matches = '', kind = '', prize, ...more] = value.split(' ')
    if (more.length > 0 || (prize !== undefined) !== (kind === 'fixed')) fail(`not a prize tier: ${value}`)
    return {
      matches: whole.read(matches),
      kind: tierKind(kind),
      prizeMinor: prize === undefined ? 0 : whole.read(prize),
    }
  },
  write: ({ matches, kind, prizeMinor }) =>
    kind === 'fixed' ? `${matches} fixed ${prizeMinor}` : `${matches} ${kind}`,
}
const resultTier: Codec<ResultTier> = {
  read: (value) => {
    const [matches = '', kind = '', winners = '', satsEach = '', ...more] = value.split(' ')
    if (more.length > 0) fail(`not a prize tier: ${value}`)
    return {
      matches: whole.read(matches),
      kind: tierKind(kind),
      winners: whole.read(winners),
      satsEach: wholeBig.read(satsEach),
    }
  },
  write: ({ matches, kind, winners, satsEach }) => `${matches} ${kind} ${winners} ${satsEach}`,
}
const receiptEntry: Codec<ReceiptEntry> = {
  read: (value) => {
    const [id = '', kind = '', line = '', ...more] = value.split(' ')
    const list = numbers.read(line)
    const isAscending = list.every((number, place) => place === 0 || number > (list[place - 1] ?? 0))
    if (more.length > 0 || !isAscending || (kind !== '0' && kind !== '1')) fail(`not an entry: ${value}`)
    return { id: hex(16).read(id), kind: kind === '1' ? 1 : 0, numbers: list }
  },
  write: ({ id, kind, numbers: list }) => `${id} ${kind} ${numbers.write(list)}`,
}

/** The first four lines of every logged statement: they make one append-only chain of them. */
const COMMON = {
  /** the host of `PUBLIC_URL` at the first start */
  operator: noteName,
  /** from 0, without gaps */
  seq: whole,
  /** hash of the statement before; zeros for the first */
  prev: hash32,
  /** epoch seconds, never decreasing */
  time: whole,
}

/** The lines of every statement in their order, by the name in its first line (fairness sections 3 and 6). */
const SHAPES = {
  /** the first statement: the operator's Ed25519 key */
  log: { ...COMMON, key: hash32 },
  /** a change of the operator's key */
  key: { ...COMMON, key: hash32 },
  /** a beacon chain, before it is first used; its keys are those of fairness section 3 */
  chain: {
    ...COMMON,
    name: word,
    hash: hash32,
    public_key: hex(96),
    period: whole,
    genesis: whole,
    group_hash: hash32,
    beacon_id: word,
    scheme: word,
  },
  /** a draw, before the first sale for it: everything it promises */
  open: {
    ...COMMON,
    game: word,
    draw: whole,
    pick: whole,
    pool: whole,
    close: whole,
    start: whole,
    chain: hash32,
    round: wholeBig,
    seedhash: hash32,
    rules: hash32,
    witness: witnesses,
  },
  /** the sealing of a draw; amounts in satoshis */
  close: {
    ...COMMON,
    open: hash32,
    round: wholeBig,
    entries: whole,
    free: whole,
    root: hash32,
    seed: hash32,
    stake: wholeBig,
    pool: wholeBig,
    bankroll: wholeBig,
    floor: wholeBig,
    rate: perUnit,
  },
  postpone: { ...COMMON, open: hash32, reason: oneOf(['outage', 'witness']), start: whole, round: wholeBig },
  result: { ...COMMON, close: hash32, signature: hex(48), numbers, tiers: repeated('tier', resultTier) },
  void: { ...COMMON, open: hash32, reason: oneOf(['beacon', 'outage']) },
  /** outside the log: a game's rules, named by their hash */
  rules: {
    game: word,
    pick: whole,
    pool: whole,
    price: perUnit,
    tiers: repeated('tier', rulesTier),
    split,
  },
  /** outside the log: what a player has of one order in one draw */
  receipt: {
    operator: noteName,
    time: whole,
    open: hash32,
    order: word,
    player: text,
    secret: hash32,
    entries: repeated('entry', receiptEntry),
  },
}

type Shapes = typeof SHAPES
type Field<C> = C extends Codec<infer T> ? T : C extends Repeated<infer T> ? readonly T[] : never

/** The kinds of statement: `open` is what begins with `fairball/open/v1`. */
export type StatementType = keyof Shapes
/** The kinds that stand in the log, and so carry `operator`, `seq`, `prev` and `time`. */
export type LoggedType = Exclude<StatementType, 'rules' | 'receipt'>
/** A statement of one kind. Its fields are named as its lines; the lines that repeat are `tiers` and `entries`. */
export type StatementOf<K extends StatementType> = { readonly type: K } & {
  readonly [F in keyof Shapes[K]]: Field<Shapes[K][F]>
}
/** Any statement. `statement.type` says which. */
export type Statement = { [K in StatementType]: StatementOf<K> }[StatementType]
/** Any statement of the log. */
export type LoggedStatement = { [K in LoggedType]: StatementOf<K> }[LoggedType]

/**
 * Writes a statement as the exact text that is signed and hashed (fairness section 3).
 *
 * @throws StatementError when a value is not one a reader would accept: what this gives can always be read back
 */
export function statementText(statement: Statement): string {
  const written = writeLines(statement)
  parseStatement(written)
  return written
}

/**
 * Reads a statement, strictly: the lines of its kind, in their order, each once, every value canonical and within its
 * range (fairness section 3). What it accepts is written back to the same bytes.
 *
 * @throws StatementError for anything else
 */
export function parseStatement(input: string): Statement {
  if (input.length > RECEIPT_MAX_BYTES) fail('the statement is too long')
  if (!PRINTABLE_LINES.test(input) || !input.endsWith('\n')) fail('a statement is lines of printable ASCII')
  const [first = '', ...lines] = input.slice(0, -1).split('\n')
  const type = typeOf(first)
  if (type !== 'receipt' && input.length > STATEMENT_MAX_BYTES) fail('the statement is too long')
  const statement = readLines(type, lines)
  const problem = problemOf(statement)
  if (problem !== null) fail(problem)
  if (writeLines(statement) !== input) fail('the statement is not canonical')
  return statement
}

/**
 * Reads a statement of one kind.
 *
 * @throws StatementError for another kind, or what is no statement at all
 */
export function parseStatementOf<K extends StatementType>(type: K, input: string): StatementOf<K> {
  const statement = parseStatement(input)
  if (statement.type !== type) fail(`not a ${type} statement`)
  return statement as unknown as StatementOf<K> // the line above has just held its kind against K
}

/**
 * Reads the value of a `witness` line: `0`, or `<k> <name>=<public key hex>,…` (fairness section 5).
 *
 * @throws StatementError for anything else
 */
export function parseWitnesses(value: string): Witnesses {
  return witnesses.read(value)
}

/** Whether a statement is one of the log. */
export function isLogged(statement: Statement): statement is LoggedStatement {
  return statement.type !== 'rules' && statement.type !== 'receipt'
}

/** The hash of a statement, hex: `H(text)`, signatures left out (fairness section 3). */
export function statementHash(statementAsText: string, hash: HashFunctions = NOBLE_HASH): string {
  return toHex(hash.sha256(asciiBytes(statementAsText)))
}

/**
 * What is wrong with a statement that follows another in a log, null when nothing is: one operator, `seq` without a gap,
 * `prev` the hash of the one before, `time` not before it (fairness section 3).
 *
 * @param previous the text of the statement before; null for the first
 * @param next the text of the one that follows
 * @throws StatementError when either is not a statement of a log
 */
export function successionProblem(
  previous: string | null,
  next: string,
  hash: HashFunctions = NOBLE_HASH,
): string | null {
  const after = logged(next)
  if (previous === null) return after.seq === 0 ? null : 'the log does not begin with seq 0'
  const before = logged(previous)
  if (after.operator !== before.operator) return 'the operator changed'
  if (after.seq !== before.seq + 1) return `seq ${after.seq} follows ${before.seq}`
  if (after.prev !== statementHash(previous, hash)) return 'prev is not the hash of the statement before'
  return after.time >= before.time ? null : 'time went back'
}

/** The rules of a game as the text that the draws opened with them name by its hash (fairness section 3). */
export function rulesText(game: GameRules): string {
  return statementText({
    type: 'rules',
    game: game.key,
    pick: game.pick,
    pool: game.pool,
    price: { currency: 'GBP', amount: BigInt(game.priceMinor) },
    tiers: game.tiers.map((tier) => ({
      matches: tier.matches,
      kind: tier.kind,
      prizeMinor: tier.kind === 'fixed' ? tier.prizeMinor : 0,
    })),
    split: SPLIT_PERCENT,
  })
}

function fail(problem: string): never {
  throw new StatementError(problem)
}

function matching(pattern: RegExp, what: string): Codec<string> {
  return { read: (value) => (pattern.test(value) ? value : fail(`not ${what}: ${value}`)), write: String }
}

function hex(bytes: number): Codec<string> {
  return matching(new RegExp(`^[0-9a-f]{${2 * bytes}}$`), `${bytes} bytes of hex`)
}

function oneOf<const T extends string>(choices: readonly T[]): Codec<T> {
  return {
    read: (value) => choices.find((choice) => choice === value) ?? fail(`not a choice: ${value}`),
    write: String,
  }
}

function repeated<T>(line: string, each: Codec<T>): Repeated<T> {
  return { line, each }
}

function tierKind(kind: string): 'jackpot' | 'fixed' | 'free' {
  return oneOf(['jackpot', 'fixed', 'free']).read(kind)
}

function readWitness(part: string): { name: string; publicKey: string } {
  const [name = '', publicKey = '', ...more] = part.split('=')
  if (more.length > 0) fail(`not a witness: ${part}`)
  return { name: noteName.read(name), publicKey: hash32.read(publicKey) }
}

function typeOf(firstLine: string): StatementType {
  const name = /^fairball\/([a-z]+)\/v1$/.exec(firstLine)?.[1] ?? ''
  if (!Object.hasOwn(SHAPES, name)) fail(`not a kind of statement: ${firstLine}`)
  return name as StatementType // the line above has just held it against the list
}

function logged(input: string): LoggedStatement {
  const statement = parseStatement(input)
  return isLogged(statement) ? statement : fail(`a ${statement.type} is not in the log`)
}

/** The fields of a kind in the order of its lines. The shapes differ in type only, so they are walked as one. */
function fieldsOf(type: StatementType): [name: string, field: Codec<unknown> | Repeated<unknown>][] {
  return Object.entries(SHAPES[type] as Record<string, Codec<unknown> | Repeated<unknown>>)
}

function writeLines(statement: Statement): string {
  const values: Readonly<Record<string, unknown>> = { ...statement }
  const lines = fieldsOf(statement.type).flatMap(([name, field]) => {
    if ('write' in field) return [`${name} ${field.write(values[name])}`]
    // The type of a statement has a list where its shape repeats a line.
    return (values[name] as readonly unknown[]).map((value) => `${field.line} ${field.each.write(value)}`)
  })
  return [`fairball/${statement.type}/v1`, ...lines, ''].join('\n')
}

function readLines(type: StatementType, lines: readonly string[]): Statement {
  const values: Record<string, unknown> = { type }
  let at = 0
  for (const [name, field] of fieldsOf(type)) {
    if ('read' in field) {
      values[name] = field.read(valueOf(lines[at], name) ?? fail(`no line ${name} in its place`))
      at += 1
      continue
    }
    const list: unknown[] = []
    for (let value = valueOf(lines[at], field.line); value !== null; value = valueOf(lines[at], field.line)) {
      list.push(field.each.read(value))
      at += 1
    }
    values[name] = list
  }
  if (at !== lines.length) fail('a line too many')
  return values as unknown as Statement // every field of its shape has just been read
}

function valueOf(line: string | undefined, key: string): string | null {
  if (line === undefined || !line.startsWith(`${key} `)) return null
  const value = line.slice(key.length + 1)
  return VALUE.test(value) ? value : fail(`not a value: ${line}`)
}

/** What no single line can say: how the values of a statement fit together. */
function problemOf(statement: Statement): string | null {
  if (isLogged(statement)) {
    if ((statement.seq === 0) !== (statement.type === 'log')) return 'the log begins with its key, and only there'
    if ((statement.seq === 0) !== (statement.prev === NO_HASH)) return 'only the first statement follows none'
  }
  switch (statement.type) {
    case 'open':
      return problemOfOpen(statement)
    case 'rules':
      return isShape(statement) && fall(statement.tiers) ? null : 'not the rules of a game'
    case 'close':
      return statement.free <= statement.entries && statement.round > 0n ? null : 'more free entries than entries'
    case 'postpone':
      return statement.round > 0n ? null : 'rounds count from 1'
    case 'result':
      return fall(statement.tiers) ? null : 'tiers go from more matches to fewer'
    case 'receipt':
      return statement.entries.length > 0 ? null : 'a receipt has entries'
    case 'chain':
      return statement.period > 0 ? null : 'a chain has a period'
    case 'log':
    case 'key':
    case 'void':
      return null
  }
}

function problemOfOpen(open: StatementOf<'open'>): string | null {
  if (!isShape(open)) return 'not 1 ≤ pick ≤ pool ≤ 64'
  if (open.start - open.close < SHORTEST_CLOSING_SECONDS) return 'sales close too late'
  return open.draw > 0 && open.round > 0n ? null : 'draws and rounds count from 1'
}

function isShape({ pick, pool }: { pick: number; pool: number }): boolean {
  return pick >= 1 && pick <= pool && pool <= 64
}

function fall(tiers: readonly { matches: number }[]): boolean {
  return tiers.every((tier, place) => place === 0 || tier.matches < (tiers[place - 1]?.matches ?? 0))
}
