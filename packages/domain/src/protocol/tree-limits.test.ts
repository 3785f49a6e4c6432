import { describe, expect, it } from 'vitest'
import { toHex, u32 } from './bytes.ts'
import { nobleHash } from './hash.ts'
import { refusalOf } from './refusal-fixture.ts'
import { entriesPath, nodeFromTile, partialTiles, readEntries, TileBuilder, tilePath, writeEntries } from './tiles.ts'
import {
  consistencyNodes,
  inclusionNodes,
  isConsistent,
  isIncluded,
  leafHash,
  nodeHash,
  peakCount,
  peakNodes,
  TreeFolder,
} from './tree.ts'

const [A, B, C, D] = [1, 2, 3, 4].map((value) => leafHash(nobleHash, u32(value))) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
]
const node = (left: Uint8Array, right: Uint8Array): Uint8Array => nodeHash(nobleHash, left, right)
/** The roots of the trees of one to four leaves. */
const ROOTS = [A, node(A, B), node(node(A, B), C), node(node(A, B), node(C, D))]

describe('an inclusion proof in small trees', () => {
  const cases: [number, number, Uint8Array, Uint8Array[]][] = [
    [0, 1, A, []],
    [0, 2, A, [B]],
    [1, 2, B, [A]],
    [0, 3, A, [B, C]],
    [1, 3, B, [A, C]],
    [2, 3, C, [node(A, B)]],
    [3, 4, D, [C, node(A, B)]],
  ]
  it.each(cases)('leaf %i of %i has its path, and no longer or shorter one', (index, size, leaf, path) => {
    const root = ROOTS[size - 1] ?? A
    const check = (steps: Uint8Array[]): boolean => isIncluded(nobleHash, { index, size, root }, leaf, steps)
    expect(check(path)).toBe(true)
    expect(check([...path, A])).toBe(false)
    expect(check(path.map((step) => step.toReversed()))).toBe(path.length === 0)
    if (path.length > 0) expect(check(path.slice(1))).toBe(false)
  })

  it('a path that is too long or too short is none, even if it leads to the root', () => {
    expect(isIncluded(nobleHash, { index: 0, size: 1, root: node(B, A) }, A, [B])).toBe(false)
    expect(isIncluded(nobleHash, { index: 0, size: 2, root: A }, A, [])).toBe(false)
  })

  it.each([
    [1, 1, []],
    [-1, 1, []],
    [0.5, 1, []],
    [0, 0, []],
    [0, 2.5, [B]],
    [2 ** 53, 2 ** 53 + 2, []],
  ])('there is no leaf %d in a tree of %d', (index, size, path) => {
    const root = path.length === 0 ? A : node(A, B)
    expect(isIncluded(nobleHash, { index, size, root }, A, path)).toBe(false)
  })

  it.each([
    [3, 3],
    [-1, 3],
    [0.5, 3],
    [0, 2.5],
  ])('nothing proves leaf %d in a tree of %d', (index, size) => {
    expect(refusalOf(() => inclusionNodes(index, size))).toBe(`RangeError: leaf ${index} is not in a tree of ${size}`)
  })
})

describe('a consistency proof in small trees', () => {
  const head = (size: number, root = ROOTS[size - 1] ?? nobleHash()) => ({ size, root })
  const cases: [number, number, Uint8Array[]][] = [
    [0, 3, []],
    [1, 1, []],
    [3, 3, []],
    [1, 2, [B]],
    [1, 3, [B, C]],
    [2, 3, [C]],
    [2, 4, [node(C, D)]],
    [3, 4, [C, D, node(A, B)]],
  ]
  it.each(cases)('a tree of %i is continued by one of %i, with its proof alone', (from, to, proof) => {
    expect(isConsistent(nobleHash, head(from), head(to), proof)).toBe(true)
    expect(isConsistent(nobleHash, head(from), head(to), [...proof, A])).toBe(false)
    expect(isConsistent(nobleHash, head(from, D), head(to), proof)).toBe(false)
    if (from > 0) expect(isConsistent(nobleHash, head(from), head(to, D), proof)).toBe(false)
    if (proof.length > 0) expect(isConsistent(nobleHash, head(from), head(to), proof.slice(0, -1))).toBe(false)
  })

  it('a proof that is too long or too short is none, even if it leads to both roots', () => {
    expect(isConsistent(nobleHash, head(3, A), head(4, A), [A])).toBe(false)
    const [older, newer] = [node(B, C), node(B, node(C, D))]
    expect(isConsistent(nobleHash, head(3, older), head(4, newer), [C, D, B])).toBe(true)
    expect(isConsistent(nobleHash, head(3, node(A, older)), head(4, node(A, newer)), [C, D, B, A])).toBe(false)
    expect(isConsistent(nobleHash, head(3), head(4), [])).toBe(false)
  })

  it.each([
    [2, 1, A, A, []],
    [1.5, 2.5, A, node(A, B), [A, B]],
    [1.5, 2, A, node(A, B), [A, B]],
    [1, 2.5, A, node(A, B), [B]],
    [-1, -1, A, A, []],
  ])('a tree of %d is not continued by one of %d', (from, to, older, newer, proof) => {
    expect(isConsistent(nobleHash, head(from, older), head(to, newer), proof)).toBe(false)
  })

  it.each([
    [4, 3],
    [-1, 3],
    [1.5, 3],
    [1, 2.5],
  ])('nothing proves that a tree of %d is continued by one of %d', (from, to) => {
    expect(refusalOf(() => consistencyNodes(from, to))).toBe(
      `RangeError: a tree of ${to} does not continue one of ${from}`,
    )
  })

  it('nothing is to prove for the empty tree and for the same tree', () => {
    expect(consistencyNodes(0, 5)).toEqual([])
    expect(consistencyNodes(5, 5)).toEqual([])
    expect(consistencyNodes(0, 0)).toEqual([])
  })
})

describe('the perfect subtrees of a range', () => {
  it('the subtrees are as large as their place and the end allow', () => {
    expect(peakNodes(0, 0)).toEqual([])
    expect(peakNodes(0, 7)).toEqual([
      { level: 2, index: 0 },
      { level: 1, index: 2 },
      { level: 0, index: 6 },
    ])
    expect(peakNodes(3, 12)).toEqual([
      { level: 0, index: 3 },
      { level: 2, index: 1 },
      { level: 2, index: 2 },
    ])
    expect([0, 1, 2, 3, 7, 8, 2 ** 40 + 1].map(peakCount)).toEqual([0, 1, 1, 2, 3, 1, 2])
  })

  it('a range begins at a size, with its subtrees', () => {
    expect(refusalOf(() => new TreeFolder(nobleHash, -1))).toBe('RangeError: not a size: -1')
    expect(refusalOf(() => new TreeFolder(nobleHash, 0.5))).toBe('RangeError: not a size: 0.5')
    expect(refusalOf(() => new TreeFolder(nobleHash, 3, [A]))).toBe(
      'RangeError: the hashes to the left are not those of the start',
    )
    const folder = new TreeFolder(nobleHash, 2, [node(A, B)])
    folder.add(C)
    expect(folder.size).toBe(3)
    expect(folder.root()).toEqual(ROOTS[2])
    expect(folder.peaks).toEqual([node(A, B), C])
  })
})

describe('tiles at their limits', () => {
  it.each([
    [0, []],
    [255, [{ level: 0, index: 0, width: 255 }]],
    [256, [{ level: 1, index: 0, width: 1 }]],
    [
      515,
      [
        { level: 0, index: 2, width: 3 },
        { level: 1, index: 0, width: 2 },
      ],
    ],
    [65_536, [{ level: 2, index: 0, width: 1 }]],
  ])('a tree of %i has these tiles that are not full', (size, tiles) => {
    expect(partialTiles(size)).toEqual(tiles)
  })

  it('a tree of full tiles is kept and resumed without them', () => {
    const builder = new TileBuilder(nobleHash)
    for (let index = 0; index < 512; index += 1) builder.add(u32(index))
    const kept = builder.partial()
    expect(kept.map(({ tile }) => tile)).toEqual([{ level: 1, index: 0, width: 2 }])
    const asked: string[] = []
    const resumed = TileBuilder.resume(nobleHash, 512, (tile) => {
      asked.push(tilePath(tile))
      return kept[0]?.bytes ?? new Uint8Array()
    })
    expect(asked).toEqual(['tile/1/000.p/2'])
    expect(toHex(resumed.root())).toBe(toHex(builder.root()))
    expect(resumed.size).toBe(512)
    expect(refusalOf(() => TileBuilder.resume(nobleHash, 3, () => new Uint8Array(64)))).toBe(
      'RangeError: tile 0 of level 0 has another length',
    )
  })

  it('a tile holds the nodes of its hashes, and no more', () => {
    const tile = new Uint8Array([...A, ...B, ...C])
    expect(nodeFromTile(nobleHash, { level: 0, index: 258 }, tile)).toEqual(C)
    expect(nodeFromTile(nobleHash, { level: 1, index: 0 }, tile)).toEqual(node(A, B))
    for (const place of [
      { level: 0, index: 3 },
      { level: 1, index: 1 },
      { level: 2, index: 0 },
    ])
      expect(refusalOf(() => nodeFromTile(nobleHash, place, tile))).toBe(
        'RangeError: the tile does not reach this node',
      )
  })

  it.each([
    [0, 256, 'tile/0/000'],
    [0, 1, 'tile/0/000.p/1'],
    [999, 256, 'tile/0/999'],
    [1000, 255, 'tile/0/x001/000.p/255'],
    [1_000_000, 256, 'tile/0/x001/x000/000'],
  ])('tile %i of width %i has the path %s', (index, width, path) => {
    expect(tilePath({ level: 0, index, width })).toBe(path)
  })

  it.each([
    [-1, 1],
    [0.5, 1],
    [0, 0],
    [0, 257],
  ])('tile %d of width %d has no path', (index, width) => {
    expect(refusalOf(() => tilePath({ level: 0, index, width }))).toBe('RangeError: not a tile')
    expect(refusalOf(() => entriesPath({ index, width }))).toBe('RangeError: not a tile')
  })

  it('an entry has at most 65,535 bytes, and stands whole in its bundle', () => {
    expect(toHex(writeEntries([Uint8Array.of(), Uint8Array.of(7, 8)]))).toBe('000000020708')
    const longest = writeEntries([new Uint8Array(65_535)])
    expect(longest).toHaveLength(65_537)
    expect([...readEntries(longest)].map(({ length }) => length)).toEqual([65_535])
    expect(refusalOf(() => writeEntries([new Uint8Array(65_536)]))).toBe(
      'RangeError: an entry of 65536 bytes is too long',
    )
    for (const bytes of [[0], [0, 1], [0, 2, 5], [0, 0, 0]])
      expect(refusalOf(() => [...readEntries(Uint8Array.from(bytes))])).toBe('RangeError: the entries end early')
  })
})
