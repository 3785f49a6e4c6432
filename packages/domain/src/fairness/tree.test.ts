import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { merkle_vectors } from '../../vectors/fairness.json'
import { concatBytes, fromHex, toHex } from './bytes.ts'
import { NOBLE_HASH } from './hash.ts'
import { inclusionPath, MerkleTree, rootOfPath, TreeHasher, verifyInclusion } from './tree.ts'

const leafOf = (data: Uint8Array): Uint8Array => NOBLE_HASH.sha256(concatBytes(Uint8Array.of(0), data))
const leaves = (count: number): Uint8Array[] =>
  Array.from({ length: count }, (_, i) => leafOf(Uint8Array.of(i >> 8, i)))

/** The definition of RFC 6962 section 2.1, word by word. */
function rootByDefinition(hashes: readonly Uint8Array[]): Uint8Array {
  const [first] = hashes
  if (first === undefined) return NOBLE_HASH.sha256(new Uint8Array())
  if (hashes.length === 1) return first
  const k = 2 ** Math.floor(Math.log2(hashes.length - 1))
  const [left, right] = [rootByDefinition(hashes.slice(0, k)), rootByDefinition(hashes.slice(k))]
  return NOBLE_HASH.sha256(concatBytes(Uint8Array.of(1), left, right))
}

function streamedRoot(hashes: readonly Uint8Array[]): Uint8Array {
  const tree = new TreeHasher()
  for (const hash of hashes) tree.add(hash)
  return tree.root()
}

describe('the tree of a draw', () => {
  it.each(merkle_vectors.roots.map((root, size) => ({ size, root })))(
    'has the root of the reference tree over $size leaves',
    ({ size, root }) => {
      const hashes = merkle_vectors.leaf_data.slice(0, size).map((data) => leafOf(fromHex(data)))
      expect(toHex(streamedRoot(hashes))).toBe(root)
      expect(toHex(new MerkleTree(concatBytes(...hashes)).root())).toBe(root)
    },
  )

  it('splits at the largest power of two below its size, duplicates and pads nothing', () => {
    for (let size = 0; size <= 70; size += 1) expect(streamedRoot(leaves(size))).toEqual(rootByDefinition(leaves(size)))
  })

  it('gives the root of what was added so far and goes on', () => {
    const tree = new TreeHasher()
    leaves(9).forEach((leaf, place) => {
      tree.add(leaf)
      expect(tree.root()).toEqual(rootByDefinition(leaves(place + 1)))
    })
    expect(tree.size).toBe(9)
  })

  it('leads every leaf to the root by its path', () => {
    for (let size = 1; size <= 40; size += 1) {
      const hashes = leaves(size)
      const tree = new MerkleTree(concatBytes(...hashes))
      hashes.forEach((leafHash, index) => {
        const proof = { leafHash, index, size, path: tree.path(index), root: tree.root() }
        expect(verifyInclusion(proof)).toBe(true)
        expect(inclusionPath(hashes, index)).toEqual(proof.path)
      })
    }
  })

  it('shows no leaf at another place, size, root or with another path', () => {
    const arbitrary = fc.integer({ min: 1, max: 64 }).chain((size) =>
      fc.record({
        size: fc.constant(size),
        index: fc.nat(size - 1),
        bit: fc.nat(255),
        elsewhere: fc.nat(size + 3),
      }),
    )
    fc.assert(
      fc.property(arbitrary, ({ size, index, bit, elsewhere }) => {
        const tree = new MerkleTree(concatBytes(...leaves(size)))
        const leafHash = leaves(size)[index] ?? new Uint8Array()
        const proof = { leafHash, index, size, path: tree.path(index), root: tree.root() }
        const flipped = (hash: Uint8Array): Uint8Array =>
          hash.map((byte, place) => (place === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte))
        expect(verifyInclusion({ ...proof, root: flipped(proof.root) })).toBe(false)
        expect(verifyInclusion({ ...proof, leafHash: flipped(leafHash) })).toBe(false)
        if (elsewhere !== index) expect(verifyInclusion({ ...proof, index: elsewhere })).toBe(false)
        expect(verifyInclusion({ ...proof, path: [...proof.path, leafHash] })).toBe(false)
        const [sibling, ...rest] = proof.path
        if (sibling === undefined) return
        expect(verifyInclusion({ ...proof, path: rest })).toBe(false)
        expect(verifyInclusion({ ...proof, path: [flipped(sibling), ...rest] })).toBe(false)
      }),
    )
  })

  it.each([
    { index: 0, size: 0 },
    { index: 1, size: 1 },
    { index: -1, size: 1 },
    { index: 0.5, size: 1 },
  ])('has no leaf $index of $size', ({ index, size }) => {
    expect(rootOfPath(new Uint8Array(32), { index, size, path: [] })).toBeNull()
  })

  it('refuses hashes of another length', () => {
    expect(() => new TreeHasher().add(new Uint8Array(31))).toThrow(RangeError)
    expect(() => new MerkleTree(new Uint8Array(33))).toThrow(RangeError)
  })

  it.each([-1, 0.5, 2, Number.NaN])('has no path for leaf %d of two', (index) => {
    expect(() => new MerkleTree(new Uint8Array(64)).path(index)).toThrow(`no leaf ${index} of 2`)
    expect(() => inclusionPath(leaves(2), index)).toThrow(RangeError)
  })

  it('shows nothing with a leaf or a sibling that is no hash', () => {
    const [one, two] = leaves(2) as [Uint8Array, Uint8Array]
    const place = { index: 0, size: 2 }
    expect(rootOfPath(one, { ...place, path: [two] })).not.toBeNull()
    expect(rootOfPath(one.subarray(1), { ...place, path: [two] })).toBeNull()
    expect(rootOfPath(one, { ...place, path: [two.subarray(1)] })).toBeNull()
    expect(rootOfPath(one, { ...place, path: [new Uint8Array(33)] })).toBeNull()
    expect(rootOfPath(one, { index: 0, size: 1, path: [new Uint8Array(31)] })).toBeNull()
    expect(rootOfPath(one, { index: 0, size: 1, path: [two] })).toBeNull()
    expect(rootOfPath(one, { ...place, path: [] })).toBeNull()
    expect(rootOfPath(one, { ...place, path: [two, two] })).toBeNull()
    expect(rootOfPath(one, { index: 0, size: 1.5, path: [two] })).toBeNull()
  })

  it('gives hashes of its own: what is done to them changes nothing in it', () => {
    const tree = new MerkleTree(concatBytes(...leaves(3)))
    const [root, path] = [toHex(tree.root()), tree.path(0).map(toHex)]
    tree.root().fill(0)
    for (const sibling of tree.path(0)) sibling.fill(0)
    expect(toHex(tree.root())).toBe(root)
    expect(tree.path(0).map(toHex)).toEqual(path)
  })
})
