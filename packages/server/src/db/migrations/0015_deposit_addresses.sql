-- The addresses given out by PAYMENTS=bitcoin-core: derived from the account's extended public key by an index of ours, one an order, never
-- given out twice. They belong to the port, which knows the order's id and nothing else of it. Rows are never deleted: money
-- may come to an old address at any time.

create table deposit_accounts (
  account text primary key,
  next_index bigint not null check (next_index between 1 and 2147483648)
);
comment on table deposit_accounts is 'How far the indexes of each account were taken; the operator may change the account.';

create table deposit_addresses (
  address text primary key,
  created_at bigint not null,
  address_index bigint not null check (address_index >= 0),
  order_id uuid not null unique,
  account text not null,
  unique (account, address_index)
);
comment on column deposit_addresses.account is 'The extended public key the address was derived from; another one after the operator changed it.';
comment on column deposit_addresses.address_index is 'The last step of the path, …/0/index. May have gaps.';

create table deposit_chains (
  network text primary key,
  work text collate "C" not null check (work ~ '^[0-9a-f]{64}$')
);
comment on table deposit_chains is 'The most work of a chain that the node ever showed. A reorganisation always ends with more; with less, the node has lost blocks.';
