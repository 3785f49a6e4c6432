import type { MonotonicTime } from './runtime.ts'

/** Repeats something in real time until it is stopped. A jump of the demo's clock does not affect it. */
export class Loop {
  readonly #monotonic: Pick<MonotonicTime, 'sleep'>
  readonly #stopped = new AbortController()
  #running: Promise<void> = Promise.resolve()

  constructor(monotonic: Pick<MonotonicTime, 'sleep'>) {
    this.#monotonic = monotonic
  }

  /** Aborted once it is stopped. */
  get signal(): AbortSignal {
    return this.#stopped.signal
  }

  get isStopped(): boolean {
    return this.#stopped.signal.aborted
  }

  /** @param work handles its own errors: one that throws ends the loop */
  start(work: () => Promise<unknown>, pauseMs: number): void {
    this.#running = this.#repeat(work, pauseMs)
  }

  async #repeat(work: () => Promise<unknown>, pauseMs: number): Promise<void> {
    while (!this.isStopped) {
      await work()
      await this.#monotonic.sleep(pauseMs, this.#stopped.signal).catch(() => undefined) // stopped
    }
  }

  /** Waits for work in progress, and starts nothing more. */
  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#running
  }
}
