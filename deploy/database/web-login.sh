#!/bin/bash
# For the database of compose.yaml, which runs it once, when its volume is empty: the login of the web process.
set -eu
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set ON_ERROR_STOP=1 \
  --set password="$(cat /run/secrets/database_password_web)" <<'SQL'
create role fairball_web nologin;
create role web login password :'password' in role fairball_web;
SQL
