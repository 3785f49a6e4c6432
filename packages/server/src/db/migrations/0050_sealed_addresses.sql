-- What a payout address is sealed with, once its player was told of it: docs/decisions/0042.
alter table player_addresses add column seal bytea;
comment on column player_addresses.seal is 'Written by a worker once the notice about the address was handed over: no payout goes to an address without it.';

alter table mail_outbox add column address_id bigint, add column address_proof bytea;
create index mail_outbox_of_address on mail_outbox (address_id) where address_id is not null;
comment on column mail_outbox.address_id is 'The payout address that the mail tells of.';
comment on column mail_outbox.address_proof is 'That the program wrote both, under a key of its own: a row that somebody else wrote gets no seal.';

create function refuse_changed_address() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if exists (select from players where id = old.player_id and (closed_at is not null or first_verified_at is null)) then
      return old;
    end if;
    raise exception 'payout addresses are append-only';
  end if;
  if (new.id, new.player_id, new.created_at, new.usable_from, new.address)
      is distinct from (old.id, old.player_id, old.created_at, old.usable_from, old.address)
    or (old.superseded_at is not null and new.superseded_at is distinct from old.superseded_at) then
    raise exception 'payout addresses are append-only';
  end if;
  return new;
end $$;
create trigger player_addresses_append_only before update or delete on player_addresses
  for each row execute function refuse_changed_address();

-- Of an account that is closed or was never verified: all, or those after the one that what is still owed is paid to.
create function forget_addresses(of_player bigint, after_id bigint) returns int language plpgsql security definer
  set search_path from current as $$
declare forgotten int;
begin
  delete from player_addresses where player_id = of_player and id > after_id;
  get diagnostics forgotten = row_count;
  return forgotten;
end $$;
revoke all on function forget_addresses(bigint, bigint) from public;
