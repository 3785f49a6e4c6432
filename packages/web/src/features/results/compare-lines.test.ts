import { expect, it } from 'vitest'
import { compareLines } from './compare-lines.ts'

const prizes = [
  { type: 'JACKPOT', matches: [5] },
  { type: 'PRIZE', matches: [4] },
  { type: 'PRIZE', matches: [3] },
  { type: 'FREE_TICKET', matches: [2] },
]

it('winning lines come first, more matches before fewer, equal ones in the order played', () => {
  const lines = [
    [30, 31, 32, 33, 34],
    [1, 2, 30, 31, 32],
    [1, 30, 31, 32, 33],
    [1, 2, 3, 4, 5],
    [4, 5, 30, 31, 32],
  ]
  const compared = compareLines(lines, [5, 4, 3, 2, 1], prizes)
  expect(compared.map(({ place, matches, prize }) => [place, matches, prize?.type ?? null])).toEqual([
    [4, 5, 'JACKPOT'],
    [2, 2, 'FREE_TICKET'],
    [5, 2, 'FREE_TICKET'],
    [3, 1, null],
    [1, 0, null],
  ])
})

it('lines stay in the order played before the draw', () => {
  const compared = compareLines(
    [
      [9, 8, 7, 6, 5],
      [1, 2, 3, 4, 5],
    ],
    null,
    prizes,
  )
  expect(compared.map(({ place, prize }) => [place, prize])).toEqual([
    [1, null],
    [2, null],
  ])
})
