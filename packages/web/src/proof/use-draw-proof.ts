import { useEffect, useState } from 'react'
import type { Bundle } from '@fairball/domain/protocol/bundle'
import { RemoteError } from '@fairball/domain/protocol/remote-log'
import type { VerifyStep } from '@fairball/domain/protocol/verify'
import { useApi } from '../shared/api.ts'
import { useClock } from '../shared/use-clock.ts'
import { type DrawProof, proveDraw, type ProofStage } from './draw-proof.ts'
import { keptStore } from './kept-store.ts'
import type { Contradiction } from './memory.ts'
import type { Proof } from './prove.ts'
import { sightTime } from './sight-time.ts'
import type { TrustFile } from './trust.ts'
import { runtime } from '../shared/runtime.ts'
import { useSession } from '../shared/session/use-session.ts'

/** A finished check. */
export interface DoneProof {
  readonly proof: Proof
  readonly bundle: Bundle
  readonly trust: TrustFile
  readonly contradictions: readonly Contradiction[]
}

/** The progress of a check. */
export type ProofState =
  /** `step` is the one that the verifier works on, null before its first. */
  | { readonly kind: 'running'; readonly stage: ProofStage | null; readonly step: VerifyStep | null }
  | { readonly kind: 'failed'; readonly reason: 'fetching' | 'computing' }
  /** What the server sent breaks the protocol before there is anything to judge; `why` is a sentence. */
  | { readonly kind: 'broken'; readonly why: string }
  | { readonly kind: 'wrong-file'; readonly why: string }
  | ({ readonly kind: 'done' } & DoneProof)

const STARTING: ProofState = { kind: 'running', stage: null, step: null }
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
    const controller = new AbortController()
    const { signal } = controller
    let stage: ProofStage | null = null
    const show = (next: ProofState) => {
      if (!signal.aborted) setState(next)
    }
    const onStage = (next: ProofStage) => {
      stage = next
      show({ kind: 'running', stage, step: null })
    }
    const onStep = (step: VerifyStep) => show({ kind: 'running', stage, step })
    const parts = { api, runtime, store: keptStore(), sightAt: () => sightTime(clock, runtime) }
    show(STARTING)
    proveDraw(parts, { game: gameKey, draw: number, player, signal, onStage, onStep }).then(
      (done: DrawProof) => show({ kind: 'done', ...done }),
      (error: unknown) => show(failureOf(error, stage)),
    )
    return () => controller.abort()
  }, [api, clock, gameKey, number, player, canStart, attempt])

  return { state, checkAgain: () => setAttempt(attempt + 1) }
}

/** Without the records there is no verdict; records that break the protocol have one. */
function failureOf(error: unknown, stage: ProofStage | null): ProofState {
  if (error instanceof RemoteError) return { kind: 'broken', why: error.message }
  return { kind: 'failed', reason: stage === 'checking' ? 'computing' : 'fetching' }
}
