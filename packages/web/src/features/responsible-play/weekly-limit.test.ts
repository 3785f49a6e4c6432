import { expect, it } from 'vitest'
import { limitOf, limitText, limitValues, parseAmount } from './weekly-limit.ts'

it.each([
  ['50', 50],
  [' 49.90 ', 49.9],
  ['49,9', 49.9],
  ['0', 0],
  ['999999999.99', 999_999_999.99],
  ['', null],
  ['-1', null],
  ['1.234', null],
  ['1,000.50', null],
  ['1e3', null],
  ['1000000000', null],
])('the typed amount "%s" is read as %s', (text, amount) => {
  expect(parseAmount(text)).toBe(amount)
})

it('a limit is shown in the form as it would be typed, and is sent unchanged', () => {
  for (const limit of [null, 0, 50, 49.9]) expect(limitOf(limitValues(limit))).toBe(limit)
  expect(limitValues(49.9).amount).toBe('49.90')
})

it('a limit is written in the player’s currency', () => {
  expect(limitText(50, 'GBP')).toBe('£50.00 a week')
  expect(limitText(1234.5, 'SEK')).toBe('1,234.50\u00A0kr a week')
  expect(limitText(null, 'GBP')).toBe('No limit')
})
