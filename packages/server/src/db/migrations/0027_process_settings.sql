-- What each running process is set to, as digests under a key of the installation: nobody reads a setting out of them.
create table process_settings (
  number bigint generated always as identity primary key,
  seen_at bigint not null,
  id uuid not null unique,
  is_worker boolean not null,
  digests jsonb not null
);
comment on column process_settings.number is 'The order in which processes were started.';
comment on column process_settings.seen_at is 'By the clock of the database, in epoch seconds.';
