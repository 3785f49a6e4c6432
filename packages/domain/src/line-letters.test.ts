import { expect, it } from 'vitest'
import { letterOf, lineNameOf } from './line-letters.ts'

it.each([
  [0, 'A'],
  [25, 'Z'],
  [26, 'AA'],
  [51, 'AZ'],
  [52, 'BA'],
  [701, 'ZZ'],
  [702, 'AAA'],
])('a line at place %i is called %s', (index, letter) => {
  expect(letterOf(index)).toBe(letter)
})

it('a line keeps the letter of its ticket among a player’s tickets, and names its ticket after the first', () => {
  expect([lineNameOf(0, 0), lineNameOf(2, 0), lineNameOf(0, 1), lineNameOf(26, 2)]).toEqual([
    'A',
    'C',
    'A of ticket 2',
    'AA of ticket 3',
  ])
})
