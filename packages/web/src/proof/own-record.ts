import type { Bundle, OwnRecord } from '@fairball/domain/fairness/bundle'
import type { Remembered } from './memory.ts'

/** The receipts of the bundle, which are signed, with the key and the sights of this browser alone: what a file says of them is its owner's word. */
export function ownRecordOf({ game, draw, own }: Bundle, seen: Pick<Remembered, 'key' | 'closes'>): OwnRecord {
  const sights = seen.closes.filter((close) => close.game === game && close.draw === draw)
  return {
    key: seen.key,
    username: own?.username ?? null,
    sights: sights.map(({ hash, seenAt }) => ({ hash, seenAt })),
    receipts: own?.receipts ?? [],
  }
}
