-- What slows guessing down without locking a player out.
--
-- Failures are counted per account, and apart for each address the player is known to log in from: a stranger who
-- guesses from elsewhere uses up another counter than the one the player meets at home. Neither table tells who tried or
-- from where: both hold hashes under a key that is not in the database.

create table known_addresses (
  player_id bigint not null references players (id),
  seen_at bigint not null,
  address_hash bytea not null,
  primary key (player_id, address_hash)
);
comment on table known_addresses is 'Where a player logged in from in the last 90 days, as keyed hashes of network addresses.';

create table login_failures (
  window_ends_at bigint not null,
  day_ends_at bigint not null,
  wait_until_ms bigint not null,
  window_count integer not null,
  day_count integer not null,
  subject bytea primary key
);
comment on table login_failures is 'Wrong passwords and codes; subject is the keyed hash of step, account and known address.';
comment on column login_failures.wait_until_ms is 'Epoch milliseconds before which the next try is refused unlooked at.';
