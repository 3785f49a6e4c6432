-- The clock rule (fairness.md section 9): a verified round says how late it is at least, so the newest one of each chain
-- is kept, also where no draw uses it. Every process compares its clock with it before it sells, closes or draws.
alter table beacon_chains
  add column newest_round bigint,
  add column newest_signature text,
  add column newest_due_at bigint;
comment on column beacon_chains.newest_due_at is 'When the newest verified round was due: no clock may stand more than 30 s before it.';

-- What waits for a round when its signature arrives.
create index draws_of_round on draws (chain_hash, round) where status in ('open', 'closed');
