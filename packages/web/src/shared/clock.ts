import type { Runtime } from './runtime.ts'

/** Seconds the shown time may differ from the server's before it is set right: answers take a moment to arrive. */
const TOLERATED_DRIFT = 2
/** Seconds between two ticks that show that the device has slept or its clock was set. */
const LONGEST_TICK = 5

/**
 * The time of the product, in epoch seconds: that of the server, whose clock the demo can move, continued by this
 * device. It ticks only while it has subscribers.
 *
 * A cached or slow answer carries a stale time. The server's own time never goes back, so a time before the shown one
 * is trusted only when the device itself may be wrong: after it slept or its clock was set, which a tick notices.
 */
export class Clock {
  /** The time used for the server's HTML: the first render in the browser shows the same. */
  readonly startedAt: number
  readonly #runtime: Runtime
  readonly #listeners = new Set<() => void>()
  readonly #jumpListeners = new Set<() => void>()
  #offset: number
  #shown: number
  #stop: (() => void) | null = null
  /** The device's time at the last tick, in seconds. */
  #tickedAt: number
  #isDoubtful = false

  /** @param startedAt the server's time in epoch seconds when the page was rendered */
  constructor(startedAt: number, runtime: Runtime) {
    this.startedAt = startedAt
    this.#runtime = runtime
    this.#tickedAt = deviceSeconds(runtime)
    this.#offset = startedAt - this.#tickedAt
    this.#shown = startedAt
  }

  /** @returns the present time in epoch seconds; it changes at ticks only, so one render sees one time */
  now = (): number => this.#shown

  /** Takes over the server's time, as every answer of the API carries it. */
  correct(serverNow: number): void {
    const offset = serverNow - deviceSeconds(this.#runtime)
    const drift = offset - this.#offset
    if (drift < 0 && !this.#isDoubtful && !this.#hasJumped()) return
    this.#isDoubtful = false
    if (Math.abs(drift) >= TOLERATED_DRIFT) this.#offset = offset
    // After a sleep the answer comes before the next tick.
    this.#show()
  }

  /**
   * Calls when the device seems to have slept or its clock to have been set, so that parts which show the present ask
   * the server, and its answer corrects this clock. @returns a function that ends it
   */
  subscribeToJumps = (listener: () => void): (() => void) => {
    this.#jumpListeners.add(listener)
    return () => this.#jumpListeners.delete(listener)
  }

  /** Calls at every tick. @returns a function that ends it */
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    if (this.#stop === null) {
      this.#tick()
      this.#stop = this.#runtime.every(1000, () => this.#tick())
    }
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size > 0) return
      this.#stop?.()
      this.#stop = null
    }
  }

  /** @returns whether the device's clock has moved by more or less than a tick since the last one */
  #hasJumped(): boolean {
    const passed = deviceSeconds(this.#runtime) - this.#tickedAt
    return passed < 0 || passed > LONGEST_TICK
  }

  #tick(): void {
    const hasJumped = this.#hasJumped()
    this.#isDoubtful ||= hasJumped
    this.#tickedAt = deviceSeconds(this.#runtime)
    this.#show()
    if (hasJumped) for (const listener of this.#jumpListeners) listener()
  }

  #show(): void {
    const now = deviceSeconds(this.#runtime) + this.#offset
    if (now === this.#shown) return
    this.#shown = now
    for (const listener of this.#listeners) listener()
  }
}

function deviceSeconds(runtime: Runtime): number {
  return Math.floor(runtime.nowMs() / 1000)
}
