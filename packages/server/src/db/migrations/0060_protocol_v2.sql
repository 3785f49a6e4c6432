-- Version 2 of the draw protocol (docs/fairness.md): the log as a tree of statements, its checkpoints, and who cosigned
-- them. A database with statements of version 1 is refused before this runs (src/db/migrate.ts), so nothing is carried over.

alter table draws drop constraint draws_open_hash_fkey, drop constraint draws_close_hash_fkey,
  drop constraint draws_result_hash_fkey, drop constraint draws_void_hash_fkey, drop constraint draws_rules_hash_fkey;
drop table witness_lines;
drop table statements;
drop table rules_texts;

create table tree_tiles (
  tree text not null,
  level smallint not null,
  index bigint not null,
  hashes bytea not null check (length(hashes) between 32 and 8192 and length(hashes) % 32 = 0),
  primary key (tree, level, index)
);
alter table tree_tiles alter column hashes set storage external; -- hashes cannot be compressed
comment on table tree_tiles is 'Tiles of up to 256 hashes (C2SP tlog-tiles): of the log, of payments as paid, and of the plays of a draw as draw/<open_hash>.';
comment on column tree_tiles.hashes is 'Grows at its end until it is full: a tile that was served with fewer hashes is a beginning of it.';

create table log_leaves (
  index bigint primary key,
  at bigint not null,
  hash text not null unique,
  type text not null,
  text text not null,
  open_hash text
);
create index log_leaves_of_draw on log_leaves (open_hash, index) where open_hash is not null;
create index log_leaves_by_type on log_leaves (type, index);
create index log_leaves_by_time on log_leaves (at, index);
comment on table log_leaves is 'The log: statements by index, without gaps, their times never falling. Append-only.';
comment on column log_leaves.open_hash is 'The identity of the draw that the statement is about; null for others.';
create trigger log_leaves_append_only before update or delete or truncate on log_leaves
  for each statement execute function refuse_change();

create table checkpoints (
  size bigint primary key,
  at bigint not null,
  note text not null
);
comment on table checkpoints is 'Heads of the log, each signed with the statement that made it.';
create trigger checkpoints_append_only before update or delete or truncate on checkpoints
  for each statement execute function refuse_change();

create table cosignatures (
  size bigint not null references checkpoints (size),
  witness text not null,
  at bigint not null,
  line text not null,
  primary key (size, witness)
);
comment on table cosignatures is 'Verified cosignatures of witnesses over checkpoints; a witness by its key, as hex.';

create table texts (
  hash text primary key,
  text text not null
);
comment on table texts is 'Rules, policies and reserves, which statements name by their hashes.';

create table paid_leaves (
  index bigint primary key,
  payment text not null unique,
  leaf bytea not null,
  open_hash text not null references log_leaves (hash),
  play_index bigint not null,
  sats bigint not null
);
create index paid_leaves_of_draw on paid_leaves (open_hash, play_index);
comment on table paid_leaves is 'The tree of prizes paid: its leaves by index. Each is shown to its payee alone.';
comment on column paid_leaves.payment is 'What was paid, once: the prize by its payable.';

create table paid_draws (
  open_hash text not null references log_leaves (hash),
  index bigint not null references log_leaves (index),
  won_sats bigint not null,
  paid_sats bigint not null,
  primary key (open_hash, index)
);
comment on table paid_draws is 'What each paid statement says of draws, by the index of the statement.';

create table solvency_leaves (
  hash text not null references log_leaves (hash),
  index integer not null,
  player_id bigint not null references players (id),
  nonce bytea not null check (length(nonce) = 32),
  sats bigint not null,
  username text not null,
  primary key (hash, index),
  unique (hash, player_id)
);
comment on table solvency_leaves is 'The sum tree of each solvency statement: its accounts in order. Each is shown to its own account alone.';

alter table draws add foreign key (open_hash) references log_leaves (hash), add foreign key (close_hash) references log_leaves (hash),
  add foreign key (result_hash) references log_leaves (hash), add foreign key (void_hash) references log_leaves (hash),
  add foreign key (rules_hash) references texts (hash);
