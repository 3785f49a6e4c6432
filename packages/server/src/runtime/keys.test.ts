import { expect, it } from 'vitest'
import { deriveKey, type KeyUse } from './keys.ts'

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

it('no use has the key of another, or SECRET_KEY itself', () => {
  const uses: Record<KeyUse, true> = {
    accessTokens: true,
    twoFactorSecrets: true,
    emailDigests: true,
    callerDigests: true,
    seals: true,
    passwords: true,
    mails: true,
    addressSeals: true,
    addressNotices: true,
    lightningPreimages: true,
    standInTokens: true,
    consoleLogin: true,
    sharedSettings: true,
    webhookSecrets: true,
  }
  const keys = Object.keys(uses).map((use) => Buffer.from(deriveKey(SECRET_KEY, use as KeyUse)).toString('hex'))
  expect(new Set([Buffer.from(SECRET_KEY).toString('hex'), ...keys]).size).toBe(keys.length + 1)
})
