import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { asciiBytes, concatBytes, toBase64 } from '@fairball/domain/protocol/bytes'
import { keyId, LOG_KEY_TYPE, writeNote } from '@fairball/domain/protocol/note'

/** An Ed25519 key of the log. Node signs in a tenth of the time, with the same bytes as the domain. */
export interface SigningKey {
  readonly key: KeyObject
  /** 32 bytes */
  readonly publicKey: Uint8Array
}

/** The prefix of the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410). */
const PKCS8_START = Buffer.from('302e020100300506032b657004220420', 'hex')
const PUBLIC_KEY_BYTES = 32

/**
 * The key of a secret seed.
 *
 * @param secretSeed 32 bytes (RFC 8032)
 */
export function signingKey(secretSeed: Uint8Array): SigningKey {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_START, secretSeed]), format: 'der', type: 'pkcs8' })
  const exported = createPublicKey(key).export({ format: 'der', type: 'spki' })
  return { key, publicKey: new Uint8Array(exported.subarray(-PUBLIC_KEY_BYTES)) }
}

/**
 * A text as a note, signed by keys of the log.
 *
 * @param origin of the log, and the name of its keys
 */
export function signedNote(text: string, origin: string, keys: readonly SigningKey[]): string {
  const message = asciiBytes(text)
  const lines = keys.map(({ key, publicKey }) => {
    const id = keyId({ name: origin, publicKey }, LOG_KEY_TYPE)
    return `— ${origin} ${toBase64(concatBytes(id, sign(null, message, key)))}`
  })
  return writeNote(text, lines)
}
