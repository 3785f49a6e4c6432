-- The minute's check also looks at what new postings touched, and a pass over everything runs once a night, in pieces.

-- What was posted before is left to the pass.
alter table ledger_watermark
  add column followed_posting_id bigint not null default 0,
  add column followed_transfer_id bigint not null default 0,
  add column looked_at bigint;
insert into ledger_watermark (followed_posting_id, followed_transfer_id)
  values (coalesce((select max(id) from postings), 0), coalesce((select max(id) from transfers), 0))
  on conflict (id) do update set followed_posting_id = excluded.followed_posting_id, followed_transfer_id = excluded.followed_transfer_id;
comment on column ledger_watermark.looked_at is 'When the last look at what is new began.';

create table invariant_passes (
  id boolean primary key default true check (id),
  began_at bigint not null default 0,
  checked_at bigint,
  longest_ms bigint not null default 0,
  is_capped boolean not null default false,
  step text,
  after_id text,
  found bigint[] not null default '{}'
);
comment on table invariant_passes is 'The pass over everything: where it is, and what it has found.';
comment on column invariant_passes.step is 'The rules that are checked next; null if no pass is under way.';
comment on column invariant_passes.after_id is 'The id behind which the next piece begins.';
comment on column invariant_passes.checked_at is 'When the last pass began that has reached its end.';
comment on column invariant_passes.longest_ms is 'How long the longest piece of the newest pass took.';
comment on column invariant_passes.is_capped is 'A piece found more than is kept.';

-- What the minute's check reads of what is not over.
create index payments_by_finality on payments (final_at);
create index payouts_not_sent on payouts (id) include (sats) where sent_at is null and cancelled_at is null;
create index ln_attempts_by_end on ln_attempts (ended_at);
