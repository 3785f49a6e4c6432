import type pg from 'pg'
import type { Logger } from '../runtime/runtime.ts'
import { sql, t } from './sql.ts'

/** The group of the logins of web processes. It cannot log in itself. */
export const WEB_ROLE = 'fairball_web'

/** All of a draw except `seed_sealed`. */
const DRAW_COLUMNS =
  'beacon_signature, chain_hash, close_hash, closed_at, closes_at, cover_minor, cover_sats, currency, donation_sats, drawn_mask, ' +
  'end_at, entries, floor_sats, game_key, guaranteed_minor, id, jackpot_sats, leaf_carried, leaf_free, leaf_lines, ' +
  'leaf_stake_sats, leaves, most_entries, number, numbers, open_hash, partners, pick, pool, postponed, pot_sats, price_minor, ' +
  'prizes_scaled, rate_at, rate_sats, result_hash, reveal_from_at, revoked, round, rules_hash, scheduled_at, sections, ' +
  'seed_hash, settled_at, shared, short_sats, sold_hash, stake_sats, start_at, status, tiers, version, void_hash, weekday'

/**
 * What `fairball_web` may do with each table, in the words of GRANT; columns are named if not all are meant. It covers
 * what selling needs, and nothing that money leaves by. A table in neither list fails a test until it is decided.
 *
 * A row may be locked (`for share`, `for update`) by a role that may update a column of it: see the comment of
 * `draws.shared`.
 */
export const WEB_GRANTS: Readonly<Record<string, readonly string[]>> = {
  // Accounts are the web's own.
  players: ['select', 'insert', 'update'],
  social_identities: ['select', 'insert', 'delete'],
  sessions: ['select', 'insert', 'update', 'delete'],
  refresh_tokens: ['select', 'insert', 'update'],
  player_keys: ['select', 'insert', 'update', 'delete'],
  twofa: ['select', 'insert', 'update', 'delete'],
  recovery_codes: ['select', 'insert', 'update', 'delete'],
  security_answers: ['select', 'insert', 'update', 'delete'],
  rate_counters: ['select', 'insert', 'update', 'delete'],
  login_failures: ['select', 'insert', 'update', 'delete'],
  known_addresses: ['select', 'insert', 'update', 'delete'],
  known_devices: ['select', 'insert', 'update', 'delete'],
  former_emails: ['select', 'insert', 'update', 'delete'],
  responsible_play: ['select', 'insert', 'update', 'delete'],
  excluded_emails: ['select', 'insert', 'update'],
  email_preferences: ['select', 'insert', 'update', 'delete'],
  winner_consents: ['select', 'insert', 'update'],
  saved_numbers: ['select', 'insert', 'update', 'delete'],
  // Never the seal: the worker makes it, once the notice has left. Erased by `forget_addresses`.
  player_addresses: ['select', 'insert (player_id, created_at, usable_from, address)', 'update (superseded_at)'],
  player_destinations: [
    'select',
    'insert (player_id, created_at, usable_from, min_msat, max_msat, kind, value)',
    'update (superseded_at)',
  ],
  player_pay_first: [
    'select',
    'insert (player_id, created_at, usable_from, pay_first)',
    'update (superseded_at)',
    'delete',
  ],
  // The answer is a worker's.
  destination_checks: ['select', 'insert (created_at, kind, value)', 'delete'],

  // Reports to players. Whether and when a mail was sent is the worker's to write.
  messages: ['select', 'insert', 'update', 'delete'],
  mail_outbox: [
    'select',
    'insert (player_id, created_at, category, to_address, subject, text, html, links, sealed, key, address_id, destination_id, address_proof)',
    'update (player_id)',
    'delete',
  ],
  contact_messages: ['select', 'insert', 'delete'],
  waiting_notices: ['select', 'insert', 'update', 'delete'],

  // Orders are made, and PAID immediately if free tickets cover them; the worker books what is paid for in money.
  orders: ['select', 'insert', 'update (status, paid_at, ended_because, username, idempotency_key, promise)'],
  order_lines: ['select', 'insert'],
  plays: ['select', 'insert'],
  free_tickets: ['select', 'update (held, used)', 'delete'],
  invoices: ['select', 'insert'],
  // Never that an invoice is paid.
  ln_invoices: ['select', 'insert', 'update (bolt11, closed_at)'],
  lightning_node: ['select'],
  webhook_inbox: ['select', 'insert'],
  deposit_accounts: ['select', 'insert', 'update'],
  deposit_addresses: ['select', 'insert'],
  deposit_chains: ['select', 'insert', 'update'],
  jobs: ['select', 'insert', 'update'],
  process_settings: ['select', 'insert', 'update', 'delete'],

  // Draws and the log are read.
  // Never `seed_sealed`: a web process has SECRET_KEY, and would know the seeds of draws to come.
  draws: [`select (${DRAW_COLUMNS})`, 'update (shared)'],
  games: ['select'],
  game_aliases: ['select'],
  sales_pauses: ['select'],
  beacon_chains: ['select'],
  beacon_rounds: ['select'],
  log_leaves: ['select'],
  tree_tiles: ['select'],
  checkpoints: ['select'],
  cosignatures: ['select'],
  texts: ['select'],
  paid_leaves: ['select'],
  paid_draws: ['select'],
  solvency_leaves: ['select'],
  game_versions: ['select'],
  // The worker writes batches; a web process writes a receipt at its first request.
  play_leaves: ['select'],
  sold_batches: ['select'],
  receipts: ['select', 'insert'],
  wins: ['select'],

  // Money is read, for the pages and for /metrics, which keep figures for each other.
  rates: ['select'],
  currency_quotes: ['select'],
  rate_quotes: ['select'],
  rate_doubts: ['select'],
  ledger_accounts: ['select'],
  ledger_checkpoints: ['select'],
  transfers: ['select'],
  postings: ['select'],
  payments: ['select'],
  refunds: ['select'],
  payables: ['select'],
  payouts: ['select'],
  ln_payouts: ['select'],
  ln_attempts: ['select'],
  payout_batches: ['select'],
  payout_txs: ['select'],
  payout_inputs: ['select'],
  payout_foreign_txs: ['select'],
  payout_set_aside: ['select'],
  payout_players_set_aside: ['select'],
  test_wallet_txs: ['select'],
  test_ln_invoices: ['select', 'insert'],
  test_ln_wallet_invoices: ['select', 'insert'],
  test_ln_payments: ['select'],
  unknown_deposits: ['select'],
  wallet_readings: ['select'],
  treasury_checks: ['select'],
  treasury_movements: ['select'],
  readings: ['select', 'insert', 'update'],
  invariant_checks: ['select'],
  invariant_violations: ['select'],
  system_state: ['select'],
  schema_migrations: ['select'],
  settings: ['select'],
}

/** Tables without rights for a web process. */
export const NOT_FOR_WEB: readonly string[] = [
  'forgotten_addresses',
  'game_plans',
  'mail_senders',
  'operator_actions',
  'plays_taken_back',
  'provider_cursors',
  'setting_plans',
]

/** What otherwise only an owner may call. */
const WEB_FUNCTIONS = ['forget_addresses(bigint, bigint)', 'forget_destinations(bigint, bigint)']
/** The demo's wallet gives addresses by it. */
const WEB_SEQUENCES = ['test_wallet_addresses']

const NO_RIGHT = '42501'

/**
 * Creates the role `fairball_web`, which all databases of a cluster share, and grants its rights in this one, if
 * necessary. If the login may not, the log says what to do: one login for everything needs no role.
 *
 * @param client whose login owns the tables, and which alone does this in this database
 */
export async function grantRoles(client: pg.Client, log: Logger): Promise<void> {
  try {
    await makeRole(client, WEB_ROLE)
    if ((await rightsOf(client)).join('\n') !== wantedRights().join('\n')) await grant(client)
    await takeFromAll(client)
  } catch (error) {
    if ((error as { code?: unknown }).code !== NO_RIGHT) throw error
    log.warn(
      { err: error },
      'this login of the database may not make or grant the role fairball_web: docs/operations.md, section 8, has the lines',
    )
  }
}

/** Whether a login may do what the web process is kept from: then it is not only a member of `fairball_web`. */
export const findMayMore = sql({
  name: 'db.find-may-more',
  text: `select has_table_privilege('payouts', 'insert') or has_column_privilege('player_addresses', 'seal', 'update')
    or has_column_privilege('draws', 'seed_sealed', 'select') as may`,
  row: { may: t.bool },
})

/**
 * Creates a role that cannot log in, if missing: processes of several databases of one cluster may do so at the same
 * moment.
 */
export async function makeRole(client: pg.Client, name: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [name])
  if (rowCount === 1) return
  await client.query(
    `do $$ begin create role ${name} nologin; exception when duplicate_object or unique_violation then null; end $$`,
  )
}

/** The role's rights on tables, as in `WEB_GRANTS`, one line per table, sorted. */
async function rightsOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(
    `with granted as (
      select c.oid, c.relname::text as name, lower(a.privilege_type) as what, null as col
      from pg_class c cross join aclexplode(c.relacl) a
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'v', 'm') and a.grantee = $1::regrole
      union all
      select c.oid, c.relname, lower(a.privilege_type), t.attname
      from pg_class c join pg_attribute t on t.attrelid = c.oid cross join aclexplode(t.attacl) a
      where c.relnamespace = current_schema()::regnamespace and a.grantee = $1::regrole)
    select name || ' ' || what || coalesce(' ' || string_agg(col, ',' order by col collate "C"), '') as line
    from granted group by name, what`,
    [WEB_ROLE],
  )
  return rows.map(({ line }) => line).toSorted()
}

function wantedRights(): string[] {
  return Object.entries(WEB_GRANTS)
    .flatMap(([table, grants]) => grants.map((text) => `${table} ${normal(text)}`))
    .toSorted()
}

/** `insert (b, a)` as `insert a,b`. */
function normal(text: string): string {
  const [what = '', columns] = text.split(/ \(|\)/u)
  return columns === undefined ? what : `${what} ${columns.split(', ').toSorted().join(',')}`
}

async function grant(client: pg.Client): Promise<void> {
  const tables = new Set((await rightsOf(client)).map((line) => line.split(' ')[0] ?? ''))
  const { rows } = await client.query<{ schema: string }>('select quote_ident(current_schema()) as schema')
  const lines = [
    ...(tables.size === 0
      ? []
      : [`revoke all on ${[...tables].map((name) => `"${name}"`).join(', ')} from ${WEB_ROLE}`]),
    `grant usage on schema ${rows[0]?.schema} to ${WEB_ROLE}`,
    ...Object.entries(WEB_GRANTS).map(([table, grants]) => `grant ${grants.join(', ')} on ${table} to ${WEB_ROLE}`),
    ...WEB_FUNCTIONS.map((name) => `grant execute on function ${name} to ${WEB_ROLE}`),
    ...WEB_SEQUENCES.map((name) => `grant usage on sequence ${name} to ${WEB_ROLE}`),
  ]
  await client.query(['begin', ...lines, 'commit'].join(';\n')).catch(async (error: unknown) => {
    await client.query('rollback').catch(() => undefined) // the first error is more useful
    throw error
  })
}

/** What PostgreSQL lets every login do and no process here needs: to create tables, including temporary ones. */
async function takeFromAll(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ database: string; schema: string; temporary: boolean; creates: boolean }>(
    `select quote_ident(current_database()) as database, quote_ident(current_schema()) as schema,
      has_database_privilege($1, current_database(), 'temporary') as temporary,
      has_schema_privilege($1, current_schema(), 'create') as creates`,
    [WEB_ROLE],
  )
  for (const { database, schema, temporary, creates } of rows) {
    if (temporary) await client.query(`revoke temporary on database ${database} from public`)
    if (creates) await client.query(`revoke create on schema ${schema} from public`)
  }
}
