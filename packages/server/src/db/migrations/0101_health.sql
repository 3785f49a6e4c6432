-- What a worker found when it looked at everything, for the console; and which process runs what.

create table health_checks (
  id text primary key,
  position integer not null,
  state text not null check (state in ('ok', 'warn', 'fail', 'unknown')),
  text text not null,
  runbook text,
  since bigint not null,
  checked_at bigint not null
);
comment on table health_checks is 'The finding of each check. A worker replaces them each minute.';
comment on column health_checks.since is 'Since when it has been in this state.';

alter table process_settings
  add column role text,
  add column version text,
  add column started_at bigint;
comment on column process_settings.started_at is 'By the clock of the database, in epoch seconds.';

create view console_health as select id, position, state, text, runbook, since, checked_at from health_checks;
create view console_processes as
  select number, id, is_worker, role, version, md5(digests::text) as settings, started_at, seen_at from process_settings;
