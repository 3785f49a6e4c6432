import { createContext, useContext, useLayoutEffect, useSyncExternalStore } from 'react'
import type { Clock } from './clock.ts'

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
 * A value derived from the time. The component renders again only when the value changes, not every second.
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

/**
 * Writes into the page at every second, and after each render, what changes with every second. React would work through
 * the whole page for it, which takes a slow phone many times as long.
 *
 * @param write gets the present time in epoch seconds. What it writes, React must render for {@link Clock.startedAt} alone:
 *   then it never changes it back.
 */
export function useTick(write: (now: number) => void): void {
  const clock = useClock()
  useLayoutEffect(() => {
    const tick = (): void => write(clock.now())
    tick()
    return clock.subscribe(tick)
  })
}
