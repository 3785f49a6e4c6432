import { useEffect, useState } from 'react'
import { ApiError } from '@fairball/contract/client'
import type { Bundle } from '@fairball/domain/protocol/bundle'
import { useApi } from '../../shared/api.ts'
import { useClock } from '../../shared/clock.ts'
import { type DrawProof, proveDraw, type ProofStage } from '../../proof/draw-proof.ts'
import { keptStore } from '../../proof/kept-store.ts'
import type { Contradiction } from '../../proof/memory.ts'
import type { Proof } from '../../proof/prove.ts'
import { sightTime } from '../../proof/sight-time.ts'
import { ownTrust, type TrustFile } from '../../proof/trust.ts'
import { proveInWorker, WrongFileError } from '../../proof/verifier.ts'
import { runtime } from '../../shared/runtime.ts'
import { useSession } from '../../shared/session/use-session.ts'

/** A finished check. */
export interface DoneProof {
  readonly proof: Proof
  readonly bundle: Bundle
  readonly trust: TrustFile
  readonly contradictions: readonly Contradiction[]
}

/** The progress of a check. */
export type ProofState =
  | { readonly kind: 'running'; readonly stage: ProofStage | null }
  | { readonly kind: 'failed'; readonly reason: 'fetching' | 'computing' }
  | { readonly kind: 'wrong-file'; readonly why: string }
  | ({ readonly kind: 'done' } & DoneProof)

const STARTING: ProofState = { kind: 'running', stage: null }
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
      show({ kind: 'running', stage })
    }
    const parts = { api, runtime, store: keptStore(), sightAt: () => sightTime(clock, runtime) }
    show(STARTING)
    proveDraw(parts, { game: gameKey, draw: number, player, signal, onStage }).then(
      (done: DrawProof) => show({ kind: 'done', ...done }),
      () => show({ kind: 'failed', reason: stage === 'checking' ? 'computing' : 'fetching' }),
    )
    return () => controller.abort()
  }, [api, clock, gameKey, number, player, canStart, attempt])

  return { state, checkAgain: () => setAttempt(attempt + 1) }
}

/** @returns the progress of a file's check; null without a file */
export function useFileProof(file: File | null): ProofState | null {
  const [found, setFound] = useState<{ readonly file: File; readonly state: ProofState } | null>(null)

  useEffect(() => {
    if (file === null) return
    const controller = new AbortController()
    const show = (state: ProofState) => {
      if (!controller.signal.aborted) setFound({ file, state })
    }
    proveFile(file, controller.signal).then(
      (done) => show({ kind: 'done', ...done }),
      (error: unknown) => {
        if (error instanceof WrongFileError) show({ kind: 'wrong-file', why: error.message })
        else show({ kind: 'failed', reason: 'computing' })
      },
    )
    return () => controller.abort()
  }, [file])

  if (file === null) return null
  return found?.file === file ? found.state : { kind: 'running', stage: 'checking' }
}

/** Checks a file by this browser's record of the one log it knows; a file of another log is not compared with it. */
async function proveFile(file: File, signal: AbortSignal): Promise<DoneProof> {
  const store = keptStore()
  const text = await file.text()
  const logs = await store.all('logs')
  const known = logs.find(({ origin }) => text.includes(JSON.stringify(`${origin}\n`).slice(1, -1)))
  const trust = await ownTrust(store, known?.origin ?? '')
  return {
    ...(await proveInWorker({ file: text, trust, roots: new Map(), plays: [] }, signal)),
    trust,
    contradictions: [],
  }
}

/** @returns whether a draw could not be found because its number does not exist */
export function isNoDraw(error: unknown): boolean {
  return error instanceof ApiError ? error.status === 404 : hasCode(error, 'NOT_FOUND')
}

/** Pages are rendered by a separate bundle, whose error class differs from the server's. */
function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
