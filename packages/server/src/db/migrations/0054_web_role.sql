-- What a login of the web process alone needs: its rights are in src/db/grants.ts, and each start of a worker grants them.
alter table draws add column shared boolean;
comment on column draws.shared is 'Never written. PostgreSQL asks whoever locks a row for the right to update a column of its table: of draws fairball_web has it for this one.';

-- It runs with the rights of the owner: no table that its caller makes may come before ours.
do $$
begin
  execute format('alter function forget_addresses(bigint, bigint) set search_path = pg_catalog, %I, pg_temp', current_schema());
end $$;
