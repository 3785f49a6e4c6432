import { CLOCK_TOLERANCE_SECONDS } from '@fairball/domain/clock-tolerance'
import type { Suspicion } from './alarms.ts'
import { lengthText } from './teller.ts'

/**
 * Compares this computer's clock with the newest statement of a log and with the newest cosignature.
 *
 * @param at this computer's time, epoch seconds
 * @returns the problems of either clock; nothing is cosigned until there are none
 */
export function clockTrouble(
  { origin, statementAt, cosignedAt }: { origin: string; statementAt: number; cosignedAt: number },
  at: number,
): Suspicion[] {
  const ahead = statementAt - at
  const back = cosignedAt - at
  const found: Suspicion[] = []
  const about = { kind: 'clock', duration: 'while-so', evidence: null } as const
  if (ahead > CLOCK_TOLERANCE_SECONDS) {
    const text =
      `The newest statement of ${origin} is dated ${lengthText(ahead)} ahead of this computer: one of the two clocks is ` +
      'wrong, and nothing is cosigned until they agree.'
    found.push({ ...about, key: 'clock:ahead', text })
  }
  if (back > CLOCK_TOLERANCE_SECONDS) {
    const text = `The clock of this computer went back by ${lengthText(back)}, and nothing is cosigned until it is right again.`
    found.push({ ...about, key: 'clock:back', text })
  }
  return found
}
