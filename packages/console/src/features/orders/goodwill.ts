import { satsOf } from '../../shared/money.ts'

/** Whether goodwill was paid for an order: that is done once. */
export function hasGoodwill(sats: string): boolean {
  return satsOf(sats) > 0n
}
