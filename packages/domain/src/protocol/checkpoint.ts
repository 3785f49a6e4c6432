import { assert } from '../assert.ts'
import { fromBase64, toBase64 } from './bytes.ts'
import { type NoteKey, readNote, type SignedNote } from './note.ts'
import { partsOf } from './parts.ts'
import type { TreeHead } from './tree.ts'

/** Checkpoints: the head of a log as three lines, in a signed note (section 3; C2SP tlog-checkpoint). */

export interface Checkpoint extends TreeHead {
  /** name of the log: `<operator>/fairball` */
  readonly origin: string
  /** the note that contains it, its signatures not yet verified */
  readonly note: SignedNote
}

const TEXT = /^([\x21-\x2a\x2c-\x7e]+)\n(0|[1-9][0-9]{0,15})\n([A-Za-z0-9+/]{43}=)\n$/

/** The text of a checkpoint, ready to be signed. */
export function checkpointText(origin: string, { size, root }: TreeHead): string {
  const text = `${origin}\n${size}\n${toBase64(root)}\n`
  assert(TEXT.test(text), 'not the head of a log')
  return text
}

/** Reads a note as a checkpoint without extension lines; null for anything else. Verifies nothing and never throws. */
export function readCheckpoint(note: string): Checkpoint | null {
  const signed = readNote(note)
  if (signed === null) return null
  const lines = partsOf<[string, string, string]>(TEXT, signed.text)
  if (lines === null) return null
  const [origin, digits, encoded] = lines
  const size = Number(digits)
  if (!Number.isSafeInteger(size)) return null
  try {
    return { origin, size, root: fromBase64(encoded), note: signed }
  } catch {
    return null // not canonical base64: the decoder throws
  }
}

/** The operator of an origin: its host. Null if the origin is not one of this protocol. */
export function operatorOf(origin: string): string | null {
  return origin.endsWith('/fairball') ? origin.slice(0, -'/fairball'.length) : null
}

/** The log key that signs checkpoints, promises and receipts. */
export function logKey(origin: string, publicKey: Uint8Array): NoteKey {
  return { name: origin, publicKey }
}
