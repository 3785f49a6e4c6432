-- Real money can be taken back and can arrive where nobody expects it: rates that jump wait for a second reading, a
-- provider's messages are kept once each, what belongs to no order is noted, and a payment that counted can be
-- reorganised away.

create table rate_doubts (
  currency text primary key,
  at bigint not null,
  sats_per_unit bigint not null check (sats_per_unit > 0)
);
comment on table rate_doubts is 'A live rate that jumped, until a second reading confirms or replaces it. Nothing is sold in its currency meanwhile.';

create table webhook_inbox (
  provider text not null,
  key text not null,
  ref text not null,
  received_at bigint not null,
  primary key (provider, key)
);
create index webhook_inbox_age on webhook_inbox (received_at);
comment on table webhook_inbox is 'Genuine messages of payment providers, each once; they are hints, so what they say is not kept.';

create table provider_cursors (
  provider text primary key,
  at bigint not null,
  cursor text not null
);
comment on table provider_cursors is 'How far a provider''s changes were followed.';

create table unknown_deposits (
  outpoint text primary key,
  sats bigint not null check (sats > 0),
  seen_at bigint not null,
  confirmed_at bigint,
  times_confirmed integer not null default 0,
  provider text not null,
  network text not null
);
comment on table unknown_deposits is 'Money that arrived and belongs to no order. Once confirmed it stands in suspense.';

alter table payments
  add column final_at bigint,
  add column missing_since bigint,
  add column gone_at bigint,
  add column times_reversed integer not null default 0;
comment on column payments.final_at is 'When it was deep enough not to be looked at again.';
comment on column payments.missing_since is 'When a payment that counts was first not found any more; a second look later takes it back.';
comment on column payments.gone_at is 'Not in the chain and not on its way, although it counted once. The row stays: the payment can come back.';
create index payments_reversed on payments (outpoint) where times_reversed > 0 or missing_since is not null;

alter table orders
  add column times_reversed integer not null default 0,
  add column applied_sats bigint,
  add column lost_sats bigint not null default 0;
comment on column orders.applied_sats is 'Confirmed money that left `received` for good, as kept from the first time on that a payment of the order was reorganised away; null before.';
comment on column orders.lost_sats is 'What the operator lost on this order and has not got back, in `losses`.';
