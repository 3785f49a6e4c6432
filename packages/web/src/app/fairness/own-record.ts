import type { Bundle, OwnRecord } from '@fairball/domain/fairness/bundle'
import type { Remembered } from './memory.ts'

/** The receipts of the bundle, with the key and the sights of this browser, which nobody else can change. */
export function ownRecordOf({ game, draw, own }: Bundle, seen: Remembered): OwnRecord {
  const sights = seen.closes.filter((close) => close.game === game && close.draw === draw)
  return {
    key: seen.key ?? own?.key ?? null,
    username: own?.username ?? null,
    sights: [...sights.map(({ hash, seenAt }) => ({ hash, seenAt })), ...(own?.sights ?? [])],
    receipts: own?.receipts ?? [],
  }
}
