-- What is owed to each player, added up, so that a batch reads whom it pays and not all that waits: docs/decisions/0106.

create table owed_sums (
  player_id bigint primary key,
  prize_sats bigint not null,
  prizes bigint not null,
  first_prize_id bigint,
  return_sats bigint not null,
  returns bigint not null,
  first_return_id bigint,
  changes bigint not null,
  passed_change bigint
);
comment on table owed_sums is 'The payables of a player that are in no payout: their sum, number and oldest one. Kept by triggers at the end of the transaction that changes them.';
comment on column owed_sums.returns is 'Refunds and excess.';
comment on column owed_sums.changes is 'Counts what may decide whether prizes can be paid over the chain: the prizes, the addresses, the email address, what was set aside.';
comment on column owed_sums.passed_change is 'The value of changes at which the prizes could not be paid: they are looked at again after the next change.';

-- What a transaction changes: rows of others are never locked before its end, and then in the order of the players. It
-- is empty outside of transactions, so that it needs no log.
create unlogged table owed_changes (
  tx xid8 not null default pg_current_xact_id(),
  payee_id bigint,
  class text check (class in ('prize', 'return')),
  sats bigint not null default 0,
  payables bigint not null default 0,
  first_id bigint,
  passed_change bigint
);
create index owed_changes_of_tx on owed_changes (tx);
comment on column owed_changes.payee_id is 'A player. Null in one row of a transaction, whose trigger keeps the sums.';
comment on column owed_changes.class is 'Null for a change of what decides about the payment, or for a player that was passed over.';

-- Once for a transaction: it is known from a setting that ends with it, and with a savepoint that is rolled back.
create function note_end_of_owed() returns void language plpgsql security definer as $$
begin
  if current_setting('fairball.owed_changes', true) is distinct from pg_current_xact_id()::text then
    perform set_config('fairball.owed_changes', pg_current_xact_id()::text, true);
    insert into owed_changes default values;
  end if;
end $$;

create function note_owed() returns trigger language plpgsql security definer as $$
begin
  if tg_op <> 'DELETE' then
    insert into owed_changes (payee_id, class, sats, payables, first_id)
      select player_id, case kind when 'prize' then 'prize' else 'return' end, sum(sats), count(*), min(id)
      from added where payout_id is null and player_id is not null group by 1, 2;
  end if;
  if tg_op <> 'INSERT' then
    insert into owed_changes (payee_id, class, sats, payables)
      select player_id, case kind when 'prize' then 'prize' else 'return' end, -sum(sats), -count(*)
      from removed where payout_id is null and player_id is not null group by 1, 2;
  end if;
  perform note_end_of_owed();
  return null;
end $$;

create function note_payee() returns trigger language plpgsql security definer as $$
begin
  if tg_table_name = 'players' then
    insert into owed_changes (payee_id) values (new.id);
  elsif tg_table_name = 'payout_set_aside' then
    insert into owed_changes (payee_id) select player_id from player_addresses
      where lower(address) = lower(old.address) and superseded_at is null;
  elsif tg_op = 'DELETE' then
    insert into owed_changes (payee_id) values (old.player_id);
  else
    insert into owed_changes (payee_id) values (new.player_id);
  end if;
  perform note_end_of_owed();
  return null;
end $$;

create function keep_owed_sums() returns trigger language plpgsql security definer as $$
declare reduced bigint[];
begin
  perform set_config('fairball.owed_changes', '', true);
  select array_agg(distinct payee_id) into reduced from owed_changes
    where tx = pg_current_xact_id() and payables < 0;
  with mine as (
    delete from owed_changes where tx = pg_current_xact_id() returning *
  ), by_player as (
    select payee_id as player_id, coalesce(sum(sats) filter (where class = 'prize'), 0)::bigint as prize_sats,
      coalesce(sum(payables) filter (where class = 'prize'), 0)::bigint as prizes,
      min(first_id) filter (where class = 'prize') as first_prize_id,
      coalesce(sum(sats) filter (where class = 'return'), 0)::bigint as return_sats,
      coalesce(sum(payables) filter (where class = 'return'), 0)::bigint as returns,
      min(first_id) filter (where class = 'return') as first_return_id,
      bool_or(class is not distinct from 'prize' or (class is null and passed_change is null))::int as changes,
      max(passed_change) as passed_change
    from mine where payee_id is not null group by payee_id
  )
  insert into owed_sums as o (player_id, prize_sats, prizes, first_prize_id, return_sats, returns, first_return_id, changes,
      passed_change)
    select player_id, prize_sats, prizes, case when prizes > 0 then first_prize_id end, return_sats, returns,
      case when returns > 0 then first_return_id end, changes, passed_change
    from by_player order by player_id
    on conflict (player_id) do update set prize_sats = o.prize_sats + excluded.prize_sats,
      prizes = o.prizes + excluded.prizes,
      first_prize_id = case when o.prizes + excluded.prizes > 0 then least(o.first_prize_id, excluded.first_prize_id) end,
      return_sats = o.return_sats + excluded.return_sats,
      returns = o.returns + excluded.returns,
      first_return_id = case when o.returns + excluded.returns > 0 then least(o.first_return_id, excluded.first_return_id) end,
      changes = o.changes + excluded.changes,
      passed_change = coalesce(excluded.passed_change, o.passed_change);
  if reduced is not null then
    update owed_sums o set
      first_prize_id = (select min(id) from payables b
        where b.player_id = o.player_id and b.payout_id is null and b.kind = 'prize'),
      first_return_id = (select min(id) from payables b
        where b.player_id = o.player_id and b.payout_id is null and b.kind <> 'prize')
      where player_id = any(reduced) and prizes + returns > 0;
  end if;
  return null;
end $$;

do $$
declare one text;
begin
  foreach one in array array['note_end_of_owed', 'note_owed', 'note_payee', 'keep_owed_sums'] loop
    execute format('alter function %I() set search_path = pg_catalog, %I, pg_temp', one, current_schema());
    execute format('revoke all on function %I() from public', one);
  end loop;
  -- The plan is made while there are few rows, and kept.
  alter function keep_owed_sums() set enable_seqscan = off;
end $$;

create constraint trigger owed_changes_kept after insert on owed_changes deferrable initially deferred
  for each row when (new.payee_id is null) execute function keep_owed_sums();
create trigger payables_added after insert on payables referencing new table as added
  for each statement execute function note_owed();
create trigger payables_taken after update on payables referencing old table as removed new table as added
  for each statement execute function note_owed();
create trigger payables_removed after delete on payables referencing old table as removed
  for each statement execute function note_owed();
create trigger players_owed after update on players
  for each row when (old.email_verified_at is distinct from new.email_verified_at) execute function note_payee();
create trigger player_addresses_owed after update on player_addresses
  for each row when (old.superseded_at is distinct from new.superseded_at or old.paid_from is distinct from new.paid_from
    or (old.seal is null) <> (new.seal is null)) execute function note_payee();
create trigger player_addresses_removed after delete on player_addresses
  for each row execute function note_payee();
create trigger payout_set_aside_owed after delete on payout_set_aside
  for each row execute function note_payee();
create trigger payout_players_set_aside_owed after delete on payout_players_set_aside
  for each row execute function note_payee();

-- The triggers above keep other changes out until this has committed.
insert into owed_sums (player_id, prize_sats, prizes, first_prize_id, return_sats, returns, first_return_id, changes)
  select player_id, coalesce(sum(sats) filter (where kind = 'prize'), 0), count(*) filter (where kind = 'prize'),
    min(id) filter (where kind = 'prize'), coalesce(sum(sats) filter (where kind <> 'prize'), 0),
    count(*) filter (where kind <> 'prize'), min(id) filter (where kind <> 'prize'), 0
  from payables where payout_id is null and player_id is not null group by player_id;

create index payables_waiting_for_partners on payables (partner_id) where payout_id is null and partner_id is not null;
create index owed_sums_prizes on owed_sums (first_prize_id, player_id)
  where prizes > 0 and passed_change is distinct from changes;
