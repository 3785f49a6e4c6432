-- Payouts over a wallet of the real network (payments.md section 5): who waits and why, every version of a transaction
-- with the coins it spends, and who of the operator's people did what.

alter table payout_batches drop constraint payout_batches_state_check;
alter table payout_batches add constraint payout_batches_state_check check (state in (
  'WAITING_APPROVAL', 'WAITING_FUNDS', 'BATCHED', 'SIGNED', 'SENT', 'CONFIRMED', 'FINAL', 'HALTED', 'CANCELLING', 'CANCELLED'));
drop index payout_batches_unfinished;
create index payout_batches_unfinished on payout_batches (id) where state not in ('FINAL', 'CANCELLED');

alter table payout_batches
  add column sent_at bigint,
  add column halted_from text,
  add column reason text,
  add column version integer,
  add column booked_fee_sats bigint not null default 0,
  add column fee_moves integer not null default 0,
  add constraint payout_batches_halted check ((state = 'HALTED') = (halted_from is not null));
update payout_batches b set version = x.version, booked_fee_sats = x.fee_sats,
  sent_at = (select min(sent_at) from payouts p where p.batch_id = b.id)
  from payout_txs x where x.batch_id = b.id and b.state in ('SENT', 'FINAL');
comment on column payout_batches.halted_from is 'The state a halted batch goes back to when it is taken up again.';
comment on column payout_batches.version is 'The version that stands in the chain or the mempool, as last seen; its fee is the booked one.';
comment on column payout_batches.fee_moves is 'How often the booked fee changed: part of the key of each correction.';

alter table payouts add column cancelled_at bigint;
comment on column payouts.cancelled_at is 'When it was given up for good; what it would have paid is owed again.';

alter table payout_txs
  add column kind text not null default 'pay' check (kind in ('pay', 'cancel')),
  add column created_at bigint not null default 0,
  add column inputs text[] not null default '{}';
comment on table payout_txs is 'The signed transactions, stored before they are sent: sending the same bytes again is harmless. A cancel pays only ourselves.';

-- Whatever program writes a version: one that shares no coin with an earlier one could be mined beside it, and pay twice.
create function check_version_shares_coins() returns trigger language plpgsql as $$
begin
  if exists (
    select from payout_txs where batch_id = new.batch_id and version < new.version and not inputs && new.inputs
  ) then
    raise exception 'version % of payout batch % spends no coin of an earlier one', new.version, new.batch_id
      using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger payout_txs_share_coins after insert on payout_txs
  for each row execute function check_version_shares_coins();

create table payout_inputs (
  batch_id bigint not null references payout_batches (id),
  is_open boolean not null default true,
  outpoint text not null,
  primary key (batch_id, outpoint)
);
create unique index payout_inputs_reserved on payout_inputs (outpoint) where is_open;
comment on table payout_inputs is 'The coins of a batch''s transactions; while it is open no other batch may spend them. The wallet''s own locks are only a copy.';

create table payout_foreign_txs (
  txid text primary key,
  found_at bigint not null,
  accepted_at bigint
);
comment on table payout_foreign_txs is 'Transactions that spent coins of the hot wallet and are none of payout_txs. Payouts stop until the operator accepts them.';

create table operator_actions (
  id bigint generated always as identity primary key,
  at bigint not null,
  actor text not null,
  action text not null,
  subject text not null,
  detail text not null
);
create trigger operator_actions_append_only before update or delete or truncate on operator_actions
  for each statement execute function refuse_change();
comment on table operator_actions is 'The audit log: what the operator''s people did by hand, in the transaction that did it.';
