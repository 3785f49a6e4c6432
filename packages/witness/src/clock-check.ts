import { lengthText, timeText } from '@fairball/domain/fairness/checks'
import { CLOCK_TOLERANCE_SECONDS } from '@fairball/domain/fairness/protocol'
import type { Suspicion } from './alarms.ts'
import type { KeptLog } from './kept-log.ts'

/**
 * Holds the own clock against the operator's newest statement and against the newest sight that was kept.
 *
 * @param at what the own clock says, epoch seconds
 * @returns what is wrong with either clock; signing waits for it
 */
export function clockTrouble({ head, last }: Pick<KeptLog, 'head' | 'last'>, at: number): Suspicion[] {
  const ahead = (head?.time ?? 0) - at
  const back = (last?.seenAt ?? 0) - at
  const found: Suspicion[] = []
  const about = { kind: 'clock', duration: 'while-so', seq: head?.seq ?? 0, evidence: null } as const
  if (ahead > CLOCK_TOLERANCE_SECONDS) {
    const text =
      `The operator's newest statement is dated ${timeText(head?.time ?? 0)}, ${lengthText(ahead)} ahead of this ` +
      'computer. One of the two clocks is wrong. Nothing is signed until they agree.'
    found.push({ ...about, key: 'clock:ahead', text })
  }
  if (back > CLOCK_TOLERANCE_SECONDS) {
    const text = `The clock of this computer went back by ${lengthText(back)}. Nothing is signed until it is right again.`
    found.push({ ...about, key: 'clock:back', text })
  }
  return found
}
