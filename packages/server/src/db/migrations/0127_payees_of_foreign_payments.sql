-- Whom payments over Lightning that the database does not know may have paid: docs/decisions/0097.

alter table payout_foreign_txs add column payee_hash bytea;
comment on column payout_foreign_txs.payee_hash is 'SHA-256 of the first 100 characters of the destination that a payment over Lightning went to, by the label of the node; null where the node has none.';

alter table payout_players_set_aside add column txids text[] not null default '{}';
comment on column payout_players_set_aside.txids is 'Accepted payments over Lightning that may have paid the player: once each of them is known to be no payout, the player is paid again. None if the address was tampered with.';
