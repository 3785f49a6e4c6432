import type { Status } from '@fairball/domain/protocol/report'
import { AlertIcon, CheckCircleIcon, ClockIcon, InfoIcon } from '@fairball/ui/icons.tsx'
import { Spinner } from '@fairball/ui/spinner.tsx'
import { VisuallyHidden } from '@fairball/ui/visually-hidden.tsx'
import { PROOF_TEXTS } from '../proof-messages.ts'
import styles from './outcome-mark.module.css'

/** The state of a check or a group: an outcome, running, waiting, or not judged. */
export type MarkState = Status | 'running' | 'waiting' | 'unjudged'

/** An icon and a word, the default one or a given one; the colour only repeats them. */
export function OutcomeMark({
  state,
  word = wordOf(state),
  isWordHidden = false,
}: {
  state: MarkState
  word?: string
  /** Where a sentence beside it says the same. */
  isWordHidden?: boolean
}) {
  return (
    <span className={styles['mark']} data-state={state}>
      <MarkIcon state={state} />
      {isWordHidden ? <VisuallyHidden>{word}</VisuallyHidden> : word}
    </span>
  )
}

function MarkIcon({ state }: { state: MarkState }) {
  switch (state) {
    case 'pass':
      return <CheckCircleIcon size={20} />
    case 'fail':
      return <AlertIcon size={20} />
    case 'warn':
    case 'unknown':
    case 'broken':
    case 'unjudged':
      return <InfoIcon size={20} />
    case 'running':
      return <Spinner />
    case 'wait':
    case 'waiting':
      return <ClockIcon size={20} />
  }
}

function wordOf(state: MarkState): string {
  switch (state) {
    case 'running':
      return PROOF_TEXTS.running
    case 'waiting':
      return PROOF_TEXTS.waiting
    case 'unjudged':
      return PROOF_TEXTS.notJudged
    case 'pass':
    case 'warn':
    case 'unknown':
    case 'wait':
    case 'fail':
    case 'broken':
      return PROOF_TEXTS.statuses[state]
  }
}
