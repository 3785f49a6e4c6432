-- A game ends: its draws are played, then its pools go to another game or to the partners, and its free tickets are paid out.

alter table games add column retires_into text,
  add constraint games_retires_into check ((state = 'active') = (retires_into is null));
comment on column games.retires_into is 'The game that gets the pools of this one when it has ended, or partners; null while it is active.';

alter table plays add column returned_at bigint;
comment on column plays.returned_at is 'When the stake of a play went back because its draw was void and no draw of its game was left.';

alter table free_tickets add constraint free_tickets_paid_out check (paid_out >= 0 and won >= used + held + paid_out);
