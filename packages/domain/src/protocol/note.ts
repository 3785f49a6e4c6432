import { assert } from '../assert.ts'
import { asciiBytes, concatBytes, equalBytes, fromBase64, toBase64, toHex, u64, utf8Bytes, viewOf } from './bytes.ts'
import { isSigned, publicKeyOf, sign } from './ed25519.ts'
import { nobleHash } from './hash.ts'
import { NOTE_BYTES, NOTE_SIGNATURES } from './numbers.ts'
import { partsOf } from './parts.ts'

/** Signed notes, signatures of logs and cosignatures of witnesses (section 3; C2SP signed-note, tlog-cosignature). */

/** A signature line of a note. The content of `data` depends on the kind of key. */
interface NoteSignature {
  readonly name: string
  /** 4 bytes: identifies the key among those of the name */
  readonly keyId: Uint8Array
  /** the signature; a witness's is preceded by its time, 8 bytes */
  readonly data: Uint8Array
}

/** A parsed note, not verified. */
export interface SignedNote {
  /** including its final line feed */
  readonly text: string
  readonly signatures: readonly NoteSignature[]
}

/** A key that a verifier knows. */
export interface NoteKey {
  readonly name: string
  /** Ed25519, 32 bytes */
  readonly publicKey: Uint8Array
}

/** Key types: of a log's signatures and of a witness's cosignatures. */
export const LOG_KEY_TYPE = 0x01
export const WITNESS_KEY_TYPE = 0x04

const LINE_FEED = Uint8Array.of(0x0a)
const KEY_ID_BYTES = 4
const PUBLIC_KEY_BYTES = 32
const TIME_BYTES = 8
/** A name has neither spaces nor plus signs (C2SP signed-note). In this protocol it is ASCII. */
const NAME = /^[\x21-\x2a\x2c-\x7e]+$/
const SIGNATURE_LINE = /^— ([\x21-\x2a\x2c-\x7e]+) ([A-Za-z0-9+/]+={0,2})$/
const VERIFIER_KEY = /^([\x21-\x2a\x2c-\x7e]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+={0,2})$/

/** The id of a key: the first 4 bytes of `H(name || 0x0A || type || public key)`. */
export function keyId({ name, publicKey }: NoteKey, type: number): Uint8Array {
  assert(NAME.test(name), `not the name of a key: ${name}`)
  assert(publicKey.length === PUBLIC_KEY_BYTES, 'an Ed25519 public key has 32 bytes')
  return nobleHash(asciiBytes(name), LINE_FEED, Uint8Array.of(type), publicKey).slice(0, KEY_ID_BYTES)
}

/** A key in the form used in policies: `<name>+<id>+<base64(type || public key)>` (C2SP signed-note). */
export function verifierKey(key: NoteKey, type: number): string {
  return `${key.name}+${toHex(keyId(key, type))}+${toBase64(concatBytes(Uint8Array.of(type), key.publicKey))}`
}

/**
 * Reads a key of a type in the form used in policies.
 *
 * @throws RangeError for anything else, including a wrong key id
 */
export function readVerifierKey(text: string, type: number): NoteKey {
  const parts = partsOf<[string, string, string]>(VERIFIER_KEY, text)
  assert(parts !== null, `not a key: ${text}`)
  const [name, id, encoded] = parts
  const data = fromBase64(encoded)
  assert(data.length === 1 + PUBLIC_KEY_BYTES && data[0] === type, `not a key of type ${type}: ${text}`)
  const key = { name, publicKey: data.slice(1) }
  assert(toHex(keyId(key, type)) === id, `the id of this key is not its own: ${text}`)
  return key
}

/**
 * Parses a note: text, empty line, signature lines. Null if it is too long, has a duplicate line or a malformed one.
 * Never throws.
 */
export function readNote(note: string): SignedNote | null {
  if (note.length > NOTE_BYTES || !note.isWellFormed() || utf8Bytes(note).length > NOTE_BYTES) return null
  const end = note.lastIndexOf('\n\n')
  if (end < 0 || !note.endsWith('\n')) return null
  const lines = note.slice(end + 2, -1).split('\n')
  // A duplicate line adds nothing. Without duplicates a note has exactly one text, so that every change is noticed.
  if (lines.length > NOTE_SIGNATURES || new Set(lines).size !== lines.length) return null
  const signatures = lines.map(readSignatureLine)
  return signatures.every((signature) => signature !== null) ? { text: note.slice(0, end + 1), signatures } : null
}

/** Assembles a note. @param lines signature lines without line feeds @throws RangeError for lines of another form */
export function writeNote(text: string, lines: readonly string[]): string {
  assert(text.endsWith('\n'), 'the text of a note ends with a line feed')
  const note = `${text}\n${lines.map((line) => `${line}\n`).join('')}`
  assert(readNote(note)?.text === text, 'these lines make no note')
  return note
}

/** The signature line of a log: `— <name> base64(key id || signature)`. @param secretSeed 32 bytes */
export function signatureLine(text: string, name: string, secretSeed: Uint8Array): string {
  const key = { name, publicKey: publicKeyOf(secretSeed) }
  return `— ${name} ${toBase64(concatBytes(keyId(key, LOG_KEY_TYPE), sign(asciiBytes(text), secretSeed)))}`
}

/** Signs a text as a log and returns the note. @param secretSeed 32 bytes */
export function signNote(text: string, name: string, secretSeed: Uint8Array): string {
  return writeNote(text, [signatureLine(text, name, secretSeed)])
}

/** The text that a witness signs for a checkpoint: `cosignature/v1`, time and checkpoint (C2SP tlog-cosignature). */
export function cosignedText(checkpointText: string, at: number): string {
  assert(Number.isSafeInteger(at) && at >= 0, `not a time: ${at}`)
  return `cosignature/v1\ntime ${at}\n${checkpointText}`
}

/**
 * The signature line of a witness: base64(key id || u64 time || signature).
 *
 * @param at epoch seconds
 * @param secretSeed 32 bytes
 */
export function cosignatureLine(checkpointText: string, name: string, at: number, secretSeed: Uint8Array): string {
  const key = { name, publicKey: publicKeyOf(secretSeed) }
  const signature = sign(asciiBytes(cosignedText(checkpointText, at)), secretSeed)
  return `— ${name} ${toBase64(concatBytes(keyId(key, WITNESS_KEY_TYPE), u64(at), signature))}`
}

/**
 * Whether a note has a log key's signature. Lines of other keys are ignored; an invalid line that claims to be of this
 * key invalidates the note (C2SP signed-note).
 */
export function isSignedBy({ text, signatures }: SignedNote, key: NoteKey): boolean {
  const own = linesOf(signatures, key, LOG_KEY_TYPE)
  const message = utf8Bytes(text)
  return own.length > 0 && own.every(({ data }) => isSigned(message, data, key.publicKey))
}

/** The times at which a witness saw the text of a note, by its valid lines, epoch seconds. */
export function cosignedAt({ text, signatures }: SignedNote, witness: NoteKey): number[] {
  return linesOf(signatures, witness, WITNESS_KEY_TYPE).flatMap(({ data }) => {
    if (data.length <= TIME_BYTES) return []
    const at = Number(viewOf(data).getBigUint64(0))
    if (!Number.isSafeInteger(at)) return []
    const message = utf8Bytes(cosignedText(text, at))
    return isSigned(message, data.subarray(TIME_BYTES), witness.publicKey) ? [at] : []
  })
}

function readSignatureLine(line: string): NoteSignature | null {
  const parts = partsOf<[string, string]>(SIGNATURE_LINE, line)
  if (parts === null) return null
  const [name, encoded] = parts
  try {
    const data = fromBase64(encoded)
    return data.length <= KEY_ID_BYTES
      ? null
      : { name, keyId: data.subarray(0, KEY_ID_BYTES), data: data.subarray(KEY_ID_BYTES) }
  } catch {
    return null // not canonical base64: the decoder throws
  }
}

function linesOf(signatures: readonly NoteSignature[], key: NoteKey, type: number): NoteSignature[] {
  const id = keyId(key, type)
  return signatures.filter((signature) => signature.name === key.name && equalBytes(signature.keyId, id))
}
