import { nullable, sql, t } from '../db/sql.ts'

/** The number of the newest migration that was applied. */
export const findSchemaVersion = sql({
  name: 'http.find-schema-version',
  text: 'select max(version) as version from schema_migrations',
  row: { version: nullable(t.int) },
})
