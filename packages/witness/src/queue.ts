/** Does one piece of work after the other: what reads and then writes the state of a log is never between another's two. */
export class Queue {
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0

  /** how many are under way or wait */
  get waiting(): number {
    return this.#waiting
  }

  /** Does work when all before is done, however that ended. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting += 1
    const before = this.#last
    const own = (async () => {
      await before.catch(() => undefined) // whoever asked for that has its error
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
