import { satsOf } from '../../shared/money.ts'

/** Whether an amount is below another. */
export function isBelow(sats: string, other: string): boolean {
  return satsOf(sats) < satsOf(other)
}

/** Whether an amount is nothing. */
export function isZero(sats: string): boolean {
  return satsOf(sats) === 0n
}
