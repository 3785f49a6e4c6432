import type * as library from '@noble/curves/ed25519.js'
import { createRequire } from 'node:module'
import { kept } from './kept.ts'

const require = createRequire(import.meta.url)
/** Loading the library takes longer than most tests, which need none of it. */
const real = (): (typeof library)['ed25519'] =>
  (require('../../node_modules/@noble/curves/ed25519.js') as typeof library).ed25519

/** Stands for @noble/curves/ed25519.js as the domain and its tests use it, with what it answered before. */
export const ed25519 = {
  get Point() {
    return real().Point
  },
  getPublicKey: (secret: Uint8Array) => kept(['ed25519 key', secret], () => real().getPublicKey(secret)),
  sign: (text: Uint8Array, secret: Uint8Array) => kept(['ed25519 sign', text, secret], () => real().sign(text, secret)),
  verify: (signature: Uint8Array, text: Uint8Array, key: Uint8Array, options?: { zip215?: boolean }) =>
    kept(['ed25519 verify', signature, text, key, options], () => real().verify(signature, text, key, options)),
}
