-- The demo's Lightning node pays, and the demo's wallet is there to be paid.

create table test_ln_wallet_invoices (
  payment_hash text primary key,
  amount_msat bigint not null check (amount_msat > 0),
  created_at bigint not null,
  expires_at bigint not null,
  destination text not null,
  preimage bytea not null,
  bolt11 text not null
);
comment on table test_ln_wallet_invoices is 'The invoices of the demo''s Lightning wallet, which is every payee that there is in a demo.';
comment on column test_ln_wallet_invoices.destination is 'What the payer asked: a Lightning address.';

create table test_ln_payments (
  payment_hash text primary key references test_ln_wallet_invoices (payment_hash),
  paid_index bigint unique,
  amount_msat bigint not null check (amount_msat > 0),
  fee_msat bigint not null check (fee_msat >= 0),
  sent_at bigint not null,
  paid_at bigint,
  state text not null check (state in ('in-flight', 'complete', 'failed')),
  constraint test_ln_payments_complete check (
    (state = 'complete') = (paid_index is not null) and (state = 'complete') = (paid_at is not null))
);
create index test_ln_payments_in_flight on test_ln_payments (payment_hash) where state = 'in-flight';
comment on table test_ln_payments is 'What the demo''s Lightning node sent to the demo''s Lightning wallet, or tried to.';
