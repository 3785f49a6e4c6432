-- What the console shows beside a change of games.
create view console_game_versions as
  select game_key, version, from_at, rules, announced_at, kinds, reason, statement_hash, actor from game_versions;
