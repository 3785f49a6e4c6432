-- Plays of version 2 of the draw protocol: an order has a secret, its lines for one draw are one play, and each paid play becomes
-- a leaf of its draw's own tree. Entries, which version 1 made one by one at the close, are gone: prizes are counted from the
-- lines of the orders. The state of a game is carried from each close, result and void of it to the next.

alter table games
  add column closed integer not null default 0,
  add column settled integer not null default 0,
  add column pot_sats bigint not null default 0,
  add column free_won bigint not null default 0,
  add column free_used bigint not null default 0,
  add column carried bigint not null default 0,
  add column state_hash text references log_leaves (hash);
comment on column games.closed is 'The state of the game, as the statement state_hash says it: draws closed or void, draws with a result or void, the pot, free tickets won and used, paid lines whose money lies in the pot.';

create table game_versions (
  game_key text not null references games (key),
  version integer not null,
  from_at bigint not null,
  rules_hash text not null references texts (hash),
  primary key (game_key, version)
);
comment on table game_versions is 'The rules that a game statement announced, and the first draw start they hold for.';

alter table draws
  drop column free_entries,
  drop column root,
  drop column bankroll_sats,
  drop column postpone_hashes,
  add column version integer not null,
  add column price_minor bigint not null,
  add column leaves bigint not null default 0,
  add column leaf_lines bigint not null default 0,
  add column leaf_free bigint not null default 0,
  add column leaf_carried bigint not null default 0,
  add column leaf_stake_sats bigint not null default 0,
  add column sold_hash text references log_leaves (hash),
  add column cover_sats bigint,
  add column short_sats bigint,
  add column revoked bytea,
  add column sections bytea;
comment on column draws.entries is 'Lines in force at the close.';
comment on column draws.leaves is 'Leaves of the draw''s tree so far; leaf_lines to leaf_stake_sats are what those of them come to that are not revoked.';
comment on column draws.sold_hash is 'The statement of the newest batch.';
comment on column draws.short_sats is 'What the bankroll lacked of floor_sats and cover_sats at the close.';
comment on column draws.revoked is 'The list of revocations at the close; sections, with the result: both as they are served.';

alter table orders
  add column secret bytea not null unique check (length(secret) = 32),
  add column promise text;
comment on column orders.promise is 'The signed note that the player was given before any money moved.';

alter table plays
  drop column secret,
  add column play_id bytea not null check (length(play_id) = 16),
  add column owner_tag bytea not null check (length(owner_tag) = 32),
  add column rate_sats bigint not null,
  add column leaf_index bigint,
  add column move_reason text check (move_reason in ('late', 'void', 'reorg'));
create index plays_without_leaf on plays (draw_id, play_id) where leaf_index is null;
comment on column plays.play_id is 'The id of the play in its draw, as the protocol makes it; plays.id is the one of the API.';
comment on column plays.rate_sats is 'The rate of its order; 0 where its stake lies in the pot of a draw that was void after its close.';
comment on column plays.leaf_index is 'Its place in the tree of its draw; null until the next batch.';

create table play_leaves (
  draw_id bigint not null references draws (id),
  index bigint not null,
  play_id bytea not null,
  is_revocation boolean not null,
  leaf bytea not null,
  primary key (draw_id, index)
);
create trigger play_leaves_append_only before update or delete or truncate on play_leaves
  for each statement execute function refuse_change();
comment on table play_leaves is 'The leaves of each draw''s tree. Their hashes are in tree_tiles.';

create table sold_batches (
  draw_id bigint not null references draws (id),
  size bigint not null,
  hash text not null references log_leaves (hash),
  primary key (draw_id, size)
);
create trigger sold_batches_append_only before update or delete or truncate on sold_batches
  for each statement execute function refuse_change();
comment on table sold_batches is 'The sold statement of each batch, by the size of the draw''s tree after it.';

create table plays_taken_back (
  draw_id bigint not null references draws (id),
  leaf_index bigint not null,
  play_id bytea not null,
  order_id uuid not null references orders (id),
  primary key (draw_id, leaf_index)
);
create index plays_taken_back_of_order on plays_taken_back (order_id);
comment on table plays_taken_back is 'Leaves whose payment left the chain. What comes back before the close has its old leaf; the rest is revoked then.';

create table receipts (
  order_id uuid not null references orders (id),
  place integer not null,
  draw_id bigint not null references draws (id),
  made_at bigint not null,
  size bigint not null,
  index bigint not null,
  hash text not null,
  note text not null,
  primary key (order_id, place, draw_id)
);
comment on table receipts is 'Signed receipts, made when they are first asked for, one for each play and draw; size is that of the tree to which its path leads.';

create table rate_quotes (
  at bigint not null,
  sats_per_unit bigint not null check (sats_per_unit > 0),
  source text not null,
  primary key (at, source)
);
comment on table rate_quotes is 'What each source said of a pound when a rate was stored, in whole satoshis.';

alter table wins drop constraint wins_pkey;
alter table wins drop column entry_id;
alter table wins add primary key (draw_id, play_id, line_no);

drop index payables_of_win;
alter table payables
  drop column entry_id,
  add column play_id uuid,
  add column line_no integer;
create index payables_of_win on payables (draw_id, play_id, line_no) where kind = 'prize';

drop table if exists entry_blocks;
drop table entries;
drop table entries_being_made;
drop function seal_entries(bigint);
