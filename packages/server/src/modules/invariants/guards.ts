/** The tables whose rows are never changed or removed. */
const APPEND_ONLY = [
  'postings',
  'transfers',
  'ledger_checkpoints',
  'log_leaves',
  'checkpoints',
  'play_leaves',
  'sold_batches',
  'operator_actions',
  'operator_signatures',
  'game_versions',
  'settings',
  'period_locks',
  'order_goodwill',
]

/**
 * Every trigger of the database, as PostgreSQL describes it (`pg_get_triggerdef`): each refuses what must never be
 * written, remembers what was removed, or keeps the sums of what is owed. If a migration adds a trigger, add it here; a test compares. To change one,
 * make another trigger with a function of its own: a process of the previous release still checks the old ones.
 */
export const TRIGGERS: readonly string[] = [
  ...APPEND_ONLY.map(
    (table) =>
      `CREATE TRIGGER ${table}_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`,
  ),
  'CREATE CONSTRAINT TRIGGER transfers_balance AFTER INSERT ON transfers DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_transfer_balances()',
  'CREATE TRIGGER transfers_of_open_months BEFORE INSERT ON transfers FOR EACH ROW EXECUTE FUNCTION refuse_locked_month()',
  'CREATE TRIGGER postings_with_transfer AFTER INSERT ON postings REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION check_postings_with_transfer()',
  'CREATE TRIGGER payments_counted_once BEFORE INSERT OR UPDATE OF outpoint ON payments FOR EACH ROW EXECUTE FUNCTION forbid_counting_twice()',
  'CREATE TRIGGER unknown_deposits_counted_once BEFORE INSERT OR UPDATE OF outpoint ON unknown_deposits FOR EACH ROW EXECUTE FUNCTION forbid_counting_twice()',
  'CREATE TRIGGER player_addresses_append_only BEFORE DELETE OR UPDATE ON player_addresses FOR EACH ROW EXECUTE FUNCTION refuse_changed_address()',
  'CREATE TRIGGER player_addresses_remembered AFTER DELETE ON player_addresses FOR EACH ROW WHEN (old.seal IS NOT NULL) EXECUTE FUNCTION remember_forgotten_address()',
  'CREATE TRIGGER player_destinations_append_only BEFORE DELETE OR UPDATE ON player_destinations FOR EACH ROW EXECUTE FUNCTION refuse_changed_destination()',
  'CREATE TRIGGER player_destinations_remembered AFTER DELETE ON player_destinations FOR EACH ROW WHEN (old.seal IS NOT NULL) EXECUTE FUNCTION remember_forgotten_address()',
  'CREATE TRIGGER player_pay_first_append_only BEFORE DELETE OR UPDATE ON player_pay_first FOR EACH ROW EXECUTE FUNCTION refuse_changed_pay_first()',
  'CREATE TRIGGER ln_attempts_end_once BEFORE DELETE OR UPDATE ON ln_attempts FOR EACH ROW EXECUTE FUNCTION refuse_changed_attempt()',
  'CREATE TRIGGER ln_attempts_stay BEFORE TRUNCATE ON ln_attempts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()',
  'CREATE TRIGGER payout_txs_booked_once BEFORE INSERT ON payout_txs FOR EACH ROW EXECUTE FUNCTION check_spend_booked_once()',
  'CREATE TRIGGER draws_fill_terms BEFORE INSERT ON draws FOR EACH ROW WHEN (new.most_entries IS NULL) EXECUTE FUNCTION fill_draw_terms()',
  'CREATE TRIGGER orders_fill_prices BEFORE INSERT ON orders FOR EACH ROW WHEN (new.draw_prices_minor IS NULL) EXECUTE FUNCTION fill_order_prices()',
  'CREATE TRIGGER plays_fill_price BEFORE INSERT ON plays FOR EACH ROW WHEN (new.price_minor IS NULL) EXECUTE FUNCTION fill_play_price()',
  'CREATE TRIGGER rate_quotes_by_currency AFTER INSERT ON rate_quotes FOR EACH ROW EXECUTE FUNCTION keep_pound_quote()',
  'CREATE CONSTRAINT TRIGGER owed_changes_kept AFTER INSERT ON owed_changes DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (new.payee_id IS NULL) EXECUTE FUNCTION keep_owed_sums()',
  'CREATE TRIGGER payables_added AFTER INSERT ON payables REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_owed()',
  'CREATE TRIGGER payables_taken AFTER UPDATE ON payables REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_owed()',
  'CREATE TRIGGER payables_removed AFTER DELETE ON payables REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION note_owed()',
  'CREATE TRIGGER players_owed AFTER UPDATE ON players FOR EACH ROW WHEN (old.email_verified_at IS DISTINCT FROM new.email_verified_at) EXECUTE FUNCTION note_payee()',
  'CREATE TRIGGER player_addresses_owed AFTER UPDATE ON player_addresses FOR EACH ROW WHEN (old.superseded_at IS DISTINCT FROM new.superseded_at OR old.paid_from IS DISTINCT FROM new.paid_from OR (old.seal IS NULL) <> (new.seal IS NULL)) EXECUTE FUNCTION note_payee()',
  'CREATE TRIGGER player_addresses_removed AFTER DELETE ON player_addresses FOR EACH ROW EXECUTE FUNCTION note_payee()',
  'CREATE TRIGGER payout_set_aside_owed AFTER DELETE ON payout_set_aside FOR EACH ROW EXECUTE FUNCTION note_payee()',
  'CREATE TRIGGER payout_players_set_aside_owed AFTER DELETE ON payout_players_set_aside FOR EACH ROW EXECUTE FUNCTION note_payee()',
  'CREATE TRIGGER wins_stay BEFORE DELETE OR UPDATE ON wins FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()',
  'CREATE TRIGGER wins_of_plays AFTER INSERT ON wins REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION check_wins_of_plays()',
  'CREATE TRIGGER plays_with_wins_stay AFTER DELETE ON plays REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION keep_plays_with_wins()',
  'CREATE CONSTRAINT TRIGGER payout_txs_share_coins AFTER INSERT ON payout_txs NOT DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW EXECUTE FUNCTION check_version_shares_coins()',
]

/** The functions that the triggers call, each with the SHA-256 of its body in hex. */
export const BODIES: Readonly<Record<string, string>> = {
  refuse_change: '4e8488b8b8c19c059c7d1e0320b47e363d7946b2ae8c4591a960394ea49ba224',
  check_transfer_balances: '9424a905de6acc5da552ec6883582761c1233207cbedbbbca936e8e7d1b007af',
  check_postings_with_transfer: 'd04d6799bce636ef528e13c92664fbe8ac7ba67b8c1722eaff0fa7c6a7be271c',
  forbid_counting_twice: '6a52903cb39cda6d3ec43cc9e27d885b8ea9e2528946860f873521c3d5e6159f',
  refuse_changed_address: '2c0b7f239813a2d73c37dba4a1168afed733ae1ff25e8a02e4a6537d170e36cc',
  refuse_changed_destination: '1324c328c9b81eb90f3aa37ebdf8cf835e67265797535c8ba0fa6ff18678a617',
  refuse_changed_pay_first: 'f1357f768c18a11a00ba26dff71aaaf1601598bb88838dec1288be6b66e98286',
  remember_forgotten_address: '2cbcb5a9527027d86f1c3b31b5434a8bc262be5d275266f1c2f8ab4fea51e74e',
  refuse_changed_attempt: '338e67203008bb47881cec072b436c9b10e3f9c5a50a4a3d9dba8efae4c8e549',
  check_spend_booked_once: 'ab40210e2f5642d54fc4bb9230c8194cee2477d93f6dcc399d561df80a2aca82',
  check_version_shares_coins: '42b7a630fcf21c0bfbcd5c19ad803c8e1bc82e9df5d282af94273bd7719f260f',
  fill_draw_terms: 'b54daa44254d7d07fdfca9a40c5893413c7b8018a8a186ec09f691df8d514fb4',
  fill_order_prices: 'c0acdc7f0f38945a0fcaeeab8469d68df017eba06d4e7f317e1fd820b74c914c',
  fill_play_price: '42ed04304dd59eb068fc907bfa85dd11d8fd5895c0ce1f5f8db44446dbee1e89',
  note_owed: 'afe8105ee2754ebf4147703eb21839e5a506c35e8b6b8e007c9e11792535f992',
  note_payee: '96ad9e7b2a038421faf473f37eb879d9446a5ff648f07693edf728353fc2a164',
  keep_owed_sums: '10e1eb5a4cb050b3000a29bf37fba915bacec6edc9af2db38724a26edcd22cf9',
  refuse_locked_month: 'e069d0d774a162f02be98cd41fce8f4a81e4c1fabb3d5894f5c0725a83337d17',
  check_wins_of_plays: '56a6cff5c162fd9aab3107b7c04498cbd47d8b9435f0dc1c66a83a7863722c12',
  keep_plays_with_wins: '8480f4825c6e336516bd521dc389cd85a21247f74ffa5e704e4e87f2ac989eeb',
  keep_pound_quote: 'c5a37ec979edc6842801ca335e86468b206ab8082ccf6ce4bffd483363cb3842',
}

/** The SHA-256 of a function's body: `f` is its row of `pg_proc`. */
export const BODY_HASH = `encode(sha256(convert_to(f.prosrc, 'UTF8')), 'hex')`

/** One sentence for each trigger or function that is missing, disabled, or not as the migrations made it. */
export const brokenGuards = `select 'triggers are off: the session runs as a replica' as what
      where current_setting('session_replication_role') = 'replica'
    union all select 'missing, off or changed: ' || wanted.definition from (values ${valuesOf(TRIGGERS.map((one) => [one]))}) as wanted (definition)
      where not exists (select from pg_trigger g where not g.tgisinternal and g.tgenabled in ('O', 'A')
        and pg_get_triggerdef(g.oid, true) = wanted.definition)
    union all select 'missing or changed: the function ' || wanted.name from (values ${valuesOf(Object.entries(BODIES))}) as wanted (name, body)
      where not exists (select from pg_proc f where f.oid = to_regproc(wanted.name) and ${BODY_HASH} = wanted.body)`

function valuesOf(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `(${row.map((value) => `'${value}'`).join(', ')})`).join(', ')
}
