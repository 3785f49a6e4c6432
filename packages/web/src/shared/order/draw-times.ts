import type { PaidFor } from '@fairball/contract/schemas/order'
import type { Game } from '../data/games.ts'

/**
 * The times of a game's next draw as one text: if one of them changes, the order is for another draw (specification,
 * section 4).
 */
export function drawTimesOf({ next_draw: draw }: Pick<Game, 'next_draw'>): string {
  return [draw.ticket_sell_closes_at, draw.start_at, draw.end_at].join(' ')
}

/** @returns the newest draw of an order that has begun, as the list has it; null before the first */
export function newestBegun(draws: PaidFor['draws'], nowAt: number): PaidFor['draws'][number] | null {
  return draws.findLast(({ start_at: startAt }) => startAt <= nowAt) ?? null
}
