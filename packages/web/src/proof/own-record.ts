import type { Bundle, OwnRecord } from '@fairball/domain/fairness/bundle'
import type { Remembered } from './memory.ts'

/**
 * The bundle's receipts, which are signed, with only this browser's key and sights: those in a file are not trusted.
 */
export function ownRecordOf({ game, draw, own }: Bundle, seen: Pick<Remembered, 'key' | 'closes'>): OwnRecord {
  const sights = seen.closes.filter((close) => close.game === game && close.draw === draw)
  return {
    key: seen.key,
    username: own?.username ?? null,
    sights: sights.map(({ hash, seenAt }) => ({ hash, seenAt })),
    receipts: own?.receipts ?? [],
  }
}
