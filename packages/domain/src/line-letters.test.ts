import { expect, it } from 'vitest'
import { letterOf } from './line-letters.ts'

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
