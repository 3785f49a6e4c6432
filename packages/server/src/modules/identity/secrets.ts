import { createHash, createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import type { RandomSource } from '../../runtime/runtime.ts'
import { type InstallationSeal, type Seal, sealUnder } from '../../runtime/seal.ts'
import { emailKey } from './email-key.ts'

/** The random bits of every key, token and link: 256. */
const KEY_BYTES = 32

/**
 * The cryptography of accounts. Each use has a key of its own, derived from the installation's secret: a token signed
 * for one is worthless for another.
 */
export class Secrets {
  /** Signs access tokens. */
  readonly tokenKey: Uint8Array
  /** Encrypts; its purpose says whose secret it is. */
  readonly seal: Seal['close']
  readonly unseal: Seal['open']
  readonly #digestKey: KeyObject
  readonly #callerKey: KeyObject
  readonly #random: RandomSource

  constructor({ keyFor, random }: { keyFor: InstallationSeal['keyFor']; random: RandomSource }) {
    const { close, open } = sealUnder(keyFor('twoFactorSecrets'), random)
    this.tokenKey = keyFor('accessTokens')
    this.seal = close
    this.unseal = open
    this.#digestKey = createSecretKey(keyFor('emailDigests'))
    this.#callerKey = createSecretKey(keyFor('callerDigests'))
    this.#random = random
  }

  /** A fresh key of 256 bits for a link or a refresh token, and the hash under which it is stored. */
  newKey(): { key: string; hash: Uint8Array } {
    const key = Buffer.from(this.#random.bytes(KEY_BYTES)).toString('base64url')
    return { key, hash: hashOfKey(key) }
  }

  /** A hash of an email address. Without the installation's secret, addresses cannot be tested against it. */
  emailDigest(email: string): Uint8Array {
    return new Uint8Array(createHmac('sha256', this.#digestKey).update(emailKey(email)).digest())
  }

  /** Like `emailDigest`, for what identifies a login attempt: names and network addresses. */
  callerDigest(text: string): Uint8Array {
    return new Uint8Array(createHmac('sha256', this.#callerKey).update(text.toLowerCase()).digest())
  }
}

/** How a random key is stored. It has 256 bits, so one fast hash is enough. */
export function hashOfKey(key: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(key).digest())
}
