// The database of tests and trials: an embedded PostgreSQL, its migrations, statements and connections. A public face of the package, for trials alone.
export { FastClock } from '../src/db/database-clock.ts'
export { startEmbeddedPostgres, type EmbeddedPostgres } from '../src/db/embedded-postgres.ts'
export { migrate } from '../src/db/migrate.ts'
export { DatabaseUnavailable, createDatabase, poolConfig } from '../src/db/pool.ts'
export type { Connections, DatabaseAddress, Db, Tx } from '../src/db/pool.ts'
export { registeredStatements, sql, t, type Statement } from '../src/db/sql.ts'
export { typeParsers } from '../src/db/type-parsers.ts'
export { databaseAddress, TEMPLATE } from '../test/test-server.ts'
