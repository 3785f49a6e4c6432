import { createHash } from 'node:crypto'
import { createLogger } from './logger.ts'
import type { Outbound } from './outbound.ts'
import type { AdjustableClock, LogLevel, RandomSource, Runtime } from './runtime.ts'
import { Sleepers } from './sleepers.ts'
import { monotonicTime } from './system-runtime.ts'
import { uuidOfBytes } from './uuid.ts'

/** A clock that stands still until a test moves it. */
interface TestClock extends AdjustableClock {
  /** Moves the clock to `at` (epoch seconds) in one step, and wakes due sleepers in the order of their moments. */
  set(at: number): void
  /**
   * Moves the clock forward by `seconds`, stopping at each sleeper's moment: each wakes at exactly the requested
   * moment, and runs before the clock continues.
   */
  advance(seconds: number): Promise<void>
}

/** What a test may choose; the rest is the same in every run. */
interface TestRuntimeOptions {
  /** The clock's time at the start, epoch seconds. Default: Wednesday 1 January 2025, 12:00 UTC. */
  startAt?: number
  /** The same seed gives the same bytes. */
  seed?: string
  /** Answers in place of the network. Default: every request fails and says that it went out. */
  fetch?: typeof globalThis.fetch
  /** The servers that players name. Default: as for `fetch`. */
  outbound?: Outbound
  /** Default: `silent`. */
  logLevel?: LogLevel
  /** Secrets of the configuration, which no line may contain. */
  secrets?: readonly string[]
}

/** A runtime for tests, with every log line kept. */
export interface TestRuntime extends Runtime {
  readonly clock: TestClock
  /** How far the computer's clock is ahead of the database's: a test sets it. Negative is behind. */
  readonly computer: { aheadSeconds: number }
  /** The lines logged so far. */
  readonly logged: Record<string, unknown>[]
}

/** Wednesday 1 January 2025, 12:00 UTC. */
export const TEST_START_AT = 1_735_732_800

/**
 * The runtime of tests: a clock that only the test moves, randomness from a seed, no network, a log that is kept.
 * `monotonic` is the real time, because what it limits (connections, shutdown) is real in tests as well.
 */
export function testRuntime(options: TestRuntimeOptions = {}): TestRuntime {
  const clock = testClock(options.startAt ?? TEST_START_AT)
  const computer = { aheadSeconds: 0 }
  const logged: Record<string, unknown>[] = []
  const log = createLogger({
    level: options.logLevel ?? 'trace',
    format: 'json',
    nowMs: clock.nowMs,
    secrets: options.secrets ?? [],
    write: (line) => {
      logged.push(JSON.parse(line) as Record<string, unknown>) // the logger wrote it: one object per line
      if (options.logLevel !== undefined) process.stderr.write(line)
    },
  })
  return {
    clock,
    monotonic: monotonicTime,
    // However far the test moves its clock, like the demo: by the computer's clock no time passes.
    readDatabaseClock: () => clock.nowMs() - (clock.offsetSeconds() + computer.aheadSeconds) * 1000,
    computer,
    random: seededRandom(options.seed ?? 'fairball'),
    fetch: options.fetch ?? noNetwork,
    outbound: options.outbound ?? NO_OUTBOUND,
    log,
    logged,
  }
}

/** A clock standing at `startAt` (epoch seconds). */
export function testClock(startAt: number): TestClock {
  let nowMs = startAt * 1000
  const sleepers = new Sleepers()
  const moveTo = (ms: number): void => {
    nowMs = ms
    sleepers.wakeDue(nowMs)
  }
  return {
    now: () => Math.floor(nowMs / 1000),
    nowMs: () => nowMs,
    sleep: (ms, signal) => (ms <= 0 && !signal?.aborted ? Promise.resolve() : sleepers.until(nowMs + ms, signal)),
    offsetSeconds: () => Math.floor(nowMs / 1000) - startAt,
    setOffsetSeconds: (seconds) => moveTo((startAt + seconds) * 1000),
    set: (at) => moveTo(at * 1000),
    async advance(seconds) {
      const targetMs = nowMs + seconds * 1000
      for (let dueMs = sleepers.nextDueMs(); dueMs !== null && dueMs <= targetMs; dueMs = sleepers.nextDueMs()) {
        moveTo(Math.max(dueMs, nowMs))
        await new Promise((resolve) => setImmediate(resolve))
      }
      moveTo(targetMs)
    },
  }
}

/** Bytes derived from the seed alone: SHA-256 over the seed and a counter. For tests and simulations only. */
export function seededRandom(seed: string): RandomSource {
  let counter = 0
  let rest = new Uint8Array(0)
  const bytes = (count: number): Uint8Array => {
    const out = new Uint8Array(count)
    for (let filled = 0; filled < count;) {
      if (rest.length === 0) rest = new Uint8Array(createHash('sha256').update(`${seed}:${counter++}`).digest())
      const piece = rest.subarray(0, count - filled)
      out.set(piece, filled)
      filled += piece.length
      rest = rest.subarray(piece.length)
    }
    return out
  }
  return { bytes, uuid: () => uuidOfBytes(bytes(16)) }
}

const NO_OUTBOUND: Outbound = {
  resolve: (host) => Promise.reject(new TypeError(`a test went to the network: ${host}`)),
  get: ({ host }) => Promise.reject(new TypeError(`a test went to the network: ${host}`)),
  post: ({ host }) => Promise.reject(new TypeError(`a test went to the network: ${host}`)),
}

const noNetwork: typeof globalThis.fetch = (input) => {
  const address = input instanceof Request ? input.url : String(input)
  return Promise.reject(new TypeError(`a test went to the network: ${address}`))
}
