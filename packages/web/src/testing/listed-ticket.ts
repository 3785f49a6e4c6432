import type { Ticket } from '@fairball/contract/schemas/ticket'
import { drawAt } from './hero-game.ts'

/** The play `play-1` with these lines, as the server lists it before its draw. */
export function listedTicket(startAt: number, lines: readonly (readonly number[])[]): Ticket {
  return {
    play_id: 'play-1',
    game_key: 'bitcoin-hero',
    transaction_id: '1',
    draw: { ...drawAt(startAt), status: 'UPCOMING', numbers: [] },
    lines: lines.map((numbers) => ({ numbers: [...numbers], is_lucky_dip: false, matches: null })),
    moved_from: null,
    result: null,
    payout: null,
  }
}
