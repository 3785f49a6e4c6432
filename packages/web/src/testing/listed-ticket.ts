import type { Ticket } from '@fairball/contract/schemas/ticket'

/** The play `play-1` with these lines, as the server lists it before its draw. */
export function listedTicket(startAt: number, lines: readonly (readonly number[])[]): Ticket {
  return {
    play_id: 'play-1',
    game_key: 'bitcoin-hero',
    transaction_id: '1',
    draw: {
      number: 1,
      start_at: startAt,
      ticket_sell_closes_at: startAt - 300,
      end_at: startAt + 160,
      status: 'UPCOMING',
      numbers: [],
    },
    lines: lines.map((numbers) => ({ numbers: [...numbers], is_lucky_dip: false, matches: null })),
    moved_from: null,
    result: null,
    payout: null,
  }
}
