/** The kinds of requests: their arguments, who proposes them and who gives the second signature (console.md section 4). */
import * as z from 'zod/mini'
import { EPOCH_MAX, filledText, wholeNumber } from '../schemas/text.ts'
import { ROLES, type Role } from './roles.ts'

/** Who gives the second signature: one of some roles, any other person, or nobody. */
type Second = readonly Role[] | 'any' | null

/** What a request's second signature may depend on. */
interface NeedsFacts {
  readonly args: Readonly<Record<string, unknown>>
  readonly facts: Readonly<Record<string, unknown>>
}

/** The rules of a kind. */
export interface Kind {
  readonly args: z.core.$ZodType
  readonly proposers: readonly Role[]
  /** Who of them may for these arguments. Default: all. */
  readonly proposersFor?: (args: Readonly<Record<string, unknown>>) => readonly Role[]
  readonly second: Second
  /** Whether the second signature is needed for these arguments and facts. Default: always. */
  readonly isSecondNeeded?: (of: NeedsFacts) => boolean
  /** It needs a session and no signature: it moves no money, right, entry or promise. */
  readonly isLight?: true
}

/** Longest games file, in characters. */
const GAMES_FILE_MAX = 50_000
/** Longest note about a player, in characters. */
const NOTE_MAX = 500
/** Longest code from a mail, with its hyphens. */
const CODE_MAX = 40
/** Longest address of a person's mail, and longest name. */
const PERSON_TEXT_MAX = 250

const idText = z.string().check(z.regex(/^[1-9]\d{0,17}$/, 'Must be a number as a text.'))
/** A batch of payouts, `5`, or a payout over Lightning, `ln:17`. */
const batchText = z.string().check(z.regex(/^(ln:)?[1-9]\d{0,17}$/, "Must be a batch's number or ln: with a payout's."))
/** An address of bitcoin or of Lightning, as payouts were made to. */
const addressText = z.string().check(z.regex(/^[^\s]{6,2000}$/, 'Must be an address.'))
const spendText = z
  .string()
  .check(z.regex(/^(ln:)?[0-9a-f]{64}$/, 'Must be the id of a transaction, or ln: with a payment hash.'))
const outpointText = z.string().check(z.regex(/^[0-9a-f]{64}:\d{1,10}$/, 'Must be an output, as txid:number.'))
/** An output, or what came to the Lightning node. */
const arrivedText = z
  .string()
  .check(
    z.regex(
      /^(?:[0-9a-f]{64}:\d{1,10}|ln:(?:[0-9a-f]{64}|0[23][0-9a-f]{64}):0)$/,
      'Must be an output, as txid:number.',
    ),
  )
const satsText = z.string().check(z.regex(/^[1-9]\d{0,15}$/, 'Must be a whole number of satoshis as a text.'))
const orderId = z.uuid('Must be the id of an order.')
const gameOrAll = z.string().check(z.regex(/^[a-z][a-z0-9-]{0,39}$/, "Must be a game's key or 'all'."))
/** Names of events or scopes, of which the desk knows the right ones. */
const wordList = z
  .array(filledText(100))
  .check(z.minLength(1, 'Must name at least one.'), z.maxLength(30, 'Must name at most 30.'))
const rolesList = z.array(z.enum(ROLES)).check(
  z.minLength(1, 'Must name at least one role.'),
  z.refine((roles) => new Set(roles).size === roles.length, 'Must name each role once.'),
)

/** Whether a setting is a limit: what leaves without a person, and what counts as paid. */
function isLimit(key: unknown): boolean {
  return /^(?:payouts|bitcoin)\./.test(String(key))
}

/** Everybody but an auditor, who reads all and writes nothing. */
const WRITERS = ROLES.filter((role) => role !== 'auditor')

/** Every kind of request by its name. */
export const KINDS = {
  'payouts.approve': {
    args: z.strictObject({ batch: batchText }),
    proposers: ['approver'],
    second: ['treasurer'],
    isSecondNeeded: ({ facts }) => facts['is_two_person'] === true,
  },
  'payouts.hold': {
    args: z.strictObject({ batch: z.union([idText, z.literal('all')], "Must be a batch's number or 'all'.") }),
    proposers: ['approver', 'treasurer', 'support'],
    second: null,
  },
  'payouts.retry': {
    args: z.strictObject({
      batch: z.union([batchText, z.literal('all'), addressText], "Must be a batch, an address or 'all'."),
    }),
    proposers: ['treasurer'],
    second: ['approver'],
    isSecondNeeded: ({ args }) => args['batch'] === 'all',
  },
  'payouts.cancel': { args: z.strictObject({ batch: idText }), proposers: ['treasurer'], second: ['approver'] },
  'payouts.accept': {
    args: z.strictObject({
      txids: z
        .array(spendText)
        .check(z.minLength(1, 'Must name at least one.'), z.maxLength(50, 'Must name at most 50.')),
      may_be_payout: z.boolean(),
    }),
    proposers: ['treasurer'],
    second: ['approver'],
  },
  'treasury.deposit': {
    args: z.strictObject({
      outpoints: z
        .array(arrivedText)
        .check(z.minLength(1, 'Must name at least one.'), z.maxLength(100, 'Must name at most 100.')),
    }),
    proposers: ['treasurer'],
    second: null,
  },
  'treasury.own-transfer': {
    args: z.strictObject({ outpoint: outpointText }),
    proposers: ['treasurer'],
    second: null,
  },
  'treasury.fee': {
    args: z.strictObject({
      sats: satsText,
      reference: z.string().check(z.regex(/^[\x21-\x7e]{1,100}$/, 'Must be 1 to 100 characters without a space.')),
    }),
    proposers: ['treasurer'],
    second: null,
  },
  'treasury.deposit-address': { args: z.strictObject({}), proposers: ['treasurer'], second: null },
  'treasury.withdraw': {
    args: z.strictObject({
      txid: z.string().check(z.regex(/^[0-9a-f]{64}$/, 'Must be the id of a transaction.')),
      from: z.enum(['operator-fee', 'bankroll', 'suspense', 'losses']),
    }),
    proposers: ['treasurer'],
    second: ['approver'],
  },
  'orders.goodwill': {
    args: z.strictObject({ order: orderId, sats: satsText }),
    proposers: ['support'],
    second: ['treasurer'],
  },
  'players.block': {
    args: z.strictObject({
      player: idText,
      what: z.enum(['buy', 'sign-in']),
      until: z.nullable(wholeNumber({ min: 0, max: EPOCH_MAX })),
    }),
    proposers: ['support'],
    second: null,
  },
  'players.unblock': { args: z.strictObject({ player: idText }), proposers: ['support'], second: ['treasurer'] },
  'players.hold-payouts': {
    args: z.strictObject({ player: idText, until: wholeNumber({ min: 0, max: EPOCH_MAX }), tell: z.boolean() }),
    proposers: ['support'],
    second: ['treasurer'],
  },
  'players.release-payouts': {
    args: z.strictObject({ player: idText }),
    proposers: ['support'],
    second: ['treasurer'],
  },
  'players.exclude': {
    args: z.strictObject({ player: idText, until: wholeNumber({ min: 0, max: EPOCH_MAX }) }),
    proposers: ['support'],
    second: null,
  },
  'players.export': { args: z.strictObject({ player: idText }), proposers: ['support'], second: ['owner'] },
  'players.erase': { args: z.strictObject({ player: idText }), proposers: ['support'], second: ['owner'] },
  'games.apply': {
    args: z.strictObject({ file: filledText(GAMES_FILE_MAX) }),
    proposers: ['games'],
    second: ['owner'],
  },
  'sales.pause': {
    args: z.strictObject({ game: gameOrAll, note: filledText(140) }),
    proposers: ['games', 'support'],
    second: null,
  },
  'sales.resume': { args: z.strictObject({ game: gameOrAll }), proposers: ['games'], second: ['owner'] },
  'settings.apply': {
    args: z.strictObject({
      key: filledText(100),
      value: z.unknown(),
      from: z.nullable(wholeNumber({ min: 0, max: EPOCH_MAX })),
    }),
    proposers: ['editor', 'owner'],
    proposersFor: ({ key }) => (isLimit(key) ? ['owner'] : ['editor']),
    second: ['owner'],
    isSecondNeeded: ({ args: { key } }) => isLimit(key) || key === 'partners' || String(key).startsWith('legal.'),
  },
  'periods.lock': {
    args: z.strictObject({
      month: z.string().check(z.regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'Must be a month, such as 2026-11.')),
    }),
    proposers: ['treasurer'],
    second: ['owner'],
  },
  'log.change-key': { args: z.strictObject({}), proposers: ['owner'], second: 'any' },
  'invariants.accept': { args: z.strictObject({ number: idText }), proposers: ['treasurer'], second: ['approver'] },
  'webhooks.create': {
    args: z.strictObject({ url: filledText(2000), types: wordList }),
    proposers: ['owner'],
    second: null,
  },
  'webhooks.rotate': { args: z.strictObject({ id: idText }), proposers: ['owner'], second: null },
  'webhooks.revoke': { args: z.strictObject({ id: idText }), proposers: ['owner'], second: null },
  'webhooks.redeliver': { args: z.strictObject({ id: idText }), proposers: ['owner'], second: null, isLight: true },
  'api-keys.create': {
    args: z.strictObject({
      name: filledText(100),
      scopes: wordList,
      expires_at: wholeNumber({ min: 0, max: EPOCH_MAX }),
    }),
    proposers: ['owner'],
    second: null,
  },
  'api-keys.revoke': { args: z.strictObject({ id: idText }), proposers: ['owner'], second: null },
  'staff.invite': {
    args: z.strictObject({
      name: filledText(PERSON_TEXT_MAX),
      email: filledText(PERSON_TEXT_MAX).check(z.regex(/^[^\s@]+@[^\s@]+$/, 'Must be an address of mail.')),
      roles: rolesList,
    }),
    proposers: ['owner'],
    second: 'any',
  },
  'staff.roles': { args: z.strictObject({ staff: idText, roles: rolesList }), proposers: ['owner'], second: 'any' },
  'staff.reset': { args: z.strictObject({ staff: idText }), proposers: ['owner'], second: 'any' },
  'staff.disable': { args: z.strictObject({ staff: idText }), proposers: ['owner'], second: null },
  'orders.refresh': { args: z.strictObject({ order: orderId }), proposers: ['support'], second: null, isLight: true },
  'players.note': {
    args: z.strictObject({ player: idText, text: filledText(NOTE_MAX) }),
    proposers: ['support'],
    second: null,
    isLight: true,
  },
  'players.resend-verification': {
    args: z.strictObject({ player: idText }),
    proposers: ['support'],
    second: null,
    isLight: true,
  },
  'players.end-sessions': {
    args: z.strictObject({ player: idText }),
    proposers: ['support'],
    second: null,
    isLight: true,
  },
  'alarms.acknowledge': {
    args: z.strictObject({
      alarm: z.string().check(z.regex(/^[a-z-]{1,40}(:[\w.-]{1,100})?$/, 'Must be the id of an alarm.')),
    }),
    proposers: WRITERS,
    second: null,
    isLight: true,
  },
  'invariants.check': { args: z.strictObject({}), proposers: WRITERS, second: null, isLight: true },
  // Without a code it sends one, and with a code it checks it.
  'mail.test': {
    args: z.strictObject({ code: z.optional(filledText(CODE_MAX)) }),
    proposers: WRITERS,
    second: null,
    isLight: true,
  },
  'files.fetch': { args: z.strictObject({ file: z.uuid() }), proposers: WRITERS, second: null, isLight: true },
  'requests.reject': { args: z.strictObject({ request: z.uuid() }), proposers: WRITERS, second: null, isLight: true },
  'requests.cancel': { args: z.strictObject({ request: z.uuid() }), proposers: WRITERS, second: null, isLight: true },
} as const satisfies Readonly<Record<string, Kind>>

/** The name of a kind. */
export type KindName = keyof typeof KINDS
/** The checked arguments of a kind. */
export type ArgsOfKind<K extends KindName> = z.output<(typeof KINDS)[K]['args']>

/** The rules of a kind by its name; null for a name that no kind has. */
export function kindOf(name: string): Kind | null {
  return Object.hasOwn(KINDS, name) ? KINDS[name as KindName] : null
}

/** How many signatures a request needs, and which roles may give the second. */
export interface Needs {
  readonly signatures: 1 | 2
  /** who may give the second; every role where any other person may */
  readonly roles: readonly Role[]
}

/** What a request needs, from its kind, its arguments and its facts. */
export function needsOf({ second, isSecondNeeded }: Kind, of: NeedsFacts): Needs {
  if (second === null || isSecondNeeded?.(of) === false) return { signatures: 1, roles: [] }
  return { signatures: 2, roles: second === 'any' ? WRITERS : second }
}
