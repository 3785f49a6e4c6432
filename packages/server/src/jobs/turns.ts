import type { MonotonicTime } from '../runtime/runtime.ts'

/** Time without work or an empty table after which a lane hangs, or cannot reach the database. */
const QUIET_MS = 60_000
/** Time after which a lane that works on one job hangs: no job takes longer, whatever its statements may take. */
const LONGEST_JOB_MS = 900_000

/** When each lane last made progress, and whether it is in a job since then; real time. */
export class Turns {
  readonly #monotonic: MonotonicTime
  readonly #turns = new Map<string, { readonly atMs: number; readonly isWorking: boolean }>()

  constructor(monotonic: MonotonicTime) {
    this.#monotonic = monotonic
  }

  note(lane: string, isWorking: boolean): void {
    this.#turns.set(lane, { atMs: this.#monotonic.nowMs(), isWorking })
  }

  /** Whether no lane hangs. */
  areRecent(): boolean {
    const nowMs = this.#monotonic.nowMs()
    return [...this.#turns.values()].every(
      ({ atMs, isWorking }) => nowMs - atMs < (isWorking ? LONGEST_JOB_MS : QUIET_MS),
    )
  }
}
