-- Games, their draws and the fairness log.
--
-- A draw is opened by a signed statement (its open_hash is its identity), so nothing can be sold for a draw whose
-- statement is not in the log: the foreign keys below make it impossible. Everything a player is promised is fixed in
-- the draw's own row when it opens; a change of a game only touches draws not yet opened.

create table games (
  key text primary key,
  position integer not null,
  extra_start_at bigint
);
comment on table games is 'Which games are offered. Their rules are the domain''s; a draw keeps those it was opened with.';
comment on column games.extra_start_at is 'Demo: the start of bitcoin-hero''s first draw, 15 minutes after the first start of the server.';

create table beacon_chains (
  hash text primary key,
  name text not null,
  public_key text not null,
  period_seconds integer not null,
  genesis_at bigint not null,
  group_hash text not null,
  beacon_id text not null,
  scheme text not null
);

create table beacon_rounds (
  chain_hash text not null references beacon_chains (hash),
  round bigint not null,
  signature text not null,
  seen_at bigint not null,
  primary key (chain_hash, round)
);
comment on table beacon_rounds is 'Verified signatures only.';

create table statements (
  seq bigint primary key,
  at bigint not null,
  hash text not null unique,
  type text not null,
  text text not null,
  note text not null
);
comment on table statements is 'The signed, append-only log: seq without gaps, each text naming the hash before it. note = text with its signature lines.';
create trigger statements_append_only before update or delete or truncate on statements
  for each statement execute function refuse_change();

create table rules_texts (
  hash text primary key,
  text text not null
);

create table draws (
  id bigint generated always as identity primary key,
  scheduled_at bigint not null,
  start_at bigint not null,
  closes_at bigint not null,
  end_at bigint not null,
  round bigint not null,
  guaranteed_minor bigint not null,
  cover_minor bigint not null,
  closed_at bigint,
  stake_sats bigint,
  pot_sats bigint,
  bankroll_sats bigint,
  floor_sats bigint,
  rate_sats bigint,
  rate_at bigint,
  reveal_from_at bigint,
  settled_at bigint,
  jackpot_sats bigint,
  donation_sats bigint,
  drawn_mask bigint,
  entries integer,
  free_entries integer,
  number integer not null,
  pick smallint not null,
  pool smallint not null,
  weekday smallint not null check (weekday between 1 and 7),
  postponed smallint not null default 0,
  prizes_scaled boolean,
  game_key text not null references games (key),
  status text not null default 'open' check (status in ('open', 'closed', 'drawn', 'settled', 'void')),
  chain_hash text not null references beacon_chains (hash),
  rules_hash text not null references rules_texts (hash),
  open_hash text not null unique references statements (hash),
  close_hash text references statements (hash),
  result_hash text references statements (hash),
  void_hash text references statements (hash),
  root text,
  beacon_signature text,
  seed_hash text not null unique,
  seed_sealed bytea not null,
  postpone_hashes text[] not null default '{}',
  numbers smallint[],
  tiers jsonb,
  partners jsonb,
  unique (game_key, number)
);
create index draws_of_game_by_start on draws (game_key, start_at);
create index draws_unfinished on draws (game_key, number) where status in ('open', 'closed', 'drawn');
comment on column draws.scheduled_at is 'The start the calendar gave it; start_at moves when the draw is postponed.';
comment on column draws.guaranteed_minor is 'Guaranteed jackpot and cover in GBP pence, as they were when the draw opened.';
comment on column draws.seed_sealed is 'The operator''s 32-byte seed under the installation''s key. Published by the close statement, never before.';
comment on column draws.pot_sats is 'The pot at the close: the game''s prize pool with this draw''s part of its stakes.';
comment on column draws.tiers is 'Prize breakdown after settlement: [{matches, kind, winners, satsEach}].';

-- One partition a draw, filled at its close in the order of entry ids: sealing, settling and archiving touch nothing else.
create table entries (
  draw_id bigint not null,
  mask bigint not null,
  play_id uuid not null,
  line_no integer not null,
  kind smallint not null check (kind in (0, 1)),
  entry_id bytea not null check (length(entry_id) = 16),
  owner_tag bytea not null check (length(owner_tag) = 32),
  primary key (draw_id, entry_id)
) partition by list (draw_id);
comment on column entries.line_no is 'The entry''s place in its play, from 0.';
comment on column entries.kind is '0 paid, 1 with a free ticket.';

-- Where the entries of a draw are made before they are written in order; empty between two closes.
create unlogged table entries_being_made (
  draw_id bigint not null,
  mask bigint not null,
  play_id uuid not null,
  line_no integer not null,
  kind smallint not null,
  entry_id bytea not null,
  owner_tag bytea not null
);

create function seal_entries(sealed_draw_id bigint) returns bigint language plpgsql as $$
declare
  made bigint;
begin
  execute format('create table entries_%s (like entries including all)', sealed_draw_id);
  execute format('insert into entries_%s select * from entries_being_made where draw_id = %s order by entry_id',
    sealed_draw_id, sealed_draw_id);
  get diagnostics made = row_count;
  execute format('alter table entries attach partition entries_%s for values in (%s)', sealed_draw_id, sealed_draw_id);
  delete from entries_being_made where draw_id = sealed_draw_id;
  return made;
end $$;
comment on function seal_entries is 'Writes a draw''s entries, in order, into a partition of their own and gives their number.';
