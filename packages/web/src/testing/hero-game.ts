import type { Game } from '../shared/data/games.ts'

const pounds = <Value extends number | 'Jackpot' | 'Free ticket'>(value: Value) => ({
  GBP: { value, symbol: '£', position_of_symbol: 'LEFT' as const },
})
const yen = (value: number) => ({ JPY: { value, symbol: '¥', position_of_symbol: 'RIGHT' as const } })

/**
 * A game as the API gives it: Bitcoin Hero, five numbers of 36, drawn every day at 18:00.
 *
 * @param startAt when its next draw starts, in epoch seconds; sales close five minutes before
 */
export function heroGame(startAt: number, change: Partial<Game> = {}): Game {
  return {
    id: 2,
    key: 'bitcoin-hero',
    name: 'Bitcoin Hero',
    color: '#FF6F96',
    pattern: 'band',
    summary: '',
    currency: 'GBP',
    split: { prize_pool: 80, donation: 5, fee: 15 },
    sets: [{ n: 5, N: 36 }],
    tickets_won: 0,
    ticket_price: { fiat: { ...pounds(1), ...yen(190) } },
    jackpot: { crypto: { value: '0.20000000', code: 'BTC' }, fiat: { ...pounds(20_000), ...yen(3_800_000) } },
    prizes: [
      { matches: [5], prize: { fiat: pounds('Jackpot') } },
      { matches: [4], prize: { fiat: pounds(300) } },
      { matches: [3], prize: { fiat: pounds(5) } },
      { matches: [2], prize: { fiat: pounds('Free ticket') } },
    ],
    advanced_ticket_purchase: {
      days: [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, time_delta_midnight_utc: 18 * 3600, max_weeks: 2 })),
      max_weeks_ahead: 2,
    },
    next_draw: drawAt(startAt),
    is_on_sale: true,
    sales_note: null,
    change: null,
    open_draws: [drawAt(startAt), { ...drawAt(startAt + 86_400), number: 2 }],
    last_draw_at: null,
    ...change,
  }
}

/** @returns the times of a draw of five balls */
export function drawAt(startAt: number, closesBefore = 300): Game['next_draw'] {
  return { number: 1, start_at: startAt, end_at: startAt + 160, ticket_sell_closes_at: startAt - closesBefore }
}
