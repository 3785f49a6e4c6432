-- Whom payouts leave out until somebody has looked, while everybody else is paid.

alter table payout_foreign_txs add column may_be_payout boolean not null default true;
comment on column payout_foreign_txs.may_be_payout is 'False once the operator has said that it was no payout of ours: it is never looked at again.';

create table payout_set_aside (
  address text primary key,
  reason text not null,
  txids text[] not null,
  at bigint not null
);
comment on table payout_set_aside is 'Addresses that are paid nothing for now. What is owed there stays owed and adds up.';
comment on column payout_set_aside.txids is 'Accepted foreign spends that paid the address: once each of them is known to be no payout, it is paid again. None where the address is the hot wallet''s own.';
