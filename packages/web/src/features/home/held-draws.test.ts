import { expect, it } from 'vitest'
import type { Ticket } from '@fairball/contract/schemas/ticket'
import { hasWon, heldDraws } from './held-draws.ts'

const NOW = 1_800_000_000
const DAY = 86_400
const ticket = (
  number: number,
  change: Partial<Ticket> = {},
  status: Ticket['draw']['status'] = 'UPCOMING',
): Ticket => ({
  play_id: String(number),
  game_key: 'bitcoin-hero',
  transaction_id: '1',
  draw: { number, start_at: NOW, ticket_sell_closes_at: NOW - 300, end_at: NOW, status, numbers: [] },
  lines: [{ numbers: [1, 2, 3, 4, 5], is_lucky_dip: false, matches: null }],
  moved_from: null,
  result: null,
  payout: null,
  ...change,
})
const result = (pounds: number | null, freeTickets = 0): Ticket['result'] => ({
  win_type: null,
  best_matches: 0,
  amount_won:
    pounds === null
      ? null
      : {
          crypto: { value: '0.00005000', code: 'BTC' },
          fiat: { GBP: { value: pounds, symbol: '£', position_of_symbol: 'LEFT' } },
        },
  free_tickets: freeTickets,
})
const numbers = (tickets: readonly Ticket[], seen: readonly string[] = [], nowAt = NOW) =>
  heldDraws(tickets, new Set(seen), nowAt).rows.map(({ draw }) => draw.number)

it('two orders for one draw are one row, with the lines and the winnings of both', () => {
  const tickets = [ticket(2, { result: result(5, 1) }, 'DRAWN'), ticket(2, { result: result(7.5, 2) }, 'DRAWN')]
  const { rows, toCome } = heldDraws(tickets, new Set(), NOW)
  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatchObject({ lines: 2, won: { GBP: { value: 12.5 } }, freeTickets: 3 })
  expect(toCome).toBe(0)
})

it('wins come first, then draws to come, then other results; three rows at most', () => {
  const lost = ticket(1, { result: result(null) }, 'DRAWN')
  const won = ticket(2, { result: result(null, 1) }, 'DRAWN')
  expect(numbers([ticket(3), lost, won])).toEqual([2, 3, 1])
  expect(numbers([ticket(3), ticket(4), ticket(5), ticket(6), lost, won])).toEqual([2, 3, 4])
  expect(heldDraws([ticket(3), ticket(4), lost], new Set(), NOW).toCome).toBe(2)
})

it('a result is shown until it was seen, and for seven days at most', () => {
  const lost = ticket(1, { result: result(null) }, 'DRAWN')
  expect(numbers([lost])).toEqual([1])
  expect(numbers([lost], ['bitcoin-hero/1'])).toEqual([])
  expect(numbers([lost], ['mega-ball/1'])).toEqual([1])
  expect(numbers([lost], [], NOW + 7 * DAY - 1)).toEqual([1])
  expect(numbers([lost], [], NOW + 7 * DAY)).toEqual([])
})

it('a void draw is neither to come nor a result', () => {
  expect(heldDraws([ticket(1, {}, 'VOID')], new Set(), NOW)).toEqual({ toCome: 0, rows: [] })
})

it('money and free tickets are wins, matches alone are none', () => {
  const [row] = heldDraws([ticket(1, { result: result(null) }, 'DRAWN')], new Set(), NOW).rows
  expect(row && hasWon(row)).toBe(false)
  const [free] = heldDraws([ticket(1, { result: result(null, 1) }, 'DRAWN')], new Set(), NOW).rows
  expect(free && hasWon(free)).toBe(true)
})
