-- Up to which posting the ledger has been verified, with the sums of its accounts there: each minute's check reads what
-- came after. Nothing else reads these sums, and the checks of everything do not use them.

create table ledger_watermark (
  id boolean primary key default true check (id),
  claimed_at bigint not null default 0,
  upto_posting_id bigint not null default 0,
  upto_transfer_id bigint not null default 0,
  total_sats bigint not null default 0,
  next_posting_id bigint not null default 0,
  next_transfer_id bigint not null default 0,
  next_xid bigint not null default 0
);
comment on column ledger_watermark.next_xid is 'Once every transaction below it has ended, nothing up to the next ids can still appear.';

create table ledger_verified (
  account_id bigint primary key references ledger_accounts (id),
  natural_sats bigint not null,
  checkpoint_posting_id bigint,
  checkpoint_sats bigint
);
create index ledger_verified_negative on ledger_verified (account_id) where natural_sats < 0;
comment on column ledger_verified.natural_sats is 'The sum of the account''s postings up to the watermark; of debit accounts, minus that sum.';
comment on column ledger_verified.checkpoint_sats is 'The newest checkpoint that was found to be the sum of its postings.';
