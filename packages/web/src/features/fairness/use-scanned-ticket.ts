import { useEffect, useState } from 'react'
import { RemoteError } from '@fairball/domain/protocol/remote-log'
import { type Scan, scanTicket, sealedListOf } from '../../proof/scan-ticket.ts'
import type { TicketCode } from '../../proof/ticket-code.ts'
import { readTicketCode } from '../../proof/ticket-code.ts'
import { runtime } from '../../shared/runtime.ts'
import type { ProofState } from '../../proof/draw-check.ts'

/** What is known about a scanned ticket. */
export type ScannedState =
  | { readonly kind: 'checking' | 'absent' | 'damaged' | 'broken' | 'not-loaded' | 'void' }
  /** `closesAt` is when the list is published, epoch seconds. */
  | { readonly kind: 'early'; readonly closesAt: number | null }
  | {
      readonly kind: 'found'
      readonly username: string
      readonly lines: readonly (readonly number[])[]
      readonly isRevoked: boolean
      readonly isVoid: boolean
      /** The draw's numbers once its result is published; null before. */
      readonly numbers: readonly number[] | null
    }

/** The outcome of a ticket's search in one checked draw. */
interface Found {
  readonly fragment: string
  readonly state: ProofState
  readonly outcome: Scan | { readonly kind: 'broken' | 'not-loaded' }
}

/**
 * Looks a scanned ticket up in the sealed list of its draw, once that draw has been checked.
 *
 * @param fragment its code
 * @param state the progress of the draw's check
 */
export function useScannedTicket(fragment: string, state: ProofState): ScannedState {
  const [found, setFound] = useState<Found | null>(null)

  useEffect(() => {
    const code = readTicketCode(fragment)
    if (code === null || state.kind !== 'done') return
    let isWanted = true
    void outcomeOf(state, code).then((outcome) => {
      if (isWanted) setFound({ fragment, state, outcome })
    })
    return () => {
      isWanted = false
    }
  }, [fragment, state])

  const code = readTicketCode(fragment)
  if (code === null) return { kind: 'damaged' }
  if (state.kind === 'running') return { kind: 'checking' }
  if (state.kind === 'broken') return { kind: 'broken' }
  const draw = state.kind === 'done' ? state.proof.draws[0] : undefined
  if (state.kind !== 'done' || draw === undefined) return { kind: 'not-loaded' }
  if (draw.report.outcome === 'broken') return { kind: 'broken' }
  const { facts, report } = draw
  if (facts.close === null) return facts.isVoid ? { kind: 'void' } : { kind: 'early', closesAt: facts.closesAt }
  if (found?.fragment !== fragment || found.state !== state) return { kind: 'checking' }
  const { outcome } = found
  if (outcome.kind !== 'found') return outcome
  return {
    ...outcome,
    username: code.username,
    isVoid: facts.isVoid,
    numbers: facts.tiers === null ? null : report.numbers,
  }
}

async function outcomeOf(
  { proof, bundle }: Extract<ProofState, { kind: 'done' }>,
  code: TicketCode,
): Promise<Found['outcome']> {
  const [draw] = proof.draws
  const list = draw === undefined ? null : sealedListOf(bundle, draw)
  try {
    return list === null ? { kind: 'not-loaded' } : await scanTicket(runtime, list, code)
  } catch (error) {
    return { kind: error instanceof RemoteError ? 'broken' : 'not-loaded' }
  }
}
