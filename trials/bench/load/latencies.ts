/** Width of a histogram class, and the longest time that is resolved, in ms. */
const CLASS_MS = 0.02
const LONGEST_MS = 60_000

/** A histogram in classes of a fiftieth of a millisecond: its memory does not depend on the length of the run. */
export class Latencies {
  readonly #counts = new Uint32Array(LONGEST_MS / CLASS_MS + 1)
  #count = 0
  #mostMs = 0

  get count(): number {
    return this.#count
  }

  /** the exact maximum */
  get mostMs(): number {
    return this.#mostMs
  }

  add(ms: number): void {
    const place = Math.min(Math.floor(ms / CLASS_MS), this.#counts.length - 1)
    this.#counts[place] = (this.#counts[place] ?? 0) + 1
    this.#count += 1
    this.#mostMs = Math.max(this.#mostMs, ms)
  }

  /**
   * The time below which the given part of all values falls, at the upper end of its class; NaN if nothing was counted.
   */
  quantile(part: number): number {
    if (this.#count === 0) return NaN
    const wanted = Math.ceil(part * this.#count)
    let seen = 0
    for (const [place, count] of this.#counts.entries()) {
      seen += count
      if (seen < wanted) continue
      const isLast = place === this.#counts.length - 1 // it has no upper end
      return isLast ? this.#mostMs : Math.min((place + 1) * CLASS_MS, this.#mostMs)
    }
    return this.#mostMs
  }
}
