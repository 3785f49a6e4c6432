-- The ground everything stands on: the system's own facts, the job queue and the double-entry ledger.
--
-- The ledger is the only truth about money. Its rules live in the database, where no code path can forget them:
-- a transfer's postings sum to zero (checked at commit), postings are written with their transfer and never changed,
-- and a transfer's key happens once.

create table system_state (
  key text primary key,
  value text not null
);
comment on table system_state is 'Facts about this installation that outlive a process: the demo clock''s offset, the first start, the operator''s name.';

create table jobs (
  run_at bigint not null,
  id bigint generated always as identity primary key,
  attempts integer not null default 0,
  kind text not null,
  key text not null unique,
  payload jsonb not null,
  last_error text
);
create index jobs_due on jobs (run_at, id);
comment on table jobs is 'Work to be done: claimed with skip locked, removed in the transaction of its effects.';

create table ledger_accounts (
  id bigint generated always as identity primary key,
  kind text not null check (kind in (
    'wallet', 'received', 'stakes_held', 'prize_pool', 'donation_pool', 'fee_reserve', 'pot', 'reserve', 'winnings',
    'partner', 'bankroll', 'operator_fee', 'in_flight', 'network_fees', 'losses', 'suspense')),
  subject text not null default ''
);
create unique index ledger_accounts_identity on ledger_accounts (kind, subject);
comment on column ledger_accounts.subject is 'A game''s key, a draw''s, player''s or partner''s id; empty for the accounts there is one of.';

create table transfers (
  id bigint generated always as identity primary key,
  at bigint not null,
  tx_id xid8 not null default pg_current_xact_id(),
  event text not null,
  key text not null unique
);
comment on column transfers.key is 'The event and its subject: the same event cannot move money twice.';

create table postings (
  id bigint generated always as identity primary key,
  transfer_id bigint not null references transfers (id),
  account_id bigint not null references ledger_accounts (id),
  amount_sats bigint not null check (amount_sats <> 0)
);
create index postings_of_account on postings (account_id, id) include (amount_sats);
create index postings_of_transfer on postings (transfer_id) include (amount_sats);
comment on column postings.amount_sats is 'What the account gains (positive) or gives (negative). Wallet, network fees and losses are debit accounts: what they hold is minus their sum.';

-- A balance is the newest checkpoint plus the postings after it. Taken under the account row's exclusive lock, which
-- waits for every transaction that has posted to the account (they hold its key share before drawing posting ids).
create table ledger_checkpoints (
  account_id bigint not null references ledger_accounts (id),
  upto_posting_id bigint not null,
  balance_sats bigint not null,
  primary key (account_id, upto_posting_id)
);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger postings_append_only before update or delete or truncate on postings
  for each statement execute function refuse_change();
create trigger transfers_append_only before update or delete or truncate on transfers
  for each statement execute function refuse_change();

create function check_transfer_balances() returns trigger language plpgsql as $$
declare
  total numeric;
  lines bigint;
begin
  select sum(amount_sats), count(*) into total, lines from postings where transfer_id = new.id;
  if lines < 2 or total <> 0 then
    raise exception 'transfer % (%) has % postings that sum to %', new.id, new.key, lines, total
      using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger transfers_balance after insert on transfers deferrable initially deferred
  for each row execute function check_transfer_balances();

-- Postings come in the transaction of their transfer, or the check at commit would miss them.
create function check_postings_with_transfer() returns trigger language plpgsql as $$
begin
  if exists (
    select from (select distinct transfer_id from added) a join transfers t on t.id = a.transfer_id
    where t.tx_id <> pg_current_xact_id()
  ) then
    raise exception 'postings are written in the transaction of their transfer' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create trigger postings_with_transfer after insert on postings referencing new table as added
  for each statement execute function check_postings_with_transfer();
