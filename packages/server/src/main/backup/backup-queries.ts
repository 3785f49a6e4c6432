import { sql, t } from '../../db/sql.ts'

/** What a backup has to know of its server, and how many statements the log has. */
export const findServer = sql({
  name: 'backup.find-server',
  text: `select current_setting('server_version_num')::integer / 10000 as server, current_user::text as user,
    current_database()::text as database, pg_walfile_name(pg_current_wal_lsn()) as segment,
    (select coalesce(max(index), -1) + 1 from log_leaves) as statements`,
  row: { server: t.int, user: t.text, database: t.text, segment: t.text, statements: t.whole },
})
