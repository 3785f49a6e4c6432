import { hash } from 'node:crypto'
import { toHex } from '@fairball/domain/fairness/bytes'
import { rootOfPath, TreeHasher, MerkleTree } from '@fairball/domain/fairness/tree'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BlockHasher, proofsFrom } from './entry-tree.ts'
import { NODE_HASH } from './node-hash.ts'

const LEAVES = Array.from({ length: 5000 }, (_, index) => new Uint8Array(hash('sha256', `leaf ${index}`, 'buffer')))

/** The root, and the path of every leaf that is asked for, by blocks. */
function byBlocks(size: number, leavesABlock: number, indexes: readonly number[]) {
  const hasher = new BlockHasher(leavesABlock)
  for (const leaf of LEAVES.slice(0, size)) hasher.add(leaf)
  const { root, blockRoots } = hasher.end()
  const proofsOf = size === 0 ? null : proofsFrom(blockRoots, leavesABlock)
  const proofs = indexes.map((index) => {
    const place = Math.floor(index / leavesABlock)
    const leafHashes = LEAVES.slice(place * leavesABlock, Math.min(size, (place + 1) * leavesABlock))
    return proofsOf?.(place, leafHashes)(index % leavesABlock)
  })
  return { root, proofs }
}

/** Node's own kind of bytes is no equal of ours in a comparison: both as hex. */
function shown(proof: { index: number; path: readonly Uint8Array[] } | undefined) {
  return { index: proof?.index, path: proof?.path.map(toHex) }
}

describe('the tree of a draw, by blocks', () => {
  it.each([1, 16, 256])('of %i leaves has the root and the paths of the whole tree, for 1 to 600 leaves', (block) => {
    for (let size = 1; size <= 600; size += 1) {
      const whole = new MerkleTree(Buffer.concat(LEAVES.slice(0, size)), NODE_HASH)
      const indexes =
        size <= 40 ? LEAVES.slice(0, size).map((_, index) => index) : [0, 1, size >> 1, size - 2, size - 1]
      const { root, proofs } = byBlocks(size, block, indexes)
      expect(toHex(root)).toBe(toHex(whole.root()))
      indexes.forEach((index, nth) => expect(shown(proofs[nth])).toEqual(shown({ index, path: whole.path(index) })))
    }
  })

  it('gives paths that lead to the root of the streamed tree, whatever size, block and leaf', () => {
    const sizes = fc.integer({ min: 600, max: LEAVES.length })
    const blocks = fc.constantFrom(1, 4, 32, 256, 1024, 8192)
    fc.assert(
      fc.property(sizes, blocks, fc.nat(), (size, block, any) => {
        const index = any % size
        const streamed = new TreeHasher(NODE_HASH)
        for (const leaf of LEAVES.slice(0, size)) streamed.add(leaf)
        const { root, proofs } = byBlocks(size, block, [index])
        const path = proofs[0]?.path ?? []
        expect(toHex(root)).toBe(toHex(streamed.root()))
        expect(toHex(rootOfPath(LEAVES[index] ?? root, { index, size, path }) ?? new Uint8Array())).toBe(toHex(root))
      }),
      { numRuns: 60 },
    )
  })

  it('of no leaves is the hash of nothing', () => {
    expect(byBlocks(0, 1024, []).root).toEqual(new Uint8Array(hash('sha256', '', 'buffer')))
  })
})
