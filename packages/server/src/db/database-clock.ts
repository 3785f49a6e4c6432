import type { AdjustableClock, Runtime } from '../runtime/runtime.ts'

/**
 * A clock that stands further than this before the database's is fast (decision 37). As far as one may be slow (fairness
 * section 9): two processes whose clocks are as wrong as that, one each way, are still a minute apart at most, which is
 * what lies between the last moment of a close and its round.
 */
export const FAST_CLOCK_SECONDS = 30

/** An answer that took longer says nothing of the moment at which it was given. */
const SLOW_ANSWER_MS = 5_000
/** So often the database is asked for one that was quicker. */
const MOST_ASKED = 3
const SECOND_MS = 1000

/** What the database told together with its clock. */
export interface Compared<R> {
  readonly row: R
  /** How far our clock stands before the database's, in seconds; infinite where no answer was quick enough to tell. */
  readonly aheadSeconds: number
}

/** This process's clock is fast, or nobody knows: what it would date is not written. */
export class FastClock extends Error {
  override readonly name = 'FastClock'

  constructor(aheadSeconds: number) {
    super(
      Number.isFinite(aheadSeconds)
        ? `The clock of this computer stands ${Math.ceil(aheadSeconds)} seconds before the database's. Set the one right that is wrong.`
        : 'The database answers too slowly to tell whether the clock of this computer is right.',
    )
  }
}

/** One comparison: how far our clock stood ahead, and when that was by it and by the steady time. */
interface Comparison {
  readonly aheadMs: number
  readonly ownMs: number
  readonly steadyMs: number
}

export type DatabaseClock = ReturnType<typeof createDatabaseClock>

/**
 * Holds the clock of this computer against the database's, which all processes share (decision 37). The demo's offset is
 * left out: it is added to everybody's.
 *
 * Whatever brings `told_ms` along is a comparison. Between two of them the clock is held against the steady time that passed
 * since the last one, so that one that is set ahead meanwhile is fast at once, and not only when the database is asked.
 */
export function createDatabaseClock(runtime: Pick<Runtime, 'clock' | 'steady' | 'readDatabaseClock' | 'log'>) {
  const { clock, steady, log } = runtime
  let last: Comparison | null = null
  let wasFast = false
  let suspect: () => void = () => undefined
  /** the comparison since which the clock was found ahead of the steady time */
  let suspectedSince: Comparison | null = null

  const ownMs = (): number => clock.nowMs() - clock.offsetSeconds() * SECOND_MS

  /** How far ahead we are, as the last comparison says, or the time that passed since. A fast clock stays so until it is compared. */
  function aheadMs(): number {
    if (last === null) return 0
    const gainedMs = ownMs() - last.ownMs - (steady.nowMs() - last.steadyMs)
    return last.aheadMs + Math.max(0, gainedMs)
  }

  /** Asks the database something that it tells its clock with. */
  async function ask<R extends { readonly told_ms: number }>(question: () => Promise<R>): Promise<Compared<R>> {
    for (let asked = 1; ; asked += 1) {
      const sent = { ownMs: ownMs(), steadyMs: steady.nowMs() }
      const row = await question()
      const came = { ownMs: ownMs(), steadyMs: steady.nowMs() }
      // A clock that was set meanwhile, or a computer that slept, makes an answer slow as well.
      const wayMs = Math.max(came.steadyMs - sent.steadyMs, Math.abs(came.ownMs - sent.ownMs))
      if (wayMs <= SLOW_ANSWER_MS) {
        last = { ...came, aheadMs: came.ownMs - runtime.readDatabaseClock(row.told_ms) - wayMs / 2 }
        tell(last.aheadMs / SECOND_MS)
        return { row, aheadSeconds: last.aheadMs / SECOND_MS }
      }
      if (asked < MOST_ASKED) continue
      log.warn({ wayMs: Math.round(wayMs) }, 'the database answers too slowly to hold the clock against its own')
      return { row, aheadSeconds: Infinity }
    }
  }

  /** Once a change. */
  function tell(aheadSeconds: number): void {
    const isFast = aheadSeconds > FAST_CLOCK_SECONDS
    if (isFast === wasFast) return
    wasFast = isFast
    const fields = { aheadSeconds: Math.round(aheadSeconds) }
    if (isFast)
      log.error(
        fields,
        "the clock is fast, or the database's is slow: this process sells, closes and draws nothing until they agree",
      )
    else log.info(fields, "the clock agrees with the database's again")
  }

  function isFast(): boolean {
    const limitMs = FAST_CLOCK_SECONDS * SECOND_MS
    if (aheadMs() <= limitMs) return false
    if (last !== suspectedSince && last !== null && last.aheadMs <= limitMs) {
      suspectedSince = last
      suspect()
    }
    return true
  }

  /** The lottery's time, epoch milliseconds: our own, or the database's where ours is fast. */
  function nowMs(): number {
    return isFast() ? clock.nowMs() - aheadMs() : clock.nowMs()
  }

  const asOf = (ms: () => number): AdjustableClock => ({
    ...clock,
    nowMs: ms,
    now: () => Math.floor(ms() / SECOND_MS),
  })

  return {
    ask,
    isFast,

    /** Calls `compare` once as soon as the clock is found to have been set, or the computer to have slept: what of the two it was, a comparison tells. */
    onSuspicion(compare: () => void): void {
      suspect = compare
    },

    /** As far as it is known, in seconds. */
    aheadSeconds: () => aheadMs() / SECOND_MS,

    /** The clock, put right by the database's while it is fast: for what is to be done later, and by whichever process. */
    right: asOf(nowMs),

    /** The clock of those who take up work. While it is fast they find none: by it nothing is due before the beginning of time. */
    ofWork: asOf(() => (isFast() ? 0 : clock.nowMs())),
  }
}

/** @throws FastClock where a comparison says so, or nothing at all */
export function assertNotFast({ aheadSeconds }: Compared<unknown>): void {
  if (aheadSeconds > FAST_CLOCK_SECONDS) throw new FastClock(aheadSeconds)
}
