import { useSyncExternalStore } from 'react'
import { dateLabel, drawTimeLabel, timeLabel } from '@fairball/domain/draw-time-label'
import { DEFAULT_CURRENCY_CODE, formatAbbreviated, formatMoney } from '@fairball/domain/fiat'
import type { Fiat, FiatAmount, PrizeAmount } from '@fairball/contract/schemas/money'
import { useClockValue } from './clock.ts'
import { useSession } from './session/use-session.ts'

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
  const { currencyCode } = useSession()
  const utcOffsetAt = useUtcOffset()
  return {
    money: (fiat) => formatMoney(fiatIn(fiat, currencyCode)),
    figure: (fiat) => formatAbbreviated(fiatIn(fiat, currencyCode)),
    date: (at) => dateLabel(at, utcOffsetAt(at)),
    dateTime: (at) => `${dateLabel(at, utcOffsetAt(at))} at ${timeLabel(at, utcOffsetAt(at))}`,
    utcOffsetAt,
  }
}

/** When a draw is, as the player's clock has it. */
export interface DrawTime {
  /** The day alone: "Tonight", "Friday", "Dec 24, 2026", or "Soon". */
  day: string
  /** The time alone: "at 8:00 PM"; empty when the day is "Soon". */
  time: string
  /** Both. */
  full: string
}

/** @returns when a draw is, in the player's time zone, or the browser's for those without a profile (specification, section 4) */
export function useDrawTime(startAt: number): DrawTime {
  const utcOffsetSeconds = useUtcOffset()(startAt)
  const day = useClockValue((nowAt) => drawTimeLabel({ startAt, nowAt, utcOffsetSeconds }))
  const full = useClockValue((nowAt) => drawTimeLabel({ startAt, nowAt, utcOffsetSeconds, withTime: true }))
  return { day, time: full.slice(day.length).trim(), full }
}

/** @returns the day of a moment in the player's time zone: "Friday, Nov 20" */
export function useDate(at: number): string {
  const offset = useUtcOffset()(at)
  return DAY.format((at + offset) * 1000)
}

/** Shifted by the player's offset and written as UTC, so that server and browser write the same. */
const DAY = new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'short', day: 'numeric', timeZone: 'UTC' })

/** @returns how many seconds the player's clock is ahead of UTC at a moment, the browser's without a profile; 0 in what the server renders */
export function useUtcOffset(): (at: number) => number {
  const { utcOffsetSeconds } = useSession()
  const isInBrowser = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  return (at) => utcOffsetSeconds ?? (isInBrowser ? browserOffsetAt(at) : 0)
}

/** @returns the amount in a currency; in the default one where the answer does not know that currency, null where it knows neither */
export function amountIn<Amount extends FiatAmount | PrizeAmount>(
  fiat: Readonly<Record<string, Amount>>,
  currencyCode: string,
): Amount | null {
  return fiat[currencyCode] ?? fiat[DEFAULT_CURRENCY_CODE] ?? null
}

/** @returns the amount in a currency, the default one, or nothing but a zero */
export function fiatIn(fiat: Fiat, currencyCode: string): FiatAmount {
  return amountIn(fiat, currencyCode) ?? NO_AMOUNT
}

/** Shown for an amount that no currency is known of. */
const NO_AMOUNT: FiatAmount = { value: 0, symbol: '', position_of_symbol: 'LEFT' }

function browserOffsetAt(at: number): number {
  return -60 * new Date(at * 1000).getTimezoneOffset()
}

// Once a page is in a browser it stays there.
function never(): () => void {
  return () => {}
}
