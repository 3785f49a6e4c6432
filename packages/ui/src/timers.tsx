import { createContext, useContext } from 'react'
import type { ReactNode } from 'react'

/**
 * Timers of the design system (a notice that disappears, a password that is hidden again). The app provides them, so
 * tests can move time by hand.
 */
export interface Timers {
  /**
   * Calls once, later.
   *
   * @param ms delay in milliseconds, at least 0
   * @param call the function to call then
   * @returns a function that cancels the call; harmless if late or repeated
   */
  after(ms: number, call: () => void): () => void
}

const TimersContext = createContext<Timers | null>(null)

/** Provides the timers to the components below. */
export function TimersProvider(props: { timers: Timers; children: ReactNode }) {
  return <TimersContext value={props.timers}>{props.children}</TimersContext>
}

/** @returns the timers of the nearest provider. @throws Error outside of one, which is a programming error */
export function useTimers(): Timers {
  const timers = useContext(TimersContext)
  if (timers === null) throw new Error('There are no timers above this component.')
  return timers
}
