import type { BatchState } from '@fairball/contract/console/read'

/** The states that the list can be narrowed to, the ones with work for a person first. */
export const BATCH_STATES: readonly BatchState[] = [
  'WAITING_APPROVAL',
  'HALTED',
  'WAITING_FUNDS',
  'BATCHED',
  'SIGNED',
  'SENT',
  'FINAL',
  'CANCELLED',
]

/** States in which a batch can still be held: nothing has left. */
const HOLDABLE: readonly BatchState[] = ['WAITING_APPROVAL', 'WAITING_FUNDS', 'BATCHED', 'SIGNED']
/** States from which a batch can be tried again. */
const RETRIABLE: readonly BatchState[] = ['HALTED', 'WAITING_FUNDS']
/** States in which a batch cannot be taken back: it is done. */
const ENDED: readonly BatchState[] = ['FINAL', 'CANCELLED']

/** What can be done with a batch in a state. */
export function actionsIn(state: BatchState) {
  return {
    canApprove: state === 'WAITING_APPROVAL',
    canHold: HOLDABLE.includes(state),
    canRetry: RETRIABLE.includes(state),
    canCancel: !ENDED.includes(state),
  }
}
