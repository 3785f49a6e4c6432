import type { Runtime } from '../../runtime/runtime.ts'

/** Longest time that callers share an answer, in real time: an order paid meanwhile shows this much later. */
const SHARED_MS = 250

/** A value read once for all requests within a moment. */
export interface MomentCache<T> {
  read(): Promise<T>
  /** The next caller reads again. */
  drop(): void
}

/**
 * Lets all requests within a moment share one reading. A moment ends with the second of the system's clock, so an
 * answer never outlives a move of the clock; with `drop`; or after a quarter of a second.
 *
 * @param load gets the second it reads for. A failure is not kept.
 */
export function momentCache<T>(
  runtime: Pick<Runtime, 'clock' | 'monotonic'>,
  load: (nowAt: number) => Promise<T>,
): MomentCache<T> {
  let kept: { readonly at: number; readonly untilMs: number; readonly value: Promise<T> } | null = null

  return {
    read() {
      const at = runtime.clock.now()
      if (kept !== null && kept.at === at && runtime.monotonic.nowMs() < kept.untilMs) return kept.value
      const value = load(at)
      const own = { at, untilMs: runtime.monotonic.nowMs() + SHARED_MS, value }
      kept = own
      value.catch(() => {
        if (kept === own) kept = null
      })
      return value
    },
    drop() {
      kept = null
    },
  }
}
