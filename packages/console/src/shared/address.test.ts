import { expect, it } from 'vitest'
import { partsOf } from './address.ts'

it.each([
  ['/', '/', {}],
  ['/payouts', '/payouts', {}],
  ['/payouts', '/payouts/', {}],
  ['/payouts/$batch', '/payouts/5', { batch: '5' }],
  ['/payouts/$batch', '/payouts/ln%3A17', { batch: 'ln:17' }],
  ['/draws/$game/$number', '/draws/hero/214', { game: 'hero', number: '214' }],
])('%s is the pattern of %s', (pattern, path, parts) => {
  expect(partsOf(pattern, path)).toEqual(parts)
})

it.each([
  ['/payouts', '/payouts/5'],
  ['/payouts/$batch', '/payouts'],
  ['/payouts/$batch', '/payouts//'],
  ['/payouts/$batch', '/staff/5'],
  ['/payouts/$batch', '/payouts/%E0%A4'],
])('%s is not the pattern of %s', (pattern, path) => {
  expect(partsOf(pattern, path)).toBeNull()
})
