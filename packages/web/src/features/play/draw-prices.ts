import { drawsOfOrder } from '@fairball/domain/calendar'
import { LotteryError } from '@fairball/domain/errors'
import type { OpenDraw } from '@fairball/contract/schemas/game'
import type { Game } from '../../shared/data/games.ts'
import { pricesOf } from './money-of-game.ts'

/** What a line costs in some draws, by the number of each, then by currency, in hundredths of the currency's unit. */
export type DrawPrices = Readonly<Record<string, Readonly<Record<string, number>>>>

/**
 * The draws of an order made now, ascending by start, with what a line costs in each.
 *
 * @param openDraws the draws that can be bought, ascending
 * @returns null if the order cannot be for as many draws
 */
export function orderedPrices(
  game: Game,
  openDraws: readonly OpenDraw[],
  { days, weeks, nowAt }: { readonly days: readonly number[]; readonly weeks: number; readonly nowAt: number },
): readonly (readonly [number: number, prices: Readonly<Record<string, number>>])[] | null {
  const known = new Map(openDraws.map((draw) => [draw.number, draw]))
  try {
    const numbers = drawsOfOrder({
      game: { name: game.name, weeksAhead: game.advanced_ticket_purchase.max_weeks_ahead },
      openDraws: openDraws.map(({ number, day, start_at, ticket_sell_closes_at }) => ({
        number,
        weekday: day,
        startAt: start_at,
        closesAt: ticket_sell_closes_at,
      })),
      days,
      weeks,
      nowAt,
    })
    return numbers.flatMap((number) => {
      const draw = known.get(number)
      return draw === undefined ? [] : [[number, pricesOf(draw)] as const]
    })
  } catch (error) {
    if (error instanceof LotteryError) return null
    throw error
  }
}
