import { describe, expect, it } from 'vitest'
import type { BundlePaper } from './bundle.ts'
import { asciiBytes, concatBytes, toHex } from './bytes.ts'
import type { CollectRequest } from './collect-bundle.ts'
import { collected, FiledLog } from './filed-log-fixture.ts'
import { nobleHash } from './hash.ts'
import { signNote } from './note.ts'
import { PLAYS_FILE_LEAVES, SECTION_LEAVES, TILE_WIDTH } from './numbers.ts'
import { TEST_LOG_SEED, TEST_ORIGIN } from './operator-fixture.ts'
import { signPaper } from './papers.ts'
import { RemoteError } from './remote-log.ts'
import { getFrom, type ServedFiles, serveTree } from './served-files-fixture.ts'
import { NO_HASH } from './statement-codecs.ts'
import type { StatementOf } from './statements.ts'
import { entriesPath, playsPath, tilePath, writeEntries } from './tiles.ts'
import { foldPeaks, leafHash, nodeHash } from './tree.ts'

/** Which plays of a draw a bundle has: all of them or, of a large draw, the player's sections and a random one. */

const SECTIONS_FILE = asciiBytes('the sections')

/** A log with a closed draw of some plays. */
function drawOf(size: number, root: Uint8Array) {
  const log = new FiledLog()
  const open = log.add('open', {})
  log.add('close', { open, size, root: toHex(root), sold: NO_HASH, last: NO_HASH })
  const files = log.files()
  files.set(`draw/${open}/sections`, SECTIONS_FILE)
  return { open, files }
}

/** A draw of distinct plays, with its files. */
function smallDraw(size: number) {
  const leaves = Array.from({ length: size }, (_, place) => asciiBytes(`play ${place}`))
  const served: ServedFiles = new Map()
  const { open, files } = drawOf(size, serveTree(served, '', leaves))
  for (const [path, bytes] of served) files.set(`draw/${open}/${path}`, bytes)
  return { open, files, leaves }
}

async function playsOf(files: ServedFiles, open: string, request: Partial<CollectRequest> = {}) {
  const { bundle } = await collected(files, [open], request)
  return bundle.draws[0]?.plays
}

describe('the plays of a draw', () => {
  it('plays in many files are fetched in order', async () => {
    for (const size of [1, 300, 2048, 2305]) {
      const { open, files, leaves } = smallDraw(size)
      const plays = await playsOf(files, open)
      expect(plays).toEqual({ sections: null, parts: [{ section: 0, leaves: writeEntries(leaves) }] })
    }
  })

  it('missing plays are left out', async () => {
    const { open, files } = smallDraw(1)
    files.delete(`draw/${open}/${entriesPath({ index: 0, width: 1 })}`)
    expect(await playsOf(files, open)).toBeNull()
  })

  it('files of 4,096 plays are fetched for those of 256, and the rest in files of 256', async () => {
    const { open, files, leaves } = smallDraw(PLAYS_FILE_LEAVES + 300)
    files.set(`draw/${open}/${playsPath(0)}`, writeEntries(leaves.slice(0, PLAYS_FILE_LEAVES)))
    const { asked, get } = getFrom(files)
    const plays = await playsOf(files, open, { get })
    expect(plays?.parts).toEqual([{ section: 0, leaves: writeEntries(leaves) }])
    expect(asked.filter((path) => path.startsWith('draw/') && /plays|entries/.test(path))).toEqual(
      [playsPath(0), entriesPath({ index: 16, width: 256 }), entriesPath({ index: 17, width: 44 })].map(
        (path) => `draw/${open}/${path}`,
      ),
    )
  })

  it('an operator who serves only files of 256 entries is read as well', async () => {
    const { open, files, leaves } = smallDraw(2 * PLAYS_FILE_LEAVES)
    expect((await playsOf(files, open))?.parts).toEqual([{ section: 0, leaves: writeEntries(leaves) }])
    files.delete(`draw/${open}/${entriesPath({ index: 31, width: 256 })}`)
    expect(await playsOf(files, open)).toBeNull()
  })

  it('of a full file that replaced a shorter one, the plays of the close are taken', async () => {
    const { open, files, leaves } = smallDraw(3)
    const paths = [3, TILE_WIDTH].map((width) => `draw/${open}/${entriesPath({ index: 0, width })}`)
    files.set(paths[1] ?? '', writeEntries([...leaves, asciiBytes('play 4')]))
    files.delete(paths[0] ?? '')
    expect((await playsOf(files, open))?.parts).toEqual([{ section: 0, leaves: writeEntries(leaves) }])
    files.set(paths[1] ?? '', writeEntries(leaves).slice(0, -1))
    await expect(playsOf(files, open)).rejects.toThrow('ends early')
  })

  it('after a failure no further file is asked for', async () => {
    const { open, files } = smallDraw(40 * TILE_WIDTH)
    const { asked, get } = getFrom(files)
    const failing = async (path: string) => {
      const file = await get(path)
      if (path.includes('plays') || path.includes('entries/000')) return file
      throw new RemoteError('the connection broke')
    }
    const before = asked.length
    await expect(playsOf(files, open, { get: failing })).rejects.toThrow('the connection broke')
    expect(asked.length - before).toBeLessThan(20)
  })

  it('only a draw with more sections than the limit is fetched in part, with its sections file', async () => {
    const { open, files } = smallDraw(3)
    const chosen: number[] = []
    const random = (below: number) => chosen.push(below) - 1
    expect(await playsOf(files, open, { mostSections: 1, random })).toMatchObject({ sections: null })
    expect(chosen).toEqual([])
    const plays = await playsOf(files, open, { mostSections: 0, random })
    expect(plays).toMatchObject({ sections: SECTIONS_FILE, parts: [{ section: 0 }] })
    expect(chosen).toEqual([1])
  })
})

/** The plays of the last section of the large draw. */
const LAST_PLAYS = 3
const LEAF = asciiBytes('the same play')

/** The root of a perfect tree of equal leaves. */
function perfect(level: number): Uint8Array {
  let root = leafHash(nobleHash, LEAF)
  for (let below = 0; below < level; below += 1) root = nodeHash(nobleHash, root, root)
  return root
}

/** A draw of three sections of equal plays. Of the first, nothing is served. */
function largeDraw() {
  const { open, files } = drawOf(
    2 * SECTION_LEAVES + LAST_PLAYS,
    foldPeaks(nobleHash, [perfect(17), perfect(1), perfect(0)]),
  )
  const serve = (path: string, bytes: Uint8Array) => files.set(`draw/${open}/${path}`, bytes)
  const repeated = (count: number, level: number) => concatBytes(...Array<Uint8Array>(count).fill(perfect(level)))
  const index = 2 * TILE_WIDTH
  serve(tilePath({ level: 2, index: 0, width: 2 }), repeated(2, 16))
  serve(tilePath({ level: 1, index: 1, width: TILE_WIDTH }), repeated(TILE_WIDTH, 8))
  serve(tilePath({ level: 0, index, width: LAST_PLAYS }), repeated(LAST_PLAYS, 0))
  serve(entriesPath({ index, width: LAST_PLAYS }), entries(LAST_PLAYS))
  for (let at = TILE_WIDTH; at < index; at += 1)
    serve(entriesPath({ index: at, width: TILE_WIDTH }), entries(TILE_WIDTH))
  return { open, files }
}

function entries(count: number): Uint8Array {
  return writeEntries(Array<Uint8Array>(count).fill(LEAF))
}

function receipt(open: string, index: number): string {
  const values: StatementOf<'receipt'> = {
    type: 'receipt',
    log: TEST_ORIGIN,
    time: 1,
    order: 'o-1',
    promise: NO_HASH,
    open,
    play: '00'.repeat(16),
    leaf: NO_HASH,
    index,
    statement: NO_HASH,
    supersedes: NO_HASH,
    reason: 'none',
  }
  return signPaper(values, TEST_LOG_SEED)
}

function papers(...notes: readonly string[]): BundlePaper[] {
  return notes.map((note) => ({ note, secret: null, username: null, lines: null, path: [], preimage: null }))
}

describe('the plays of a large draw', () => {
  const { open, files } = largeDraw()
  const sectionsOf = async (random: number, notes: readonly string[] = []) => {
    const below: number[] = []
    const choose = (count: number) => (below.push(count), random)
    const plays = await playsOf(files, open, { mostSections: 2, random: choose, papers: papers(...notes) })
    expect(below).toEqual([3])
    return plays?.parts.map(({ section, leaves }) => [section, leaves.length])
  }
  const lengthOf = (count: number) => entries(count).length

  it('the player’s section and the random one are fetched, in the order of the draw', async () => {
    const own = receipt(open, 2 * SECTION_LEAVES + 1)
    expect(await sectionsOf(1, [own])).toEqual([
      [1, lengthOf(SECTION_LEAVES)],
      [2, lengthOf(LAST_PLAYS)],
    ])
  })

  it('the same section is fetched once', async () => {
    const own = receipt(open, 2 * SECTION_LEAVES)
    expect(await sectionsOf(2, [own, own])).toEqual([[2, lengthOf(LAST_PLAYS)]])
  })

  it('papers of other draws, beyond the draw, or that are no receipts choose no section', async () => {
    const sold = signNote(`fairball/sold/v2\nopen ${open}\n`, TEST_ORIGIN, TEST_LOG_SEED)
    const notes = [
      receipt('ab'.repeat(32), 0),
      receipt(open, 3 * SECTION_LEAVES),
      receipt(open, 9 * SECTION_LEAVES),
      sold,
      'no note',
    ]
    expect(await sectionsOf(2, notes)).toEqual([[2, lengthOf(LAST_PLAYS)]])
  })

  it('without papers only the random section is fetched', async () => {
    const { asked, get } = getFrom(files)
    const plays = await playsOf(files, open, { get, mostSections: 2, random: () => 2 })
    expect(plays?.parts.map(({ section }) => section)).toEqual([2])
    expect(asked).toContain(`draw/${open}/sections`)
  })
})
