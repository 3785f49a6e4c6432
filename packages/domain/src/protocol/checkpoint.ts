import { assert } from '../assert.ts'
import { fromBase64, toBase64 } from './bytes.ts'
import { type NoteKey, readNote, type SignedNote } from './note.ts'
import type { TreeHead } from './tree.ts'

/** Checkpoints: the head of a log as three lines, in a signed note (section 3; C2SP tlog-checkpoint). */

export interface Checkpoint extends TreeHead {
  /** names the log: `<operator>/fairball` */
  readonly origin: string
  /** the note it stands in, whose signatures are not verified yet */
  readonly note: SignedNote
}

const TEXT = /^([\x21-\x2a\x2c-\x7e]+)\n(0|[1-9][0-9]{0,15})\n([A-Za-z0-9+/]{43}=)\n$/

/** The text of a checkpoint, ready to be signed. */
export function checkpointText(origin: string, { size, root }: TreeHead): string {
  const text = `${origin}\n${size}\n${toBase64(root)}\n`
  assert(TEXT.test(text), 'not the head of a log')
  return text
}

/** Reads a note as a checkpoint without extension lines; null for anything else. Nothing is verified. Never throws. */
export function readCheckpoint(note: string): Checkpoint | null {
  const signed = readNote(note)
  const [, origin = '', digits = '', encoded = ''] = TEXT.exec(signed?.text ?? '') ?? []
  const size = Number(digits)
  if (signed === null || origin === '' || !Number.isSafeInteger(size)) return null
  try {
    return { origin, size, root: fromBase64(encoded), note: signed }
  } catch {
    return null // bits that no base64 has, which is said by throwing
  }
}

/** The operator of an origin: its host. Null where the origin is not of the protocol. */
export function operatorOf(origin: string): string | null {
  return origin.endsWith('/fairball') ? origin.slice(0, -'/fairball'.length) : null
}

/** The key of a log by which its checkpoints, promises and receipts are signed. */
export function logKey(origin: string, publicKey: Uint8Array): NoteKey {
  return { name: origin, publicKey }
}
