import { describe, expect, it } from 'vitest'
import { assert } from '../assert.ts'
import { checkpointText, readCheckpoint } from './checkpoint.ts'
import { publicKeyOf } from './ed25519.ts'
import { nobleHash } from './hash.ts'
import { isSignedAt, KnownLog } from './known-log.ts'
import { readNote, signNote } from './note.ts'

const ORIGIN = 'test.example/fairball'
const [FIRST, SECOND] = [1, 2].map((value) => new Uint8Array(32).fill(value))

/** A log whose second key is announced at index 5, at second 2,000. */
function logOfTwoKeys(): KnownLog {
  assert(FIRST !== undefined && SECOND !== undefined, 'no seeds')
  const keys = [
    { index: 0, time: 1000, publicKey: publicKeyOf(FIRST) },
    { index: 5, time: 2000, publicKey: publicKeyOf(SECOND) },
  ]
  return new KnownLog(ORIGIN, headOf(10, SECOND), keys, [])
}

function headOf(size: number, seed = FIRST, origin = ORIGIN) {
  assert(seed !== undefined, 'no seed')
  const head = readCheckpoint(signNote(checkpointText(origin, { size, root: nobleHash() }), origin, seed))
  assert(head !== null, 'no checkpoint')
  return head
}

describe('the keys of a log', () => {
  const log = logOfTwoKeys()

  it('a checkpoint is signed by the newest key that its tree has', () => {
    const signedBy = (size: number) => [FIRST, SECOND].map((seed) => log.isSigned(headOf(size, seed)))
    expect([1, 5, 6].map(signedBy)).toEqual([
      [true, false],
      [true, false],
      [false, true],
    ])
  })

  it('a checkpoint of another origin, or of the tree without a key, is not signed', () => {
    expect(log.isSigned(headOf(1, FIRST, 'other.example/fairball'))).toBe(false)
    expect(isSignedAt(log.keys, ORIGIN, headOf(0).note, 0)).toBe(false)
    expect(isSignedAt([], ORIGIN, headOf(1).note, 1)).toBe(false)
  })

  it('a paper is signed by the newest key of its time', () => {
    const isSigned = (seed: Uint8Array | undefined, at: number) => {
      const note = seed && readNote(signNote('a paper\n', ORIGIN, seed))
      return note != null && log.isSignedPaper(note, at)
    }
    const at = [999, 1000, 1999, 2000]
    expect(at.map((time) => isSigned(FIRST, time))).toEqual([false, true, true, false])
    expect(at.map((time) => isSigned(SECOND, time))).toEqual([false, false, false, true])
  })
})
