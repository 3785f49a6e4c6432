import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync } from 'node:crypto'
import type { RandomSource } from '../../runtime/runtime.ts'
import { emailKey } from './email-key.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16
/** The random bits of every key, token and link: 256. */
const KEY_BYTES = 32

export type Secrets = ReturnType<typeof createSecrets>

/**
 * What accounts need of cryptography. Each use has a key of its own, derived from the installation's secret: a token
 * signed for one is worthless for another.
 */
export function createSecrets({ secretKey, random }: { secretKey: string | Uint8Array; random: RandomSource }) {
  const derive = (use: string): Uint8Array =>
    new Uint8Array(hkdfSync('sha256', secretKey, 'fairball/accounts/v1', use, KEY_BYTES))
  const sealingKey = derive('two-factor secrets')
  const digestKey = derive('digests of e-mail addresses')
  const callerKey = derive('digests of who tries to log in')

  /** A fresh key of 256 bits for a link or a refresh token, and the hash under which it is stored. */
  function newKey(): { key: string; hash: Uint8Array } {
    const key = Buffer.from(random.bytes(KEY_BYTES)).toString('base64url')
    return { key, hash: hashOfKey(key) }
  }

  /** Encrypts with AES-256-GCM; `context` (whose it is) has to be the same when it is opened. */
  function seal(plain: Uint8Array, context: string): Uint8Array {
    const nonce = random.bytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', sealingKey, nonce).setAAD(Buffer.from(context))
    return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
  }

  /** @throws Error when it was not sealed under this installation's secret for this context */
  function unseal(sealed: Uint8Array, context: string): Uint8Array {
    const nonce = sealed.subarray(0, NONCE_BYTES)
    const decipher = createDecipheriv('aes-256-gcm', sealingKey, nonce, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(context))
      .setAuthTag(sealed.subarray(-TAG_BYTES))
    return new Uint8Array(Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]))
  }

  /** A hash of an e-mail address that nobody without the installation's secret can try addresses against. */
  function emailDigest(email: string): Uint8Array {
    return new Uint8Array(createHmac('sha256', digestKey).update(emailKey(email)).digest())
  }

  /** As `emailDigest`, of what tells who tried to log in: names and network addresses. */
  function callerDigest(text: string): Uint8Array {
    return new Uint8Array(createHmac('sha256', callerKey).update(text.toLowerCase()).digest())
  }

  return { tokenKey: derive('access tokens'), newKey, hashOfKey, seal, unseal, emailDigest, callerDigest }
}

/** How a random key is stored. It has 256 bits, so one fast hash is enough. */
function hashOfKey(key: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(key).digest())
}
