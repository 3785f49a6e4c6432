import { expect, it } from 'vitest'
import {
  isSecondStepComplete,
  loginRules,
  loginSecureRules,
  openAccountRules,
  resetPasswordRules,
} from './account-rules.ts'

type Rules = { '~standard': { validate: (input: unknown) => { issues?: { path: string[]; message: string }[] } } }

function wrongFields(rules: Rules, values: object): string[] {
  return (rules['~standard'].validate(values).issues ?? []).map((issue) => issue.path.join())
}

const account = { email: 'a@example.com', emailConfirm: 'a@example.com', password: 'Secret#12', isAdult: true }

it.each([
  ['a good form', {}, []],
  ['a bad address', { email: 'a@', emailConfirm: 'a@' }, ['email']],
  ['another repeated address', { emailConfirm: 'b@example.com' }, ['emailConfirm']],
  ['a weak password', { password: 'secret12' }, ['password']],
  ['a player who is not of age', { isAdult: false }, ['isAdult']],
] as const)('an account is opened with %s, or the form says what is wrong', (_what, change, fields) => {
  expect(wrongFields(openAccountRules, { ...account, ...change })).toEqual(fields)
})

it('a login requires a password that fits the rule of the specification', () => {
  expect(wrongFields(loginRules, { emailOrUsername: ' ', password: 'short' })).toEqual(['emailOrUsername', 'password'])
})

const nothing = { code: '', recoveryCode: '', questionId: 0, answer: '' }

it.each([
  ['nothing', {}, false],
  ['a code', { code: '012345' }, true],
  ['half a code', { code: '0123' }, false],
  ['a recovery code', { recoveryCode: 'abcd-efgh' }, true],
  ['a question and its answer', { questionId: 2, answer: 'Rex' }, true],
  ['an answer without a question', { answer: 'Rex' }, false],
  ['a question without an answer', { questionId: 2 }, false],
] as const)('the second step can be sent with %s: %s', (_what, change, isComplete) => {
  const values = { ...nothing, ...change }
  expect(isSecondStepComplete(values)).toBe(isComplete)
  if (isComplete) expect(wrongFields(loginSecureRules, values)).toEqual([])
})

it.each([
  ['nothing', {}, []],
  ['half a code', { code: '0123' }, ['code']],
  ['half a code beside a good answer', { code: '0123', questionId: 2, answer: 'Rex' }, []],
  ['an answer without a question', { answer: 'Rex' }, ['questionId']],
  ['a question without an answer', { questionId: 2 }, ['answer']],
] as const)('with %s the second step reports only the errors in fields that were begun', (_what, change, fields) => {
  expect(wrongFields(loginSecureRules, { ...nothing, ...change })).toEqual(fields)
})

it('a new password needs a code only if two-factor is on', () => {
  const values = { password: 'Secret#12', passwordConfirm: 'Secret#12', code: '', recoveryCode: '' }
  expect(wrongFields(resetPasswordRules(false), values)).toEqual([])
  expect(wrongFields(resetPasswordRules(true), values)).toEqual(['code'])
  expect(wrongFields(resetPasswordRules(true), { ...values, recoveryCode: 'abcd-efgh-jkmn-pqrs' })).toEqual([])
  expect(wrongFields(resetPasswordRules(true), { ...values, recoveryCode: '  ' })).toEqual(['recoveryCode'])
})
