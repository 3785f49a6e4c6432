-- Whose sealed addresses were erased has no first one again: the next one waits (docs/decisions/0042).
create table forgotten_addresses (player_id bigint primary key);
comment on table forgotten_addresses is 'Players whose sealed payout addresses were erased. Written by a trigger alone, with the rights of the owner.';

create function remember_forgotten_address() returns trigger language plpgsql security definer as $$
begin
  insert into forgotten_addresses values (old.player_id) on conflict do nothing;
  return null;
end $$;
-- It runs with the rights of the owner: no table that its caller makes may come before ours.
do $$
begin
  execute format('alter function remember_forgotten_address() set search_path = pg_catalog, %I, pg_temp', current_schema());
end $$;
revoke all on function remember_forgotten_address() from public;
create trigger player_addresses_remembered after delete on player_addresses
  for each row when (old.seal is not null) execute function remember_forgotten_address();
