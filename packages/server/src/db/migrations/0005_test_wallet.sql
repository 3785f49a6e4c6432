-- The demo's outside world: a wallet and a chain of test coins, kept where they survive a restart. Production never
-- reads these tables. A block comes every 600 seconds of the system's clock, so confirmations are computed, not stored.

create table test_wallet_txs (
  outpoint text primary key,
  sats bigint not null check (sats > 0),
  at bigint not null,
  fee_sats bigint not null default 0,
  mined_confirmations integer not null default 0,
  direction text not null check (direction in ('in', 'out')),
  txid text not null,
  address text not null
);
create index test_wallet_txs_of_address on test_wallet_txs (address);
comment on column test_wallet_txs.mined_confirmations is 'Confirmations given at once by the demo''s pay control; blocks mined since come on top.';

create sequence test_wallet_addresses minvalue 0 start 0;
