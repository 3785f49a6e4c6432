create table waiting_notices (
  player_id bigint not null references players (id),
  first_at bigint not null,
  last_at bigint not null,
  count integer not null default 1,
  is_former boolean not null,
  to_address text not null,
  fact text not null,
  primary key (player_id, to_address, fact)
);
comment on table waiting_notices is 'Notices about an account beyond the first of their kind in a day: each full hour those of an address become one mail.';
