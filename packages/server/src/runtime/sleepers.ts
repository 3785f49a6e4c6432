import { abortable } from './waiting.ts'

/** One who waits for a moment of the clock. */
interface Sleeper {
  dueMs: number
  wake: () => void
}

/** Those who wait for moments of a clock that can be moved, earliest first; equal moments in the order they came. */
export class Sleepers {
  readonly #sleepers = new Set<Sleeper>()
  readonly #changed: () => void

  /** @param changed is called after somebody lay down or gave up, so that a timer can be set anew */
  constructor(changed: () => void = () => undefined) {
    this.#changed = changed
  }

  /** The moment at which the next one is due, in epoch milliseconds, or null when nobody sleeps. */
  nextDueMs(): number | null {
    return this.#next()?.dueMs ?? null
  }

  /** Sleeps until `dueMs`; rejects with the signal's reason when it is aborted first. */
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

  /** Wakes everybody due at `nowMs`, in order. */
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
