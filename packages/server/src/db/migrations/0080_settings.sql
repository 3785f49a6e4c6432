-- What an operator may change while the product runs: names, texts and partners, each change a version with its reason.

create table settings (
  key text not null,
  version integer not null check (version > 0),
  value jsonb not null,
  from_at bigint not null,
  at bigint not null,
  actor text not null,
  reason text not null,
  request_id text not null,
  primary key (key, version)
);
comment on table settings is 'Settings of the site, version by version. The highest version with from_at in the past is in force. Append-only.';
comment on column settings.request_id is 'What was changed together: the id of the plan.';
create trigger settings_append_only before update or delete or truncate on settings
  for each statement execute function refuse_change();

create table setting_plans (
  id uuid primary key,
  base_hash text not null,
  changes jsonb not null,
  created_at bigint not null,
  expires_at bigint not null check (expires_at > created_at),
  applied_at bigint
);
comment on table setting_plans is 'Checked settings files. One is applied only while the settings are as its base says.';
comment on column setting_plans.base_hash is 'SHA-256 of the newest version of every setting when the plan was made.';
