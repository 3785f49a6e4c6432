import { useEffect } from 'react'
import { isMatch, isRight } from '../../../proof/is-match.ts'
import type { ProofState } from '../../../proof/draw-check.ts'
import { useDrawProof } from '../../../proof/use-draw-proof.ts'
import type { Part } from '../../../proof/three-pictures.tsx'
import { stepText } from '../../../proof/verify-steps.ts'
import { paths } from '../../../shared/paths.ts'
import { Link } from '@fairball/ui/link.tsx'
import { VisuallyHidden } from '@fairball/ui/visually-hidden.tsx'
import { BAND_TEXTS } from '../band-messages.ts'

/** Props of {@link BandCheck}. */
export interface BandCheckProps {
  gameKey: string
  number: number
  /** Called when the check has ended, with the parts that are right. The same function at every render. */
  onEnd: (right: readonly Part[]) => void
}

const PARTS: readonly Part[] = ['list', 'random', 'balls']

/** Verifies a draw in the browser, and says the result in a sentence. */
export function BandCheck({ gameKey, number, onEnd }: BandCheckProps) {
  const { state } = useDrawProof(gameKey, number)
  useEffect(() => {
    if (state.kind !== 'running') onEnd(rightParts(state))
  }, [state, onEnd])
  if (state.kind === 'running') {
    return (
      <>
        <VisuallyHidden>{BAND_TEXTS.checking}</VisuallyHidden>
        <span aria-hidden="true">{state.step === null ? BAND_TEXTS.checking : stepText(state.step)}</span>
      </>
    )
  }
  return (
    <>
      {sentenceOf(state)}{' '}
      {state.kind === 'done' && <Link href={paths.proof(gameKey, number)}>{BAND_TEXTS.toProof}</Link>}
    </>
  )
}

function findingsOf({ proof }: ProofState & { readonly kind: 'done' }) {
  return { ...proof.report.checks, ...proof.draws[0]?.report.checks }
}

function rightParts(state: ProofState): readonly Part[] {
  if (state.kind !== 'done') return []
  const findings = findingsOf(state)
  return PARTS.filter((part) => isRight(part, findings))
}

function sentenceOf(state: Exclude<ProofState, { readonly kind: 'running' }>): string {
  switch (state.kind) {
    case 'failed':
      return state.reason === 'fetching' ? BAND_TEXTS.notLoaded : BAND_TEXTS.notRun
    case 'broken':
    case 'wrong-file':
      return BAND_TEXTS.broken
    case 'done':
      return verdictOf(state)
  }
}

function verdictOf(state: ProofState & { readonly kind: 'done' }): string {
  const outcome = state.proof.draws[0]?.report.outcome ?? state.proof.report.outcome
  switch (outcome) {
    case 'proved':
    case 'holds':
      return isMatch(findingsOf(state)) ? BAND_TEXTS.matches : BAND_TEXTS.partly
    case 'failed':
      return BAND_TEXTS.failed
    case 'broken':
      return BAND_TEXTS.broken
    case 'not yet':
      return BAND_TEXTS.notYet
  }
}
