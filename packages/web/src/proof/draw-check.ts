import type { Bundle } from '@fairball/domain/protocol/bundle'
import { RemoteError } from '@fairball/domain/protocol/remote-log'
import type { VerifyStep } from '@fairball/domain/protocol/verify'
import type { Api } from '../shared/api.ts'
import type { Clock } from '../shared/clock.ts'
import { runtime } from '../shared/runtime.ts'
import type { Session } from '../shared/session/session.ts'
import { type DrawProof, proveDraw, type ProofStage } from './draw-proof.ts'
import { keptStore } from './kept-store.ts'
import type { Contradiction } from './memory.ts'
import type { Proof } from './prove.ts'
import { sightTime } from './sight-time.ts'
import type { TrustFile } from './trust.ts'

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

/** The progress of a check that begins. */
export const STARTING: ProofState = { kind: 'running', stage: null, step: null }

/** A draw, and whose papers are checked with it. */
interface CheckedDraw {
  readonly game: string
  readonly draw: number
  /** null for a visitor */
  readonly player: string | null
}

/** A check that has begun. */
interface DrawCheck {
  readonly of: CheckedDraw
  /** Calls with the progress, immediately and after each change. @returns a function that ends the check */
  readonly follow: (show: (state: ProofState) => void) => () => void
}

/** Begins to check a draw. */
export function beginCheck(api: Api, clock: Clock, of: CheckedDraw): DrawCheck {
  const controller = new AbortController()
  const { signal } = controller
  let state = STARTING
  let stage: ProofStage | null = null
  let show: (state: ProofState) => void = () => undefined
  const become = (next: ProofState) => {
    state = next
    if (!signal.aborted) show(next)
  }
  const onStage = (next: ProofStage) => {
    stage = next
    become({ kind: 'running', stage, step: null })
  }
  const onStep = (step: VerifyStep) => become({ kind: 'running', stage, step })
  const parts = { api, runtime, store: keptStore(), sightAt: () => sightTime(clock, runtime) }
  proveDraw(parts, { ...of, signal, onStage, onStep }).then(
    (done: DrawProof) => become({ kind: 'done', ...done }),
    (error: unknown) => become(failureOf(error, stage)),
  )
  return {
    of,
    follow: (by) => {
      show = by
      show(state)
      return () => controller.abort()
    },
  }
}

/** Without the records there is no verdict; records that break the protocol have one. */
function failureOf(error: unknown, stage: ProofStage | null): ProofState {
  if (error instanceof RemoteError) return { kind: 'broken', why: error.message }
  return { kind: 'failed', reason: stage === 'checking' ? 'computing' : 'fetching' }
}

/** The check that began before its page. */
let early: DrawCheck | null = null
/** Whether the page has asked for it: from then on it checks on its own, as at the next visit. */
let isPageThere = false

/** Begins to check the draw that the document's address names, while React takes over the page. */
export async function lookEarly(api: Api, session: Session, clock: Clock): Promise<void> {
  await session.ready()
  const [, game, draw] = /^\/game\/([^/]+)\/draw\/(\d+)\/proof$/.exec(location.pathname) ?? []
  const { status, profile } = session.state()
  // Without an answer about the session the page waits for one.
  if (game === undefined || status === 'unknown' || isPageThere) return
  early = beginCheck(api, clock, { game, draw: Number(draw), player: profile?.username ?? null })
}

/** Takes over the check that began before its page, once. @returns null if it is another one, or there is none */
export function takeEarlyCheck({ game, draw, player }: CheckedDraw): DrawCheck | null {
  const taken = early
  early = null
  isPageThere = true
  const is = taken?.of
  return is?.game === game && is.draw === draw && is.player === player ? taken : null
}
