import type { Outcome } from '@fairball/domain/fairness/report'
import { AlertIcon, CheckCircleIcon, ClockIcon, InfoIcon } from '../../../ui/icons.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { PROOF_TEXTS } from '../messages.ts'
import styles from './outcome-mark.module.css'

/** How a check or a step stands: one that ended, one that runs, or one that waits for those before it. */
export type MarkState = Outcome | 'running' | 'waiting'

/** An icon and a word, its own or another one: the colour only repeats them. */
export function OutcomeMark({ state, word = wordOf(state) }: { state: MarkState; word?: string }) {
  return (
    <span className={styles['mark']} data-state={state}>
      <MarkIcon state={state} />
      {word}
    </span>
  )
}

function MarkIcon({ state }: { state: MarkState }) {
  switch (state) {
    case 'passed':
      return <CheckCircleIcon size={20} />
    case 'failed':
      return <AlertIcon size={20} />
    case 'unchecked':
      return <InfoIcon size={20} />
    case 'running':
      return <Spinner />
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
    case 'passed':
    case 'failed':
    case 'unchecked':
      return PROOF_TEXTS.outcomes[state]
  }
}
