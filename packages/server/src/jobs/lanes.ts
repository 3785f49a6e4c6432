/**
 * Capabilities that have a lane of their own beside the common ones: however many payments wait for a slow provider,
 * draws are closed and cosigned and prizes leave when they are due.
 */
const OWN_LANES = ['draws', 'payouts', 'fairness'] as const
/**
 * Run only in lanes of their own: however much mail waits for a slow server, or payments for the wallets of others, or
 * checks and webhooks for servers that players and the operator name, or a look at everything for what does not answer, it holds up nothing else.
 */
const ALONE = ['messages', 'lightning', 'destinations', 'webhooks', 'health'] as const

/** The jobs a lane takes: those of one capability, all except those that run alone, or all. */
export type Lane = 'all' | 'common' | (typeof OWN_LANES)[number] | (typeof ALONE)[number]

/**
 * The lanes of a process. A lane takes no more before the last of its jobs has ended, and a wallet may hold a payment
 * back until its call's time is over: other lanes pay the others meanwhile.
 */
export const LANES: readonly Lane[] = ['common', 'common', 'common', ...OWN_LANES, ...ALONE, 'lightning', 'lightning']

/** Whether a lane takes jobs of a kind. */
export function takesKind(lane: Lane, kind: string): boolean {
  if (lane === 'all') return true
  if (lane === 'common') return !ALONE.some((capability) => kind.startsWith(`${capability}.`))
  return kind.startsWith(`${lane}.`)
}

export function isMail(kind: string): boolean {
  return kind.startsWith('messages.')
}
