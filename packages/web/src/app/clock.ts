import { createContext, useContext, useSyncExternalStore } from 'react'
import type { Runtime } from './runtime.ts'

/** Seconds the shown time may differ from the server's before it is set right: answers take a moment to arrive. */
const TOLERATED_DRIFT = 2

/**
 * The time of the product, in epoch seconds: that of the server, whose clock the demo can move, carried on by this device.
 * It ticks only while somebody looks.
 */
export class Clock {
  /** What the server's HTML was rendered with: the first render in the browser shows the same. */
  readonly startedAt: number
  readonly #runtime: Runtime
  readonly #listeners = new Set<() => void>()
  #offset: number
  #shown: number
  #stop: (() => void) | null = null

  /** @param startedAt the server's time in epoch seconds when the page was rendered */
  constructor(startedAt: number, runtime: Runtime) {
    this.startedAt = startedAt
    this.#runtime = runtime
    this.#offset = startedAt - deviceSeconds(runtime)
    this.#shown = startedAt
  }

  /** @returns the present time in epoch seconds; it changes at ticks only, so one render sees one time */
  now = (): number => this.#shown

  /** Takes over the server's time, as every answer of the API carries it. */
  correct(serverNow: number): void {
    const offset = serverNow - deviceSeconds(this.#runtime)
    if (Math.abs(offset - this.#offset) < TOLERATED_DRIFT) return
    this.#offset = offset
    this.#tick()
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

  #tick(): void {
    const now = deviceSeconds(this.#runtime) + this.#offset
    if (now === this.#shown) return
    this.#shown = now
    for (const listener of this.#listeners) listener()
  }
}

function deviceSeconds(runtime: Runtime): number {
  return Math.floor(runtime.nowMs() / 1000)
}

/** Carries the clock to the components. */
export const ClockContext = createContext<Clock | null>(null)

/** @returns the clock itself, for event handlers. @throws Error outside of the app */
export function useClock(): Clock {
  const clock = useContext(ClockContext)
  if (clock === null) throw new Error('There is no clock above this component.')
  return clock
}

/** @returns the present time in epoch seconds; the component renders again every second */
export function useNow(): number {
  return useClockValue((now) => now)
}

/** @returns the present time rounded down to the minute; the component renders again only when it changes */
export function useMinuteNow(): number {
  return useClockValue((now) => now - (now % 60))
}

/**
 * What follows from the time. The component renders again only when the value changes, not every second.
 *
 * @param valueAt makes the value of a time in epoch seconds; a primitive, or the same object again
 */
export function useClockValue<Value>(valueAt: (now: number) => Value): Value {
  const clock = useClock()
  return useSyncExternalStore(
    clock.subscribe,
    () => valueAt(clock.now()),
    () => valueAt(clock.startedAt),
  )
}
