-- Games are played in any currency: what the sources say is kept for each of them.

create table currency_quotes (
  at bigint not null,
  sats_per_unit bigint not null check (sats_per_unit > 0),
  currency text not null,
  source text not null,
  primary key (currency, at, source)
);
comment on table currency_quotes is 'What each source said of one unit of a currency when a rate of it was stored, in whole satoshis. Live ones are kept for a day.';

insert into currency_quotes (at, sats_per_unit, currency, source)
  select at, sats_per_unit, 'GBP', source from rate_quotes where at >= (select max(at) - 86400 from rate_quotes);

-- The program before this one writes what sources say of a pound, while it still runs.
create function keep_pound_quote() returns trigger language plpgsql as $$
begin
  insert into currency_quotes (at, sats_per_unit, currency, source)
    values (new.at, new.sats_per_unit, 'GBP', new.source) on conflict do nothing;
  return null;
end $$;
create trigger rate_quotes_by_currency after insert on rate_quotes for each row execute function keep_pound_quote();
comment on table rate_quotes is 'What each source said of a pound, by programs before currency_quotes.';
