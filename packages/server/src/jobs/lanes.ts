/**
 * Capabilities that have a lane of their own beside the common ones: however many payments wait for a slow provider,
 * draws are closed and cosigned and prizes leave when they are due.
 */
const OWN_LANES = ['draws', 'payouts', 'fairness'] as const
/** Runs only in a lane of its own: however much mail waits for a slow server, it holds up nothing else. */
const MAIL = 'messages'

/** The jobs a lane takes: those of one capability, all except mail, or all. */
export type Lane = 'all' | 'common' | (typeof OWN_LANES)[number] | typeof MAIL

/** The lanes of a process. */
export const LANES: readonly Lane[] = ['common', 'common', 'common', ...OWN_LANES, MAIL]

/** Whether a lane takes jobs of a kind. */
export function takesKind(lane: Lane, kind: string): boolean {
  if (lane === 'all') return true
  if (lane === 'common') return !isMail(kind)
  return kind.startsWith(`${lane}.`)
}

export function isMail(kind: string): boolean {
  return kind.startsWith(`${MAIL}.`)
}
