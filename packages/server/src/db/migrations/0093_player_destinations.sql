-- Where players are paid over Lightning, and which way first: docs/decisions/0074.
create table player_destinations (
  id bigint generated always as identity primary key,
  player_id bigint not null references players (id),
  created_at bigint not null,
  usable_from bigint not null,
  superseded_at bigint,
  paid_from bigint,
  min_msat bigint not null check (min_msat > 0),
  max_msat bigint not null,
  kind text not null check (kind in ('ADDRESS', 'OFFER')),
  value text not null,
  seal bytea,
  constraint player_destinations_limits check (max_msat >= min_msat)
);
create index player_destinations_of_player on player_destinations (player_id, id desc);
comment on table player_destinations is 'Payouts over Lightning go to the newest destination with a seal, paid_from reached and superseded_at null.';
comment on column player_destinations.superseded_at is 'From then on it is never used again: another was saved while it waited, or the player removed it.';
comment on column player_destinations.seal is 'Written by a worker once the notice about the destination was handed over: no payout goes to one without it.';
comment on column player_destinations.paid_from is 'Written with the seal, which covers it: payouts go there from then on.';

create function refuse_changed_destination() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if exists (select from players where id = old.player_id and (closed_at is not null or first_verified_at is null)) then
      return old;
    end if;
    raise exception 'payout destinations are append-only';
  end if;
  if (new.id, new.player_id, new.created_at, new.usable_from, new.min_msat, new.max_msat, new.kind, new.value)
      is distinct from (old.id, old.player_id, old.created_at, old.usable_from, old.min_msat, old.max_msat, old.kind, old.value)
    or (old.superseded_at is not null and new.superseded_at is distinct from old.superseded_at) then
    raise exception 'payout destinations are append-only';
  end if;
  return new;
end $$;
create trigger player_destinations_append_only before update or delete on player_destinations
  for each row execute function refuse_changed_destination();
create trigger player_destinations_remembered after delete on player_destinations
  for each row when (old.seal is not null) execute function remember_forgotten_address();
comment on table forgotten_addresses is 'Players whose sealed payout addresses or destinations were erased. Written by triggers alone, with the rights of the owner.';

create table player_pay_first (
  id bigint generated always as identity primary key,
  player_id bigint not null references players (id),
  created_at bigint not null,
  usable_from bigint not null,
  superseded_at bigint,
  pay_first text not null check (pay_first in ('LIGHTNING', 'ONCHAIN'))
);
create index player_pay_first_of_player on player_pay_first (player_id, id desc);
comment on table player_pay_first is 'Which way a player is paid first: the newest choice with usable_from reached and superseded_at null.';

create function refuse_changed_pay_first() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if exists (select from players where id = old.player_id and (closed_at is not null or first_verified_at is null)) then
      return old;
    end if;
    raise exception 'choices of how to be paid are append-only';
  end if;
  if (new.id, new.player_id, new.created_at, new.usable_from, new.pay_first)
      is distinct from (old.id, old.player_id, old.created_at, old.usable_from, old.pay_first)
    or (old.superseded_at is not null and new.superseded_at is distinct from old.superseded_at) then
    raise exception 'choices of how to be paid are append-only';
  end if;
  return new;
end $$;
create trigger player_pay_first_append_only before update or delete on player_pay_first
  for each row execute function refuse_changed_pay_first();

-- Of an account that is closed or was never verified: all, or those after the one that what is still owed is paid to.
create function forget_destinations(of_player bigint, after_id bigint) returns int language plpgsql security definer as $$
declare forgotten int;
begin
  delete from player_destinations where player_id = of_player and id > after_id;
  get diagnostics forgotten = row_count;
  return forgotten;
end $$;
-- It runs with the rights of the owner: no table that its caller makes may come before ours.
do $$
begin
  execute format('alter function forget_destinations(bigint, bigint) set search_path = pg_catalog, %I, pg_temp', current_schema());
end $$;
revoke all on function forget_destinations(bigint, bigint) from public;

-- A destination is looked at by a worker before it is saved: the process that sells fetches nothing for a player.
create table destination_checks (
  id bigint generated always as identity primary key,
  created_at bigint not null,
  answered_at bigint,
  min_msat bigint,
  max_msat bigint,
  kind text not null check (kind in ('ADDRESS', 'OFFER')),
  value text not null,
  reason text
);
comment on table destination_checks is 'Destinations that a web process asked a worker to look at. A row goes when its answer was read, or with the daily clean-up.';
comment on column destination_checks.reason is 'Why it cannot be used, in words for the player; null if it can.';

alter table mail_outbox add column destination_id bigint;
create index mail_outbox_of_destination on mail_outbox (destination_id) where destination_id is not null;
comment on column mail_outbox.destination_id is 'The payout destination that the mail tells of.';
