-- What the wallets hold is read, not assumed, and compared with the ledger. What moves their coins and is neither a
-- payment nor a payout is the operator's own: it is noted here once, and booked.

create table wallet_readings (
  source text not null,
  wallet text not null,
  sats bigint not null check (sats >= 0),
  read_at bigint not null,
  primary key (source, wallet)
);
comment on table wallet_readings is 'What each wallet held when it was read last: shown when it cannot be asked now.';

create table treasury_checks (
  id boolean primary key default true check (id),
  checked_at bigint not null,
  ledger_sats bigint not null,
  held_sats bigint not null,
  pending_sats bigint
);
comment on table treasury_checks is 'The last time wallets and ledger were held against each other; one row.';
comment on column treasury_checks.pending_sats is 'What the wallets already show, or show no more, and the ledger does not have yet. held − ledger − pending is 0, or nobody knows where it went.';

create table treasury_movements (
  txid text primary key,
  found_at bigint not null,
  booked_at bigint,
  paid_sats bigint not null default 0 check (paid_sats >= 0),
  fee_sats bigint not null default 0 check (fee_sats >= 0),
  kind text not null check (kind in ('deposit', 'transfer', 'spend')),
  state text not null check (state in ('IMMATURE', 'UNBOOKED', 'BOOKED', 'GONE')),
  paid_from text,
  constraint treasury_movements_booked check ((state = 'BOOKED') = (booked_at is not null))
);
create index treasury_movements_open on treasury_movements (found_at) where state in ('IMMATURE', 'UNBOOKED');
comment on table treasury_movements is 'Transactions six blocks deep that moved coins of the wallets and are neither payments nor payouts. Each is booked once.';
comment on column treasury_movements.paid_sats is 'What went to somebody else, in sats; the operator says from which account.';

alter table unknown_deposits
  add column taken_at bigint,
  add column taken_for text,
  add column taken_confirmation integer not null default 0;
comment on column unknown_deposits.taken_for is 'What the operator said it was: bankroll, or a transfer of the operator''s own.';
comment on column unknown_deposits.taken_confirmation is 'Which of its confirmations was taken out of suspense; times_confirmed then. One that is undone and comes again can be taken again.';
