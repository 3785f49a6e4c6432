-- Which transactions pay an address of the watching wallet. Bitcoin Core finds them only by walking all transactions of the wallet, so
-- each is noted once, when the wallet lists it. What became of a transaction is no part of it: the node is asked for that each time.
-- Rows are never deleted; a transaction that was replaced, or that the wallet no longer has, pays nothing.

create table deposit_txs (
  address text not null,
  txid text not null,
  primary key (address, txid)
);

create table deposit_lists (
  wallet text primary key,
  newest_txid text
);
comment on table deposit_lists is 'How far each wallet of the node was listed, in the order in which it heard of its transactions.';
comment on column deposit_lists.newest_txid is 'Up to this one all are in deposit_txs; null if the wallet has to be listed from its beginning.';
