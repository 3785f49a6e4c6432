import { timeLabel } from '@fairball/domain/draw-time-label'
import type { DrawTime, GameRules, PrizeTier } from '@fairball/domain/games'
import { oneInAnyTenths } from '@fairball/domain/game-outlook'
import { minorText } from '@fairball/domain/minor-text'
import { costBelowJackpot, oneIn } from '@fairball/domain/odds'
import { WEEKDAY_NAMES } from '@fairball/domain/day-words'

const MINUTES_A_DAY = 1440

/**
 * The draw times of a game, in words: "Wednesday and Saturday at 8:00 PM".
 *
 * @param utcOffsetSeconds the reader's, east positive; 0 for UTC
 * @param timeOf writes a minute of the day
 */
export function drawTimesText(
  drawTimes: readonly DrawTime[],
  utcOffsetSeconds: number,
  timeOf: (minuteOfDay: number) => string,
): string {
  const shifted = drawTimes.map(({ day, minuteOfDay }) => {
    const minute = minuteOfDay + Math.round(utcOffsetSeconds / 60)
    const place = (((day - 1 + Math.floor(minute / MINUTES_A_DAY)) % 7) + 7) % 7
    return { place, minute: ((minute % MINUTES_A_DAY) + MINUTES_A_DAY) % MINUTES_A_DAY }
  })
  return [...Map.groupBy(shifted, ({ minute }) => minute)]
    .map(([minute, times]) => {
      const places = times.map(({ place }) => place).toSorted((one, other) => one - other)
      const names = places.map((place) => WEEKDAY_NAMES[place] ?? '')
      return `${names.length === WEEKDAY_NAMES.length ? 'Every day' : listed(names)} at ${timeOf(minute)}`
    })
    .join('; ')
}

/** A time of the day as it is written everywhere: "8:00 PM". */
export function clockTime(minuteOfDay: number): string {
  return timeLabel(minuteOfDay * 60, 0)
}

/** @returns "1, 2 and 3" */
function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

/** A figure of a game's rules that is not itself paid, in the game's currency: "£500,000". */
export function figureText(minor: number, currency: string): string {
  return minorText(minor, currency, { stripZeros: minor % 100 === 0 })
}

/** A row of a game's table of prizes. */
export interface TierRow {
  readonly tier: PrizeTier
  readonly matches: number
  /** Its prize by the rules, in the game's currency or in a word. */
  readonly prize: string
  /** "1 in 13,983,816" */
  readonly odds: string
}

/** @returns the tiers of a game from the top, with the odds of one line in one draw */
export function tierRows(game: GameRules): TierRow[] {
  return game.tiers.map((tier) => ({
    tier,
    matches: tier.matches,
    prize: prizeText(tier, game.currency),
    odds: `1 in ${oneIn(game, tier.matches).toLocaleString('en-US')}`,
  }))
}

function prizeText(tier: PrizeTier, currency: string): string {
  if (tier.kind === 'jackpot') return 'Jackpot'
  return tier.kind === 'free' ? 'Free ticket' : minorText(tier.prizeMinor, currency)
}

/** @returns the odds that a line wins anything: "1 in 6.6" */
export function overallOddsText(game: GameRules): string {
  return `1 in ${(Number(oneInAnyTenths(game)) / 10).toFixed(1)}`
}

/**
 * @returns the part of the price that the prizes below the jackpot return on average, a free ticket counted at the
 * price: "30.1%"
 */
export function returnBelowJackpotText(game: GameRules): string {
  const { numerator, denominator } = costBelowJackpot(game)
  return percentText(Number((2000n * numerator + denominator) / (2n * denominator)))
}

function percentText(permille: number): string {
  return `${(permille / 10).toFixed(1)}%`
}
