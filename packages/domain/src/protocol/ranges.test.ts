import { describe, expect, it } from 'vitest'
import type { Seal, Tail } from './bundle.ts'
import { asciiBytes, toHex } from './bytes.ts'
import { checkpointText, readCheckpoint } from './checkpoint.ts'
import { publicKeyOf } from './ed25519.ts'
import { nobleHash } from './hash.ts'
import { KnownLog } from './known-log.ts'
import { signNote } from './note.ts'
import { readSeal, readTail } from './ranges.ts'
import { consistencyNodes, leafHash, peakNodes, proofOf, rootOf, type TreeNode } from './tree.ts'
import { writeStatement } from './statements.ts'

const ORIGIN = 'a.example/fairball'
const SEED = new Uint8Array(32).fill(3)
const SIZE = 7
/** Two pairs of statements have one time. */
const TIMES = [10, 10, 20, 30, 30, 40, 50]

const textOf = (time: number, place: number, log = ORIGIN): string =>
  writeStatement({ type: 'key', log, time, key: String(place).padStart(64, '0'), next: 'a'.repeat(64) })

/** A log with statements of these times. */
class Log {
  readonly texts: string[]
  readonly #hashes: Uint8Array[]

  constructor(times: readonly number[] = TIMES) {
    this.texts = times.map((time, place) => textOf(time, place))
    this.#hashes = this.texts.map((text) => leafHash(nobleHash, asciiBytes(text)))
  }

  readonly node = ({ level, index }: TreeNode): Uint8Array =>
    rootOf(nobleHash, this.#hashes.slice(index * 2 ** level, (index + 1) * 2 ** level))

  checkpoint(size: number, seed = SEED, leaves = size): string {
    const root = rootOf(nobleHash, this.#hashes.slice(0, leaves))
    return signNote(checkpointText(ORIGIN, { size, root }), ORIGIN, seed)
  }

  known(): KnownLog {
    const head = readCheckpoint(this.checkpoint(SIZE))
    if (head === null) throw new Error('no head')
    return new KnownLog(ORIGIN, head, [{ index: 0, time: 10, publicKey: publicKeyOf(SEED) }], [])
  }

  left(start: number): string[] {
    return peakNodes(0, start).map((place) => toHex(this.node(place)))
  }

  consistency(size: number): string[] {
    return proofOf(nobleHash, consistencyNodes(size, SIZE), this.node).map(toHex)
  }

  seal(start: number, size: number): Seal {
    const statements = this.texts.slice(start, size)
    return {
      checkpoint: this.checkpoint(size),
      start,
      left: this.left(start),
      statements,
      consistency: this.consistency(size),
    }
  }

  tail(size: number, end: number): Tail {
    return { left: this.left(size), statements: this.texts.slice(size, end), consistency: this.consistency(end) }
  }
}

const readIndexes = (read: ReturnType<typeof readTail>): string | number[] =>
  typeof read === 'string' ? read : read.map(({ index }) => index)

function sealIndexes(log: Log, seal: Seal): string | number[] {
  const read = readSeal(log.known(), seal, nobleHash)
  return typeof read === 'string' ? read : readIndexes(read.statements)
}

function tailIndexes(log: Log, seal: Seal, tail: Tail): string | number[] {
  const read = readSeal(log.known(), seal, nobleHash)
  if (typeof read === 'string') throw new Error(read)
  return readIndexes(readTail(log.known(), read, tail, nobleHash))
}

describe('a seal', () => {
  it('a seal is read if its statements lead from any start to any checkpoint of the log', () => {
    const log = new Log()
    for (let size = 1; size <= SIZE; size += 1)
      for (let start = 0; start < size; start += 1)
        expect(sealIndexes(log, log.seal(start, size))).toEqual(
          Array.from({ length: size - start }, (_, place) => start + place),
        )
  })

  it('a statement of a seal is known by its text, hash and index', () => {
    const log = new Log()
    const read = readSeal(log.known(), log.seal(3, 4), nobleHash)
    if (typeof read === 'string') throw new Error(read)
    const [text = ''] = log.texts.slice(3)
    expect(read.statements).toMatchObject([
      { index: 3, text, hash: toHex(nobleHash(asciiBytes(text))), statement: { type: 'key', time: 30 } },
    ])
    expect(read.checkpoint).toMatchObject({ origin: ORIGIN, size: 4 })
  })

  const unsigned = 'its checkpoint is not signed by the key of the log'
  const noStart = 'the hashes before the range are not as many as its start has'
  const foreign = 'a statement of the range is none of this log, or its times go down'
  const elsewhere = 'the statements do not lead to the checkpoint'
  it.each<[(log: Log) => Partial<Seal>, string]>([
    [() => ({ checkpoint: 'no note' }), unsigned],
    [(log) => ({ checkpoint: log.checkpoint(5, new Uint8Array(32).fill(4)) }), unsigned],
    [(log) => ({ left: log.left(3).slice(1) }), noStart],
    [(log) => ({ left: [...log.left(3), 'a'.repeat(64)] }), noStart],
    [() => ({ statements: [] }), foreign],
    [(log) => ({ statements: [...log.texts.slice(3, 4), 'no statement\n'] }), foreign],
    [(log) => ({ statements: [...log.texts.slice(3, 4), textOf(30, 4, 'b.example/fairball')] }), foreign],
    [(log) => ({ statements: [...log.texts.slice(3, 4), textOf(29, 4)] }), foreign],
    [(log) => ({ statements: Array<string>(10_001).fill(log.texts[3] ?? '') }), foreign],
    [(log) => ({ statements: log.texts.slice(3, 4) }), elsewhere],
    [(log) => ({ statements: log.texts.slice(3, 6) }), elsewhere],
    [(log) => ({ statements: [...log.texts.slice(3, 4), textOf(30, 9)] }), elsewhere],
    [(log) => ({ left: log.left(3).toReversed() }), elsewhere],
    [(log) => ({ checkpoint: log.checkpoint(6, SEED, 5) }), elsewhere],
    [() => ({ consistency: [] }), 'the head of the log does not continue the checkpoint'],
  ])('a seal with one fault is not of the log: %#', (change, why) => {
    const log = new Log()
    expect(sealIndexes(log, { ...log.seal(3, 5), ...change(log) })).toBe(why)
  })
})

describe('a tail', () => {
  it('a tail is read if it goes on from the checkpoint of its seal', () => {
    const log = new Log()
    for (let size = 1; size < SIZE; size += 1)
      for (let end = size + 1; end <= SIZE; end += 1)
        expect(tailIndexes(log, log.seal(size - 1, size), log.tail(size, end))).toEqual(
          Array.from({ length: end - size }, (_, place) => size + place),
        )
  })

  const foreign = 'a statement after the seal is none of this log, or its times go down'
  it.each<[(log: Log) => Partial<Tail>, string]>([
    [() => ({ left: [] }), 'the hashes before the tail are not those of the checkpoint'],
    [(log) => ({ left: log.left(3).toReversed() }), 'the tail does not go on from the checkpoint'],
    [() => ({ statements: [] }), foreign],
    [() => ({ statements: ['no statement\n'] }), foreign],
    [() => ({ statements: [textOf(19, 3)] }), foreign],
    [(log) => ({ statements: log.texts.slice(3, 6) }), 'the head of the log does not continue the tail'],
    [() => ({ consistency: [] }), 'the head of the log does not continue the tail'],
  ])('a tail with one fault is not of the log: %#', (change, why) => {
    const log = new Log()
    expect(tailIndexes(log, log.seal(1, 3), { ...log.tail(3, 5), ...change(log) })).toBe(why)
  })

  it('times do not go down from a seal to its tail', () => {
    const log = new Log([10, 10, 20, 30, 29, 40, 50])
    expect(tailIndexes(log, log.seal(2, 4), log.tail(4, 6))).toBe(foreign)
  })
})
