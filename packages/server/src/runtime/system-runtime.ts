import { randomBytes, randomUUID } from 'node:crypto'
import { writeSync } from 'node:fs'
import { createLogger } from './logger.ts'
import { systemOutbound } from './outbound.ts'
import type { AdjustableClock, LogLevel, RandomSource, Runtime, MonotonicTime } from './runtime.ts'
import { Sleepers } from './sleepers.ts'
import { abortable, after } from './waiting.ts'

/** The settings of the real runtime. */
interface SystemRuntimeOptions {
  logLevel: LogLevel
  /** Default: `text` at a terminal, `json` otherwise. */
  logFormat?: 'json' | 'text'
  /** Secrets of the configuration, which no line may contain. */
  secrets?: readonly string[]
}

/** The runtime of a real process: computer clock, kernel randomness, network, lines on standard output. */
export function systemRuntime(options: SystemRuntimeOptions): Runtime {
  return {
    clock: systemClock(),
    monotonic: monotonicTime,
    readDatabaseClock: (toldMs) => toldMs,
    random: systemRandom,
    fetch: (input, init) => fetch(input, init),
    outbound: systemOutbound,
    log: createLogger({
      level: options.logLevel,
      format: options.logFormat ?? (process.stdout.isTTY ? 'text' : 'json'),
      nowMs: () => Date.now(),
      write: writeToStandardOutput,
      secrets: options.secrets ?? [],
    }),
  }
}

/** The computer's clock, ahead by an offset that starts at zero. */
export function systemClock(): AdjustableClock {
  let offsetMs = 0
  let callOffTimer = (): void => undefined
  const nowMs = (): number => Date.now() + offsetMs

  const setTimer = (): void => {
    callOffTimer()
    const dueMs = sleepers.nextDueMs()
    callOffTimer = dueMs === null ? () => undefined : after(dueMs - nowMs(), wake)
  }
  const wake = (): void => {
    sleepers.wakeDue(nowMs())
    setTimer() // a timer may fire a millisecond early, and the next sleeper needs one
  }
  const sleepers = new Sleepers(setTimer)

  return {
    now: () => Math.floor(nowMs() / 1000),
    nowMs,
    sleep: (ms, signal) => sleepers.until(nowMs() + ms, signal),
    offsetSeconds: () => offsetMs / 1000,
    setOffsetSeconds(seconds) {
      if (!Number.isSafeInteger(seconds) || seconds < 0) throw new RangeError(`not an offset of a clock: ${seconds}`)
      offsetMs = seconds * 1000
      wake()
    },
  }
}

/** Real time that only runs forward. */
export const monotonicTime: MonotonicTime = {
  nowMs: () => performance.now(),
  sleep: (ms, signal) => abortable(signal, (wake) => after(ms, wake)),
}

/** The kernel's randomness. */
export const systemRandom: RandomSource = {
  bytes: (count) => new Uint8Array(randomBytes(count)),
  // Node draws the bytes of many together: every request gets one.
  uuid: () => randomUUID(),
}

/** Writes a line immediately; a reader that closed the pipe (`| head`) or is slow must not end the lottery. */
function writeToStandardOutput(line: string): void {
  try {
    writeSync(1, line)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') process.stdout.write(line)
  }
}
