import type { CheckId, Findings } from '@fairball/domain/protocol/report'

/** The checks of the sealed list, of the random number, and of the numbers and prizes that follow from both. */
const CORE: Readonly<Record<'list' | 'random' | 'balls', readonly CheckId[]>> = {
  list: ['seal.seed', 'plays.root'],
  random: ['beacon.signature'],
  balls: ['result.form', 'result.numbers', 'result.tiers'],
}

/** Whether a part of a draw was checked and is right. */
export function isRight(part: keyof typeof CORE, findings: Findings): boolean {
  return CORE[part].every((id) => findings[id]?.status === 'pass')
}

/** Whether the published numbers are those that follow: without all three parts nobody can say so. */
export function isMatch(findings: Findings): boolean {
  return isRight('list', findings) && isRight('random', findings) && isRight('balls', findings)
}
