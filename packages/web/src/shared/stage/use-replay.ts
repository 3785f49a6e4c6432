import { useEffect, useState } from 'react'
import { runtime } from '../runtime.ts'
import type { BallArrivals } from './arrivals.ts'

/** Time between two balls of a replay, in ms. */
const BALL_MS = 3_000

/** A draw that is played again. */
interface ReplayState {
  /** The balls that have come so far. */
  readonly arrivals: BallArrivals
  readonly isPaused: boolean
  /** Whether balls come automatically; they do not with reduced motion. */
  readonly isMoving: boolean
  next: () => void
  pause: () => void
  skip: () => void
  again: () => void
}

const START: BallArrivals = { known: 0, from: 0, to: 0 }

/** @param pick number of balls. @returns a replay, which starts immediately */
export function useReplay(pick: number): ReplayState {
  const [arrivals, setArrivals] = useState(START)
  const [isPaused, setIsPaused] = useState(false)
  const [isMoving] = useState(() => !matchMedia('(prefers-reduced-motion: reduce)').matches)
  const { to } = arrivals
  const next = () =>
    setArrivals((before) => (before.to < pick ? { ...before, from: before.to, to: before.to + 1 } : before))
  useEffect(() => {
    if (isPaused || !isMoving || to >= pick) return
    return runtime.after(BALL_MS, () =>
      setArrivals((before) => (before.to < pick ? { ...before, from: before.to, to: before.to + 1 } : before)),
    )
  }, [isPaused, isMoving, to, pick])
  return {
    arrivals,
    isPaused,
    isMoving,
    next,
    pause: () => setIsPaused((before) => !before),
    skip: () => setArrivals({ known: pick, from: pick, to: pick }),
    again: () => {
      setArrivals(START)
      setIsPaused(false)
    },
  }
}
