import type { Report } from './report.ts'

/** What a draw that holds still leaves open, as sentences to stand beside its verdict (fairness section 10). */
export function caveatsOf({
  outcome,
  isSeen,
  isPublicBeacon,
}: Pick<Report, 'outcome' | 'isSeen' | 'isPublicBeacon'>): string[] {
  if (outcome !== 'passed') return []
  return [
    ...(isSeen
      ? []
      : ["Nothing here shows that the seal is older than the beacon's word: that takes somebody who saw it in time."]),
    ...(isPublicBeacon === false
      ? ["The beacon is the operator's own: this shows the arithmetic, not the honesty."]
      : []),
  ]
}
