import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { base64 } from '@scure/base'
import { assert } from '../assert.ts'
import { asciiBytes, concatBytes, equalBytes, readU64, u64 } from './bytes.ts'

/** A signature line of a note. What stands in `data` depends on the kind of signer. */
export interface NoteSignature {
  readonly name: string
  /** 4 bytes: says which key of that name */
  readonly keyId: Uint8Array
  /** the signature; a witness's is preceded by its time, 8 bytes */
  readonly data: Uint8Array
}

/** A note taken apart. Nothing of it is verified. */
export interface SignedNote {
  /** with the line feed that ends it */
  readonly text: string
  readonly signatures: readonly NoteSignature[]
}

/** A signer as a verifier knows it. */
export interface Signer {
  readonly name: string
  /** Ed25519, 32 bytes */
  readonly publicKey: Uint8Array
}

/** The most signature lines of a note: the operator's old and new key, and witnesses. */
const MOST_SIGNATURES = 100
const KEY_ID_BYTES = 4
const PUBLIC_KEY_BYTES = 32
const SIGNATURE_BYTES = 64
const TIME_BYTES = 8
/** A name without spaces and plus signs (C2SP signed-note), here ASCII alone. */
const NAME = /^[\x21-\x2a\x2c-\x7e]+$/
const SIGNATURE_LINE = /^— ([\x21-\x2a\x2c-\x7e]+) ([A-Za-z0-9+/]+={0,2})$/
const ED25519_KEY_TYPE = Uint8Array.of(0x0a, 0x01)
const WITNESS_KEY_TYPE = concatBytes(Uint8Array.of(0x0a, 0xff), asciiBytes('fairball/witness/v1'))

/** The operator's key id: the first 4 bytes of `H(name || 0x0A || 0x01 || public key)` (fairness section 3). */
export function keyId(signer: Signer): Uint8Array {
  return idOf(signer, ED25519_KEY_TYPE)
}

/** A witness's key id: `H(name || 0x0A || 0xFF || "fairball/witness/v1" || public key)`, 4 bytes (fairness section 5). */
export function witnessKeyId(signer: Signer): Uint8Array {
  return idOf(signer, WITNESS_KEY_TYPE)
}

/** The Ed25519 public key of a secret seed. @param secretSeed 32 bytes @returns 32 bytes */
export function signingPublicKey(secretSeed: Uint8Array): Uint8Array {
  return ed25519.getPublicKey(secretSeed)
}

/** The Ed25519 signature of a statement's text (RFC 8032). @param secretSeed 32 bytes @returns 64 bytes */
export function signText(statementText: string, secretSeed: Uint8Array): Uint8Array {
  return ed25519.sign(asciiBytes(statementText), secretSeed)
}

/** The operator's signature line, without line feed: `— <operator> <base64(key id || signature)>`. */
export function signatureLine(signer: Signer, signature: Uint8Array): string {
  assert(signature.length === SIGNATURE_BYTES, 'an Ed25519 signature has 64 bytes')
  return lineOf(signer.name, concatBytes(keyId(signer), signature))
}

/**
 * What a witness signs: `"fairball/witness/v1\ntime <t>\n" || text` (fairness section 5).
 *
 * @param at when the witness saw the statement, epoch seconds
 */
export function witnessedText(statementText: string, at: number): string {
  assert(Number.isSafeInteger(at) && at >= 0, `not a time: ${at}`)
  return `fairball/witness/v1\ntime ${at}\n${statementText}`
}

/** A witness's signature line, without line feed: base64(key id || u64(time) || signature) (fairness section 5). */
export function witnessSignatureLine(signer: Signer, at: number, signature: Uint8Array): string {
  assert(signature.length === SIGNATURE_BYTES, 'an Ed25519 signature has 64 bytes')
  return lineOf(signer.name, concatBytes(witnessKeyId(signer), u64(BigInt(at)), signature))
}

/** A note: the text, an empty line, the signature lines (C2SP signed-note). */
export function noteOf(statementText: string, signatureLines: readonly string[]): string {
  assert(statementText.endsWith('\n'), 'the text of a note ends with a line feed')
  assert(signatureLines.length > 0 && signatureLines.every((line) => SIGNATURE_LINE.test(line)), 'not signature lines')
  return `${statementText}\n${signatureLines.join('\n')}\n`
}

/** Signs a statement as the operator and gives the note. @param secretSeed 32 bytes */
export function signNote(
  statementText: string,
  { name, secretSeed }: { name: string; secretSeed: Uint8Array },
): string {
  const signer = { name, publicKey: signingPublicKey(secretSeed) }
  return noteOf(statementText, [signatureLine(signer, signText(statementText, secretSeed))])
}

/**
 * Takes a note apart, strictly; null for what is none. Never throws: notes come from anywhere. Nothing is verified.
 */
export function parseNote(note: string): SignedNote | null {
  const end = note.lastIndexOf('\n\n')
  if (end < 0 || !note.endsWith('\n')) return null
  const lines = note.slice(end + 2, -1).split('\n')
  // A line that stands twice says nothing new; without it every note has one text, and no change goes unseen.
  if (lines.length > MOST_SIGNATURES || new Set(lines).size !== lines.length) return null
  const signatures = lines.map(parseSignatureLine)
  return signatures.every((signature) => signature !== null) ? { text: note.slice(0, end + 1), signatures } : null
}

/**
 * The text of a note that carries a valid signature of the signer, or null. Signatures of others are passed over; one that
 * claims to be the signer's and is not valid spoils the note (C2SP signed-note).
 */
export function verifyNote(note: string, signer: Signer): string | null {
  const parsed = parseNote(note)
  if (parsed === null) return null
  const own = signaturesOf(parsed, signer.name, keyId(signer))
  const areValid = own.every(({ data }) => isValid(data, parsed.text, signer.publicKey))
  return own.length > 0 && areValid ? parsed.text : null
}

/**
 * When a witness saw the text of a note, epoch seconds, by its valid signature line; null without one. Of several the
 * earliest counts (fairness section 5).
 */
export function witnessedAt(note: string, witness: Signer): number | null {
  const parsed = parseNote(note)
  if (parsed === null) return null
  const times = signaturesOf(parsed, witness.name, witnessKeyId(witness)).map(({ data }) => {
    if (data.length !== TIME_BYTES + SIGNATURE_BYTES) return null
    const at = Number(readU64(data, 0))
    if (!Number.isSafeInteger(at)) return null
    return isValid(data.subarray(TIME_BYTES), witnessedText(parsed.text, at), witness.publicKey) ? at : null
  })
  if (times.length === 0 || !times.every((at) => at !== null)) return null
  return Math.min(...times)
}

function idOf({ name, publicKey }: Signer, keyType: Uint8Array): Uint8Array {
  assert(NAME.test(name), `not a name of a signer: ${name}`)
  assert(publicKey.length === PUBLIC_KEY_BYTES, 'an Ed25519 public key has 32 bytes')
  return sha256(concatBytes(asciiBytes(name), keyType, publicKey)).slice(0, KEY_ID_BYTES)
}

function lineOf(name: string, data: Uint8Array): string {
  return `— ${name} ${base64.encode(data)}`
}

function parseSignatureLine(line: string): NoteSignature | null {
  const [, name, encoded] = SIGNATURE_LINE.exec(line) ?? []
  if (name === undefined || encoded === undefined) return null
  const data = decodeBase64(encoded)
  if (data === null || data.length <= KEY_ID_BYTES) return null
  return { name, keyId: data.subarray(0, KEY_ID_BYTES), data: data.subarray(KEY_ID_BYTES) }
}

function decodeBase64(encoded: string): Uint8Array | null {
  try {
    const data = base64.decode(encoded)
    return base64.encode(data) === encoded ? data : null
  } catch {
    return null // not base64; the library has no way to say so without throwing
  }
}

function signaturesOf({ signatures }: SignedNote, name: string, id: Uint8Array): NoteSignature[] {
  return signatures.filter((signature) => signature.name === name && equalBytes(signature.keyId, id))
}

function isValid(signature: Uint8Array, text: string, publicKey: Uint8Array): boolean {
  try {
    // The strict rules of RFC 8032, not the lenient ones of ZIP 215: one encoding for every point.
    return ed25519.verify(signature, asciiBytes(text), publicKey, { zip215: false })
  } catch {
    return false // a signature or key of a wrong length, or a text that is not ASCII
  }
}
