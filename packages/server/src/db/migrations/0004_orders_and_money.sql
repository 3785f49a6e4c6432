-- Orders, plays, wins, and the money that comes in and goes out.
--
-- An order keeps its lines once (masks of 64 bits, at most 200 a row). When it becomes PAID it gets one play per draw,
-- with the play's own secret; entries exist only from the close of the draw on, in that draw's partition.

create table orders (
  id uuid primary key,
  player_id bigint not null references players (id),
  created_at bigint not null,
  expires_at bigint not null,
  paid_at bigint,
  ticket_price_minor bigint not null,
  price_minor bigint not null,
  rate_sats bigint not null,
  due_sats bigint not null check (due_sats >= 0),
  draw_ids bigint[] not null,
  line_count integer not null check (line_count between 1 and 1000),
  entry_count integer not null,
  free_count integer not null,
  weeks smallint not null,
  days smallint[] not null,
  game_key text not null references games (key),
  status text not null check (status in ('PENDING', 'PROCESSING', 'UNDERPAID', 'PAID', 'EXPIRED', 'REFUNDED')),
  username text not null,
  idempotency_key text,
  request_hash bytea not null,
  unique (player_id, idempotency_key)
);
create index orders_of_player on orders (player_id, created_at desc);
create index orders_unfinished on orders (player_id, game_key) where status in ('PENDING', 'PROCESSING', 'UNDERPAID');

create table order_lines (
  order_id uuid not null references orders (id),
  part smallint not null,
  masks bigint[] not null,
  primary key (order_id, part)
);

create table plays (
  id uuid primary key,
  order_id uuid not null references orders (id),
  player_id bigint not null references players (id),
  draw_id bigint not null references draws (id),
  stake_sats bigint not null,
  receipt_at bigint not null,
  moved_from_draw_id bigint references draws (id),
  place integer not null,
  free_count integer not null,
  line_count integer not null,
  secret bytea not null,
  unique (order_id, draw_id)
);
create index plays_of_draw on plays (draw_id, id);
create index plays_of_player on plays (player_id, draw_id desc);
comment on column plays.place is 'Which of the order''s draws this is, from 0 in order of start: it fixes which of the order''s entries are free and what each paid.';

create table wins (
  draw_id bigint not null references draws (id),
  player_id bigint not null references players (id),
  amount_sats bigint,
  play_id uuid not null references plays (id),
  line_no integer not null,
  matches smallint not null,
  win_type text not null check (win_type in ('JACKPOT', 'PRIZE', 'FREE_TICKET')),
  entry_id bytea not null,
  primary key (draw_id, entry_id)
);
create index wins_of_player on wins (player_id, draw_id desc);
create index wins_of_play on wins (play_id);

create table free_tickets (
  player_id bigint not null references players (id),
  game_key text not null references games (key),
  won integer not null default 0,
  used integer not null default 0,
  held integer not null default 0,
  primary key (player_id, game_key),
  check (held >= 0 and used >= 0 and won >= used + held)
);

create table saved_numbers (
  player_id bigint not null references players (id),
  game_key text not null references games (key),
  masks bigint[] not null,
  primary key (player_id, game_key)
);

create table rates (
  at bigint not null,
  sats_per_unit bigint not null check (sats_per_unit > 0),
  currency text not null,
  primary key (currency, at)
);
comment on table rates is 'Whole satoshis per unit of a currency, as stored when they were read.';

create table invoices (
  order_id uuid primary key references orders (id),
  expires_at bigint not null,
  amount_sats bigint not null,
  provider text not null,
  ref text not null,
  address text,
  checkout_url text not null,
  unique (provider, ref)
);

create table payments (
  outpoint text primary key,
  order_id uuid not null references orders (id),
  sats bigint not null check (sats > 0),
  seen_at bigint not null,
  confirmed_at bigint,
  network text not null
);
create index payments_of_order on payments (order_id);
comment on table payments is 'What arrived for an order, one row an outpoint; confirmed_at is set in the transaction that posts it.';

create table refunds (
  order_id uuid primary key references orders (id),
  sats bigint not null check (sats > 0),
  at bigint not null
);

create table payout_batches (
  id bigint generated always as identity primary key,
  created_at bigint not null,
  state text not null check (state in ('BATCHED', 'SIGNED', 'SENT', 'FINAL', 'HALTED'))
);
create index payout_batches_unfinished on payout_batches (id) where state in ('BATCHED', 'SIGNED', 'SENT');

create table payouts (
  id bigint generated always as identity primary key,
  batch_id bigint not null references payout_batches (id),
  player_id bigint references players (id),
  partner_id text,
  sats bigint not null check (sats > 0),
  fee_share_sats bigint not null default 0,
  created_at bigint not null,
  sent_at bigint,
  address text not null,
  check ((player_id is null) <> (partner_id is null))
);
create index payouts_of_batch on payouts (batch_id);
create index payouts_of_player on payouts (player_id, id desc);

create table payout_txs (
  batch_id bigint not null references payout_batches (id),
  version integer not null,
  fee_sats bigint not null,
  txid text not null unique,
  raw text not null,
  primary key (batch_id, version)
);
comment on table payout_txs is 'The signed transaction, stored before it is sent: sending the same bytes again is harmless.';

create table payables (
  id bigint generated always as identity primary key,
  created_at bigint not null,
  sats bigint not null check (sats > 0),
  player_id bigint references players (id),
  draw_id bigint,
  payout_id bigint references payouts (id),
  partner_id text,
  kind text not null check (kind in ('prize', 'refund', 'excess', 'donation')),
  source text not null unique,
  order_id uuid references orders (id),
  entry_id bytea,
  check ((player_id is null) <> (partner_id is null))
);
create index payables_waiting on payables (player_id) where payout_id is null;
create index payables_of_win on payables (draw_id, entry_id) where kind = 'prize';
create index payables_of_order on payables (order_id) where order_id is not null;
create index payables_of_payout on payables (payout_id);
comment on table payables is 'What is owed to a player or partner, one row a cause; a payout takes them up, each once.';
