import { describe, expect, it } from 'vitest'
import { accountBlocked, ERROR_TEXTS, isErrorCode, LotteryError } from './errors.ts'

describe('player-facing errors', () => {
  it('the codes are the 20 of the specification and 11 from the decisions', () => {
    expect(Object.keys(ERROR_TEXTS)).toHaveLength(31)
  })

  it('an error has the text of the catalogue, to the letter', () => {
    expect(new LotteryError('INVALID_PASSWORD').message).toBe('Password not strong enought.')
    expect(ERROR_TEXTS.EMAIL_OCCUPIED).toBe('Email address is already occipied.')
    expect(ERROR_TEXTS.MISMATCH_PASSWORD_AND_CONFIRM_PASSWORD).toBe('Password and confirm password do not match')
  })

  it('a blocked account has a text that is in the answer alone', () => {
    expect(accountBlocked()).toMatchObject({ code: 'ACCOUNT_BLOCKED', message: expect.stringContaining('is blocked') })
    expect(isErrorCode('ACCOUNT_BLOCKED')).toBe(false)
  })

  it('an error may carry another text, fields, a waiting time and a cause', () => {
    const cause = new Error('underneath')
    const error = new LotteryError('INVALID_PAYLOAD', 'No.', { fields: { days: 'none' }, retryAfterSeconds: 3, cause })
    expect(error).toMatchObject({
      name: 'LotteryError',
      code: 'INVALID_PAYLOAD',
      message: 'No.',
      fields: { days: 'none' },
    })
    expect(error.retryAfterSeconds).toBe(3)
    expect(error.cause).toBe(cause)
    expect(new LotteryError('NOT_FOUND')).not.toHaveProperty('fields')
  })

  it('an error code is recognised among other texts', () => {
    expect(isErrorCode('NOT_FOUND')).toBe(true)
    expect(isErrorCode('toString')).toBe(false)
  })
})
