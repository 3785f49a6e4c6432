import type { Outbound } from './outbound.ts'

/**
 * The one door through which clock, randomness, network and log reach the server.
 *
 * The globals behind it (`Date.now`, `Math.random`, `setTimeout`, `fetch`, …) are lint errors outside this folder: so
 * the demo can move the clock, tests run without sleeping, and a simulation replays a day from a seed.
 */

/** Severity of a log line, from the least to the most serious; `silent` suppresses every line. */
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'

/**
 * Writes one log line: a fact with its fields (`log.info({ orderId, txid }, 'payout sent')`) or a plain sentence.
 * An `err` field is written with its stack and causes. Field names that carry secrets are masked.
 */
export type LogFunction = (fieldsOrMessage: unknown, message?: string, ...rest: unknown[]) => void

/** A logger in pino's common shape, so that Fastify accepts it as it is. */
export interface Logger {
  /** The least serious level that is written. */
  level: string
  readonly trace: LogFunction
  readonly debug: LogFunction
  readonly info: LogFunction
  readonly warn: LogFunction
  readonly error: LogFunction
  readonly fatal: LogFunction
  readonly silent: LogFunction
  /** A logger that adds `fields` to each of its lines. */
  child(fields: object): Logger
}

/** The time of the lottery. The demo moves it forward; draws, tokens and limits all use it. */
export interface Clock {
  /** Whole epoch seconds, UTC. */
  now(): number
  /** Epoch milliseconds, UTC. */
  nowMs(): number
  /**
   * Waits until `ms` milliseconds of this clock have passed; a clock that is moved forward wakes every due sleeper.
   *
   * @throws the signal's reason if `signal` is aborted first
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** A clock that runs ahead of the real time by an adjustable number of seconds. */
export interface AdjustableClock extends Clock {
  /** How many seconds this clock is ahead of the computer's. */
  offsetSeconds(): number
  /**
   * Sets how far the clock is ahead and wakes the sleepers that became due.
   *
   * @throws RangeError if `seconds` is not a whole number of at least 0
   */
  setOffsetSeconds(seconds: number): void
}

/** Time that no jump of the clock changes: for limits and pauses towards the outside world, and for measuring. */
export interface MonotonicTime {
  /** Milliseconds since some fixed moment; only differences have a meaning. Never runs backwards. */
  nowMs(): number
  /**
   * Waits `ms` real milliseconds.
   *
   * @throws the signal's reason if `signal` is aborted first
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/**
 * The database's clock, in epoch milliseconds. All processes share it, so each can compare its own clock with it
 * (decision 37).
 *
 * @param toldMs the value of `clock_timestamp()` in an answer of the database. Tests and simulations use another time
 *   than their database, and put their own in its place
 */
type ReadDatabaseClock = (toldMs: number) => number

/** Unpredictable bytes. */
export interface RandomSource {
  /** `count` bytes, 0 to 65,536. */
  bytes(count: number): Uint8Array
  /** A random UUID (RFC 9562, version 4) in lower case. */
  uuid(): string
}

/** Everything of the world that server code may use besides its own arguments. */
export interface Runtime {
  readonly clock: AdjustableClock
  readonly monotonic: MonotonicTime
  readonly readDatabaseClock: ReadDatabaseClock
  readonly random: RandomSource
  readonly fetch: typeof globalThis.fetch
  /** towards servers that players name: nothing else may reach those */
  readonly outbound: Outbound
  readonly log: Logger
}
