-- Keys with which programs of the operator read at the console's address.

create table api_keys (
  id bigint generated always as identity primary key,
  created_at bigint not null,
  expires_at bigint not null check (expires_at > created_at),
  revoked_at bigint,
  name text not null check (name <> ''),
  scopes text[] not null check (scopes <> '{}'),
  hash bytea not null unique
);
comment on table api_keys is 'Rows are never removed.';
comment on column api_keys.hash is 'SHA-256 of the whole key.';

create view console_api_keys as select id, created_at, expires_at, revoked_at, name, scopes from api_keys;

-- The console's login may not read the hashes.
create function console_api_key(given text, now bigint) returns table (id bigint, name text, scopes text[])
  language sql stable security definer set search_path from current as $$
  select k.id, k.name, k.scopes from api_keys k
  where k.hash = sha256(convert_to(given, 'UTF8')) and k.revoked_at is null and k.expires_at > now
$$;
revoke all on function console_api_key(text, bigint) from public;
do $$ begin
  execute format('alter function console_api_key(text, bigint) set search_path = pg_catalog, %I, pg_temp', current_schema());
end $$;
