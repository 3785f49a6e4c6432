#!/bin/bash
# Creates the web process's login. The database of compose.yaml runs this once, when its volume is empty.
set -eu
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set ON_ERROR_STOP=1 \
  --set password="$(cat /run/secrets/database_password_web)" <<'SQL'
create role fairball_web nologin;
create role web login password :'password' in role fairball_web;
SQL
