import { describe, expect, it } from 'vitest'
import { emailKey, isSameEmail } from './email-key.ts'

describe('what of an email address is compared', () => {
  it.each([
    ['Some.One@Example.ORG', 'some.one@example.org'],
    ['already@small.example', 'already@small.example'],
    ['\u212A@example.org', '\u212A@example.org'], // the Kelvin sign, which toLowerCase makes a k
    ['\u0130@example.org', '\u0130@example.org'], // a capital I with a dot
    ['É@example.org', 'É@example.org'],
  ])('of %j is %j: the capitals of ASCII are folded and nothing else', (email, key) => {
    expect(emailKey(email)).toBe(key)
  })

  it('tells no address from an empty one, and is the same as itself', () => {
    expect([isSameEmail(null, null), isSameEmail(null, ''), isSameEmail('A@b.cd', 'a@B.cd')]).toEqual([
      true,
      false,
      true,
    ])
  })
})
