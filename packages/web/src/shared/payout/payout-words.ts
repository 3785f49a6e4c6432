import type { Payout } from '@fairball/contract/schemas/account'
import { momentLabel, timeLabel } from '@fairball/domain/draw-time-label'

/** One of the three stops of money on its way to a player. */
interface PayoutStop {
  readonly name: string
  /** When, or how far; empty while nothing can be said. */
  readonly text: string
  readonly isReached: boolean
}

/** What a moment is written with. */
interface MomentsOf {
  readonly nowAt: number
  readonly utcOffsetAt: (at: number) => number
}

/**
 * Counted, sent, in the wallet. `endAt` is the end of the draw in epoch seconds; prizes are counted a little earlier, so
 * they may be sent before it.
 */
export function payoutStops(payout: Payout, endAt: number, moments: MomentsOf): readonly PayoutStop[] {
  const { status, leaves_by: leavesBy, sent_at: sentAt } = payout
  const isSent = status === 'SENT' || status === 'CONFIRMED'
  const countedAt = Math.min(endAt, sentAt ?? endAt)
  const words = (at: number): string => timeNear(at, countedAt, moments)
  return [
    { name: 'Counted', text: words(countedAt), isReached: true },
    {
      name: 'Sent',
      text: isSent && sentAt !== null ? `at ${words(sentAt)}` : leavesBy === null ? '' : `by ${words(leavesBy)}`,
      isReached: isSent,
    },
    {
      name: 'In your wallet',
      text: !isSent ? '' : payout.receipt === null ? confirmationWords(payout.confirmations) : 'over Lightning',
      isReached: status === 'CONFIRMED',
    },
  ]
}

/** The time alone if it is on the day of another moment, otherwise the day too. */
function timeNear(at: number, otherAt: number, { nowAt, utcOffsetAt }: MomentsOf): string {
  const dayOf = (moment: number): number => Math.floor((moment + utcOffsetAt(moment)) / 86_400)
  return dayOf(at) === dayOf(otherAt) ? timeLabel(at, utcOffsetAt(at)) : momentLabel({ at, nowAt, utcOffsetAt })
}

function confirmationWords(count: number): string {
  return `${count} ${count === 1 ? 'confirmation' : 'confirmations'}`
}

/** The ends of a transaction's id: "9632…234f". */
export function shortTxid(txid: string): string {
  return `${txid.slice(0, 4)}…${txid.slice(-4)}`
}

/** Why money waits, and what the player can do: add an address, or have the mail sent again. */
interface WaitingWords {
  readonly text: string
  readonly action: 'ADD_ADDRESS' | 'RESEND_EMAIL' | null
}

/** @returns the reason for waiting in words; null if nothing is in the way */
export function waitingWords(payout: Payout, momentOf: (at: number) => string): WaitingWords | null {
  switch (payout.reason) {
    case null:
      return null
    case 'NO_ADDRESS':
      return { text: 'Waiting for a payout address.', action: 'ADD_ADDRESS' }
    case 'EMAIL_UNVERIFIED':
      return { text: 'Waiting for your email to be verified.', action: 'RESEND_EMAIL' }
    case 'ADDRESS_CHANGED':
      return {
        text:
          payout.available_from === null
            ? 'Your new address can be used soon.'
            : `Your new address can be used from ${momentOf(payout.available_from)}.`,
        action: null,
      }
    case 'BELOW_MINIMUM':
      return { text: 'Too small to send on its own: it goes out with your next prize.', action: null }
    case 'NO_ANSWER':
      return {
        text:
          payout.available_from === null
            ? 'Your Lightning wallet did not answer. We try again.'
            : `Your Lightning wallet did not answer. We try again at ${momentOf(payout.available_from)}.`,
        action: null,
      }
    case 'TOO_LARGE':
      return { text: 'Too large for Lightning: save a bitcoin address.', action: 'ADD_ADDRESS' }
    case 'ON_HOLD':
      return { text: 'Being checked by us. Nothing for you to do.', action: null }
  }
}

/** @returns the state of money in a few words, for a row: "Sent at 6:31 PM", "By 7:01 PM", "In your wallet" */
export function payoutState(payout: Payout, momentOf: (at: number) => string): string {
  switch (payout.status) {
    case 'WAITING':
      return 'Waiting'
    case 'SCHEDULED':
      return payout.leaves_by === null ? 'On its way' : `Sent by ${momentOf(payout.leaves_by)}`
    case 'SENT':
      return payout.sent_at === null ? 'Sent' : `Sent ${momentOf(payout.sent_at)}`
    case 'CONFIRMED':
      return 'In your wallet'
  }
}
