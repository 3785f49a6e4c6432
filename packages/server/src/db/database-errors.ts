/** The database cannot be reached or has no free connection: the HTTP edge answers 503, and jobs retry. */
export class DatabaseUnavailable extends Error {
  /** The connection broke while a transaction was being committed: the outcome is unknown. */
  readonly isOutcomeUnknown: boolean

  constructor(message: string, options: { cause?: unknown; isOutcomeUnknown?: boolean } = {}) {
    super(message, { cause: options.cause })
    this.name = 'DatabaseUnavailable'
    this.isOutcomeUnknown = options.isOutcomeUnknown ?? false
  }
}

/** A statement that must return a row found none, or more than one. */
export class UnexpectedRowCount extends Error {
  constructor(statement: string, expected: string, found: number) {
    super(`${statement} was to find ${expected}, and found ${found} rows`)
    this.name = 'UnexpectedRowCount'
  }
}

/** The row of a statement that finds exactly one. @throws UnexpectedRowCount */
export function oneRow<R>(statement: string, rows: readonly R[]): R {
  const [row] = rows
  if (row === undefined || rows.length > 1) throw new UnexpectedRowCount(statement, 'one row', rows.length)
  return row
}

/** The row of a statement that finds one or none. @throws UnexpectedRowCount */
export function atMostOneRow<R>(statement: string, rows: readonly R[]): R | null {
  if (rows.length > 1) throw new UnexpectedRowCount(statement, 'at most one row', rows.length)
  return rows[0] ?? null
}

/** The transaction asked to commit, and the database answered that it rolled back. */
export class TransactionRolledBack extends Error {
  constructor() {
    super('the transaction was rolled back at its commit: a statement in it had failed and the failure was swallowed')
    this.name = 'TransactionRolledBack'
  }
}

/** Node's errors when nothing is at the other end. */
const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EACCES',
])
/** SQLSTATEs of a server that goes down, comes up or is full; class 08 is about the connection. */
const UNAVAILABLE_STATES = new Set(['57P01', '57P02', '57P03', '57P05', '53300', '25P03'])
/** The driver's own errors have no code. */
const DRIVER_MESSAGE =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Client (was closed|has encountered a connection error)|Cannot use a pool after calling end|Query read timeout|Connection ended)/i

/** The SQLSTATE of an error that PostgreSQL reported (`23505` is a unique key used twice), or null for any other. */
export function sqlState(error: unknown): string | null {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !NETWORK_CODES.has(code) ? code : null
}

/** The name of the constraint that a PostgreSQL error is about, or null. */
export function violatedConstraint(error: unknown): string | null {
  const { constraint } = (error ?? {}) as { constraint?: unknown }
  return typeof constraint === 'string' ? constraint : null
}

/** Whether running the same transaction again can succeed: a deadlock or a serialization failure. */
export function isRetryable(error: unknown): boolean {
  const state = sqlState(error)
  return state === '40P01' || state === '40001'
}

/** Turns the driver's many errors for a lost database into one; other errors stay as they are. */
export function translateError(error: unknown, isCommitting = false): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseUnavailable) return error
  const { code } = error as { code?: unknown }
  const isGone =
    typeof code === 'string'
      ? NETWORK_CODES.has(code) || UNAVAILABLE_STATES.has(code) || /^08[0-9A-Z]{3}$/.test(code)
      : error instanceof AggregateError || DRIVER_MESSAGE.test(error.message)
  if (!isGone) return error
  return new DatabaseUnavailable(`the database is not available: ${error.message || String(code)}`, {
    cause: error,
    isOutcomeUnknown: isCommitting,
  })
}
