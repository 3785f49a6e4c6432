import type { Tracked } from '../../ports/lightning/lightning-node.ts'

// When another invoice, or the chain, may be used for a payout: the only step that could pay twice. Pure.

/** How long the node looks for a way, and how long our call waits for its answer, in seconds. */
export const RETRY_SECONDS = 30
const CALL_SECONDS = 45
/** Time beyond the end of an invoice, and of a call, for clocks that differ. */
const SLACK_SECONDS = 120
/** Least time left for an invoice that is sent: the payment has to arrive. */
const LEAST_LEFT_SECONDS = 60
/** Least time between two calls for an attempt: a node may accept a payment and know nothing of it. */
const APART_SECONDS = 1
/** Time between the two looks that find an attempt dead: after the node refused it, and otherwise. */
const REFUSED_SECONDS = 5
const EXPIRED_SECONDS = 60
/** When a payout is tried again, in seconds since it was tried first. */
const AGAIN_SECONDS = [60, 300, 1200, 3600, 7200, 14_400, 28_800, 57_600, 86_400]
/** When a payment on its way is looked at again, in seconds since it was sent; from then on each minute. */
const LOOK_SECONDS = [1, 2, 5, 15, 60]
const MINUTE = 60

/** What is stored of an attempt that has no outcome; times in epoch seconds. */
interface OpenAttempt {
  readonly expiresAt: number
  /** when the node was last asked to pay it; null if it never was */
  readonly sentAt: number | null
  readonly calls: number
  readonly answers: number
  /** the last answer was a refusal */
  readonly isRefused: boolean
  readonly deadSince: number | null
}

/**
 * What to do with an attempt.
 *
 * - `dead`: it can no longer pay; another invoice may be used.
 * - `look`: nothing but to look again; `deadSince` is to be stored.
 */
type Verdict =
  | { readonly is: 'paid' | 'send'; readonly deadSince: null }
  | { readonly is: 'look'; readonly deadSince: number | null }
  | { readonly is: 'dead'; readonly deadSince: number }

/**
 * Judges an attempt by what the node says of it now. It is dead only if all looks over some time agree, and
 *
 * - every call was answered, the last one by a refusal, and the node shows no part of it, or failed ones; or
 * - the invoice has been over for some time, so that the node itself refuses it, and no call can still be open.
 *
 * A call whose answer was lost may be read by a frozen node much later: then only the end of the invoice counts. A part
 * that never left stays for ever, so the node's own word never ends it either.
 *
 * @param isSure whether the node is the operator's, has read the chain, and our clock is right
 */
export function judge(attempt: OpenAttempt, word: Tracked['is'], at: { now: number; isSure: boolean }): Verdict {
  const { now, isSure } = at
  if (word === 'complete') return { is: 'paid', deadSince: null }
  if (word === 'in-flight') return { is: 'look', deadSince: null }
  const { expiresAt, sentAt, calls, answers, isRefused } = attempt
  const isRefusal = calls > 0 && calls === answers && isRefused && word !== 'never-left'
  const isOver = now > expiresAt + SLACK_SECONDS && (sentAt === null || now > sentAt + RETRY_SECONDS + SLACK_SECONDS)
  if (isSure && (isRefusal || isOver)) {
    const deadSince = attempt.deadSince ?? now
    return { is: now - deadSince >= (isRefusal ? REFUSED_SECONDS : EXPIRED_SECONDS) ? 'dead' : 'look', deadSince }
  }
  const isCalling = sentAt !== null && calls > answers && now < sentAt + CALL_SECONDS + MINUTE
  const isPausing = sentAt !== null && now < sentAt + APART_SECONDS
  const maySend =
    isSure && word !== 'never-left' && !isRefusal && !isCalling && !isPausing && expiresAt - now >= LEAST_LEFT_SECONDS
  return maySend ? { is: 'send', deadSince: null } : { is: 'look', deadSince: null }
}

/** When to look at an attempt again, in epoch seconds: in the end at each full minute, where all that ask meet. */
export function nextLookAt({ sentAt, deadSince }: Pick<OpenAttempt, 'sentAt' | 'deadSince'>, now: number): number {
  if (deadSince !== null && now - deadSince < REFUSED_SECONDS) return now + REFUSED_SECONDS
  const since = sentAt === null ? 0 : now - sentAt
  const next = LOOK_SECONDS.find((seconds) => seconds > since)
  return next === undefined || sentAt === null ? (Math.floor(now / MINUTE) + 1) * MINUTE : sentAt + next
}

/** When a payout is tried again that was tried first at a moment; null once a day is over. Epoch seconds. */
export function nextTryAt(firstAt: number, now: number): number | null {
  const next = AGAIN_SECONDS.find((seconds) => firstAt + seconds > now)
  return next === undefined ? null : firstAt + next
}
