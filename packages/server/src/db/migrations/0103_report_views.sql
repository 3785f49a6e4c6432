-- What the operator's reports read: the books, and figures of players without their names.

create view console_transfers as select id, at, event, key from transfers;
create view console_postings as select id, transfer_id, account_id, amount_sats from postings;
create view console_ledger_accounts as select id, kind, subject from ledger_accounts;
create view console_rates as select at, currency, sats_per_unit from rates;
create view console_period_locks as select month, locked_at, last_transfer_id, journal_hash, request_id from period_locks;

create view console_payout_report with (security_barrier = true) as
  select p.id, p.batch_id, p.kind, p.player_id, p.partner_id, p.sats, p.fee_share_sats, p.created_at, p.sent_at,
    p.cancelled_at,
    coalesce(
      (select t.txid from payout_batches b join payout_txs t on t.batch_id = b.id and t.version = b.version
        where b.id = p.batch_id and p.sent_at is not null),
      (select a.payment_hash from ln_attempts a where a.payout_id = p.id and a.outcome = 'complete')) as reference
  from payouts p;
comment on view console_payout_report is 'Payouts without where they went; reference is the transaction, or the hash of the payment over Lightning.';

create view console_registrations as select created_at from players;
create view console_paid_orders with (security_barrier = true) as select player_id, paid_at from orders where paid_at is not null;
create view console_safer_play_days as select day, kind, changes from safer_play_days;
