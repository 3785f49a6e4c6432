import { abortable } from './waiting.ts'

/** A sleeper that waits for a moment of the clock. */
interface Sleeper {
  dueMs: number
  wake: () => void
}

/** Sleepers that wait for moments of a movable clock, earliest first; equal moments in order of arrival. */
export class Sleepers {
  readonly #sleepers = new Set<Sleeper>()
  readonly #changed: () => void

  /** @param changed called after a sleeper came or gave up, so that a timer can be reset */
  constructor(changed: () => void = () => undefined) {
    this.#changed = changed
  }

  /** The moment at which the next one is due, in epoch milliseconds, or null if there are none. */
  nextDueMs(): number | null {
    return this.#next()?.dueMs ?? null
  }

  /** Sleeps until `dueMs`; rejects with the signal's reason if it is aborted first. */
  until(dueMs: number, signal?: AbortSignal): Promise<void> {
    return abortable(signal, (wake) => {
      const sleeper = { dueMs, wake }
      this.#sleepers.add(sleeper)
      this.#changed()
      return () => {
        this.#sleepers.delete(sleeper)
        this.#changed()
      }
    })
  }

  /** Wakes every sleeper due at `nowMs`, in order. */
  wakeDue(nowMs: number): void {
    for (let next = this.#next(); next !== null && next.dueMs <= nowMs; next = this.#next()) {
      this.#sleepers.delete(next)
      next.wake()
    }
  }

  #next(): Sleeper | null {
    let first: Sleeper | null = null
    for (const sleeper of this.#sleepers) if (first === null || sleeper.dueMs < first.dueMs) first = sleeper
    return first
  }
}
