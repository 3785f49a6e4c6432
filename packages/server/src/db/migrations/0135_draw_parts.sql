-- A large draw is settled in parts, each in a transaction of its own, and wins are checked by the statement and not by the
-- row: docs/decisions/0112.

-- All of them before anything else: taken one by one between the steps, more would wait for each other.
lock table players, draws, plays, wins in access exclusive mode;

create table draw_parts (
  draw_id bigint not null references draws (id),
  part integer not null,
  first_leaf bigint not null,
  end_leaf bigint not null check (end_leaf > first_leaf),
  lines bigint,
  free bigint,
  carried bigint,
  stake_sats bigint,
  winners bigint[],
  is_written boolean not null default false check (not is_written or winners is not null),
  primary key (draw_id, part)
);
comment on table draw_parts is 'The parts of a drawn draw that is being settled: ranges of its leaves, each in one section. Removed with the result.';
comment on column draw_parts.end_leaf is 'The first leaf behind the part.';
comment on column draw_parts.winners is 'Winning lines by tier in the order of the rules; null until the part is counted.';
comment on column draw_parts.is_written is 'Whether its wins are in wins, where nobody reads them before the draw is settled.';

-- Three foreign keys looked up three rows for each win, and took most of the time of a settlement. One look at all wins of
-- a statement says more: a win is of a play, and has that play's draw and player, whose rows the play refers to.
create function check_wins_of_plays() returns trigger language plpgsql as $$
begin
  if exists (
    select from added a left join plays p on p.id = a.play_id and p.draw_id = a.draw_id and p.player_id = a.player_id
    where p.id is null
  ) then
    raise exception 'a win is of a play, of its draw and its player' using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;
create trigger wins_of_plays after insert on wins referencing new table as added
  for each statement execute function check_wins_of_plays();

create function keep_plays_with_wins() returns trigger language plpgsql as $$
begin
  if exists (select from removed r cross join lateral (select from wins w where w.play_id = r.id limit 1) w) then
    raise exception 'a play with wins is not removed' using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;
create trigger plays_with_wins_stay after delete on plays referencing old table as removed
  for each statement execute function keep_plays_with_wins();

-- Nothing of the program changes a win or removes one.
create trigger wins_stay before update or delete on wins for each statement execute function refuse_change();

alter table wins drop constraint wins_draw_id_fkey, drop constraint wins_player_id_fkey, drop constraint wins_play_id_fkey;

create or replace view console_wins with (security_barrier = true) as
  select w.draw_id, w.player_id, w.play_id, w.line_no, w.matches, w.win_type, w.amount_sats
  from wins w join draws d on d.id = w.draw_id where d.status = 'settled';
