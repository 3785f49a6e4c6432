import { expect, it } from 'vitest'
import { ApiError } from '@fairball/contract/client'
import { fieldErrorsOf, saveErrorText } from './save-errors.ts'

const CHECK_FIELDS = 'Please check the fields below and make sure all the required data are filled in.'

it.each([
  [500, 'INTERNAL_SERVER_ERROR', 'Error. Please wait a few minutes before you try again.'],
  [503, 'RATE_UNAVAILABLE', 'Error. Please wait a few minutes before you try again.'],
  [400, 'INVALID_PAYLOAD', CHECK_FIELDS],
  [400, 'INVALID_CREDENTIALS', CHECK_FIELDS],
  [403, 'ACCESS_DENIED', CHECK_FIELDS],
  [429, 'TOO_MANY_REQUESTS', 'Error. Please wait a few minutes before you try again.'],
  [0, 'NETWORK_ERROR', 'Error. Please wait a few minutes before you try again.'],
])('a save that ended %i %s shows: %s', (status, code, text) => {
  expect(saveErrorText(new ApiError({ status, code, message: 'of the server' }))).toBe(text)
})

it('errors of single fields, by code or by payload, are shown beside their inputs', () => {
  const names = { INVALID_CREDENTIALS: 'proof', btc_address: 'btcAddress' } as const
  const wrong = new ApiError({ status: 400, code: 'INVALID_CREDENTIALS', message: '' })
  expect(fieldErrorsOf(wrong, names)).toEqual([['proof', 'Invalid credentials.']])
  const fields = { btc_address: 'Too long.', other: 'Not shown.' }
  const payload = new ApiError({ status: 400, code: 'INVALID_PAYLOAD', message: '', fields })
  expect(fieldErrorsOf(payload, names)).toEqual([['btcAddress', 'Too long.']])
})
