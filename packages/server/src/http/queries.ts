import { nullable, sql, t } from '../db/sql.ts'

/** The number of the newest migration that was applied. */
export const findSchemaVersion = sql({
  name: 'http.find-schema-version',
  text: 'select max(version) as version from schema_migrations',
  row: { version: nullable(t.int) },
})

/** The same, for the console, whose login may not read the table. */
export const findConsoleSchema = sql({
  name: 'console.find-schema-version',
  text: 'select version from console_schema',
  row: { version: nullable(t.int) },
})
