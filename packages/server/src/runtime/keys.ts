import { hkdfSync } from 'node:crypto'

/**
 * The purpose of each key of the installation: the only list. The label is part of the derivation, so another text is
 * another key, and what was made with the old one can no longer be read or checked.
 */
const LABELS = {
  /** signs the access tokens of players */
  accessTokens: 'access tokens',
  /** encrypts the secrets of two-factor authentication */
  twoFactorSecrets: 'two-factor secrets',
  /** digests of email addresses, that they can be recognised and not read */
  emailDigests: 'digests of e-mail addresses', // a label: installations have keys of it
  /** digests of names and network addresses in login attempts */
  callerDigests: 'digests of who tries to log in',
  /** encrypts the operator's signing key, the seeds of draws, and the demo's keys */
  seals: 'sealed secrets',
  /** goes into passwords before they are hashed, so that stolen hashes cannot be tested against anything */
  passwords: 'passwords before their hash',
  /** encrypts the secrets that webhooks are signed with */
  webhookSecrets: 'secrets of webhooks',
  /** encrypts waiting mails */
  mails: 'mails that wait',
  /** seals the payout addresses that their players were notified of */
  addressSeals: 'seals of payout addresses',
  /** proves to the worker that the program saved an address and wrote its notice */
  addressNotices: 'notices about payout addresses',
  /** the preimages of Lightning invoices follow from it */
  lightningPreimages: 'lightning/preimage/v1',
  /** signs the tokens of the demo's stand-in for social networks */
  standInTokens: "tokens of the demo's social networks",
  /** the password of the console's login, where the demo makes one */
  consoleLogin: "the login of the demo's console",
  /** digests of the settings that all processes share */
  sharedSettings: 'digests of shared settings',
} as const

/**
 * What outlasts a change of SECRET_KEY: digests of addresses, hashes of passwords whose originals are unknown here, and
 * the preimages of invoices that may be paid.
 * Their keys are stored encrypted from the first change on.
 */
export const LASTING_USES = [
  'emailDigests',
  'callerDigests',
  'passwords',
  'lightningPreimages',
] as const satisfies KeyUse[]

/** The purposes of keys. */
export type KeyUse = keyof typeof LABELS

/** From the time when only accounts derived keys: these are still in use. */
const SALT = 'fairball/accounts/v1'
const KEY_BYTES = 32

/**
 * The key for one use, by HKDF-SHA-256 (RFC 5869): knowing it reveals neither another one nor the installation's.
 *
 * @param secretKey the installation's key, 32 bytes or more
 * @returns 32 bytes
 */
export function deriveKey(secretKey: Uint8Array, use: KeyUse): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secretKey, SALT, LABELS[use], KEY_BYTES))
}
