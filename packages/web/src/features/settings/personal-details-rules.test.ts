import { expect, it } from 'vitest'
import { isNewEmail, personalDetailsRules } from './personal-details-rules.ts'

const saved = { username: 'player-k3x9qd', email: 'a@example.com', timezone_id: 202, currency_id: 1 }

function wrongFields(change: Partial<typeof saved & { proof: string }>, isSocial = false, before = saved): string[] {
  const { issues = [] } = personalDetailsRules(before, isSocial)['~standard'].validate({
    ...before,
    proof: '',
    ...change,
  })
  return issues.map((issue) => issue.path.join())
}

it.each([
  ['nothing changed', {}, false, []],
  ['another username', { username: "O'Hara_7 x" }, false, []],
  ['a username with a space at its end', { username: 'player ' }, false, ['username']],
  ['a new address without a password', { email: 'b@example.com' }, false, ['proof']],
  ['a new address with the password', { email: 'b@example.com', proof: 'secret' }, false, []],
  ['a new address of a social account with a code', { email: 'b@example.com', proof: '012345' }, true, []],
  ['a new address of a social account with a password', { email: 'b@example.com', proof: 'secret' }, true, ['proof']],
  ['a bad address', { email: 'b@', proof: 'secret' }, false, ['email']],
] as const)('the rules report the errors of %s', (_what, change, isSocial, fields) => {
  expect(wrongFields(change, isSocial)).toEqual(fields)
})

it('no proof is needed if an account without an address gets its first', () => {
  expect(wrongFields({ email: 'b@example.com' }, true, { ...saved, email: '' })).toEqual([])
})

it('an address that differs only in capitals counts as the same', () => {
  expect(isNewEmail(' A@Example.com ', 'a@example.com')).toBe(false)
})
