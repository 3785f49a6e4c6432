import { expect, it } from 'vitest'
import { priceIn } from '../payments/service.ts'
import { prizeIn } from './prices.ts'

const RATES = new Map([
  ['GBP', 1000n],
  ['EUR', 870n],
  ['JPY', 5n],
  ['PLN', 205n],
])

it('a price is exact in pounds and rounded half up in other currencies', () => {
  const fiat = priceIn(250, RATES, 'GBP')
  expect(Object.fromEntries(Object.entries(fiat).map(([code, amount]) => [code, amount.value]))).toEqual({
    GBP: 2.5,
    EUR: 2.87, // 2.8735…
    JPY: 500,
    PLN: 12.2, // 12.195…
  })
  expect(fiat['PLN']).toEqual({ value: 12.2, symbol: 'zł', position_of_symbol: 'RIGHT' })
})

it('a price in pounds does not depend on the pound’s rate', () => {
  for (const pound of [1n, 999n, 1_234_567n])
    expect(priceIn(199, new Map([['GBP', pound]]), 'GBP')['GBP']?.value).toBe(1.99)
})

it('a price leaves out currencies without a rate, and all of them without the rate of the pound', () => {
  expect(Object.keys(priceIn(100, new Map([['GBP', 1000n]]), 'GBP'))).toEqual(['GBP'])
  expect(priceIn(100, new Map([['EUR', 870n]]), 'GBP')).toEqual({})
})

it('the words of a prize table appear in every currency', () => {
  expect(prizeIn({ matches: 6, kind: 'jackpot' }, RATES, 'GBP')['EUR']?.value).toBe('Jackpot')
  expect(prizeIn({ matches: 2, kind: 'free' }, RATES, 'GBP')['GBP']).toEqual({
    value: 'Free ticket',
    symbol: '£',
    position_of_symbol: 'LEFT',
  })
  expect(prizeIn({ matches: 5, kind: 'fixed', prizeMinor: 500_000 }, RATES, 'GBP')['GBP']?.value).toBe(5000)
})
