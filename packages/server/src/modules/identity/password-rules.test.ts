import { commonPasswords, isCommonPassword } from '@fairball/domain/common-passwords'
import { passwordProblem } from '@fairball/domain/validation'
import { describe, expect, it } from 'vitest'
import { assertGoodPassword } from './password-rules.ts'

const PLAYER = { email: 'maria.lopez@example.org', username: 'Lucky_Maria' }

/** Why a new password is refused; null if it is not. Asserting it for each of 10,000 would take most of the time. */
function refusalOf(password: string): string | null {
  try {
    assertGoodPassword(password, PLAYER)
    return null
  } catch (error) {
    return String(error)
  }
}

describe('the list of common passwords', () => {
  it('the list has exactly 10,000, and each satisfies the rule of four classes', () => {
    expect(commonPasswords().size).toBe(10_000)
    expect([...commonPasswords()].filter((password) => passwordProblem(password) !== null)).toEqual([])
  })

  it.each([
    'Password1!',
    'P@ssw0rd',
    'P@ssw0rd1!',
    'Password@123',
    'Welcome@123',
    'Admin@123',
    'Qwerty123!',
    'Abcd@1234',
  ])('the list contains %s', (password) => {
    expect(isCommonPassword(password)).toBe(true)
  })

  it.each(['Fairball1!', 'Bitcoin@123', 'Lottery2026!', 'Jackpot123#', 'Satoshi!1'])(
    "knows %s, of the product's own words",
    (password) => {
      expect(isCommonPassword(password)).toBe(true)
    },
  )

  it('the list refuses a whole password and never a part of a longer one', () => {
    const refused = (password: string) => refusalOf(password)?.includes('easy to guess') === true
    const all = [...commonPasswords()]
    expect(all.filter((password) => !refused(password))).toEqual([])
    expect(all.filter((password) => refusalOf(`horse ${password} staple`) !== null)).toEqual([])
  })
})

describe('a new password', () => {
  it.each([
    'Correct-horse7battery',
    'Str0ng!Passw0rd',
    'Tr0ub4dor&3x',
    'My-Check.Pass1',
    'Correct-Horse-7-Battery',
    'Maria lives in 7 houses!',
    'Fairball is my 1st lottery!',
  ])('a new password may be %s', (password) => {
    expect(() => assertGoodPassword(password, PLAYER)).not.toThrow()
  })

  it.each([
    ['the email address', 'Maria.Lopez7@example.org', { email: 'maria.lopez7@example.org' }],
    ['its name', 'Maria.Lopez1', PLAYER],
    ['its name and a usual ending', 'MARIA.lopez2026!', PLAYER],
    ['its name and a date', 'Maria.Lopez@1990', PLAYER],
    ['the username', 'Lucky_Maria7', { ...PLAYER, username: 'lucky_maria7' }],
    ['the username and a usual ending', 'Lucky_Maria123!', PLAYER],
  ])('a new password may not be %s', (_, password, player) => {
    expect(() => assertGoodPassword(password, player)).toThrow('easy to guess')
  })
})
