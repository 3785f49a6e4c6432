#!/bin/bash
# Creates the console's login, or gives it the password in the file. The database of compose.yaml runs this once, when its
# volume is empty.
set -eu
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set ON_ERROR_STOP=1 \
  --set password="$(cat /run/secrets/database_password_console)" <<'SQL'
do $$ begin create role fairball_console; exception when duplicate_object then null; end $$;
alter role fairball_console login password :'password';
SQL
