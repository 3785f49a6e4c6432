-- What the console's pages of games and settings read.

create view console_game_aliases as select alias, game_key from game_aliases;
create view console_currency_quotes as select at, currency, source, sats_per_unit from currency_quotes;
