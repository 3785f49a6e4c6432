import { describe, expect, it } from 'vitest'
import { asciiBytes, concatBytes, toHex, u64 } from './bytes.ts'
import { nobleHash } from './hash.ts'
import { refusalOf } from './refusal-fixture.ts'
import { isInSum, readReserves, sumLeaf, sumPath, sumRoot, writeReserves } from './solvency.ts'

const ACCOUNTS = Array.from({ length: 9 }, (_, place) => ({
  nonce: new Uint8Array(32).fill(place),
  username: `u${place}`,
  sats: 10n ** BigInt(place),
}))
const LEAVES = ACCOUNTS.map((account) => sumLeaf(account))
type Node = (typeof LEAVES)[number]

/** A root as section 10 defines it. */
function rootByDefinition(leaves: readonly Node[]): Node {
  const [first] = leaves
  if (first === undefined) throw new Error('no leaves')
  if (leaves.length === 1) return first
  const split = [1, 1, 1, 2, 2, 4, 4, 4, 4, 8][leaves.length] ?? 0
  const [left, right] = [rootByDefinition(leaves.slice(0, split)), rootByDefinition(leaves.slice(split))]
  const text = concatBytes(Uint8Array.of(3), left.hash, u64(Number(left.sats)), right.hash, u64(Number(right.sats)))
  return { hash: nobleHash(text), sats: left.sats + right.sats }
}

describe('the sum tree', () => {
  it('a leaf is the hash of 2, nonce, amount and name', () => {
    const [first] = LEAVES
    // SHA-256 of 02, 32 bytes 00, u64(1) and "u0".
    expect(toHex(first?.hash ?? asciiBytes(''))).toBe(
      '239c3d6b8fa233b3fb35c8f905cfaca07a076871f347b16d2c09e58b27442d95',
    )
    expect(first?.sats).toBe(1n)
    expect(sumLeaf({ nonce: new Uint8Array(32), username: '', sats: 0n }).sats).toBe(0n)
  })

  it('the root of five accounts is that of the protocol, worked out elsewhere', () => {
    const root = sumRoot(LEAVES.slice(0, 5))
    expect(toHex(root.hash)).toBe('2c092f20f00063be258be1f733ff6861976dc8798d885db11947697091a26e7c')
    expect(root.sats).toBe(11_111n)
  })

  it('a tree of any size has the root of its definition, and leads each account to it', () => {
    for (let size = 1; size <= LEAVES.length; size += 1) {
      const leaves = LEAVES.slice(0, size)
      const root = sumRoot(leaves)
      expect(root).toEqual(rootByDefinition(leaves))
      for (const [index, leaf] of leaves.entries()) {
        const path = sumPath(leaves, index)
        expect(isInSum(leaf, path, root)).toBe(true)
        expect(isInSum(leaf, path, { ...root, sats: root.sats + 1n })).toBe(false)
        expect(isInSum(leaf, path, { ...root, hash: leaf.hash.toReversed() })).toBe(false)
        if (size > 1) expect(isInSum(leaf, path.slice(1), root)).toBe(false)
      }
    }
  })

  it('a path names the neighbours and their sides, from the leaf up', () => {
    const [one, two, three] = LEAVES.slice(0, 3)
    expect(sumPath(LEAVES.slice(0, 3), 0)).toEqual([
      { side: 'right', ...two },
      { side: 'right', ...three },
    ])
    expect(sumPath(LEAVES.slice(0, 3), 1)[0]).toEqual({ side: 'left', ...one })
    expect(sumPath(LEAVES.slice(0, 3), 2)).toEqual([{ side: 'left', ...sumRoot(LEAVES.slice(0, 2)) }])
  })

  it('an account without a nonce of 32 bytes, with a debt below 0, or none at all has no tree', () => {
    const [account] = ACCOUNTS
    if (account === undefined) throw new Error('no account')
    for (const change of [{ nonce: new Uint8Array(31) }, { nonce: new Uint8Array(33) }, { sats: -1n }])
      expect(refusalOf(() => sumLeaf({ ...account, ...change }))).toBe('RangeError: not an account')
    expect(refusalOf(() => sumRoot([]))).toBe('RangeError: a sum tree has a leaf')
  })
})

describe('the text of reserves', () => {
  const id = 'cd'.repeat(32)
  const text = `fairball/reserves/v2\nblock 800000 ${'ab'.repeat(32)}\nutxo ${id}:1 5000 bc1qexample\nsignature bc1qexample AAA=\n`
  const reserves = {
    block: { height: 800_000, hash: 'ab'.repeat(32) },
    utxo: [{ transaction: id, output: 1, sats: 5000n, address: 'bc1qexample' }],
    signature: [{ address: 'bc1qexample', signature: 'AAA=' }],
  }

  it('reserves name a block, outputs and signatures', () => {
    expect(writeReserves(reserves)).toBe(text)
    expect(readReserves(text)).toEqual(reserves)
  })

  it('reserves may list no coins', () => {
    const none = { ...reserves, utxo: [], signature: [] }
    expect(writeReserves(none)).toBe(`fairball/reserves/v2\nblock 800000 ${'ab'.repeat(32)}\n`)
    expect(readReserves(writeReserves(none))).toEqual(none)
  })

  it.each([
    [text.replace('reserves/v2', 'reserves/v1'), 'no reserves of version 2'],
    [text.replace(`${id}:1`, `${id}:1:2`), `not an output: ${id}:1:2`],
    [text.replace(`${id}:1`, id), 'not a number: '],
    [text.replace(`${id}:1`, `${id}:01`), 'not a number: 01'],
    [text.replace(`${id}:1`, `${id.slice(1)}:1`), `not 64 hex digits: ${id.slice(1)}`],
    [text.replace('block', 'blocks'), 'the line "block" is missing, or not in its place'],
  ])('a text with a fault is no reserves: %#', (changed, why) => {
    expect(refusalOf(() => readReserves(changed))).toBe(`StatementError: ${why}`)
  })

  it('reserves that cannot be read are not written', () => {
    const [coin] = reserves.utxo
    if (coin === undefined) throw new Error('no coin')
    expect(refusalOf(() => writeReserves({ ...reserves, utxo: [{ ...coin, output: -1 }] }))).toBe(
      'StatementError: not a number: -1',
    )
  })
})
