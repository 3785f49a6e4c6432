/**
 * What the console's screens read: one call for each (console.md section 5). Ids and satoshis are texts, moments are
 * epoch seconds. What is secret, such as seeds and hashes of passwords, has no place in any of them.
 */
import * as z from 'zod/mini'
import { blockSchema } from '../schemas/legal.ts'
import { pagedQuery } from '../schemas/paging.ts'
import { defineConsoleCall } from './call.ts'
import { API_SCOPES, EVENT_TYPES } from './integrations.ts'

const sats = z.string().check(z.regex(/^-?\d{1,19}$/, 'Must be satoshis as a text.'))
const moment = z.int()
const perhapsMoment = z.nullable(moment)
const text = z.string()
const perhapsText = z.nullable(text)
const person = z.object({ id: text, name: text })
const byId = z.object({ id: z.string().check(z.maxLength(100)) })
const byUuid = z.object({ id: z.uuid() })
/** A game's key, or an alias of it. */
const gameKey = z.string().check(z.regex(/^[\w-]{1,100}$/))
const byKey = z.object({ key: gameKey })
const paged = <Row extends z.core.$ZodType>(row: Row) => ({ results: z.array(row), total_pages: z.int() })

/** The site as the console's frame shows it. It is read before the sign-in, and holds what the public site shows too. */
const siteSchema = z.object({
  name: text,
  /** the public site's origin */
  url: text,
  is_demo: z.boolean(),
  /** the product's time, which the demo can move */
  now: moment,
  /** satoshis per unit of the site's currency, for amounts beside those in bitcoin; null where no rate is known */
  rate: z.nullable(
    z.object({ currency: text, symbol: text, position_of_symbol: z.enum(['LEFT', 'RIGHT']), sats, at: moment }),
  ),
})

/** The states of a check of section 9. */
const CHECK_STATES = ['ok', 'warn', 'fail', 'unknown'] as const
const checkSchema = z.object({
  id: text,
  state: z.enum(CHECK_STATES),
  text,
  since: perhapsMoment,
  /** the heading in docs/operations.md, as its anchor */
  runbook: perhapsText,
})

const gameName = { game: text, game_name: text }
const drawRef = z.object({ ...gameName, number: z.int() })

const overviewSchema = z.object({
  alarms: z.array(
    z.object({
      id: text,
      severity: z.enum(['page', 'ticket']),
      text,
      since: moment,
      runbook: perhapsText,
      acknowledged_by: z.nullable(person),
    }),
  ),
  /** requests that wait for a signature of the person who asks */
  waiting: z.int(),
  /** since midnight UTC */
  today: z.object({ orders: z.int(), sales_sats: sats, refunds_sats: sats, payouts_sats: sats }),
  paused: z.array(z.object({ ...gameName, note: text, since: moment })),
  draws: z.array(
    z.extend(drawRef, { state: text, closes_at: moment, starts_at: moment, entries: z.int(), stake_sats: sats }),
  ),
  bankroll: z.array(z.object({ ...gameName, wanted_sats: sats, free_sats: sats })),
  checks: z.array(checkSchema),
})

const payoutSchema = z.object({
  id: text,
  /** the name of the player or of the partner charity */
  payee: text,
  /** the player's id; null for a partner */
  player: perhapsText,
  player_since: perhapsMoment,
  address: text,
  address_since: perhapsMoment,
  /** saved less than 72 h before the batch was made */
  is_address_recent: z.boolean(),
  sats,
  draws: z.array(drawRef),
  /** why this payee is not paid, if so */
  holds: z.array(z.object({ kind: text, until_at: perhapsMoment, reason: text })),
  other_wins: z.object({ count: z.int(), sats }),
})

/** The states of a batch of payouts. */
export const BATCH_STATES = [
  'WAITING_APPROVAL',
  'WAITING_FUNDS',
  'BATCHED',
  'SIGNED',
  'SENT',
  'FINAL',
  'HALTED',
  'CANCELLED',
] as const
/** One of {@link BATCH_STATES}. */
export type BatchState = (typeof BATCH_STATES)[number]

const batchSchema = z.object({
  /** `5`, or `ln:17` for a payout over Lightning */
  id: text,
  state: z.enum(BATCH_STATES),
  created_at: moment,
  sats,
  reason: perhapsText,
  payouts: z.array(payoutSchema),
})

const treasurySchema = z.object({
  wallets: z.array(z.object({ name: text, sats, read_at: perhapsMoment })),
  /** the operator's accounts and what is owed, by the kind of ledger account */
  ledger: z.array(z.object({ account: text, sats })),
  held_sats: z.nullable(sats),
  owed_sats: sats,
  /** what the wallets hold less what the ledger says and what is on its way; null while a wallet cannot be read */
  difference_sats: z.nullable(sats),
  bankroll: z.object({ wanted_sats: sats, free_sats: sats }),
  /** `variable`: where the limit comes from, if not from a setting */
  float: z.object({ sats, limit_sats: z.nullable(sats), variable: perhapsText }),
  /** the address is stored nowhere for most of them */
  deposits: z.array(z.object({ outpoint: text, address: perhapsText, sats, at: moment, confirmations: z.int() })),
  own_transfers: z.array(z.object({ outpoint: text, sats, at: moment })),
  /** spends that no batch ordered, which a person has to explain */
  spends: z.array(
    z.object({
      txid: text,
      sats: z.nullable(sats),
      found_at: moment,
      is_accepted: z.boolean(),
      is_booked: z.boolean(),
    }),
  ),
})

/** What a search can find. */
const FOUND_KINDS = ['player', 'order', 'play', 'payout', 'draw', 'transaction', 'address'] as const
const foundSchema = z.object({
  kind: z.enum(FOUND_KINDS),
  /** the id of its page: a player's, an order's, a batch's, or `game/number` of a draw; null where it has no page */
  id: perhapsText,
  label: text,
  at: perhapsMoment,
})

const auditRow = z.object({ id: text, at: moment, kind: text, staff: z.nullable(person), reason: perhapsText })

const playerSchema = z.object({
  id: text,
  username: text,
  email: text,
  is_email_verified: z.boolean(),
  state: text,
  created_at: moment,
  last_seen_at: perhapsMoment,
  currency: text,
  has_two_factor: z.boolean(),
  owed_sats: sats,
  limits: z.array(z.object({ name: text, value: text, coming: perhapsText, from_at: perhapsMoment })),
  /** when one began is not stored; `by` is the player, or the person of the staff who set it */
  exclusions: z.array(z.object({ from_at: perhapsMoment, until_at: perhapsMoment, by: text })),
  holds: z.array(
    z.object({ kind: text, from_at: moment, until_at: perhapsMoment, reason: text, request: perhapsText }),
  ),
  sessions: z.array(z.object({ id: text, device: text, created_at: moment, seen_at: moment })),
  addresses: z.array(
    z.object({ address: text, since: moment, usable_from: perhapsMoment, superseded_at: perhapsMoment }),
  ),
  orders: z.array(z.object({ id: text, at: moment, state: text, sats, lines: z.int(), ...gameName })),
  /** `sats` is the stake; the state is its draw's, or `returned` */
  plays: z.array(z.extend(drawRef, { id: text, order: text, lines: z.int(), sats, at: moment, state: text })),
  wins: z.array(z.extend(drawRef, { prize: text, sats, at: moment })),
  payouts: z.array(z.object({ batch: text, state: text, sats, address: text, at: moment })),
  messages: z.array(z.object({ id: text, subject: text, at: moment, state: text })),
  notes: z.array(z.object({ at: moment, staff: person, text })),
  audit: z.array(auditRow),
})

const orderSchema = z.object({
  id: text,
  player: z.object({ id: text, username: text }),
  state: text,
  ...gameName,
  created_at: moment,
  expires_at: perhapsMoment,
  sats,
  received_sats: sats,
  goodwill_sats: sats,
  lines: z.int(),
  draws: z.int(),
  address: perhapsText,
  /** what happened, the oldest first */
  timeline: z.array(
    z.object({
      at: moment,
      kind: text,
      text,
      sats: z.nullable(sats),
      txid: perhapsText,
      batch: perhapsText,
      draw: z.nullable(drawRef),
    }),
  ),
  plays: z.array(z.extend(drawRef, { id: text, lines: z.int(), state: text, won_sats: sats })),
  /** one sentence to send to the player */
  sentence: text,
})

const pausedSchema = z.nullable(z.object({ note: text, since: moment }))
const gameVersion = z.object({
  version: z.int(),
  from_at: perhapsMoment,
  announced_at: perhapsMoment,
  /** how the game changes, in sentences */
  changes: z.array(text),
  reason: perhapsText,
  by: perhapsText,
  /** whether a draw is of it */
  is_carried: z.boolean(),
})
const gameSchema = z.object({
  key: text,
  name: text,
  state: text,
  paused: pausedSchema,
  price: text,
  jackpot_sats: sats,
  next_draw: z.nullable(z.object({ number: z.int(), closes_at: moment })),
  coming: z.nullable(gameVersion),
})

const drawSchema = z.extend(drawRef, {
  state: text,
  opened_at: moment,
  closes_at: moment,
  starts_at: moment,
  settled_at: perhapsMoment,
  entries: z.int(),
  plays: z.int(),
  stake_sats: sats,
  numbers: z.nullable(z.array(z.int())),
  beacon_round: z.nullable(text),
  /** how late it is, in seconds */
  late_seconds: z.int(),
  statements: z.array(z.object({ index: z.int(), kind: text, at: moment, text })),
  witnesses: z.array(z.object({ name: text, signed_at: perhapsMoment })),
  tiers: z.array(z.object({ prize: text, winners: z.int(), sats })),
})

const settingSchema = z.object({
  key: text,
  title: text,
  /** limits, terms and partner addresses need an owner's second signature */
  needs_second: z.boolean(),
  value: z.unknown(),
  /** the variable of the server that the value comes from; null for a setting, and for the product's own */
  variable: perhapsText,
  /** whether that variable wins over settings */
  is_fixed: z.boolean(),
  coming: z.nullable(z.object({ value: z.unknown(), from_at: moment })),
  history: z.array(z.object({ at: moment, by: text, reason: text, value: z.unknown() })),
})

const webhookSchema = z.object({
  id: text,
  url: text,
  types: z.array(z.enum(EVENT_TYPES)),
  created_at: moment,
  state: z.enum(['active', 'failing', 'disabled', 'revoked']),
  failing_since: perhapsMoment,
  disabled_at: perhapsMoment,
  disabled_because: perhapsText,
  revoked_at: perhapsMoment,
  /** until when the secret before signs too */
  both_sign_until: perhapsMoment,
})
const deliverySchema = z.object({
  id: text,
  event: text,
  type: z.enum(EVENT_TYPES),
  at: moment,
  state: z.enum(['waiting', 'delivered', 'given-up']),
  attempts: z.int(),
  next_at: perhapsMoment,
  tried_at: perhapsMoment,
  status: z.nullable(z.int()),
  problem: perhapsText,
})

const healthSchema = z.object({
  checks: z.array(checkSchema),
  processes: z.array(
    z.object({
      id: text,
      role: text,
      version: text,
      /** the hash of its settings */
      settings: text,
      /** whether that hash is another than the newest worker's */
      differs: z.boolean(),
      started_at: moment,
      seen_at: moment,
    }),
  ),
})

/** A file that is answered once: a new secret, or an export. */
const fileSchema = z.object({ name: text, type: text, content: text })

const read = <const Path extends string, const Answer extends z.core.$ZodType>(path: Path, answer: Answer) =>
  defineConsoleCall({ method: 'GET', path, access: 'staff', answer })

export const readCalls = {
  getSite: defineConsoleCall({ method: 'GET', path: '/site', access: 'nobody', answer: siteSchema }),
  getOverview: read('/overview', overviewSchema),
  listPayouts: defineConsoleCall({
    method: 'GET',
    path: '/payouts',
    access: 'staff',
    query: z.extend(pagedQuery, { state: z.optional(z.enum(BATCH_STATES)) }),
    answer: z.object({
      /** why payouts are stopped as a whole; null while they are not */
      stopped: perhapsText,
      /** spends of the payouts' wallet that nobody has accepted: payouts stay stopped until then */
      unaccepted: z.array(z.object({ txid: text, found_at: moment })),
      ...paged(batchSchema),
    }),
  }),
  getPayout: defineConsoleCall({
    method: 'GET',
    path: '/payouts/{batch}',
    access: 'staff',
    params: z.object({ batch: z.string().check(z.maxLength(30)) }),
    answer: z.extend(batchSchema, {
      /** the transactions made for it, the newest last */
      txs: z.array(z.object({ txid: text, fee_sats: sats, confirmations: z.nullable(z.int()) })),
      audit: z.array(auditRow),
    }),
  }),
  getTreasury: read('/treasury', treasurySchema),
  search: defineConsoleCall({
    method: 'GET',
    path: '/search',
    access: 'staff',
    query: z.object({ q: z.string().check(z.maxLength(200)) }),
    answer: z.object({ results: z.array(foundSchema) }),
  }),
  getPlayer: defineConsoleCall({
    method: 'GET',
    path: '/players/{id}',
    access: 'staff',
    params: byId,
    answer: playerSchema,
  }),
  getOrder: defineConsoleCall({
    method: 'GET',
    path: '/orders/{id}',
    access: 'staff',
    scope: 'orders:read',
    params: byId,
    answer: orderSchema,
  }),
  listGames: read('/games', z.object({ paused: pausedSchema, results: z.array(gameSchema) })),
  getGame: defineConsoleCall({
    method: 'GET',
    path: '/games/{key}',
    access: 'staff',
    params: byKey,
    /** `file` is the games file as it is now, to edit and to apply */
    answer: z.extend(gameSchema, { versions: z.array(gameVersion), file: text }),
  }),
  previewGames: defineConsoleCall({
    method: 'POST',
    path: '/games/preview',
    access: 'staff',
    body: z.strictObject({ file: z.string().check(z.maxLength(1_000_000)) }),
    answer: z.object({
      /** what would change, in sentences */
      plan: z.array(text),
      problems: z.array(z.object({ path: text, text })),
    }),
  }),
  getDraw: defineConsoleCall({
    method: 'GET',
    path: '/draws/{game}/{number}',
    access: 'staff',
    scope: 'draws:read',
    params: z.object({ game: gameKey, number: z.string().check(z.regex(/^\d{1,9}$/)) }),
    answer: drawSchema,
  }),
  listSettings: read('/settings', z.object({ settings: z.array(settingSchema) })),
  previewText: defineConsoleCall({
    method: 'POST',
    path: '/settings/preview',
    access: 'staff',
    body: z.strictObject({ markdown: z.string().check(z.maxLength(100_000)) }),
    /** a legal text as pages show it, and what keeps it from being applied */
    answer: z.object({ blocks: z.array(blockSchema), problems: z.array(text) }),
  }),
  listWebhooks: read('/webhooks', z.array(webhookSchema)),
  listDeliveries: defineConsoleCall({
    method: 'GET',
    path: '/webhooks/{id}/deliveries',
    access: 'staff',
    params: byId,
    query: pagedQuery,
    answer: z.object(paged(deliverySchema)),
  }),
  listApiKeys: read(
    '/api-keys',
    z.array(
      z.object({
        id: text,
        name: text,
        scopes: z.array(z.enum(API_SCOPES)),
        created_at: moment,
        expires_at: moment,
        revoked_at: perhapsMoment,
      }),
    ),
  ),
  getHealth: defineConsoleCall({
    method: 'GET',
    path: '/health',
    access: 'staff',
    scope: 'health:read',
    answer: healthSchema,
  }),
  getFile: defineConsoleCall({
    method: 'GET',
    path: '/files/{id}',
    access: 'staff',
    params: byUuid,
    answer: fileSchema,
  }),
} as const

/** A check of section 9. */
export type Check = z.output<typeof checkSchema>
/** A batch of payouts. */
export type Batch = z.output<typeof batchSchema>
/** One payout of a batch. */
export type Payout = z.output<typeof payoutSchema>
/** The site. */
export type Site = z.output<typeof siteSchema>
