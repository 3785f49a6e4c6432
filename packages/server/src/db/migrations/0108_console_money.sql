-- What the console's overview, its treasury and its pages of draws read.

create view console_sales_pauses as select id, game_key, from_at, until_at, public_note, reason, actor from sales_pauses;
create view console_wallet_readings as select source, wallet, sats, read_at from wallet_readings;
create view console_treasury_checks as
  select checked_at, ledger_sats, held_sats, pending_sats, lightning_ledger_sats, lightning_held_sats from treasury_checks;
create view console_log as select index, at, type, text, hash as statement_hash, open_hash from log_leaves;
create view console_texts as select hash as text_hash, text from texts;
create view console_cosignatures as select size, witness, at from cosignatures;

-- What happened since a moment.
create index orders_by_payment on orders (paid_at) include (due_sats) where paid_at is not null;
create index payables_given_back_lately on payables (created_at) include (sats) where kind in ('refund', 'excess');
create index payouts_sent_lately on payouts (sent_at) include (sats) where sent_at is not null;
