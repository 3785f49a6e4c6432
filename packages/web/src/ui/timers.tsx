import { createContext, useContext } from 'react'
import type { ReactNode } from 'react'

/** The waiting the design system does (a notice that goes away, a password that hides again). The app passes its own, so tests move time by hand. */
export interface Timers {
  /**
   * Calls once, later.
   *
   * @param ms delay in milliseconds, at least 0
   * @param call what to do then
   * @returns a function that calls it off; doing so late or twice is harmless
   */
  after(ms: number, call: () => void): () => void
}

const TimersContext = createContext<Timers | null>(null)

/** Gives the components below their timers. */
export function TimersProvider(props: { timers: Timers; children: ReactNode }) {
  return <TimersContext value={props.timers}>{props.children}</TimersContext>
}

/** @returns the timers of the nearest provider. @throws Error outside of one, which is a mistake of the program */
export function useTimers(): Timers {
  const timers = useContext(TimersContext)
  if (timers === null) throw new Error('A component that waits needs a TimersProvider above it.')
  return timers
}
