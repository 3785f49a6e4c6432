-- Browsers that a player has logged in with: failures from one of them are counted for it alone, whatever its address.
create table known_devices (
  player_id bigint not null references players (id),
  seen_at bigint not null,
  hash bytea not null,
  primary key (player_id, hash)
);
create index known_devices_by_hash on known_devices (hash);
create index known_devices_by_time on known_devices (seen_at);
comment on table known_devices is 'SHA-256 of 256 random bits in a cookie, which change at every login; ten of a player, for 180 days.';
comment on column known_devices.seen_at is 'When its player last logged in with it.';
