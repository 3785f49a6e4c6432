-- Players whose addresses somebody changed, until the operator has looked: docs/decisions/0042.
create table payout_players_set_aside (
  player_id bigint primary key references players (id),
  address text not null,
  reason text not null,
  at bigint not null
);
comment on table payout_players_set_aside is 'Players that are paid nothing for now. What is owed to them stays owed and adds up; others at the same address are paid.';
comment on column payout_players_set_aside.address is 'Where the payout that was refused was to go.';
