import { toHex } from '@fairball/domain/fairness/bytes'
import {
  noteOf,
  parseNote,
  signingPublicKey,
  signText,
  witnessedText,
  witnessSignatureLine,
} from '@fairball/domain/fairness/signed-note'
import type { Witnesses } from '@fairball/domain/fairness/statements'

/** A witness of a test's own, and the `witness` line of draws that need it. */
export function testWitness(name = 'alice') {
  const secretSeed = new Uint8Array(32).fill(3)
  const publicKey = signingPublicKey(secretSeed)
  const witnesses: Witnesses = { required: 1, list: [{ name, publicKey: toHex(publicKey) }] }
  return {
    witnesses,
    /** The note over a statement, as the witness returns it. @param at when it says it saw it, epoch seconds */
    sign(note: string, at: number): string {
      const text = parseNote(note)?.text ?? ''
      return noteOf(text, [
        witnessSignatureLine({ name, publicKey }, at, signText(witnessedText(text, at), secretSeed)),
      ])
    },
  }
}
