import type * as library from '@scure/bip32'
import { createRequire } from 'node:module'

type Key = library.HDKey

const require = createRequire(import.meta.url)
const { HDKey: RealKey, HARDENED_OFFSET: hardenedOffset } =
  require('../../../node_modules/@scure/bip32/index.js') as typeof library
const roots = new Map<string, Key>()
const children = new WeakMap<Key, Map<number, Key>>()

/**
 * Replaces @scure/bip32 in tests: each key is derived once in a process. Every lottery of a test has the demo's wallet,
 * whose seed is nearly always the same.
 */
export class HDKey extends RealKey {
  static override fromMasterSeed(seed: Uint8Array, versions?: library.Versions): Key {
    const name = JSON.stringify([Buffer.from(seed).toString('hex'), versions])
    const known = roots.get(name)
    if (known !== undefined) return known
    const root = RealKey.fromMasterSeed(seed, versions)
    roots.set(name, root)
    return root
  }
}

// Keys make their children as keys of the library's own class.
const { deriveChild } = RealKey.prototype
RealKey.prototype.deriveChild = function keptChild(this: Key, index: number): Key {
  const own = children.get(this) ?? new Map<number, Key>()
  children.set(this, own)
  const child = own.get(index) ?? deriveChild.call(this, index)
  own.set(index, child)
  return child
}

export const HARDENED_OFFSET = hardenedOffset
