import { expect, it } from 'vitest'
import type { Win } from './use-results.ts'
import { groupWins } from './win-groups.ts'

function win(id: string, play: string, type: Win['win_type'], pence: number | null): Win {
  const amount =
    pence === null
      ? null
      : {
          crypto: { value: `0.0000${String(pence * 10).padStart(4, '0')}`, code: 'BTC' as const },
          fiat: { GBP: { value: pence / 100, symbol: '£', position_of_symbol: 'LEFT' as const } },
        }
  return { id, date: 1_800_000_000, win_type: type, amount_won: amount, play_page: 1, play_id: play }
}

it('equal wins of one play are grouped and added up to the last satoshi', () => {
  const [prizes, tickets] = groupWins([
    win('a', 'play-1', 'FREE_TICKET', null),
    win('b', 'play-1', 'PRIZE', 115),
    win('c', 'play-1', 'FREE_TICKET', null),
    win('d', 'play-1', 'PRIZE', 115),
    win('e', 'play-1', 'PRIZE', 115),
  ])
  expect(prizes).toMatchObject({ count: 3, totalBtc: '0.00003450' })
  expect(tickets).toMatchObject({ count: 2, totalBtc: null })
})

it('plays stay separate and in their order, with the larger win of a play first', () => {
  const groups = groupWins([
    win('a', 'newer', 'PRIZE', 100),
    win('b', 'newer', 'PRIZE', 500),
    win('c', 'older', 'FREE_TICKET', null),
    win('d', 'older', 'JACKPOT', 900),
  ])
  expect(groups.map((group) => group.win.id)).toEqual(['b', 'a', 'd', 'c'])
})
