import { createCipheriv, createDecipheriv } from 'node:crypto'
import { deriveKey, type KeyUse } from './keys.ts'
import type { RandomSource } from './runtime.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32

/** Keeps secrets unreadable in the database and in its backups: AES-256-GCM (NIST SP 800-38D) under one key. */
export interface Seal {
  /**
   * The encrypted secret: 12 bytes of nonce, the ciphertext, 16 bytes of tag. `purpose` must be the same to decrypt it.
   */
  close(secret: Uint8Array, purpose: string): Uint8Array
  /** @throws Error if the key, the purpose or any bit differs */
  open(sealed: Uint8Array, purpose: string): Uint8Array
}

/** Encrypts again what should be under another key; null for what is under the right one. */
export type Renew = (sealed: Uint8Array, purpose: string) => Uint8Array | null

/** The seal of the installation, and the other keys that are derived from the same secret. */
export interface InstallationSeal extends Seal {
  /** The key for another use, 32 bytes. */
  keyFor(use: KeyUse): Uint8Array
  /** Encrypts again what was encrypted before each use had a key of its own. @throws Error like `open` */
  readonly renew: Renew
}

/**
 * Makes the seal of an installation. It also decrypts what was encrypted under the first 32 bytes of the installation's
 * key itself, before each use had a key of its own.
 *
 * @param secretKey the installation's key, 32 bytes or more
 * @param kept keys of an earlier secret that outlast it
 * @throws RangeError for a shorter key
 */
export function createSeal(
  secretKey: Uint8Array,
  random: RandomSource,
  kept: ReadonlyMap<KeyUse, Uint8Array> = new Map(),
): InstallationSeal {
  if (secretKey.length < KEY_BYTES)
    throw new RangeError(`a sealing key has ${KEY_BYTES} bytes or more, not ${secretKey.length}`)
  const current = sealUnder(deriveKey(secretKey, 'seals'), random)
  const older = sealUnder(secretKey.subarray(0, KEY_BYTES), random)
  return {
    keyFor: (use) => kept.get(use) ?? deriveKey(secretKey, use),
    close: current.close,
    open: (sealed, purpose) => openedUnder(current, sealed, purpose) ?? older.open(sealed, purpose),
    renew(sealed, purpose) {
      if (openedUnder(current, sealed, purpose) !== null) return null
      return current.close(older.open(sealed, purpose), purpose)
    },
  }
}

/** A seal under one key. @param key 32 bytes */
export function sealUnder(key: Uint8Array, random: RandomSource): Seal {
  return {
    close(secret, purpose) {
      const nonce = random.bytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose))
      return new Uint8Array(Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]))
    },
    open(sealed, purpose) {
      const tagStart = sealed.length - TAG_BYTES
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(purpose))
        .setAuthTag(sealed.subarray(tagStart))
      return new Uint8Array(Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, tagStart)), decipher.final()]))
    },
  }
}

function openedUnder(seal: Seal, sealed: Uint8Array, purpose: string): Uint8Array | null {
  try {
    return seal.open(sealed, purpose)
  } catch {
    return null
  }
}
