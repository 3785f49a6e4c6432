-- Games are configuration: what a game is, and every version of its rules, is in the database, and a draw, an order and a play
-- carry all that concerns them. A database that has games keeps them as they are, with the rules that were announced.

alter table games
  add column id integer,
  add column state text not null default 'active' check (state in ('active', 'retiring', 'retired')),
  add column name text not null default '',
  add column accent text not null default '#9AA0A6',
  add column pattern text not null default 'solid' check (pattern in ('solid', 'band', 'reeded', 'facets', 'ring', 'sunburst')),
  add column summary text not null default '',
  add column weeks_ahead integer not null default 4 check (weeks_ahead > 0),
  add column created_at bigint not null default 0,
  add column retired_at bigint;
comment on column games.id is 'The number in answers; it never changes and is never used again.';
comment on column games.position is 'The order of display, and of who the bankroll carries first.';
comment on column games.weeks_ahead is 'The horizon: how many weeks an order may name. It is no part of a version and applies at once.';

update games g set id = g.position + 1, name = k.name, accent = k.accent, pattern = k.pattern, summary = k.summary,
    weeks_ahead = k.weeks_ahead, created_at = coalesce((select min(at) from log_leaves), 0)
  from (values
    ('bitcoin-lotto', 'Bitcoin Lotto', '#FF9A1F', 'solid', 'Six numbers of 49, every Wednesday and Saturday.', 4),
    ('bitcoin-hero', 'Bitcoin Hero', '#FF6F96', 'band', 'Five numbers of 36, every day.', 2),
    ('treasure', 'Treasure', '#22C58F', 'reeded', 'Five numbers of 50, every Tuesday and Friday.', 4),
    ('ether-lotto', 'Ether Lotto', '#A08BFF', 'facets', 'Six numbers of 45, every Monday and Thursday.', 4),
    ('mega-ball', 'Mega Ball', '#55ABFF', 'ring', 'Seven numbers of 47, every Friday.', 8),
    ('super-game', 'Super Game', '#FFD43B', 'sunburst', 'Six numbers of 59, every Sunday.', 8)
  ) as k (key, name, accent, pattern, summary, weeks_ahead) where k.key = g.key;
update games set id = position + 1, name = key where id is null;
create sequence games_id_seq owned by games.id;
select setval('games_id_seq', coalesce((select max(id) from games), 0) + 1, false);
alter table games alter column id set default nextval('games_id_seq');
create unique index games_id on games (id);

create table game_aliases (
  alias text primary key,
  game_key text not null references games (key)
);
comment on table game_aliases is 'Other spellings of a game''s key in addresses.';
insert into game_aliases (alias, game_key) select 'threasure', key from games where key = 'treasure';

alter table game_versions
  add column rules jsonb,
  add column announced_at bigint not null default 0,
  add column kinds text[] not null default '{}',
  add column reason text not null default '',
  add column statement_hash text references log_leaves (hash),
  add column actor text not null default '',
  add column request_id text;
comment on table game_versions is 'What the game statements announced, and the first draw start each applies to. A draw belongs to the highest version that applies to its scheduled start. Append-only.';
comment on column game_versions.rules is 'The rules as the games file has them; the text that statements name by rules_hash has the same and no horizon.';
comment on column game_versions.kinds is 'What the version changes: new, price-up, price-down, …; retire.';
comment on column game_versions.reason is 'Why, in the words of who announced it.';

-- The announced text holds everything but the horizon. The demo's first draw has a time of its own among its starts.
update game_versions v set
    rules = jsonb_build_object(
      'currency', substring(x.text from E'\nprice ([A-Z]{3}) '),
      'pick', substring(x.text from E'\npick ([0-9]+)\n')::int,
      'pool', substring(x.text from E'\npool ([0-9]+)\n')::int,
      'price_minor', substring(x.text from E'\nprice [A-Z]{3} ([0-9]+)\n')::bigint,
      'tiers', (
        select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('matches', split_part(line, ' ', 2)::int, 'kind', split_part(line, ' ', 3),
          'prize_minor', nullif(split_part(line, ' ', 4), '')::bigint)) order by place)
        from regexp_split_to_table(x.text, E'\n') with ordinality as l (line, place) where line like 'tier %'),
      'split', jsonb_build_object(
        'prize_pool', substring(x.text from E'\nsplit ([0-9]+) ')::int,
        'donation', substring(x.text from E'\nsplit [0-9]+ ([0-9]+) ')::int,
        'fee', substring(x.text from E'\nsplit [0-9]+ [0-9]+ ([0-9]+)\n')::int),
      'guaranteed_minor', substring(x.text from E'\nfloor ([0-9]+)\n')::bigint,
      'cover_minor', substring(x.text from E'\ncover ([0-9]+)\n')::bigint,
      'draw_times', (
        select coalesce(jsonb_agg(jsonb_build_object('day', at / 86400 + 1, 'minute_of_day', at % 86400 / 60) order by at), '[]')
        from (select substring(line from 4)::bigint as at from regexp_split_to_table(x.text, E'\n') as line where line like 'at %') as starts
        where (g.extra_start_at + 259200) % 604800 is distinct from at
          or exists (select from regexp_split_to_table(x.text, E'\n') as other where other like 'at %'
            and substring(other from 4)::bigint <> at and substring(other from 4)::bigint % 86400 = at % 86400)),
      'closes_before_seconds', substring(x.text from E'\ncloses ([0-9]+)\n')::int,
      'weeks_ahead', g.weeks_ahead,
      'most_entries', substring(x.text from E'\nlimit [0-9]+ ([0-9]+)\n')::int),
    announced_at = l.at,
    statement_hash = l.hash,
    kinds = array[case substring(l.text from E'\nreason ([a-z]+)\n') when 'new' then 'new' when 'price' then 'price-up'
      when 'schedule' then 'schedule' when 'retire' then 'retire' else 'prizes-down' end],
    actor = 'program'
  from texts x, games g, log_leaves l
  where x.hash = v.rules_hash and g.key = v.game_key and l.type = 'game'
    and l.text like E'%\ngame ' || v.game_key || E'\nversion ' || v.version || E'\n%';
create trigger game_versions_append_only before update or delete or truncate on game_versions
  for each statement execute function refuse_change();

alter table draws
  add column currency text not null default 'GBP',
  add column most_entries integer;
comment on column draws.guaranteed_minor is 'Guaranteed jackpot, cover and price in hundredths of the currency, as they were when the draw opened.';
comment on column draws.most_entries is 'Maximum number of entries of one player.';

alter table orders
  add column currency text not null default 'GBP',
  add column draw_prices_minor bigint[];
comment on column orders.draw_prices_minor is 'The price of a line in each draw of draw_ids, in hundredths of the currency; ticket_price_minor is that of the first.';

alter table plays add column price_minor bigint;
comment on column plays.price_minor is 'The price of a line in the draw that the order named: a play that moves keeps it.';

alter table free_tickets add column paid_out integer not null default 0;
comment on column free_tickets.paid_out is 'Tickets paid out in money when their game was retired.';

update draws d set most_entries = substring(x.text from E'\nlimit [0-9]+ ([0-9]+)\n')::int from texts x where x.hash = d.rules_hash;
update orders set draw_prices_minor = array_fill(ticket_price_minor, array[cardinality(draw_ids)]);
update plays p set price_minor = o.ticket_price_minor from orders o where o.id = p.order_id;

-- The program before this one does not name these columns: what it writes while it still runs follows from its other values.
create function fill_draw_terms() returns trigger language plpgsql as $$
begin
  new.most_entries := (select substring(text from E'\nlimit [0-9]+ ([0-9]+)\n')::int from texts where hash = new.rules_hash);
  return new;
end $$;
create trigger draws_fill_terms before insert on draws for each row when (new.most_entries is null) execute function fill_draw_terms();

create function fill_order_prices() returns trigger language plpgsql as $$
begin
  new.draw_prices_minor := array_fill(new.ticket_price_minor, array[cardinality(new.draw_ids)]);
  return new;
end $$;
create trigger orders_fill_prices before insert on orders for each row when (new.draw_prices_minor is null) execute function fill_order_prices();

create function fill_play_price() returns trigger language plpgsql as $$
begin
  new.price_minor := (select ticket_price_minor from orders where id = new.order_id);
  return new;
end $$;
create trigger plays_fill_price before insert on plays for each row when (new.price_minor is null) execute function fill_play_price();
