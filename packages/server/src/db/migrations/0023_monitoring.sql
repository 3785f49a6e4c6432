-- What watches over the whole: figures that are dear to count, counted once a minute for all processes; and what breaks an
-- invariant, which stops payouts by standing here until the operator has looked.

create table readings (
  name text primary key,
  read_at bigint not null,
  content jsonb not null
);
comment on table readings is 'Figures for the monitor, the newest reading of each set.';

create table invariant_checks (
  id boolean primary key default true check (id),
  claimed_at bigint not null,
  checked_at bigint,
  took_ms bigint not null default 0
);
comment on table invariant_checks is 'The newest check, for all processes: who claims it does it, and none follows before its time.';

create table invariant_violations (
  number bigint generated always as identity primary key,
  found_at bigint not null,
  seen_at bigint not null,
  gone_at bigint,
  accepted_at bigint,
  invariant text not null,
  problem text not null,
  unique (invariant, problem)
);
create index invariant_violations_standing on invariant_violations (number) where gone_at is null and accepted_at is null;
comment on table invariant_violations is 'While one stands that the operator has not accepted, no payout is made, signed or sent.';
