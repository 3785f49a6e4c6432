-- Payments over Lightning come in: the invoices of orders, the operator's node, and what it holds in the ledger.

-- Allows one kind more than before.
alter table ledger_accounts drop constraint ledger_accounts_kind_check,
  add constraint ledger_accounts_kind_check check (kind in (
    'wallet', 'received', 'stakes_held', 'prize_pool', 'donation_pool', 'fee_reserve', 'pot', 'reserve', 'winnings',
    'partner', 'bankroll', 'operator_fee', 'in_flight', 'network_fees', 'losses', 'suspense', 'lightning'));
comment on column postings.amount_sats is 'What the account gains (positive) or gives (negative). Wallet, lightning, network fees and losses are debit accounts: what they hold is minus their sum.';

create table ln_invoices (
  payment_hash text primary key check (payment_hash ~ '^[0-9a-f]{64}$'),
  order_id uuid not null unique references orders (id),
  created_at bigint not null,
  expires_at bigint not null,
  closed_at bigint,
  paid_at bigint,
  amount_sats bigint not null check (amount_sats > 0),
  received_msat bigint check (received_msat > 0),
  node_id text not null,
  bolt11 text,
  constraint ln_invoices_paid check ((paid_at is null) = (received_msat is null))
);
create index ln_invoices_paid_lately on ln_invoices (paid_at) where paid_at is not null;
comment on table ln_invoices is 'The one Lightning invoice of an order, noted before the node is asked for it. The preimage follows from SECRET_KEY and the order.';
comment on column ln_invoices.bolt11 is 'The invoice as a payer gets it; null until the node has made it.';
comment on column ln_invoices.closed_at is 'From then on it must not be paid: the order is paid on the chain, has ended, or the node could not be used when it was made.';

create table lightning_node (
  id boolean primary key default true check (id),
  node_id text not null,
  accepted_at bigint not null
);
comment on table lightning_node is 'The operator''s Lightning node: no other is used until the operator accepts it.';

alter table treasury_checks add column lightning_ledger_sats bigint, add column lightning_held_sats bigint;
comment on column treasury_checks.lightning_held_sats is 'What the Lightning node held; null without one, or while it does not say.';

create table test_ln_invoices (
  payment_hash text primary key,
  settle_index bigint unique,
  amount_msat bigint not null,
  received_msat bigint,
  created_at bigint not null,
  expires_at bigint not null,
  paid_at bigint,
  label text not null unique,
  preimage bytea not null,
  bolt11 text not null
);
comment on table test_ln_invoices is 'The invoices of the demo''s Lightning node, which has nothing but this table.';
