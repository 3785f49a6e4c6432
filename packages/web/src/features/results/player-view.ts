import { useSyncExternalStore } from 'react'
import { dateLabel } from '@fairball/domain/draw-time-label'
import { DEFAULT_CURRENCY_CODE, formatAbbreviated, formatMoney } from '@fairball/domain/fiat'
import type { Fiat, FiatAmount } from '@fairball/contract/schemas/money'
import { useSession } from '../../app/session/use-session.ts'

/** How amounts and times are written for whoever looks: in the player's currency and time zone, or GBP and the browser's. */
export interface PlayerView {
  /** A payable sum, always with two decimals: "£1,234.50". */
  money: (fiat: Fiat) => string
  /** A large figure, shortened: "£1.2M". */
  figure: (fiat: Fiat) => string
  /** "Nov 20, 2026". */
  date: (at: number) => string
  /** "Nov 20, 2026 at 8:00 PM". */
  dateTime: (at: number) => string
  /** Seconds ahead of UTC at a moment. */
  utcOffsetAt: (at: number) => number
}

/** @returns how amounts and times are written for whoever looks; what the server renders counts in UTC */
export function usePlayerView(): PlayerView {
  const { currencyCode, utcOffsetSeconds } = useSession()
  const isInBrowser = useSyncExternalStore(never, () => true, () => false)
  const utcOffsetAt = (at: number) => utcOffsetSeconds ?? (isInBrowser ? browserOffsetAt(at) : 0)
  return {
    money: (fiat) => formatMoney(amountIn(fiat, currencyCode)),
    figure: (fiat) => formatAbbreviated(amountIn(fiat, currencyCode)),
    date: (at) => dateLabel(at, utcOffsetAt(at)),
    dateTime: (at) => `${dateLabel(at, utcOffsetAt(at))} at ${timeLabel(at + utcOffsetAt(at))}`,
    utcOffsetAt,
  }
}

/** The amount in a currency; in the default one where the answer does not know that currency. */
function amountIn(fiat: Fiat, currencyCode: string): FiatAmount {
  return fiat[currencyCode] ?? fiat[DEFAULT_CURRENCY_CODE] ?? { value: 0, symbol: '', position_of_symbol: 'LEFT' }
}

/** "8:00 PM" of a moment that was shifted by its offset. Written by hand: browsers and servers differ in the space before PM. */
function timeLabel(local: number): string {
  const minuteOfDay = Math.floor(local / 60) % 1440
  const hour = Math.floor(minuteOfDay / 60)
  return `${hour % 12 || 12}:${String(minuteOfDay % 60).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`
}

function browserOffsetAt(at: number): number {
  return -60 * new Date(at * 1000).getTimezoneOffset()
}

// Once a page is in a browser it stays there.
function never(): () => void {
  return () => {}
}
