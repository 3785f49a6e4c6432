-- Months of the books that are closed: docs/decisions/0081.

create table period_locks (
  month text primary key check (month ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  locked_at bigint not null,
  last_transfer_id bigint,
  journal_hash text not null check (journal_hash ~ '^[0-9a-f]{64}$'),
  request_id text not null
);
comment on table period_locks is 'Months in which nothing is posted any more, each with the hash of its journal.';
comment on column period_locks.last_transfer_id is 'The newest transfer dated in the month; null if there is none.';
comment on column period_locks.journal_hash is 'SHA-256 of the month''s journal as CSV, its columns in satoshis alone.';
create trigger period_locks_append_only before update or delete or truncate on period_locks
  for each statement execute function refuse_change();

-- The journal and the balances at a moment are read by time.
create index transfers_by_time on transfers (at, id);

create function month_of(at bigint) returns text language sql immutable strict parallel safe as $$
  select to_char(to_timestamp(at) at time zone 'UTC', 'YYYY-MM')
$$;

-- Who locks a month waits for the transfers of that month that are being written, and those that come later see its row.
create function refuse_locked_month() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('fairball.month ' || month_of(new.at), 0));
  if exists (select from period_locks where month = month_of(new.at)) then
    raise exception 'the books of % are locked', month_of(new.at) using errcode = 'FBMLK';
  end if;
  return new;
end $$;
create trigger transfers_of_open_months before insert on transfers
  for each row execute function refuse_locked_month();

create table safer_play_days (
  day bigint not null check (day % 86400 = 0),
  kind text not null check (kind in ('limit', 'exclusion')),
  changes bigint not null check (changes > 0),
  primary key (day, kind)
);
comment on table safer_play_days is 'How often players set a weekly limit or excluded themselves, by day, without their names.';
