-- What the Lightning node earned by passing payments on, and paid to the chain, is booked as it grows.

alter table lightning_node add column routed_msat bigint, add column chain_fee_msat bigint, add column bookings integer not null default 0;
comment on column lightning_node.routed_msat is 'What the node says it earned ever, as far as it is booked; null until it was read first. Then only what it grows by is booked.';
comment on column lightning_node.chain_fee_msat is 'The same of what it paid to the chain. The node corrects its notes, so it may shrink.';
