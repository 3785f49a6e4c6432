import { describe, expect, it } from 'vitest'
import {
  choiceProblem,
  currentPasswordProblem,
  emailConfirmProblem,
  emailProblem,
  messageProblem,
  newPasswordProblem,
  passwordConfirmProblem,
  passwordProblem,
  passwordStrength,
  requiredTextProblem,
  securityAnswerKey,
  securityAnswerProblem,
  twofaCodeProblem,
  usernameProblem,
} from './validation.ts'

const PASSWORD_TEXT =
  'Must be 8 characters or longer - at least one small and one capital letter, one digit and one symbol (i.e. #, $, @).'

describe('an email address', () => {
  it.each(['a@b.co', 'first.last+tag@sub.example.com', "o'hara@example.org", '1@2.cc', 'x@xn--bcher-kva.example'])(
    '%s is a valid email address',
    (email) => expect(emailProblem(email)).toBeNull(),
  )

  it.each([
    '',
    'a',
    'a@b',
    '@b.co',
    'a@.co',
    'a@b..co',
    'a@b.c',
    'a b@c.co',
    '.a@b.co',
    'a.@b.co',
    'a..b@c.co',
    'a@b.co ',
    'a@b.co\n',
    'a@-b.co',
    'a@b@c.co',
    `${'a'.repeat(65)}@b.co`,
    `a@${'b.'.repeat(125)}co`,
  ])('%j is not a valid email address', (email) => expect(emailProblem(email)).toBe('Invalid email'))

  it('an email address is checked quickly, even a hostile one', () => {
    expect(emailProblem(`${'a.'.repeat(50_000)}@`)).not.toBeNull()
    expect(emailProblem(`a@${'a-'.repeat(120)}`)).not.toBeNull()
  })

  it('a repeated email address must be equal', () => {
    expect(emailConfirmProblem('a@b.co', 'a@b.co')).toBeNull()
    expect(emailConfirmProblem('a@b.co', 'A@b.co')).not.toBeNull()
    expect(emailConfirmProblem('', '')).not.toBeNull()
  })
})

describe('a password', () => {
  it.each([
    ['Aa1#5678', null],
    ['Ää1#5678', null],
    ['Aa1#567', PASSWORD_TEXT],
    ['aa1#5678', PASSWORD_TEXT],
    ['AA1#5678', PASSWORD_TEXT],
    ['Aaa#bcde', PASSWORD_TEXT],
    ['Aa1 5678', PASSWORD_TEXT],
    ['', PASSWORD_TEXT],
    [`Aa1#${'x'.repeat(246)}`, null],
    [`Aa1#${'x'.repeat(247)}`, PASSWORD_TEXT],
  ])('the problem of password %s is: %s', (password, problem) => {
    expect(passwordProblem(password)).toBe(problem)
  })

  it.each([
    ['Aa1#5678', 'STRONG'],
    ['Aa1#56', 'MEDIUM'],
    ['Aa#bcdef', 'MEDIUM'],
    ['Aa1#5', 'WEAK'],
    ['Aa#bcde', 'WEAK'],
    ['Aa123456', 'WEAK'],
    ['', 'WEAK'],
  ])('the strength of password %s is %s', (password, strength) => {
    expect(passwordStrength(password)).toBe(strength)
  })

  it('a repeated password must keep the same rule and be equal', () => {
    expect(passwordConfirmProblem('Aa1#5678', 'Aa1#5678')).toBeNull()
    expect(passwordConfirmProblem('Aa1#5678', 'weak')).toBe('Invalid password confirm')
    expect(passwordConfirmProblem('Aa1#5678', 'Aa1#5679')).toBe('Password and confirm password should match')
  })

  it('a current password has 6 to 250 characters', () => {
    expect(
      ['12345', '123456', 'x'.repeat(250), 'x'.repeat(251)].map((text) => currentPasswordProblem(text) === null),
    ).toEqual([false, true, true, false])
  })

  it('a new password differs from the current one and has at least 8 characters', () => {
    expect(newPasswordProblem('Aa1#5678', 'Bb1#5678')).toBeNull()
    expect(newPasswordProblem('Aa1#5678', 'Aa1#5678')).not.toBeNull()
    expect(newPasswordProblem('Aa1#56', 'Bb1#5678')).toBe(PASSWORD_TEXT)
  })
})

describe('other fields', () => {
  it.each([
    ['000000', null],
    ['999999', null],
    ['12345', 'Invalid 6-digits code! Try again.'],
    ['1234567', 'Invalid 6-digits code! Try again.'],
    ['12345a', 'Invalid 6-digits code! Try again.'],
    ['１２３４５６', 'Invalid 6-digits code! Try again.'],
  ])('the problem of code %s is: %s', (code, problem) => {
    expect(twofaCodeProblem(code)).toBe(problem)
  })

  it.each([
    ['a', true],
    ["Zoe O'Hara_7-x", true],
    ['', false],
    [' a', false],
    ['a ', false],
    [' ', false],
    ['a.b', false],
    ['Zoë', false],
    ['a\n', false],
    ['x'.repeat(250), true],
    ['x'.repeat(251), false],
  ])('username %j is valid: %s', (username, isValid) => {
    expect(usernameProblem(username) === null).toBe(isValid)
  })

  it('a username that is too long gets its own message, any other the allowed characters', () => {
    expect(usernameProblem('a'.repeat(250))).toBeNull()
    expect(usernameProblem('a'.repeat(251))).toBe('Must be at most 250 characters long.')
    expect(usernameProblem('a*')).toContain('Use letters, digits')
  })

  it('a security answer is not empty, at most 250 characters, and compared without case and spaces', () => {
    expect(securityAnswerProblem('x'.repeat(250))).toBeNull()
    const text = 'This answer should not be empty and should not be longer than 250 characters.'
    for (const answer of ['', '  ', 'x'.repeat(251)]) expect(securityAnswerProblem(answer)).toBe(text)
    expect(securityAnswerKey(' New  York ')).toBe(securityAnswerKey('newyork'))
    expect(securityAnswerKey('New York')).not.toBe(securityAnswerKey('Old York'))
  })

  it('texts and messages are filled in and not too long; a country is chosen', () => {
    expect(['', ' ', 'x'.repeat(251)].every((text) => requiredTextProblem(text) !== null)).toBe(true)
    expect(requiredTextProblem('x'.repeat(250))).toBeNull()
    expect(['', 'x'.repeat(65_001), 'x'.repeat(200_000)].every((text) => messageProblem(text) !== null)).toBe(true)
    expect(messageProblem('é😀'.repeat(32_500))).toBeNull()
    expect([0, -1, 1.5].every((id) => choiceProblem(id) !== null)).toBe(true)
    expect(choiceProblem(1)).toBeNull()
  })
})
