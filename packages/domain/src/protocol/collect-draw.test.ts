import { describe, expect, it } from 'vitest'
import { asciiBytes, toHex, utf8Text } from './bytes.ts'
import { collected, FiledLog, servedSeal } from './filed-log-fixture.ts'
import { nobleHash } from './hash.ts'
import { JsonError } from './json.ts'
import { RANGE_STATEMENTS } from './numbers.ts'
import { type ServedFiles, serveTree } from './served-files-fixture.ts'
import { ShapeError } from './shapes.ts'
import { NO_HASH } from './statement-codecs.ts'
import { writeEntries } from './tiles.ts'
import { leafHash } from './tree.ts'

/** What a bundle has of a draw besides statements: seals, beacon, and the close whose plays are judged. */

const LEAF = asciiBytes('a play')
/** A close with one play. */
const ONE_PLAY = { size: 1, root: toHex(leafHash(nobleHash, LEAF)), sold: NO_HASH, last: NO_HASH }
const NO_PLAYS = { size: 0, root: toHex(nobleHash()), sold: NO_HASH, last: NO_HASH }

/** Serves a seal for each hash; the `start` of a seal is its place in the list, from 1. */
function serveSeals(files: ServedFiles, hashes: readonly string[]): void {
  for (const [place, hash] of hashes.entries()) files.set(`seal/${hash}`, servedSeal(files, place + 1))
}

/** A draw of a log, as its bundle has it. */
async function drawOf(files: ServedFiles, open: string) {
  const { bundle } = await collected(files, [open])
  const [draw] = bundle.draws
  if (draw === undefined) throw new Error('no draw')
  return draw
}

/** A log with a draw that is closed twice. */
function closedTwice() {
  const log = new FiledLog()
  const open = log.add('open', {})
  const closes = [log.add('close', { open, ...ONE_PLAY }), log.add('close', { open, ...NO_PLAYS })]
  return { log, open, closes }
}

describe('the seal and plays of a draw', () => {
  it('a result brings the seal and plays of the close that it names', async () => {
    const { log, open, closes } = closedTwice()
    const result = log.add('result', { close: closes[0] ?? '', last: NO_HASH })
    const files = log.files()
    serveTree(files, `draw/${open}/`, [LEAF])
    serveSeals(files, [...closes, result])
    const draw = await drawOf(files, open)
    expect(draw.seal?.start).toBe(1)
    expect(draw.plays).toEqual({ sections: null, parts: [{ section: 0, leaves: writeEntries([LEAF]) }] })
  })

  it('without a result, the newest close or postponement brings the seal, and the newest close the plays', async () => {
    const { log, open, closes } = closedTwice()
    const files = log.files()
    serveSeals(files, closes)
    expect(await drawOf(files, open)).toMatchObject({ seal: { start: 2 }, plays: { parts: [] }, tail: null })
    const postpone = log.add('postpone', { open })
    const more = log.files()
    serveSeals(more, [...closes, postpone])
    const draw = await drawOf(more, open)
    expect(draw).toMatchObject({ seal: { start: 3 }, postpones: [{ start: 3 }] })
    expect(draw.plays).toEqual({ sections: null, parts: [] })
  })

  it('a void brings its own seal, or else that of the newest close', async () => {
    const { log, open, closes } = closedTwice()
    const ended = log.add('void', { open, close: NO_HASH, last: NO_HASH })
    const files = log.files()
    serveSeals(files, closes)
    expect((await drawOf(files, open)).seal?.start).toBe(2)
    serveSeals(files, [...closes, ended])
    expect((await drawOf(files, open)).seal?.start).toBe(3)
  })

  it('postponements of other draws, and those without a seal, are left out', async () => {
    const log = new FiledLog()
    const open = log.add('open', { draw: 1 })
    const postpones = [log.add('postpone', { open, round: 1 }), log.add('postpone', { open, round: 2 })]
    const other = log.add('open', { draw: 2 })
    const others = log.add('postpone', { open: other })
    const files = log.files()
    serveSeals(files, [...postpones.slice(0, 1), others])
    expect(await drawOf(files, open)).toMatchObject({ seal: { start: 1 }, postpones: [{ start: 1 }] })
    expect(await drawOf(files, other)).toMatchObject({ seal: { start: 2 }, postpones: [{ start: 2 }] })
  })

  it('what is served as a seal but is none is refused, with the reason', async () => {
    const { log, open, closes } = closedTwice()
    const files = log.files()
    const path = `seal/${closes[1]}`
    for (const [bytes, why] of [
      [servedSeal(files, 1, 'no checkpoint'), {}],
      [asciiBytes('{}'), { cause: expect.any(ShapeError) }],
      [asciiBytes('hello'), { cause: expect.any(JsonError) }],
    ] as const) {
      files.set(path, bytes)
      await expect(drawOf(files, open)).rejects.toMatchObject({ message: `${path} is no seal.`, ...why })
    }
  })
})

describe('the range of a draw without a seal', () => {
  const CLOSE = 1_700_000_000
  const ended = { close: NO_HASH, last: NO_HASH, time: CLOSE + 60 } as const

  it('a void draw has the range up to the head, from the last statement before the end of its sales', async () => {
    const log = new FiledLog()
    const open = log.add('open', { time: CLOSE - 60, close: CLOSE })
    log.add('sold', { open, time: CLOSE - 1 })
    log.add('sold', { open, time: CLOSE })
    log.fill(1)
    log.add('void', { open, ...ended })
    log.fill(1)
    const files = log.files()
    const { seal, tail } = await drawOf(files, open)
    expect(seal).toMatchObject({ start: 3, statements: log.leaves.slice(3) })
    expect(seal?.checkpoint).toBe(utf8Text(files.get('checkpoint') ?? new Uint8Array()))
    expect(tail).toBeNull()
  })

  it('if every statement is later, the range begins with the log', async () => {
    const log = new FiledLog()
    const open = log.add('open', { close: 0 })
    log.add('void', { open, ...ended })
    expect((await drawOf(log.files(), open)).seal).toMatchObject({ start: 0, statements: log.leaves })
  })

  it('a range that is longer than a bundle may have is left out', async () => {
    const log = new FiledLog()
    const open = log.add('open', { time: CLOSE - 60, close: CLOSE })
    log.add('void', { open, ...ended })
    log.fill(RANGE_STATEMENTS - 2)
    expect((await drawOf(log.files(), open)).seal?.statements).toHaveLength(RANGE_STATEMENTS)
    log.fill(1)
    expect((await drawOf(log.files(), open)).seal).toBeNull()
  })

  it('a draw that is not over has no range', async () => {
    const log = new FiledLog()
    const open = log.add('open', {})
    expect(await drawOf(log.files(), open)).toMatchObject({ seal: null, tail: null, beacon: null, plays: null })
  })
})

describe('the beacon of a draw', () => {
  const signature = 'ab'.repeat(48)

  it('the round and signature of a result are read exactly', async () => {
    const { log, open, closes } = closedTwice()
    log.add('result', { close: closes[1] ?? '', last: NO_HASH })
    const files = log.files()
    const path = `draw/${open}/beacon`
    for (const round of [0, 7, 9_007_199_254_740_991]) {
      files.set(path, asciiBytes(`${round} ${signature}\n`))
      expect((await drawOf(files, open)).beacon).toEqual({ round, signature })
    }
    for (const text of [
      ` 7 ${signature}\n`,
      `07 ${signature}\n`,
      `7 ${signature}`,
      `7 ${signature}\n\n`,
      `7 ${signature}00\n`,
      `7 ${signature.toUpperCase()}\n`,
      `7 ${signature.slice(2)}\n`,
      '',
    ]) {
      files.set(path, asciiBytes(text))
      await expect(drawOf(files, open), text).rejects.toThrow(`${path} is no round with its signature.`)
    }
  })

  it('a draw without a result has no beacon, whatever is served', async () => {
    const { log, open } = closedTwice()
    const isNone = async () => {
      const files = log.files()
      files.set(`draw/${open}/beacon`, asciiBytes(`7 ${signature}\n`))
      expect((await drawOf(files, open)).beacon).toBeNull()
    }
    await isNone()
    log.add('void', { open, close: NO_HASH, last: NO_HASH })
    await isNone()
  })
})
