import type { Payout } from '@fairball/contract/schemas/account'
import type { Ticket } from '@fairball/contract/schemas/ticket'
import { expect, it } from 'vitest'
import { outcomeOf } from './outcome.ts'

const amount = (value: number, btc: string) => ({
  crypto: { value: btc, code: 'BTC' as const },
  fiat: { GBP: { value, symbol: '£', position_of_symbol: 'LEFT' as const } },
})
const NO_WIN = { win_type: null, best_matches: 1, amount_won: null, free_tickets: 0 }

const ticket = (playId: string, change: Partial<Ticket>): Ticket => ({
  play_id: playId,
  game_key: 'bitcoin-hero',
  transaction_id: playId,
  draw: { number: 2, start_at: 0, ticket_sell_closes_at: 0, end_at: 160, status: 'DRAWN', numbers: [7, 25, 21, 1, 20] },
  lines: [{ numbers: [7, 8, 9, 10, 11], is_lucky_dip: false, matches: 1 }],
  moved_from: null,
  result: NO_WIN,
  payout: null,
  ...change,
})
const payout = (status: Payout['status']) => ({ status }) as Payout

it('what several orders won is one sum, in money and in bitcoin, with all free tickets', () => {
  const outcome = outcomeOf(
    [
      ticket('1', {
        result: { win_type: 'PRIZE', best_matches: 3, amount_won: amount(4.1, '0.00004100'), free_tickets: 3 },
        payout: payout('SENT'),
      }),
      ticket('2', {
        result: { win_type: 'PRIZE', best_matches: 3, amount_won: amount(0.9, '0.00000900'), free_tickets: 4 },
        payout: payout('WAITING'),
        lines: [
          { numbers: [2, 3, 4, 5, 6], is_lucky_dip: false, matches: 0 },
          { numbers: [7, 25, 21, 2, 3], is_lucky_dip: false, matches: 3 },
        ],
      }),
    ],
    'GBP',
  )
  expect(outcome).toMatchObject({
    hasWon: true,
    headline: 'You won £5.00 and 7 free tickets',
    spoken: 'You won 5 pounds and 7 free tickets.',
    btc: '0.00005000',
    best: { name: 'B of ticket 2', numbers: [7, 25, 21, 2, 3], playId: '2' },
    payout: { status: 'WAITING' },
    countedAt: 160,
  })
})

it('free tickets alone are won without money', () => {
  const result = { win_type: 'FREE_TICKET', best_matches: 2, amount_won: null, free_tickets: 1 } as const
  expect(outcomeOf([ticket('1', { result })], 'GBP')).toMatchObject({
    hasWon: true,
    headline: 'You won 1 free ticket',
    spoken: 'You won 1 free ticket.',
    btc: null,
    payout: null,
  })
})

it('without a win it has the best line, and no word of a win', () => {
  expect(outcomeOf([ticket('1', {})], 'GBP')).toMatchObject({
    hasWon: false,
    headline: 'No win this time. Best line: 1 of 5.',
    spoken: 'No win this time. Best line: 1 of 5.',
  })
})

it.each([
  ['GBP', 1.5, '1.50 pounds'],
  ['USD', 1234, '1,234 dollars'],
  ['EUR', 5, '5 euros'],
  ['JPY', 950, '950 yen'],
])('in %s, %f is said as "%s"', (code, value, said) => {
  const fiat = { [code]: { value, symbol: '', position_of_symbol: 'LEFT' as const } }
  const won = { crypto: { value: '0.00005000', code: 'BTC' as const }, fiat }
  const result = { win_type: 'PRIZE', best_matches: 3, amount_won: won, free_tickets: 0 } as const
  expect(outcomeOf([ticket('1', { result })], code)?.spoken).toBe(`You won ${said}.`)
})

it('there is none without a ticket, and while a result is not there', () => {
  expect(outcomeOf([], 'GBP')).toBeNull()
  expect(outcomeOf([ticket('1', {}), ticket('2', { result: null })], 'GBP')).toBeNull()
})
