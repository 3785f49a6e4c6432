import { fromBase64 } from '@fairball/domain/protocol/bytes'
import { readNote, type SignedNote } from '@fairball/domain/protocol/note'

/** What a log asks of a witness (C2SP tlog-witness, `add-checkpoint`). */
export interface CheckpointRequest {
  /** the size that the log believes the witness holds */
  readonly oldSize: number
  /** a consistency proof from that size, hashes of 32 bytes */
  readonly proof: readonly Uint8Array[]
  /** the first line of the checkpoint: which log it is of */
  readonly origin: string
  /** the checkpoint as it came, with its signatures */
  readonly note: string
}

/** The most bytes of a request: a proof, and a note of 128 kB. */
export const MAX_REQUEST_BYTES = 140_000
const MAX_PROOF_LINES = 63
const OLD_SIZE = /^old (0|[1-9][0-9]{0,15})$/
const HASH = /^[A-Za-z0-9+/]{43}=$/

/** Reads the body of a request; null for what is none. Nothing of it is verified. */
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
    return null // bits that no base64 has, which is said by throwing
  }
}

function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null // no UTF-8, which is said by throwing
  }
}
