import { expect, it } from 'vitest'
import { outcomeOf } from './play-outcome.ts'

const draw = { id: 1, number: 1, numbers: [1, 2, 3, 4, 5] }

it.each([
  { play: { draw: null, is_win: false, win_type: null, is_claimed: false }, text: 'Upcoming draw', action: 'watch' },
  { play: { draw, is_win: false, win_type: null, is_claimed: false }, text: 'No match', action: null },
  {
    play: { draw, is_win: true, win_type: 'JACKPOT', is_claimed: false },
    text: 'You win the jackpot!',
    action: 'claim',
  },
  {
    play: { draw, is_win: true, win_type: 'JACKPOT', is_claimed: true },
    text: 'The jackpot is won and claimed',
    action: null,
  },
  { play: { draw, is_win: true, win_type: 'PRIZE', is_claimed: false }, text: 'You win a prize', action: 'claim' },
  {
    play: { draw, is_win: true, win_type: 'PRIZE', is_claimed: true },
    text: 'The prize is won and claimed',
    action: null,
  },
  {
    play: { draw, is_win: true, win_type: 'FREE_TICKET', is_claimed: true },
    text: 'The prize is won and claimed',
    action: null,
  },
] as const)('a play says "$text" and offers $action', ({ play, text, action }) => {
  expect(outcomeOf({ ...play, draw: play.draw && { ...draw } })).toMatchObject({ text, action })
})
