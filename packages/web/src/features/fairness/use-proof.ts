import { useEffect, useState } from 'react'
import { ApiError } from '@fairball/contract/client'
import type { Bundle } from '@fairball/domain/fairness/bundle'
import type { Step } from '@fairball/domain/fairness/report'
import { useApi } from '../../shared/api.ts'
import { useClock } from '../../shared/clock.ts'
import { collectDraw } from '../../proof/collect.ts'
import type { CollectStage } from '../../proof/collect.ts'
import { browserLogStore, keepLog } from '../../proof/log-store.ts'
import { fairnessMemory } from '../../proof/memory.ts'
import type { Proof } from '../../proof/prove.ts'
import { rememberProof } from '../../proof/seal-check.ts'
import { sightTime } from '../../proof/sight-time.ts'
import { proveInWorker, WrongFileError } from '../../proof/verifier.ts'
import { runtime } from '../../shared/runtime.ts'
import { useSession } from '../../shared/session/use-session.ts'

/** How far a check is. */
export type ProofState =
  | { readonly kind: 'fetching'; readonly stage: CollectStage | null }
  | { readonly kind: 'computing'; readonly steps: readonly Step[] }
  | { readonly kind: 'failed'; readonly reason: 'fetching' | 'computing' }
  | { readonly kind: 'wrong-file'; readonly why: string }
  | { readonly kind: 'done'; readonly proof: Proof; readonly bundle: Bundle }

const STARTING: ProofState = { kind: 'fetching', stage: null }
/** So long, in ms, it is waited for who is signed in; after that the draw is checked as a visitor would. */
const SESSION_PATIENCE_MS = 4_000

/**
 * @returns how far the check of a draw is, which begins by itself, and a function that checks it anew
 */
export function useDrawProof(gameKey: string, number: number): { state: ProofState; checkAgain: () => void } {
  const api = useApi()
  const clock = useClock()
  const { status, profile } = useSession()
  const username = profile?.username ?? null
  const [isImpatient, setIsImpatient] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const [state, setState] = useState<ProofState>(STARTING)
  const canStart = status !== 'unknown' || isImpatient

  useEffect(() => {
    if (!canStart) return runtime.after(SESSION_PATIENCE_MS, () => setIsImpatient(true))
    const controller = new AbortController()
    const show = (next: ProofState) => {
      if (!controller.signal.aborted) setState(next)
    }
    const memory = fairnessMemory()
    const run = async () => {
      show(STARTING)
      const seen = memory.read()
      const parts = { api, fetch: runtime.fetch, logStore: browserLogStore }
      const { bundle, headNow } = await collectDraw(parts, {
        game: gameKey,
        draw: number,
        username,
        seen,
        withEntries: true,
        onStage: (stage) => show({ kind: 'fetching', stage }),
      })
      const task = { bundle, seen, headNow, nowAt: sightTime(clock, runtime), isSaved: false }
      await compute(task, show, controller.signal, async (proof) => {
        if (rememberProof(memory, proof, sightTime(clock, runtime))) await keepLog(browserLogStore, bundle.log)
      })
    }
    run().catch(() => show({ kind: 'failed', reason: 'fetching' }))
    return () => controller.abort()
  }, [api, clock, gameKey, number, username, canStart, attempt])

  return { state, checkAgain: () => setAttempt(attempt + 1) }
}

/** @returns how far the check of a bundle's file is; null without a file */
export function useFileProof(file: File | null): ProofState | null {
  const clock = useClock()
  const [found, setFound] = useState<{ readonly file: File; readonly state: ProofState } | null>(null)

  useEffect(() => {
    if (file === null) return
    const controller = new AbortController()
    const show = (state: ProofState) => {
      if (!controller.signal.aborted) setFound({ file, state })
    }
    const run = async () => {
      const seen = fairnessMemory().read()
      const task = { file: await file.text(), seen, headNow: null, nowAt: sightTime(clock, runtime), isSaved: true }
      await compute(task, show, controller.signal)
    }
    run().catch(() => show({ kind: 'failed', reason: 'computing' }))
    return () => controller.abort()
  }, [clock, file])

  if (file === null) return null
  return found?.file === file ? found.state : { kind: 'computing', steps: [] }
}

/** Verifies in the worker and shows each step as it comes. */
async function compute(
  task: Parameters<typeof proveInWorker>[0],
  show: (state: ProofState) => void,
  signal: AbortSignal,
  remember?: (proof: Proof) => Promise<void>,
): Promise<void> {
  const steps: Step[] = []
  show({ kind: 'computing', steps: [] })
  try {
    const { proof, bundle } = await proveInWorker(
      task,
      (step) => {
        steps.push(step)
        show({ kind: 'computing', steps: [...steps] })
      },
      signal,
    )
    await remember?.(proof)
    show({ kind: 'done', proof, bundle })
  } catch (error) {
    if (error instanceof WrongFileError) show({ kind: 'wrong-file', why: error.message })
    else show({ kind: 'failed', reason: 'computing' })
  }
}

/** @returns whether a draw could not be found because there is none of that number */
export function isNoDraw(error: unknown): boolean {
  return error instanceof ApiError ? error.status === 404 : hasCode(error, 'NOT_FOUND')
}

/** Pages are rendered by a bundle of their own, to which the server's class of errors is another one. */
function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
