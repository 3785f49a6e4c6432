import { describe, expect, it } from 'vitest'
import { asciiBytes, utf8Bytes } from './bytes.ts'
import { checkpointText } from './checkpoint.ts'
import { nobleHash, textHash } from './hash.ts'
import { signNote } from './note.ts'
import { MissingFile, RemoteError, RemoteLog, RemoteTree, rootsOfHeads } from './remote-log.ts'
import { getFrom, servedFiles, type ServedFiles, serveTree } from './served-files-fixture.ts'
import { leafHash, rootOf } from './tree.ts'
import { bundleOf, DEFAULT_TRUST, VECTOR_ROUNDS } from './vectors-fixture.ts'
import { verifyBundle } from './verify.ts'

const leavesOf = (size: number): Uint8Array[] => Array.from({ length: size }, (_, index) => asciiBytes(`leaf ${index}`))
const rootOfLeaves = (leaves: readonly Uint8Array[]): Uint8Array =>
  rootOf(
    nobleHash,
    leaves.map((leaf) => leafHash(nobleHash, leaf)),
  )

const SIZES = [1, 2, 5, 255, 256, 257, 511, 512, 700]

describe('a tree that is served as tiles', () => {
  it.each(SIZES)('a served tree of %i leaves gives every entry and every earlier root', async (size) => {
    const leaves = leavesOf(size)
    const files: ServedFiles = new Map()
    serveTree(files, 'draw/x/', leaves)
    const tree = new RemoteTree(getFrom(files).get, 'draw/x/', { size, root: rootOfLeaves(leaves) })
    const entries = await Promise.all(Array.from({ length: Math.ceil(size / 256) }, (_, index) => tree.entries(index)))
    expect(entries.flat()).toEqual(leaves)
    for (const older of SIZES.filter((it) => it <= size)) {
      expect(await tree.rootAt(older)).toEqual(rootOfLeaves(leaves.slice(0, older)))
    }
  })

  it('a tree is read at an older head from files that have become full since', async () => {
    const leaves = leavesOf(300)
    const files: ServedFiles = new Map()
    serveTree(files, '', leaves)
    const tree = new RemoteTree(getFrom(files).get, '', { size: 100, root: rootOfLeaves(leaves.slice(0, 100)) })
    expect(await tree.entries(0)).toEqual(leaves.slice(0, 100))
  })

  it('a file with one changed byte is refused', async () => {
    const leaves = leavesOf(700)
    const served: ServedFiles = new Map()
    serveTree(served, '', leaves)
    for (const [path, bytes] of served) {
      for (const at of [3, bytes.length - 1]) {
        const changed = bytes.map((byte, place) => (place === at ? byte ^ 1 : byte))
        const files = new Map([...served, [path, changed]])
        const tree = new RemoteTree(getFrom(files).get, '', { size: 700, root: rootOfLeaves(leaves) })
        // Reads the hashes of all leaves and all entries, and so every file.
        const all = [0, 1, 2].flatMap((index) => [tree.entries(index), tree.node({ level: 0, index: 256 * index })])
        const outcomes = await Promise.allSettled(all)
        const refused = outcomes.filter(({ status }) => status === 'rejected')
        expect(refused.length, `${path} ${at}`).toBeGreaterThan(0)
        for (const one of refused) expect(one).toMatchObject({ reason: { name: 'RemoteError' } })
      }
    }
  })

  it('the error names the file that is missing, cut off or too short', async () => {
    const leaves = leavesOf(300)
    const served: ServedFiles = new Map()
    serveTree(served, 'draw/x/', leaves)
    const read = (path: string, bytes: Uint8Array | null) => {
      const files = new Map(served)
      if (bytes === null) files.delete(path)
      else files.set(path, bytes)
      return new RemoteTree(getFrom(files).get, 'draw/x/', { size: 300, root: rootOfLeaves(leaves) })
    }
    const path = 'draw/x/tile/entries/001.p/44'
    const entries = served.get(path) ?? new Uint8Array()
    await expect(read(path, null).entries(1)).rejects.toThrow(new MissingFile(path))
    await expect(read(path, entries.slice(0, -1)).entries(1)).rejects.toThrow('ends early')
    await expect(read(path, entries.slice(0, 10)).entries(1)).rejects.toThrow('does not lead to the head')
    const tile = 'draw/x/tile/1/000.p/1'
    await expect(read(tile, new Uint8Array(31)).entries(0)).rejects.toThrow('too short')
    await expect(read(tile, new Uint8Array(32)).entries(0)).rejects.toThrow('do not lead to the head')
  })
})

describe('a log that is served', () => {
  const bundle = bundleOf('honest')
  const texts = bundle.statements.map(({ text }) => text)

  it('a served log gives the texts of its statements and their values', async () => {
    const log = await RemoteLog.open(getFrom(servedFiles(bundle, texts)).get)
    expect(log.size).toBe(texts.length)
    expect(await Promise.all(texts.map((_, index) => log.statement(index)))).toEqual(texts)
    expect(await log.logged(2)).toMatchObject({ index: 2, hash: textHash(texts[2] ?? ''), statement: { type: 'open' } })
    expect(await log.loggedOfTile(0)).toHaveLength(texts.length)
  })

  it('a served log is read with one request per file', async () => {
    const { asked, get } = getFrom(servedFiles(bundle, texts))
    const log = await RemoteLog.open(get)
    for (const index of [0, 1, 2, 3]) await log.logged(index)
    expect(new Set(asked).size).toBe(asked.length)
  })

  it('a leaf that is not a statement or not text is skipped', async () => {
    const leaves = [asciiBytes('hello\n'), Uint8Array.of(0xff), asciiBytes(texts[0] ?? '')]
    const files: ServedFiles = new Map()
    serveTree(files, '', leaves)
    const note = signNote(
      checkpointText('a.example/fairball', { size: 3, root: rootOfLeaves(leaves) }),
      'a',
      new Uint8Array(32),
    )
    const log = new RemoteLog(getFrom(files).get, note)
    expect(await Promise.all([0, 1, 2].map(async (index) => (await log.logged(index))?.statement.type))).toEqual([
      undefined,
      undefined,
      'log',
    ])
    expect(await log.statement(0)).toBe('hello\n')
    await expect(log.statement(1)).rejects.toThrow('Leaf 1 of the log is no text.')
  })

  it('a served log must have a checkpoint', async () => {
    await expect(RemoteLog.open(getFrom(new Map()).get)).rejects.toThrow(MissingFile)
    for (const bytes of [utf8Bytes('hello'), Uint8Array.of(0xff)]) {
      await expect(RemoteLog.open(getFrom(new Map([['checkpoint', bytes]])).get)).rejects.toThrow(RemoteError)
    }
  })

  it('a served log is compared with kept heads', { timeout: 60_000 }, async () => {
    const log = await RemoteLog.open(getFrom(servedFiles(bundle, texts)).get)
    const seal = bundle.draws[0]?.seal?.checkpoint ?? ''
    const other = bundleOf('honest-short').head
    const trust = (heads: readonly string[]) => ({ ...DEFAULT_TRUST, heads })
    const verify = async (heads: readonly string[], size?: number, root?: Uint8Array | null) => {
      const roots = await rootsOfHeads(log, heads)
      if (size !== undefined && root !== undefined) roots.set(size, root)
      return verifyBundle(bundle, trust(heads), { ...VECTOR_ROUNDS, roots })
    }
    expect(await rootsOfHeads(log, [seal, other, 'no head', seal.replace('lottery', 'other')])).toEqual(
      new Map([
        [5, await log.tree.rootAt(5)],
        [Number(other.split('\n')[1]), log.checkpoint.root],
      ]),
    )
    expect((await verify([seal])).outcome).toBe('proved')
    expect((await verify([seal], 5, new Uint8Array(32))).failed).toEqual(['log.remembered'])
    expect((await verify([seal], 5, null)).checks['log.remembered']?.status).toBe('unknown')
  })
})
