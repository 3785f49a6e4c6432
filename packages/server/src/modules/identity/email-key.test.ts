import { describe, expect, it } from 'vitest'
import { emailKey, isSameEmail } from './email-key.ts'

describe('the comparison of email addresses', () => {
  it.each([
    ['Some.One@Example.ORG', 'some.one@example.org'],
    ['already@small.example', 'already@small.example'],
    ['\u212A@example.org', '\u212A@example.org'], // the Kelvin sign, which toLowerCase turns into a k
    ['\u0130@example.org', '\u0130@example.org'], // a capital I with a dot
    ['É@example.org', 'É@example.org'],
  ])('the key of %j is %j: only ASCII capitals are folded', (email, key) => {
    expect(emailKey(email)).toBe(key)
  })

  it('no address differs from an empty one, and equals itself', () => {
    expect([isSameEmail(null, null), isSameEmail(null, ''), isSameEmail('A@b.cd', 'a@B.cd')]).toEqual([
      true,
      false,
      true,
    ])
  })
})
