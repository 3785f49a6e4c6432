import { expect, it } from 'vitest'
import { deriveKey } from './keys.ts'

const SECRET_KEY = new Uint8Array(32).fill(7)

it('the keys are those that installations already have', () => {
  const keys = (['accessTokens', 'twoFactorSecrets', 'emailDigests', 'callerDigests', 'seals'] as const).map((use) =>
    Buffer.from(deriveKey(SECRET_KEY, use)).toString('hex').slice(0, 16),
  )
  expect(keys).toEqual([
    '873cf7b56866e18b',
    'bfbf1aa32b30e053',
    'ef6a50e19f1e8f09',
    'ea9f3cf02c6cadee',
    '68ad61ee03e74951',
  ])
})
