import { expect, it } from 'vitest'
import { winHeadline } from './win-headline.ts'

it.each([
  ['£5.00', 7, 3, 'You won £5.00 and 7 free tickets'],
  ['£5.00', 0, 3, 'You won £5.00'],
  [null, 1, 2, 'You won 1 free ticket'],
  [null, 0, 1, 'No win this time. Best line: 1 of 5.'],
])('a sum of %s, %i free tickets and %i matches are told as a headline', (sum, freeTickets, bestMatches, headline) => {
  expect(winHeadline({ sum, freeTickets, bestMatches, balls: 5 })).toBe(headline)
})
