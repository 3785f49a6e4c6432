-- How deep a payout's transaction was when a worker looked last: the console asks no node.

alter table payout_txs add column confirmations bigint check (confirmations >= 0);
comment on column payout_txs.confirmations is 'Null until it is followed, and while the network does not know it.';

create or replace view console_payout_txs as select batch_id, version, kind, txid, fee_sats, created_at, confirmations from payout_txs;
