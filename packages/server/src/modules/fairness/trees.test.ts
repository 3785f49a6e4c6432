import { readFileSync } from 'node:fs'
import { toHex, u32 } from '@fairball/domain/protocol/bytes'
import { nobleHash } from '@fairball/domain/protocol/hash'
import { tilePath } from '@fairball/domain/protocol/tiles'
import { isConsistent, isIncluded, leafHash } from '@fairball/domain/protocol/tree'
import { createHash } from 'node:crypto'
import { beforeAll, afterAll, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/database.ts'
import type { Db } from '../../db/pool.ts'
import {
  appendToTree,
  consistencyPath,
  inclusionPath,
  nodesOf,
  playsTree,
  rootAt,
  sectionRoots,
  tileBytes,
} from './trees.ts'

const VECTORS = JSON.parse(
  readFileSync(new URL('../../../../domain/vectors/fairness-v2/trees.json', import.meta.url), 'utf8'),
) as {
  trees: { size: number; root: string; section_roots: string[] }[]
  paths: { index: number; size: number; path: string[] }[]
  consistency: { from: number; to: number; proof: string[] }[]
  tiles_of_70000: Record<string, { bytes: number; sha256: string }>
}
const LARGEST = Math.max(...VECTORS.trees.map(({ size }) => size))
const leafAt = (index: number): Uint8Array => leafHash(nobleHash, u32(index))
const leaves = (start: number, end: number): Uint8Array[] =>
  Array.from({ length: end - start }, (_, place) => leafAt(start + place))
const hexOf = (hashes: readonly Uint8Array[]): string[] => hashes.map(toHex)

describe('a tree kept as tiles', () => {
  let database: TestDatabase
  let db: Db
  beforeAll(async () => {
    database = await testDatabase()
    db = database.db
    // One after the other, as batches come; the last is larger than one write.
    let size = 0
    for (const { size: next } of VECTORS.trees.toSorted((one, other) => one.size - other.size)) {
      const grown = await db.transaction((tx) => appendToTree(tx, 'vectors', size, leaves(size, next)))
      expect(grown.size).toBe(next)
      size = next
    }
  }, 60_000)
  afterAll(() => database.drop())

  it('the tree has the roots of the vectors, for every size it has had and for their sections', async () => {
    for (const { size, root, section_roots: sections } of VECTORS.trees) {
      expect(toHex(await rootAt(db, 'vectors', size)), String(size)).toBe(root)
      expect(hexOf(await sectionRoots(db, 'vectors', size)), String(size)).toEqual(sections)
    }
  })

  it('the tree gives the proofs of the vectors', async () => {
    for (const { index, size, path } of VECTORS.paths) {
      expect(hexOf(await inclusionPath(db, 'vectors', index, size)), `${index} of ${size}`).toEqual(path)
    }
    for (const { from, to, proof } of VECTORS.consistency) {
      expect(hexOf(await consistencyPath(db, 'vectors', from, to)), `${from} to ${to}`).toEqual(proof)
    }
  })

  it('proofs lead to the tree’s roots, for all kinds of places and sizes', async () => {
    for (const size of [1, 2, 255, 256, 257, 511, 65_535, 65_536, 65_793, LARGEST]) {
      const root = await rootAt(db, 'vectors', size)
      for (const index of [0, 1, 255, 256, 65_535, size - 1].filter((place) => place < size)) {
        const path = await inclusionPath(db, 'vectors', index, size)
        expect(isIncluded(nobleHash, { index, size, root }, leafAt(index), path), `${index} of ${size}`).toBe(true)
        const older = { size: index, root: await rootAt(db, 'vectors', index) }
        const proof = await consistencyPath(db, 'vectors', index, size)
        expect(isConsistent(nobleHash, older, { size, root }, proof), `${index} to ${size}`).toBe(true)
      }
    }
  })

  it('each tile is served at the width asked for, and never beyond its own', async () => {
    const files = Object.entries(VECTORS.tiles_of_70000)
    const tiles = [
      { level: 0, index: 272, width: 256 },
      { level: 0, index: 273, width: 112 },
      { level: 1, index: 0, width: 256 },
      { level: 1, index: 1, width: 17 },
      { level: 2, index: 0, width: 1 },
    ]
    const found = new Map(tiles.map((tile) => [tilePath(tile), tile]))
    for (const [path, { sha256 }] of files) {
      const tile = found.get(path)
      expect(tile, path).toBeDefined()
      const bytes = tile === undefined ? null : await tileBytes(db, 'vectors', tile)
      expect(
        createHash('sha256')
          .update(bytes ?? '')
          .digest('hex'),
        path,
      ).toBe(sha256)
    }
    expect(await tileBytes(db, 'vectors', { level: 2, index: 0, width: 3 })).toBeNull()
    expect(await tileBytes(db, 'vectors', { level: 0, index: 99_999, width: 1 })).toBeNull()
    expect(await tileBytes(db, 'another', { level: 0, index: 0, width: 1 })).toBeNull()
  })

  it('trees do not mix', async () => {
    const tree = playsTree('ab'.repeat(32))
    await db.transaction((tx) => appendToTree(tx, tree, 0, leaves(7, 9)))
    expect(await rootAt(db, tree, 2)).not.toEqual(await rootAt(db, 'vectors', 2))
    const read = await nodesOf(db, tree, 2, [{ level: 0, index: 1 }])
    expect(read({ level: 0, index: 1 })).toEqual(leafAt(8))
  })

  it('leaves are refused from a caller that does not know the tree’s size', async () => {
    await db.transaction((tx) => appendToTree(tx, 'contested', 0, leaves(0, 5)))
    const behind = db.transaction((tx) => appendToTree(tx, 'contested', 3, leaves(90, 91)))
    await expect(behind).rejects.toThrow('does not continue')
    const other = db.transaction((tx) => appendToTree(tx, 'contested', 4, leaves(90, 99)))
    await expect(other).rejects.toThrow('does not continue')
    const ahead = db.transaction((tx) => appendToTree(tx, 'contested', 6, leaves(6, 7)))
    await expect(ahead).rejects.toThrow('lacks hashes')
    expect(await rootAt(db, 'contested', 5)).toEqual(await rootAt(db, 'vectors', 5))
  })

  it('a missing tile is reported with the hashes that it held', async () => {
    await db.transaction((tx) => appendToTree(tx, 'damaged', 0, leaves(0, 300)))
    const client = await database.connect()
    await client.query(`delete from tree_tiles where tree = 'damaged' and level = 0 and index = 1`)
    await expect(rootAt(db, 'damaged', 300)).rejects.toThrow('the tree damaged lacks hashes of tile/0/001.p/44')
  })

  it('the tree is the same whether leaves come one by one or all at once', async () => {
    for (let size = 0; size < 260; size += 1) {
      await db.transaction((tx) => appendToTree(tx, 'slow', size, [leafAt(size)]))
    }
    expect(toHex(await rootAt(db, 'slow', 260))).toBe(toHex(await rootAt(db, 'vectors', 260)))
    expect(await rootAt(db, 'slow', 256)).toEqual(await rootAt(db, 'vectors', 256))
  })
})
