/** What a check cannot prove. */
export const LIMIT_TEXTS = {
  title: 'What this check cannot prove',
  waiting: 'This appears when the check has ended.',
  nothing: 'Anything: there is no complete record to check.',
  sealed: (witnesses: readonly string[]) => ({
    title: 'That the list was sealed before the random number existed.',
    text:
      witnesses.length === 0
        ? 'A witness who saw it in time can confirm that. No witness has signed this draw.'
        : `${witnesses.join(', ')} signed it in time. Whether you trust them is up to you.`,
  }),
  demoBeacon: {
    title: 'That the random number is honest.',
    text: 'This demo makes its own. Real draws use drand’s public beacon.',
  },
  ownBeacon: { title: 'That the random number is honest.', text: 'It comes from the operator’s own beacon.' },
  signature: { title: 'That the random number is genuine.', text: 'Its signature could not be checked here.' },
  collusion: {
    title: 'That the operator and the source of randomness didn’t collude.',
    text: 'Together they could have known the numbers in advance.',
  },
  postponed: {
    title: 'That the delay was decided before the random number was known.',
    text: 'A witness who saw it in time can confirm that.',
  },
  voidReason: { title: 'That there was a reason to void the draw.', text: 'Compare it with the public beacon.' },
  announced: { title: 'That the whole announcement was in order.', text: 'A part of it is not here.' },
  counted: (why: string) => ({ title: 'That every line was counted.', text: why === '' ? '' : `${upperFirst(why)}.` }),
  paid: {
    title: 'That prizes are paid.',
    text: 'The result proves what is owed. A missing payment can be proved, but not prevented.',
  },
} as const

function upperFirst(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
