import type { VerifyStep } from '@fairball/domain/protocol/verify'

/** The steps of a verification, in the order of the work. */
export const VERIFY_STEPS: readonly VerifyStep[] = ['log', 'open', 'seal', 'beacon', 'numbers', 'money', 'papers']

/** "Checking step 3 of 7". */
export function stepText(step: VerifyStep): string {
  return `Checking step ${VERIFY_STEPS.indexOf(step) + 1} of ${VERIFY_STEPS.length}`
}
