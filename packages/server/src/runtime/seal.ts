import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { RandomSource } from './runtime.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Keeps secrets unreadable in the database and in its backups: AES-256-GCM (NIST SP 800-38D) under one key. */
export interface Seal {
  /** The secret, closed: 12 bytes of nonce, the ciphertext, 16 bytes of tag. `purpose` must be the same to open it. */
  close(secret: Uint8Array, purpose: string): Uint8Array
  /** @throws Error when the key, the purpose or any bit is another */
  open(sealed: Uint8Array, purpose: string): Uint8Array
}

/**
 * Makes a seal of the installation's key.
 *
 * @param key 32 bytes
 * @throws RangeError for a key of another length
 */
export function createSeal(key: Uint8Array, random: RandomSource): Seal {
  if (key.length !== 32) throw new RangeError(`a sealing key has 32 bytes, not ${key.length}`)
  return {
    close(secret, purpose) {
      const nonce = random.bytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose))
      return new Uint8Array(Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]))
    },
    open(sealed, purpose) {
      const tagStart = sealed.length - TAG_BYTES
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(purpose))
        .setAuthTag(sealed.subarray(tagStart))
      return new Uint8Array(Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, tagStart)), decipher.final()]))
    },
  }
}
