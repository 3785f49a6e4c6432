-- What the console's payouts and its search read. No view has a seed, a secret of an order, or a hash of a password.

create view console_players as
  select id, created_at, email_verified_at, first_verified_at, closed_at, erased_at, timezone_id, currency_id, username, username_key,
    email, email_key
  from players;
create view console_player_addresses as
  select id, player_id, created_at, usable_from, superseded_at, paid_from, address, seal is not null as is_announced from player_addresses;
create view console_player_destinations as
  select id, player_id, created_at, usable_from, superseded_at, paid_from, kind, value, seal is not null as is_announced
  from player_destinations;
create view console_payout_txs as select batch_id, version, kind, txid, fee_sats, created_at from payout_txs;
create view console_ln_attempts as
  select payout_id, attempt, amount_msat, sent_msat, sent_at, ended_at, outcome, payment_hash from ln_attempts;
create view console_foreign_spends with (security_barrier) as
  select f.txid, f.found_at, f.accepted_at, f.may_be_payout, exists (select from payout_txs x where x.txid = f.txid) as is_payout
  from payout_foreign_txs f;
create view console_set_aside as select address, reason, at from payout_set_aside;
create view console_players_set_aside as select player_id, address, reason, at from payout_players_set_aside;
create view console_violations as
  select number, found_at, seen_at, gone_at, accepted_at, invariant, problem from invariant_violations;
create view console_games as
  select key, id, position, name, accent, pattern, summary, state, weeks_ahead, created_at, extra_start_at, retired_at, retires_into,
    pot_sats, state_hash
  from games;
create view console_wins as
  select draw_id, player_id, play_id, line_no, matches, win_type, amount_sats from wins;
create view console_orders as
  select id, player_id, created_at, expires_at, paid_at, game_key, status, currency, ticket_price_minor, price_minor, rate_sats, due_sats,
    draw_ids, line_count, entry_count, free_count, weeks, days, ended_because, times_reversed, applied_sats, lost_sats, needed_sats
  from orders;
create view console_plays as
  select id, order_id, player_id, draw_id, place, line_count, free_count, stake_sats, receipt_at, leaf_index, moved_from_draw_id,
    move_reason, returned_at
  from plays;
create view console_payments as
  select outpoint, order_id, network, sats, seen_at, mined_at, confirmed_at, final_at, missing_since, gone_at, times_reversed
  from payments;
create view console_invoices as
  select order_id, expires_at, amount_sats, provider, address, words, words_at from invoices;
create view console_ln_invoices as
  select payment_hash, order_id, created_at, expires_at, closed_at, paid_at, amount_sats, received_msat from ln_invoices;
create view console_deposit_addresses as select address, order_id, created_at from deposit_addresses;
create view console_unknown_deposits as
  select outpoint, network, provider, sats, seen_at, confirmed_at, times_confirmed, final_at, taken_at, taken_for, taken_confirmation
  from unknown_deposits;
create view console_movements as
  select txid, found_at, booked_at, paid_sats, fee_sats, kind, state, paid_from from treasury_movements;

create or replace view console_state with (security_barrier) as
  select key, value from system_state where key in ('staff-alone', 'payouts.stopped');

-- Batches by state, newest first; where addresses and transactions are; what the audit log says about something; names by their beginnings.
create index payout_batches_by_state on payout_batches (state, id desc);
create index ln_payouts_by_state on ln_payouts (state, payout_id desc);
create index payouts_by_address on payouts (address, id desc);
create index player_addresses_by_address on player_addresses (address, id desc);
create index payments_by_transaction on payments (split_part(outpoint, ':', 1)) where network = 'ONCHAIN';
create index unknown_deposits_by_transaction on unknown_deposits (split_part(outpoint, ':', 1));
create index operator_actions_about on operator_actions (subject, id desc);
create index players_by_email on players (email_key text_pattern_ops);
create index players_by_name on players (username_key text_pattern_ops);
create index wins_of_player_in_money on wins (player_id, draw_id desc) include (amount_sats) where amount_sats is not null;
