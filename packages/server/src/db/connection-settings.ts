import type pg from 'pg'
import { serversOf } from '../runtime/server-list.ts'
import { typeParsers } from './type-parsers.ts'

/**
 * The address of a PostgreSQL: `postgres://…`, or its parts (`host` may be a socket's folder). A text may name several
 * servers (`postgres://one,two/database`), of which the one that takes changes is used.
 */
export type DatabaseAddress = string | { host: string; port: number; user: string; database: string; password?: string }

/** The connections to a database, and their limits. */
export interface ConnectionSettings {
  address: DatabaseAddress
  /** Maximum number of connections, beside the one that listens. Default 10. */
  poolSize?: number
  /** Time limit of one statement. Default 30,000. */
  statementTimeoutMs?: number
  /** Longest time a transaction may wait for its own program between two statements. Default 30,000. */
  idleInTransactionTimeoutMs?: number
  /** Longest time a caller waits for a free connection. Default 5,000. */
  connectionTimeoutMs?: number
  /** The name under which the server lists the connections; a process of the product names its version and role. */
  applicationName?: string
  /** Statements that return rows may only read, outside a transaction. Default false. */
  areStatementsReadOnly?: boolean
}

/** The driver's settings for a pool of connections to each server of the address, in its order. */
export function poolConfigs(options: ConnectionSettings): pg.PoolConfig[] {
  return clientConfigs(options).map((config) => ({
    ...config,
    // Concurrent statements of a transaction are sent together: see TransactionConnection.
    pipeline: true,
    max: options.poolSize ?? 10,
    idleTimeoutMillis: 30_000,
  }))
}

/** The driver's settings for a connection to each server of the address, with the limits of this program. */
export function clientConfigs(options: ConnectionSettings): pg.ClientConfig[] {
  return serverConfigs(options.address).map((server) => ({
    ...server,
    types: typeParsers,
    application_name: options.applicationName ?? 'fairball without a name',
    connectionTimeoutMillis: options.connectionTimeoutMs ?? 5_000,
    statement_timeout: options.statementTimeoutMs ?? 30_000,
    idle_in_transaction_session_timeout: options.idleInTransactionTimeoutMs ?? 30_000,
    keepAlive: true,
    ...(options.areStatementsReadOnly === true ? { options: '-c default_transaction_read_only=on' } : {}),
  }))
}

/** The driver's settings that name each server of an address, and nothing else. */
export function serverConfigs(address: DatabaseAddress): pg.ClientConfig[] {
  return typeof address === 'string' ? serversOf(address).map((connectionString) => ({ connectionString })) : [address]
}
