/** Runs tasks one after another, so that no task comes between another's read and write of a log's state. */
export class Queue {
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0

  /** the number of running and waiting tasks */
  get waiting(): number {
    return this.#waiting
  }

  /** Runs a task when all earlier tasks have ended, even if they failed. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting += 1
    const before = this.#last
    const own = (async () => {
      await before.catch(() => undefined) // its caller handles the error
      return await work()
    })()
    this.#last = own
    try {
      return await own
    } finally {
      this.#waiting -= 1
    }
  }
}
