import { GAMES } from '@fairball/domain/seeds'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testLottery, type TestLottery } from '../../test/lottery.ts'
import { findViolations } from '../modules/invariants/service.ts'
import { MIGRATIONS_FOLDER } from './migrate.ts'

/** Games, draws, orders and plays as the last release without versions of games left them. */
const BEFORE_VERSIONS = `
  do $$ declare one text; begin
    for one in select oid::regclass from pg_class where relkind = 'v' and starts_with(relname, 'console_') loop
      execute 'drop view ' || one;
    end loop;
  end $$;
  drop trigger transfers_of_open_months on transfers;
  drop function refuse_locked_month, month_of;
  drop index transfers_by_time;
  drop table period_locks, safer_play_days, webhook_deliveries, webhook_events, webhooks, api_keys;
  drop function console_api_key;
  drop trigger payables_added on payables;
  drop trigger payables_taken on payables;
  drop trigger payables_removed on payables;
  drop trigger players_owed on players;
  drop trigger player_addresses_owed on player_addresses;
  drop trigger player_addresses_removed on player_addresses;
  drop trigger payout_set_aside_owed on payout_set_aside;
  drop trigger payout_players_set_aside_owed on payout_players_set_aside;
  drop index payables_waiting_for_partners;
  drop table owed_sums, owed_changes;
  drop function note_owed, note_payee, keep_owed_sums, note_end_of_owed;
  drop trigger wins_of_plays on wins;
  drop trigger wins_stay on wins;
  drop trigger plays_with_wins_stay on plays;
  drop function check_wins_of_plays, keep_plays_with_wins;
  drop index plays_by_leaf;
  drop table draw_parts;
  alter table wins add constraint wins_draw_id_fkey foreign key (draw_id) references draws,
    add constraint wins_player_id_fkey foreign key (player_id) references players,
    add constraint wins_play_id_fkey foreign key (play_id) references plays;
  drop table order_goodwill, player_holds, ledger_watermark, ledger_verified, invariant_passes, deposit_txs, deposit_lists;
  drop function is_staff_email;
  alter table payout_foreign_txs drop column payee_hash;
  alter table payout_players_set_aside drop column txids;
  drop table ln_invoices, lightning_node, test_ln_invoices, test_ln_payments, test_ln_wallet_invoices;
  alter table treasury_checks drop column lightning_ledger_sats, drop column lightning_held_sats;
  drop table game_plans, sales_pauses, settings, setting_plans, game_aliases, currency_quotes, mail_senders;
  drop trigger rate_quotes_by_currency on rate_quotes;
  alter table mail_outbox drop column from_name, drop column from_address, drop column destination_id;
  drop table player_destinations, player_pay_first, destination_checks;
  drop function refuse_changed_destination, refuse_changed_pay_first, forget_destinations;
  drop index plays_moved, orders_undecided, orders_expired;
  drop index payout_batches_by_state, payouts_by_address, player_addresses_by_address, payments_by_transaction,
    unknown_deposits_by_transaction, operator_actions_about, players_by_email, players_by_name, wins_of_player_in_money,
    orders_by_payment, payables_given_back_lately, payouts_sent_lately, payments_by_finality, payouts_not_sent;
  drop trigger draws_fill_terms on draws;
  drop trigger orders_fill_prices on orders;
  drop trigger plays_fill_price on plays;
  drop trigger game_versions_append_only on game_versions;
  drop function fill_draw_terms, fill_order_prices, fill_play_price, keep_pound_quote;
  alter table games drop column retires_into, drop column id, drop column state, drop column name, drop column accent,
    drop column pattern, drop column summary, drop column weeks_ahead, drop column created_at, drop column retired_at;
  alter table game_versions drop column rules, drop column announced_at, drop column kinds, drop column reason,
    drop column statement_hash, drop column actor, drop column request_id;
  alter table draws drop column currency, drop column most_entries;
  alter table orders drop column currency, drop column draw_prices_minor;
  alter table plays drop column price_minor, drop column returned_at;
  alter table free_tickets drop column paid_out;
  drop table ln_attempts, ln_payouts;
  drop function refuse_changed_attempt();
  alter table payouts drop column kind;
  alter table order_lines drop column dips;
  alter table messages drop column action_label, drop column action_path;
  drop function console_invited, console_session;
  alter table operator_actions drop column kind, drop column staff_id, drop column approver_id, drop column request_id,
    drop column reason, drop column args, drop column prev_hash, drop column hash;
  alter table payout_txs drop column confirmations;
  alter table process_settings drop column role, drop column version, drop column started_at;
  drop table health_checks;
  drop table console_files, operator_signatures, operator_requests, console_challenges, staff_sessions, staff_invites, staff_keys, staff;`

/** What a start of this release finds of games and sales. Reasons and actors are the migration's own words. */
async function sold({ rows }: TestLottery) {
  return {
    games: await rows(
      `select key, position, name, accent, pattern, summary, weeks_ahead, state from games order by position`,
    ),
    versions: await rows(
      `select game_key, version, from_at, rules, rules_hash, announced_at, kinds, statement_hash from game_versions order by 1, 2`,
    ),
    draws: await rows(`select to_jsonb(d) as draw from draws d order by id`),
    orders: await rows(`select to_jsonb(o) as order from orders o order by id`),
    plays: await rows(`select to_jsonb(p) as play from plays p order by id`),
    tickets: await rows(`select to_jsonb(f) as tickets from free_tickets f order by player_id, game_key`),
  }
}

it('an upgrade to versions of games leaves what was sold as it was, and draws go on', { timeout: 60_000 }, async () => {
  const world = await testLottery({ games: GAMES })
  const { rows, runtime } = world
  const playerId = await world.addPlayer()
  await world.buy({ playerId, gameKey: 'bitcoin-hero', lines: [[1, 2, 3, 4, 5]], days: [3, 4], weeks: 2 })
  await world.moveTo(runtime.clock.now() + 86_400)
  await world.buy({ playerId, gameKey: 'treasure', lines: [[1, 2, 3, 4, 5]], days: [5] })
  const before = await sold(world)

  await rows(BEFORE_VERSIONS)
  for (const file of readdirSync(MIGRATIONS_FOLDER).toSorted())
    if (Number(file.slice(0, 4)) >= 70) await rows(readFileSync(join(MIGRATIONS_FOLDER, file), 'utf8'))
  expect(await sold(world)).toEqual(before)

  await world.restart()
  await world.moveTo(runtime.clock.now() + 3 * 86_400)
  expect(await rows(`select status from draws where stake_sats > 0 and status <> 'settled'`)).toEqual([])
  expect(await findViolations(world.db)).toEqual([])
  expect(await world.violations()).toEqual([])
})
