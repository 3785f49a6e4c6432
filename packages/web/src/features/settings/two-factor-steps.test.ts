import { expect, it } from 'vitest'
import { keyOfUri, stepAfter, stepBefore } from './two-factor-steps.ts'

it('the set-up goes from the introduction over password, app and QR code to the code', () => {
  expect([stepAfter(1, false), stepAfter(2, false), stepAfter(3, false), stepAfter(4, false)]).toEqual([2, 3, 4, 5])
})

it('the set-up skips the password for social accounts, which go from 1 to 3 and back from 3 to 1', () => {
  expect(stepAfter(1, true)).toBe(3)
  expect(stepBefore(3, true)).toBe(1)
})

it('the back arrow goes back one step at a time', () => {
  expect([stepBefore(5, false), stepBefore(4, false), stepBefore(3, false), stepBefore(2, false)]).toEqual([4, 3, 2, 1])
})

it.each([
  ['otpauth://totp/Fairball:player-a1?secret=JBSWY3DPEHPK3PXP&issuer=Fairball', 'JBSWY3DPEHPK3PXP'],
  ['otpauth://totp/Fairball?issuer=Fairball&secret=ABC234', 'ABC234'],
  ['otpauth://totp/Fairball?issuer=Fairball', null],
])('the key is found inside %s', (uri, key) => {
  expect(keyOfUri(uri)).toBe(key)
})
