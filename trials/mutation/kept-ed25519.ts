import type * as library from '@noble/curves/ed25519.js'
import { createRequire } from 'node:module'
import { kept, textOf } from './kept.ts'

const require = createRequire(import.meta.url)
/** Loading the library takes longer than most tests, which do not need it. */
const real = (): (typeof library)['ed25519'] =>
  (require('../../node_modules/@noble/curves/ed25519.js') as typeof library).ed25519

type RealPoint = InstanceType<(typeof library)['ed25519']['Point']>

/** A point that is only computed for a question without a cached answer. */
class KeptPoint {
  readonly name: string
  readonly #compute: () => RealPoint
  #computed: RealPoint | undefined

  constructor(name: string, compute: () => RealPoint) {
    this.name = name
    this.#compute = compute
  }

  /** Rejects bytes that are not a point immediately, as the library does. */
  static fromBytes(bytes: Uint8Array, isLoose = false): KeptPoint {
    const point = new KeptPoint(`${textOf(bytes)} ${isLoose}`, () => real().Point.fromBytes(bytes, isLoose))
    kept(['ed25519 point', point.name], () => point.real() instanceof real().Point)
    return point
  }

  static readonly BASE = new KeptPoint('base', () => real().Point.BASE)
  static readonly Fn = { ORDER: 2n ** 252n + 27_742_317_777_372_353_535_851_937_790_883_648_493n }

  real(): RealPoint {
    this.#computed ??= this.#compute()
    return this.#computed
  }

  add(other: KeptPoint): KeptPoint {
    return new KeptPoint(`(${this.name} + ${other.name})`, () => this.real().add(other.real()))
  }

  negate(): KeptPoint {
    return new KeptPoint(`-${this.name}`, () => this.real().negate())
  }

  multiply(by: bigint): KeptPoint {
    return new KeptPoint(`${by}*${this.name}`, () => this.real().multiply(by))
  }

  multiplyUnsafe(by: bigint): KeptPoint {
    return new KeptPoint(`${by}*${this.name}`, () => this.real().multiplyUnsafe(by))
  }

  isSmallOrder(): boolean {
    return kept(['ed25519 small', this.name], () => this.real().isSmallOrder())
  }

  toBytes(): Uint8Array {
    return kept(['ed25519 bytes', this.name], () => this.real().toBytes())
  }
}

/** Replaces @noble/curves/ed25519.js for the domain and its tests, with cached answers. */
export const ed25519 = {
  Point: KeptPoint,
  getPublicKey: (secret: Uint8Array) => kept(['ed25519 key', secret], () => real().getPublicKey(secret)),
  sign: (text: Uint8Array, secret: Uint8Array) => kept(['ed25519 sign', text, secret], () => real().sign(text, secret)),
  verify: (signature: Uint8Array, text: Uint8Array, key: Uint8Array, options?: { zip215?: boolean }) =>
    kept(['ed25519 verify', signature, text, key, options], () => real().verify(signature, text, key, options)),
}
