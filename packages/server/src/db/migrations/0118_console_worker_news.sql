-- What a worker says to the console: what processes were started with, and months whose statements do not add up.

create view console_started_settings with (security_barrier) as
  select substr(key, 9) as key, value::jsonb as value from system_state where key like 'started:%';
create view console_months_apart with (security_barrier) as
  select substr(key, 13) as month, (value::jsonb ->> 'at')::bigint as at, value::jsonb ->> 'words' as words
  from system_state where key like 'month-apart:%';
