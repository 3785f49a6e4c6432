import { useSyncExternalStore } from 'react'
import { dayWords, shortDayWords } from '@fairball/domain/day-words'
import { dateLabel, drawTimeLabel, timeLabel } from '@fairball/domain/draw-time-label'
import { DEFAULT_CURRENCY_CODE, formatAbbreviated, formatMoney } from '@fairball/domain/fiat'
import { ownOffsetSeconds, utcOffsetSeconds } from '@fairball/domain/time-zone'
import type { Fiat, FiatAmount, PrizeAmount } from '@fairball/contract/schemas/money'
import { useClockValue } from './use-clock.ts'
import { useOpenDraw } from './data/games.ts'
import type { Game, SaleState } from './data/games.ts'
import type { Profile } from './session/session.ts'
import { useSession } from './session/use-session.ts'

/** The format of amounts and times for the viewer: in the player's currency and time zone, or GBP and the browser's. */
export interface PlayerView {
  /** A payable sum, always with two decimals: "£1,234.50". */
  money: (fiat: Fiat) => string
  /** A large figure, shortened: "£1.2M". */
  figure: (fiat: Fiat) => string
  /** "Nov 20, 2026". */
  date: (at: number) => string
  /** "Fri, Nov 20". */
  shortDate: (at: number) => string
  /** "Nov 20, 2026 at 8:00 PM". */
  dateTime: (at: number) => string
  /** The offset from UTC at a moment, in seconds. */
  utcOffsetAt: (at: number) => number
}

/** @returns the format of amounts and times for the viewer; the server renders in UTC */
export function usePlayerView(): PlayerView {
  const { currencyCode } = useSession()
  const utcOffsetAt = useUtcOffset()
  return {
    money: (fiat) => formatMoney(fiatIn(fiat, currencyCode)),
    figure: (fiat) => formatAbbreviated(fiatIn(fiat, currencyCode)),
    date: (at) => dateLabel(at, utcOffsetAt(at)),
    shortDate: (at) => shortDayWords(at + utcOffsetAt(at)),
    dateTime: (at) => `${dateLabel(at, utcOffsetAt(at))} at ${timeLabel(at, utcOffsetAt(at))}`,
    utcOffsetAt,
  }
}

const MINUTE = 60
const DAY_SECONDS = 86_400

/** The time of a draw by the player's clock. */
interface DrawTime {
  /** The day alone: "Tonight", "Friday", "Friday, Nov 27", "Next Monday, Nov 30", "Dec 24, 2026", or "Soon". */
  day: string
  /** The time alone: "at 8:00 PM"; empty when the day is "Soon". */
  time: string
  /** Both. */
  full: string
}

/**
 * @returns the time of a draw in the player's time zone, or the browser's without a profile (specification, section 4)
 */
export function useDrawTime(startAt: number): DrawTime {
  const utcOffsetAt = useUtcOffset()
  const nowAt = useClockValue((now) => (now < startAt ? now - (now % MINUTE) : startAt))
  const full = drawTimeLabel({ startAt, nowAt, utcOffsetAt })
  const label = full.replace(/ at .*/, '')
  const time = full.slice(label.length + 1)
  const localStart = startAt + utcOffsetAt(startAt)
  const daysAhead = Math.floor(localStart / DAY_SECONDS) - Math.floor((nowAt + utcOffsetAt(nowAt)) / DAY_SECONDS)
  // "Next Monday" may be tomorrow or a week ahead. Beyond that the label is the date itself.
  const hasDate = label.startsWith('Next ') || (daysAhead >= 2 && daysAhead <= 7)
  if (!hasDate) return { day: label, time, full }
  const day = `${label}, ${dayWords(localStart).date}`
  return { day, time, full: `${day}, ${time}` }
}

/**
 * @returns the text about a game's draw beside its tickets: the draw that an order made now counts for, preceded by the
 *   state of the previous draw from the close of sales until the game moves on: "Drawn at 8:25 AM. Next draw: today at
 *   6:00 PM"
 */
export function useSaleTime(game: Pick<Game, 'next_draw' | 'open_draws'>): { when: string; isNextOnSale: boolean } {
  const { draw, state } = useOpenDraw(game)
  const { full } = useDrawTime(draw.start_at)
  const startAt = game.next_draw.start_at
  const drawnAt = timeLabel(startAt, useUtcOffset()(startAt))
  if (state === 'ON_SALE') return { when: full, isNextOnSale: true }
  // Days have capitals; "today", "tonight" and "next" have none within a sentence.
  const within = full.replace(/^(?:Today|Tonight|Next)/u, (word) => word.toLowerCase())
  return { when: `${BEFORE_NEXT[state](drawnAt)} Next draw: ${within}`, isNextOnSale: false }
}

/** The state of the draw before the one that tickets count for now. */
const BEFORE_NEXT: Record<Exclude<SaleState, 'ON_SALE'>, (drawnAt: string) => string> = {
  CLOSED: (startsAt) => `Sales for the draw at ${startsAt} are closed.`,
  DRAWING: () => 'Being drawn now.',
  DRAWN: (drawnAt) => `Drawn at ${drawnAt}.`,
}

/** @returns the day of a moment in the player's time zone: "Friday, Nov 20" */
export function useDate(at: number): string {
  const offset = useUtcOffset()(at)
  const { weekday, date } = dayWords(at + offset)
  return `${weekday}, ${date}`
}

/**
 * @returns the player's offset from UTC at a moment, in seconds; the browser's without a profile, and 0 on the server
 */
export function useUtcOffset(): (at: number) => number {
  const { profile } = useSession()
  const isInBrowser = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  if (profile !== null) return (at) => playerOffsetAt(profile, at)
  return isInBrowser ? ownOffsetSeconds : () => 0
}

/**
 * @returns the amount in a currency; in the default one if the answer lacks that currency, and null if it lacks both
 */
export function amountIn<Amount extends FiatAmount | PrizeAmount>(
  fiat: Readonly<Record<string, Amount>>,
  currencyCode: string,
): Amount | null {
  return fiat[currencyCode] ?? fiat[DEFAULT_CURRENCY_CODE] ?? null
}

/** @returns the amount in a currency, in the default one, or zero */
export function fiatIn(fiat: Fiat, currencyCode: string): FiatAmount {
  return amountIn(fiat, currencyCode) ?? NO_AMOUNT
}

/** Shown for an amount without a known currency. */
const NO_AMOUNT: FiatAmount = { value: 0, symbol: '', position_of_symbol: 'LEFT' }

/** The present offset is used only if the browser does not know the time zone. */
function playerOffsetAt(profile: Profile, at: number): number {
  try {
    return utcOffsetSeconds(profile.time_zone, at)
  } catch {
    return profile.timezone_utc_offset
  }
}

// Once a page is in a browser it stays there.
function never(): () => void {
  return () => {}
}
