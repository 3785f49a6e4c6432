import type { Game } from '../data/games.ts'

/**
 * The times of a game's next draw as one text: if one of them changes, the order is for another draw (specification,
 * section 4).
 */
export function drawTimesOf({ next_draw: draw }: Pick<Game, 'next_draw'>): string {
  return [draw.ticket_sell_closes_at, draw.start_at, draw.end_at].join(' ')
}
