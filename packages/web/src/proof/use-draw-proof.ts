import { useEffect, useState } from 'react'
import { useApi } from '../shared/api.ts'
import { useClock } from '../shared/use-clock.ts'
import { runtime } from '../shared/runtime.ts'
import { useSession } from '../shared/session/use-session.ts'
import { beginCheck, type ProofState, STARTING, takeEarlyCheck } from './draw-check.ts'

/** Time to wait for the session, in ms; after that the draw is checked as for a visitor. */
const SESSION_PATIENCE_MS = 4_000

/** @returns the progress of a draw's check, which begins with the page, and a function that repeats it */
export function useDrawProof(gameKey: string, number: number): { state: ProofState; checkAgain: () => void } {
  const api = useApi()
  const clock = useClock()
  const { status, profile } = useSession()
  const player = profile?.username ?? null
  const [isImpatient, setIsImpatient] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const [state, setState] = useState<ProofState>(STARTING)
  const canStart = status !== 'unknown' || isImpatient

  useEffect(() => {
    if (!canStart) return runtime.after(SESSION_PATIENCE_MS, () => setIsImpatient(true))
    const of = { game: gameKey, draw: number, player }
    return (takeEarlyCheck(of) ?? beginCheck(api, clock, of)).follow(setState)
  }, [api, clock, gameKey, number, player, canStart, attempt])

  return { state, checkAgain: () => setAttempt(attempt + 1) }
}
