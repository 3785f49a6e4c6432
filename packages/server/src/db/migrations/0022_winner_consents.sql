-- Players who let their wins be shown to everybody, and the newest wins found without reading all of them.
--
-- A consent is a row that is ended and never changed otherwise: it says who agreed when and until when, and stays as the
-- proof that what was shown was agreed to. The list of winners walks the newest settled draws and stops when it is full.

create table winner_consents (
  tag uuid primary key,
  player_id bigint not null references players (id),
  given_at bigint not null,
  ended_at bigint
);
create unique index winner_consents_in_force on winner_consents (player_id) include (tag) where ended_at is null;
create index winner_consents_of_player on winner_consents (player_id, given_at);
comment on column winner_consents.tag is 'Random: the ids of shown wins are made of it, so that they tell neither the player nor the entry.';

create index draws_settled_by_start on draws (start_at desc, id desc) where status = 'settled';
create index wins_in_money on wins (draw_id, player_id) include (amount_sats) where amount_sats is not null;
