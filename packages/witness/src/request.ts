import { fromBase64 } from '@fairball/domain/protocol/bytes'
import { readNote, type SignedNote } from '@fairball/domain/protocol/note'

/** A log's request to a witness (C2SP tlog-witness, `add-checkpoint`). */
export interface CheckpointRequest {
  /** the size that the log expects the witness to have */
  readonly oldSize: number
  /** a consistency proof from that size, hashes of 32 bytes */
  readonly proof: readonly Uint8Array[]
  /** the first line of the checkpoint, which names the log */
  readonly origin: string
  /** the checkpoint as received, with its signatures */
  readonly note: string
}

/** Maximum length of a request, in bytes: a proof and a note of 128 kB. */
export const MAX_REQUEST_BYTES = 140_000
const MAX_PROOF_LINES = 63
const OLD_SIZE = /^old (0|[1-9][0-9]{0,15})$/
const HASH = /^[A-Za-z0-9+/]{43}=$/

/** Reads the body of a request; null if it is malformed. Verifies nothing. */
export function readRequest(body: Uint8Array): CheckpointRequest | null {
  const text = textOf(body)
  const end = text?.indexOf('\n\n') ?? -1
  if (text === null || end < 0) return null
  const [first = '', ...lines] = text.slice(0, end).split('\n')
  const [, digits = ''] = OLD_SIZE.exec(first) ?? []
  const oldSize = Number(digits)
  const note = text.slice(end + 2)
  const signed = readNote(note)
  if (digits === '' || !Number.isSafeInteger(oldSize) || signed === null || lines.length > MAX_PROOF_LINES) return null
  const proof = lines.map(hashOf)
  if (!proof.every((hash) => hash !== null)) return null
  return { oldSize, proof, origin: originOf(signed), note }
}

function originOf({ text }: SignedNote): string {
  return text.slice(0, text.indexOf('\n'))
}

function hashOf(line: string): Uint8Array | null {
  if (!HASH.test(line)) return null
  try {
    return fromBase64(line)
  } catch {
    return null // not canonical base64: the decoder throws
  }
}

function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null // not UTF-8: the decoder throws
  }
}
