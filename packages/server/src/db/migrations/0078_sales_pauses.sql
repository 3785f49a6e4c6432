-- The operator stops the sales of one game or of all: docs/decisions/0051.

create table sales_pauses (
  id bigint generated always as identity primary key,
  game_key text references games (key),
  from_at bigint not null,
  until_at bigint check (until_at >= from_at),
  public_note text not null check (public_note <> ''),
  reason text not null check (reason <> ''),
  actor text not null
);
create unique index sales_pauses_running on sales_pauses (coalesce(game_key, '')) where until_at is null;
comment on table sales_pauses is 'While one runs, no new orders for its game are taken.';
comment on column sales_pauses.game_key is 'Null: all games.';
comment on column sales_pauses.until_at is 'Null while nobody has ended it.';
comment on column sales_pauses.public_note is 'What pages show in place of the way to play.';

-- Whether an order of a game may still be paid, which each new order asks.
create index orders_undecided on orders (game_key) where status in ('PENDING', 'PROCESSING', 'UNDERPAID');
create index orders_expired on orders (game_key, expires_at) where status = 'EXPIRED';
