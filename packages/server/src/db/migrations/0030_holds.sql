-- A payment seen in time keeps price and draws while it may still come into a block in time (decision 38).
-- mined_at is the time of the block that holds it: null while none does, and where an older program counted it.
alter table payments add column mined_at bigint;
-- What the 90 minutes after the expiry are longer by: a block that the chain took back, and, where the provider tells no time of
-- blocks, time in which it could not be read, counted from read_at on.
alter table orders add column hold_added_seconds int not null default 0 check (hold_added_seconds >= 0);
alter table orders add column read_at bigint;
