import { describe, expect, it } from 'vitest'
import { actionText, endOfActionText } from './action-text.ts'
import { canonicalJson } from './canonical-json.ts'

/** The example of the console's document. */
const EXAMPLE = `fairball/action/v1
console https://console.lottery.example
request 6f2c1c1e-6d0f-4a52-9a3e-5c1f0d6f7b11
part propose
staff 3
kind payouts.approve
args {"batch":"5"}
facts 5b1f06a1c7e2d94b8a3f6c0d1e2f3a4b5c6d7e8f90a1b2c3d4e5f60718293a4b
reason Prize of draw 214, address known since March.
nonce 8d41f0c2a97b4e5d8d41f0c2a97b4e5d
expires 1788201613
`

describe('the text that a person signs', () => {
  it('the text names console, request, part, person, kind, arguments, facts, reason, nonce and end, a line each', () => {
    const said = {
      console: 'https://console.lottery.example',
      request: '6f2c1c1e-6d0f-4a52-9a3e-5c1f0d6f7b11',
      part: 'propose',
      staff: '3',
      kind: 'payouts.approve',
      args: { batch: '5' },
      facts: '5b1f06a1c7e2d94b8a3f6c0d1e2f3a4b5c6d7e8f90a1b2c3d4e5f60718293a4b',
      reason: 'Prize of draw 214, address known since March.',
      nonce: '8d41f0c2a97b4e5d8d41f0c2a97b4e5d',
      expires: 1_788_201_613,
    } as const
    expect(actionText(said)).toBe(EXAMPLE)
    expect(endOfActionText(EXAMPLE)).toEqual({ nonce: said.nonce, expires: said.expires })
    expect(endOfActionText(EXAMPLE.slice(0, -1))).toBe(null)
  })
})

describe('JSON in one form', () => {
  it.each([
    // The examples of RFC 8785, section 3.2.
    [{ numbers: [333333333.3333333, 1e30, 4.5, 2e-3, 1e-27] }, '{"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27]}'],
    [{ string: '\u20ac$\u000f\nA\'B"\\\\"/' }, '{"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'],
    [{ literals: [null, true, false] }, '{"literals":[null,true,false]}'],
    [{ '\u20ac': 1, '\r': 2, '1': 3, '\ud83d\ude02': 4, '\u0080': 5 }, '{"\\r":2,"1":3,"\u0080":5,"€":1,"😂":4}'],
  ])('%j has its keys in order and no spaces', (value, text) => {
    expect(canonicalJson(value)).toBe(text)
  })

  it('what JSON cannot say is refused', () => {
    expect(() => canonicalJson(Infinity)).toThrow(RangeError)
    expect(() => canonicalJson(['\ud83d'])).toThrow(RangeError)
  })
})
