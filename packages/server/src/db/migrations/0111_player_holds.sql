-- What the operator keeps a player from, each by a signed request: docs/decisions/0083.

create table player_holds (
  id bigint generated always as identity primary key,
  player_id bigint not null references players (id),
  kind text not null check (kind in ('buy', 'sign-in', 'payouts')),
  from_at bigint not null,
  until_at bigint check (until_at > from_at),
  reason text not null,
  request_id uuid not null,
  is_told boolean not null default true,
  lifted_at bigint,
  lifted_by uuid,
  check (kind <> 'payouts' or until_at is not null)
);
create index player_holds_in_force on player_holds (player_id, kind) where lifted_at is null;
create index player_holds_of_player on player_holds (player_id, id desc);
comment on table player_holds is 'What a player may not do for a time. Several of a kind last until the last of them ends.';
comment on column player_holds.kind is 'buy: no orders; sign-in: no orders and no login; payouts: what is owed stays owed and is in no payout.';
comment on column player_holds.until_at is 'Null until it is lifted.';
comment on column player_holds.is_told is 'False where the law forbids to tell the player: then no page shows it.';
comment on column player_holds.lifted_by is 'The request that ended it before its time.';

create view console_player_holds as
  select id, player_id, kind, from_at, until_at, reason, request_id, is_told, lifted_at, lifted_by from player_holds;
create view console_player_facts as
  select p.id, p.username, p.closed_at is not null as is_closed, p.email_verified_at is not null as is_verified, r.excluded_until
  from players p left join responsible_play r on r.player_id = p.id;
comment on view console_player_facts is 'What a request about a player shows of them.';

-- Staff do not play. A web process asks whether an address is one of the staff's, and may not read who they are.
create function is_staff_email(address text) returns boolean language sql stable security definer
  set search_path from current as $$
  select exists (select from staff where lower(email) = lower(address) and disabled_at is null)
$$;
revoke all on function is_staff_email(text) from public;
do $$
begin
  execute format('alter function is_staff_email(text) set search_path = pg_catalog, %I, pg_temp', current_schema());
end $$;
