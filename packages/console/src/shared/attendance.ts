import { createContext, useContext, useSyncExternalStore } from 'react'
import type { Runtime } from './runtime.ts'

/** Time without a hand on the page after which it stops keeping itself up to date, in ms. */
const UNATTENDED_MS = 5 * 60_000
/** Time after which the session has ended, if nothing but this page used it: 15 minutes after its last call, in ms. */
const OVER_MS = UNATTENDED_MS + 15 * 60_000 + 10_000
const SIGNS = ['keydown', 'pointerdown', 'wheel', 'focus'] as const

/**
 * Whether somebody is at the page. A session ends after 15 minutes without a call, so a page must not make calls by
 * itself for ever: a console that was left open would never be locked.
 */
export class Attendance {
  readonly #timers: Pick<Runtime, 'after'>
  readonly #listeners = new Set<() => void>()
  readonly #onOver: () => void
  #isAttended = true
  #stop: (() => void)[] = []

  /** @param onOver called when the session must have ended, to show that */
  constructor(timers: Pick<Runtime, 'after'>, onOver: () => void) {
    this.#timers = timers
    this.#onOver = onOver
  }

  /** Begins to watch. @returns a function that ends it */
  watch(): () => void {
    for (const sign of SIGNS) addEventListener(sign, this.#noted, { passive: true })
    this.#noted()
    return () => {
      for (const sign of SIGNS) removeEventListener(sign, this.#noted)
      this.#cancel()
    }
  }

  isAttended = (): boolean => this.#isAttended

  subscribe = (onChange: () => void): (() => void) => {
    this.#listeners.add(onChange)
    return () => this.#listeners.delete(onChange)
  }

  #noted = (): void => {
    this.#cancel()
    this.#stop = [this.#timers.after(UNATTENDED_MS, () => this.#set(false)), this.#timers.after(OVER_MS, this.#onOver)]
    this.#set(true)
  }

  #cancel(): void {
    for (const stop of this.#stop) stop()
    this.#stop = []
  }

  #set(isAttended: boolean): void {
    if (this.#isAttended === isAttended) return
    this.#isAttended = isAttended
    for (const listener of this.#listeners) listener()
  }
}

/** Carries it to the screens. */
export const AttendanceContext = createContext<Attendance | null>(null)

/** Whether somebody is at the page; always outside of the frame, where nothing is read again. */
export function useIsAttended(): boolean {
  const attendance = useContext(AttendanceContext)
  return useSyncExternalStore(attendance?.subscribe ?? never, attendance?.isAttended ?? yes)
}

const never = () => () => {}
const yes = () => true
