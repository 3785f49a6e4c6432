-- What a batch was checked to pay before it was signed: docs/decisions/0042.
alter table payout_txs add column outputs_seal bytea;
comment on column payout_txs.outputs_seal is 'Of the first version: an HMAC-SHA-256 over what the batch pays. A version that pays more in fees pays the same to others.';
