import { CLOCK_TOLERANCE_SECONDS } from '@fairball/domain/clock-tolerance'
import type { AdjustableClock, Runtime } from '../runtime/runtime.ts'

/** An answer that took longer says nothing about the moment it was given. */
const SLOW_ANSWER_MS = 5_000
/** Retries for a faster answer. */
const MAX_ASKED = 3
const SECOND_MS = 1000

/** The database's answer together with its clock. */
export interface Compared<R> {
  readonly row: R
  /** How far our clock is ahead of the database's, in seconds; infinite if no answer was quick enough. */
  readonly aheadSeconds: number
}

/** This process's clock is fast, or this is unknown: it must not date anything. */
export class FastClock extends Error {
  override readonly name = 'FastClock'

  constructor(aheadSeconds: number) {
    super(
      Number.isFinite(aheadSeconds)
        ? `The clock of this computer is ${Math.ceil(aheadSeconds)} seconds ahead of the database's. Correct the one that is wrong.`
        : 'The database answers too slowly to tell whether the clock of this computer is right.',
    )
  }
}

type ComparedRuntime = Pick<Runtime, 'clock' | 'monotonic' | 'readDatabaseClock' | 'log'>

/** One comparison: how far our clock was ahead, and its time by our clock and by the monotonic one. */
interface Comparison {
  readonly aheadMs: number
  readonly ownMs: number
  readonly monotonicMs: number
}

/**
 * Compares the clock of this computer with the database's, which all processes share (decision 37). The demo's offset
 * is left out: every process adds it.
 *
 * Whatever returns `toldMs` is a comparison. Between two of them the clock is compared with the monotonic time since
 * the last one, so a clock that is set ahead meanwhile is fast immediately, and not only when the database is asked.
 */
export class DatabaseClock {
  readonly #runtime: ComparedRuntime
  #last: Comparison | null = null
  #wasFast = false
  #suspect: () => void = () => undefined
  /** the comparison since which the clock was found ahead of the monotonic time */
  #suspectedSince: Comparison | null = null

  /** The clock, corrected by the database's while it is fast: for work that any process does later. */
  readonly right: AdjustableClock
  /** The clock for taking work. While it is fast there is none: by it nothing is due before the beginning of time. */
  readonly ofWork: AdjustableClock

  constructor(runtime: ComparedRuntime) {
    const { clock } = runtime
    this.#runtime = runtime
    this.right = clockOf(clock, () => (this.isFast() ? clock.nowMs() - this.#aheadMs() : clock.nowMs()))
    this.ofWork = clockOf(clock, () => (this.isFast() ? 0 : clock.nowMs()))
  }

  /** Queries the database, whose answer includes its clock. */
  async ask<R extends { readonly toldMs: number }>(question: () => Promise<R>): Promise<Compared<R>> {
    for (let asked = 1; ; asked += 1) {
      const sent = this.#times()
      const row = await question()
      const came = this.#times()
      // A clock that was set meanwhile, or a computer that slept, makes an answer slow as well.
      const wayMs = Math.max(came.monotonicMs - sent.monotonicMs, Math.abs(came.ownMs - sent.ownMs))
      if (wayMs <= SLOW_ANSWER_MS) {
        const aheadMs = came.ownMs - this.#runtime.readDatabaseClock(row.toldMs) - wayMs / 2
        this.#last = { ...came, aheadMs }
        this.#logChange(aheadMs / SECOND_MS)
        return { row, aheadSeconds: aheadMs / SECOND_MS }
      }
      if (asked < MAX_ASKED) continue
      this.#runtime.log.warn(
        { wayMs: Math.round(wayMs) },
        'the database answers too slowly to hold the clock against its own',
      )
      return { row, aheadSeconds: Infinity }
    }
  }

  isFast(): boolean {
    const limitMs = CLOCK_TOLERANCE_SECONDS * SECOND_MS
    if (this.#aheadMs() <= limitMs) return false
    if (this.#last !== this.#suspectedSince && this.#last !== null && this.#last.aheadMs <= limitMs) {
      this.#suspectedSince = this.#last
      this.#suspect()
    }
    return true
  }

  /** As far as it is known, in seconds. */
  aheadSeconds(): number {
    return this.#aheadMs() / SECOND_MS
  }

  /**
   * Calls `compare` once as soon as the clock is found to have been set, or the computer to have slept: a comparison
   * shows which of the two it was.
   */
  onSuspicion(compare: () => void): void {
    this.#suspect = compare
  }

  #times(): Omit<Comparison, 'aheadMs'> {
    const { clock, monotonic } = this.#runtime
    return { ownMs: clock.nowMs() - clock.offsetSeconds() * SECOND_MS, monotonicMs: monotonic.nowMs() }
  }

  /**
   * How far ahead we are, by the last comparison or the time since then. A fast clock stays so until it is compared.
   */
  #aheadMs(): number {
    if (this.#last === null) return 0
    const { ownMs, monotonicMs } = this.#times()
    const gainedMs = ownMs - this.#last.ownMs - (monotonicMs - this.#last.monotonicMs)
    return this.#last.aheadMs + Math.max(0, gainedMs)
  }

  #logChange(aheadSeconds: number): void {
    const isFast = aheadSeconds > CLOCK_TOLERANCE_SECONDS
    if (isFast === this.#wasFast) return
    this.#wasFast = isFast
    const fields = { aheadSeconds: Math.round(aheadSeconds) }
    if (isFast)
      this.#runtime.log.error(
        fields,
        "the clock is fast, or the database's is slow: this process sells, closes and draws nothing until they agree",
      )
    else this.#runtime.log.info(fields, "the clock agrees with the database's again")
  }
}

function clockOf(clock: AdjustableClock, nowMs: () => number): AdjustableClock {
  return { ...clock, nowMs, now: () => Math.floor(nowMs() / SECOND_MS) }
}

/** @throws FastClock if a comparison says so, or if there is none */
export function assertNotFast({ aheadSeconds }: Compared<unknown>): void {
  if (aheadSeconds > CLOCK_TOLERANCE_SECONDS) throw new FastClock(aheadSeconds)
}
