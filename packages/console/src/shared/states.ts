import type { BatchState } from '@fairball/contract/console/read'
import type { RequestState } from '@fairball/contract/console/requests'
import type { Mood } from './state.tsx'

/** A state in words. */
interface StateText {
  readonly mood: Mood
  readonly text: string
}

/** The states of a batch of payouts. */
export const BATCH_STATE_TEXTS: Readonly<Record<BatchState, StateText>> = {
  WAITING_APPROVAL: { mood: 'waiting', text: 'Waits for approval' },
  WAITING_FUNDS: { mood: 'waiting', text: 'Waits for funds' },
  BATCHED: { mood: 'plain', text: 'To be signed' },
  SIGNED: { mood: 'plain', text: 'Signed' },
  SENT: { mood: 'plain', text: 'Sent' },
  FINAL: { mood: 'good', text: 'Final' },
  HALTED: { mood: 'bad', text: 'Halted' },
  CANCELLED: { mood: 'off', text: 'Cancelled' },
}

/** The states of a request. */
export const REQUEST_STATE_TEXTS: Readonly<Record<RequestState, StateText>> = {
  draft: { mood: 'off', text: 'Not signed' },
  proposed: { mood: 'waiting', text: 'Waits for approval' },
  approved: { mood: 'plain', text: 'Being carried out' },
  done: { mood: 'good', text: 'Done' },
  refused: { mood: 'bad', text: 'Refused' },
  failed: { mood: 'bad', text: 'Failed' },
  rejected: { mood: 'off', text: 'Rejected' },
  cancelled: { mood: 'off', text: 'Cancelled' },
  expired: { mood: 'off', text: 'Expired' },
}
