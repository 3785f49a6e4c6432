/** One answer for all requests within some time. A failed one is forgotten: the next caller gets a new one. */
export class SharedAnswer<T> {
  readonly #now: () => number
  readonly #keptFor: number
  #last: { readonly at: number; readonly answer: Promise<T> } | null = null

  /** @param keptFor in the unit of `now` */
  constructor(now: () => number, keptFor: number) {
    this.#now = now
    this.#keptFor = keptFor
  }

  /** The known answer, or a new one. */
  get(read: () => Promise<T>): Promise<T> {
    const last = this.#last
    return last !== null && Math.abs(this.#now() - last.at) < this.#keptFor ? last.answer : this.renew(read)
  }

  /** A new answer, which other callers share. */
  renew(read: () => Promise<T>): Promise<T> {
    const own = { at: this.#now(), answer: read() }
    this.#last = own
    own.answer.catch(() => {
      if (this.#last === own) this.#last = null
    })
    return own.answer
  }
}
