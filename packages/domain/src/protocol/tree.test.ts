import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toHex, u32 } from './bytes.ts'
import { type Hash, nobleHash } from './hash.ts'
import { nodeFromTile, readEntries, type Tile, TileBuilder, tileOfNode, writeEntries } from './tiles.ts'
import {
  consistencyNodes,
  inclusionNodes,
  isConsistent,
  isIncluded,
  leafHash,
  nodeHash,
  peakNodes,
  proofOf,
  rootOf,
  TreeFolder,
  type TreeNode,
} from './tree.ts'

const MAX_SIZE = 300
const LEAVES = Array.from({ length: MAX_SIZE }, (_, index) => leafHash(nobleHash, u32(index)))
/** The root of each size, by its definition. */
const ROOTS = Array.from({ length: MAX_SIZE + 1 }, (_, count) => rootByDefinition(LEAVES.slice(0, count)))
const rootOfSize = (count: number): Uint8Array => ROOTS[count] ?? new Uint8Array()
const size = fc.integer({ min: 0, max: MAX_SIZE })
const node = ({ level, index }: TreeNode): Uint8Array =>
  rootByDefinition(LEAVES.slice(index * 2 ** level, (index + 1) * 2 ** level))

/** The root as RFC 6962 section 2.1 defines it. */
function rootByDefinition(leaves: readonly Uint8Array[]): Uint8Array {
  const [first] = leaves
  if (first === undefined) return nobleHash()
  if (leaves.length === 1) return first
  let split = 1
  while (2 * split < leaves.length) split *= 2
  return nodeHash(nobleHash, rootByDefinition(leaves.slice(0, split)), rootByDefinition(leaves.slice(split)))
}

describe('a tree', () => {
  it('a tree has the root of its definition when folded, tiled or resumed at any size', () => {
    fc.assert(
      fc.property(size, size, (one, other) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)]
        const tiles = new Map<string, Uint8Array>()
        const builder = new TileBuilder(nobleHash)
        for (const leaf of LEAVES.slice(0, from)) builder.addHash(leaf)
        for (const { tile, bytes } of builder.partial()) tiles.set(`${tile.level} ${tile.index} ${tile.width}`, bytes)
        const read = ({ level, index, width }: Tile) => tiles.get(`${level} ${index} ${width}`) ?? new Uint8Array()
        const resumed = TileBuilder.resume(nobleHash, from, read)
        for (const leaf of LEAVES.slice(from, to)) resumed.addHash(leaf)
        const root = toHex(rootOfSize(to))
        expect(toHex(resumed.root())).toBe(root)
        expect(toHex(rootOf(nobleHash, LEAVES.slice(0, to)))).toBe(root)
      }),
      { numRuns: 20 },
    )
  })

  it('a growing tree hashes no node twice', () => {
    const seen = new Set<string>()
    const counting: Hash = (...parts) => {
      const key = parts.map(toHex).join()
      expect(seen.has(key)).toBe(false)
      seen.add(key)
      return nobleHash(...parts)
    }
    const builder = new TileBuilder(counting)
    for (let index = 0; index < 512; index += 1) builder.add(u32(index))
    expect(seen.size).toBe(512 + 511)
  })

  it('the tiles of a tree hold the nodes of its proofs', () => {
    const tiles = new Map<string, Uint8Array>()
    const builder = new TileBuilder(nobleHash, ({ level, index }, bytes) => tiles.set(`${level} ${index}`, bytes))
    for (const leaf of LEAVES) builder.addHash(leaf)
    for (const { tile, bytes } of builder.partial()) tiles.set(`${tile.level} ${tile.index}`, bytes)
    for (const place of peakNodes(0, MAX_SIZE).concat(inclusionNodes(200, MAX_SIZE).flat())) {
      const tile = tileOfNode(place, MAX_SIZE)
      const bytes = tiles.get(`${tile.level} ${tile.index}`) ?? new Uint8Array()
      expect(bytes.length).toBe(32 * tile.width)
      expect(toHex(nodeFromTile(nobleHash, place, bytes))).toBe(toHex(node(place)))
    }
  })
})

describe('an inclusion proof', () => {
  it('an inclusion proof is valid only for its leaf at its index', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: MAX_SIZE }), fc.nat(), fc.nat(), (count, some, other) => {
        const [index, elsewhere] = [some % count, other % count]
        const root = rootOfSize(count)
        const path = proofOf(nobleHash, inclusionNodes(index, count), node)
        const leaf = LEAVES[index] ?? new Uint8Array()
        expect(isIncluded(nobleHash, { index, size: count, root }, leaf, path)).toBe(true)
        if (elsewhere !== index) {
          expect(isIncluded(nobleHash, { index: elsewhere, size: count, root }, leaf, path)).toBe(false)
        }
        expect(isIncluded(nobleHash, { index, size: count, root }, leaf, [...path, root])).toBe(false)
        if (path.length > 0)
          expect(isIncluded(nobleHash, { index, size: count, root }, leaf, path.slice(1))).toBe(false)
      }),
      { numRuns: 40 },
    )
  })

  it('an index outside the tree has no inclusion proof', () => {
    const root = rootOfSize(3)
    const leaf = LEAVES[0] ?? new Uint8Array()
    for (const index of [-1, 3, 0.5, 2 ** 53])
      expect(isIncluded(nobleHash, { index, size: 3, root }, leaf, [])).toBe(false)
  })
})

describe('a consistency proof', () => {
  it('a consistency proof is valid only for a tree and its continuation', () => {
    fc.assert(
      fc.property(size, size, (one, other) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)].map((count) => ({
          size: count,
          root: rootOfSize(count),
        }))
        if (from === undefined || to === undefined) throw new Error('no sizes')
        const proof = proofOf(nobleHash, consistencyNodes(from.size, to.size), node)
        expect(isConsistent(nobleHash, from, to, proof)).toBe(true)
        const changed = { ...from, root: to.size === 0 ? u32(0) : nodeHash(nobleHash, from.root, to.root) }
        expect(isConsistent(nobleHash, changed, to, proof)).toBe(false)
        expect(isConsistent(nobleHash, from, to, [...proof, from.root])).toBe(false)
        if (from.size < to.size) expect(isConsistent(nobleHash, to, from, proof)).toBe(false)
      }),
      { numRuns: 40 },
    )
  })
})

describe('a range', () => {
  it('a range gives the root with exactly the peaks to its left', () => {
    fc.assert(
      fc.property(size, size, (one, other) => {
        const [start, end] = [Math.min(one, other), Math.max(one, other)]
        const left = peakNodes(0, start).map(node)
        const folder = new TreeFolder(nobleHash, start, left)
        for (const leaf of LEAVES.slice(start, end)) folder.add(leaf)
        expect(toHex(folder.root())).toBe(toHex(rootOfSize(end)))
        expect(() => new TreeFolder(nobleHash, start, [...left, u32(0)])).toThrow(RangeError)
        if (left.length > 0) expect(() => new TreeFolder(nobleHash, start, left.slice(1))).toThrow(RangeError)
      }),
      { numRuns: 40 },
    )
  })
})

describe('a bundle of entries', () => {
  it('a bundle of entries is read back as written, and rejected if it ends early', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 20 }), (entries) => {
        const bytes = writeEntries(entries)
        expect([...readEntries(bytes)].map(toHex)).toEqual(entries.map(toHex))
        if (bytes.length > 0) expect(() => [...readEntries(bytes.slice(0, -1))]).toThrow(RangeError)
      }),
      { numRuns: 50 },
    )
  })
})
