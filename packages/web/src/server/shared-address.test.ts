import { expect, it } from 'vitest'
import { sharedAddress } from './shared-address.ts'

it.each([
  ['/', '/'],
  ['/game/treasure/draws/2', '/game/treasure/draws/2'],
  ['/?utm_source=mail&fbclid=1', '/'],
  ['/terms?', '/terms'],
  ['/terms?version=2', '/terms?version=2'],
  ['/terms?utm_source=mail&version=12', '/terms?version=12'],
])('the address %s shows every visitor the page %s', (url, shared) => {
  expect(sharedAddress(url)).toBe(shared)
})

it.each([
  '/login?path=/game/treasure',
  '/game/treasure?transaction_id=1',
  '/game/treasure/results?wins=2',
  '/terms?p%61th=/x',
  '/terms?version=02',
  '/terms?version=1&version=2',
  '/terms?version=12345',
])('the page of the address %s belongs to one visitor', (url) => {
  expect(sharedAddress(url)).toBeNull()
})
