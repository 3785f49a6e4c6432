-- Prizes and returns (refunds, excess) leave in batches of their own, so that nothing that was overpaid ever delays a prize.

alter table payout_batches
  add column class text check (class in ('prizes', 'returns')),
  add column needs_approval boolean not null default false,
  add column fee_rate bigint;
comment on column payout_batches.class is 'What it pays; null for batches from before, which may hold both.';
comment on column payout_batches.needs_approval is 'It was made for a person to approve, and stays so once it was approved. What leaves without one counts against the limits of returns.';
comment on column payout_batches.fee_rate is 'The fee that its returns bear their shares of, in sats per 1,000 virtual bytes; null where nothing in it bears one.';

create index payout_batches_returns on payout_batches (created_at) where class = 'returns';
create index payables_returns_waiting on payables (id) where payout_id is null and kind in ('refund', 'excess');
