import { expect, it } from 'vitest'
import { shownValue, typedValue } from './setting-text.ts'

it('a text is typed as it is, and anything else as JSON', () => {
  expect(typedValue('Lucky Ball', 'Fairball')).toEqual({ value: 'Lucky Ball' })
  expect(typedValue('{"float_sats":"5"}', { float_sats: '4' })).toEqual({ value: { float_sats: '5' } })
  expect(typedValue('true', null)).toEqual({ value: true })
  expect(typedValue('{float', {})).toHaveProperty('problem')
})

it('a value is shown so that it can be typed again', () => {
  for (const value of ['Fairball', { a: [1, null] }, null, 5])
    expect(typedValue(shownValue(value), value)).toEqual({ value })
})
