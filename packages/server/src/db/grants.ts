/** The group of the logins of web processes. It cannot log in itself. */
export const WEB_ROLE = 'fairball_web'
/** The login of the console's process, or the group of such logins. */
export const CONSOLE_ROLE = 'fairball_console'
/** What begins with this, of the views and functions, is for the console: it may select and execute these. */
export const CONSOLE_PREFIX = 'console_'

/** By table, what a role may do with it, in the words of GRANT. */
type Grants = Readonly<Record<string, readonly string[]>>

/** What a role may do. */
export interface RoleGrants {
  readonly role: string
  readonly tables: Grants
  /** Functions that otherwise only an owner may call. */
  readonly functions: readonly string[]
  readonly sequences: readonly string[]
  /** The views and functions that are for this role alone begin with it; null for none. */
  readonly prefix: string | null
}

/** All of a draw except `seed_sealed`. */
const DRAW_COLUMNS =
  'beacon_signature, chain_hash, close_hash, closed_at, closes_at, cover_minor, cover_sats, currency, donation_sats, drawn_mask, ' +
  'end_at, entries, floor_sats, game_key, guaranteed_minor, id, jackpot_sats, leaf_carried, leaf_free, leaf_lines, ' +
  'leaf_stake_sats, leaves, most_entries, number, numbers, open_hash, partners, pick, pool, postponed, pot_sats, price_minor, ' +
  'prizes_scaled, rate_at, rate_sats, result_hash, reveal_from_at, revoked, round, rules_hash, scheduled_at, sections, ' +
  'seed_hash, settled_at, shared, short_sats, sold_hash, stake_sats, start_at, status, tiers, version, void_hash, weekday'

/**
 * What `fairball_web` may do with each table, in the words of GRANT; columns are named if not all are meant. It covers
 * what selling needs, and nothing that money leaves by. A table in neither list
 * fails a test until it is decided, for the web here and for the console below.
 *
 * A row may be locked (`for share`, `for update`) by a role that may update a column of it: see the comment of
 * `draws.shared`.
 */
export const WEB_GRANTS: Grants = {
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
  // Counts by day, without names.
  safer_play_days: ['select', 'insert', 'update'],
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
  // For the stakes of open draws, which leave those plays out.
  plays_taken_back: ['select'],
  free_tickets: ['select', 'update (held, used)', 'delete'],
  invoices: ['select', 'insert'],
  // Never that an invoice is paid.
  ln_invoices: ['select', 'insert', 'update (bolt11, closed_at)'],
  lightning_node: ['select'],
  webhook_inbox: ['select', 'insert'],
  deposit_accounts: ['select', 'insert', 'update'],
  deposit_addresses: ['select', 'insert'],
  deposit_chains: ['select', 'insert', 'update'],
  // The worker lists the wallet; a web process that has the node read old blocks again has it listed from its beginning.
  deposit_txs: ['select'],
  deposit_lists: ['select', 'insert', 'update'],
  jobs: ['select', 'insert', 'update'],
  process_settings: ['select', 'insert', 'update', 'delete'],

  // What webhooks are told of orders that free tickets cover; never their secrets.
  webhooks: ['select (id, types, revoked_at, disabled_at)'],
  webhook_events: ['select', 'insert'],
  webhook_deliveries: ['select', 'insert'],

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
  owed_sums: ['select'],
  order_goodwill: ['select'],
  player_holds: ['select'],
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
  invariant_passes: ['select (checked_at, longest_ms)'],
  ledger_watermark: ['select (looked_at)'],
  system_state: ['select'],
  schema_migrations: ['select'],
  settings: ['select'],
}

/** Tables without rights for a web process. */
export const NOT_FOR_WEB: readonly string[] = [
  'api_keys',
  'console_challenges',
  'console_files',
  'draw_parts',
  'forgotten_addresses',
  'game_plans',
  'health_checks',
  'ledger_verified',
  'mail_senders',
  'operator_actions',
  'owed_changes',
  'period_locks',
  'operator_requests',
  'operator_signatures',
  'provider_cursors',
  'setting_plans',
  'staff',
  'staff_invites',
  'staff_keys',
  'staff_sessions',
]

/**
 * What `fairball_console` may do with tables. It reads by views, which need no line here: their names begin with
 * `console_`. No hash of a session or of an invitation is among them, no row of `jobs`, and nothing that moves money: the
 * console stores what people sign, and a worker carries it out.
 */
export const CONSOLE_GRANTS: Grants = {
  staff: ['select'],
  staff_keys: ['select', 'update (sign_count, last_used_at)'],
  staff_invites: ['select (staff_id, expires_at, keys, used_at)'],
  staff_sessions: [
    'select (id, staff_id, key_id, device, created_at, seen_at, expires_at, revoked_at)',
    'insert (hash, challenge, staff_id, key_id, device, created_at, seen_at, expires_at)',
    'update (seen_at, revoked_at)',
  ],
  console_challenges: ['select', 'insert'],
  console_files: ['select', 'delete'],
  // Never a state, nor a result.
  operator_requests: ['select', 'insert (id, kind, args, reason, facts, proposed_by, created_at, expires_at)'],
  operator_signatures: [
    'select',
    'insert (request_id, part, staff_id, key_id, text, challenge, authenticator_data, client_data_json, signature, signed_at)',
  ],
}

/** The roles and their rights. */
export const WEB: RoleGrants = {
  role: WEB_ROLE,
  tables: WEB_GRANTS,
  functions: ['is_staff_email(text)', 'forget_addresses(bigint, bigint)', 'forget_destinations(bigint, bigint)'],
  // The demo's wallet gives addresses by it.
  sequences: ['test_wallet_addresses'],
  prefix: null,
}
export const CONSOLE: RoleGrants = {
  role: CONSOLE_ROLE,
  tables: CONSOLE_GRANTS,
  // They compare the hash of a secret, which the role may not read.
  functions: ['console_invited(text, bigint)', 'console_session(text, bigint)'],
  sequences: [],
  prefix: CONSOLE_PREFIX,
}
