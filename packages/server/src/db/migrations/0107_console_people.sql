-- What the console's pages of orders and players read.

create or replace view console_draws as
  select id, game_key, number, status, closes_at, start_at, scheduled_at, end_at, closed_at, settled_at, postponed, version, currency,
    price_minor, guaranteed_minor, cover_minor, chain_hash, round, open_hash, close_hash, result_hash, void_hash, entries, leaves,
    leaf_lines, leaf_stake_sats, stake_sats, pot_sats, floor_sats, cover_sats, jackpot_sats, donation_sats, numbers, tiers
  from draws;
create view console_receipts as select order_id, place, draw_id, made_at, index from receipts;
create view console_sessions as
  select id, player_id, created_at, expires_at, seen_at, revoked_at, fingerprint as device from sessions;
create view console_two_factor as select player_id, confirmed_at from twofa;
create view console_limits as
  select player_id, weekly_limit_minor, next_limit_minor, next_limit_from, time_out_until, excluded_until, currency_id, reminder_minutes
  from responsible_play;
create view console_messages as select id, player_id, created_at, is_read, title from messages;
create view console_checkpoints as select account_id, upto_posting_id, balance_sats from ledger_checkpoints;
