import type * as library from '@noble/curves/bls12-381.js'
import { createRequire } from 'node:module'
import { kept, textOf } from './kept.ts'

type Curve = (typeof library)['bls12_381']

const require = createRequire(import.meta.url)
/** Loading the library takes longer than most tests, which do not need it. */
const real = (): Curve => (require('../../node_modules/@noble/curves/bls12-381.js') as typeof library).bls12_381

/** A point that is only computed for a question without a cached answer. */
interface Point<P> {
  readonly name: string
  readonly real: () => P
  toBytes(isCompressed?: boolean): Uint8Array
}

interface RealPoint {
  toBytes(isCompressed?: boolean): Uint8Array
}

function point<P extends RealPoint>(name: string, compute: () => P): Point<P> {
  let computed: P | undefined
  const one = (): P => (computed ??= compute())
  return {
    name,
    real: one,
    toBytes: (isCompressed) => kept(['bytes', name, isCompressed], () => one().toBytes(isCompressed)),
  }
}

/** Rejects bytes that are not a point immediately, as the library does. */
function decoded<P extends RealPoint>(group: string, bytes: Uint8Array, decode: (bytes: Uint8Array) => P): Point<P> {
  const found = point(`${group} ${textOf(bytes)}`, () => decode(bytes))
  kept(['point', found.name], () => found.real() !== undefined)
  return found
}

type G1 = InstanceType<Curve['G1']['Point']>
type G2 = InstanceType<Curve['G2']['Point']>

/** Replaces @noble/curves/bls12-381.js for packages/domain/src/protocol/beacon.ts, with cached answers. */
export const bls12_381 = {
  utils: {
    randomSecretKey: (random: Uint8Array) => kept(['bls secret', random], () => real().utils.randomSecretKey(random)),
  },
  G1: { Point: { fromBytes: (bytes: Uint8Array) => decoded('G1', bytes, (one) => real().G1.Point.fromBytes(one)) } },
  G2: { Point: { fromBytes: (bytes: Uint8Array) => decoded('G2', bytes, (one) => real().G2.Point.fromBytes(one)) } },
  shortSignatures: {
    hash: (text: Uint8Array, domain: string) =>
      point(`hash ${textOf(text)} ${domain}`, () => real().shortSignatures.hash(text, domain)),
    sign: (message: Point<G1>, secret: Uint8Array) =>
      point(`sign ${message.name} ${textOf(secret)}`, () => real().shortSignatures.sign(message.real(), secret)),
    getPublicKey: (secret: Uint8Array) =>
      point(`key ${textOf(secret)}`, () => real().shortSignatures.getPublicKey(secret)),
    verify: (signature: Point<G1>, message: Point<G1>, key: Point<G2>) =>
      kept(['bls verify', signature.name, message.name, key.name], () =>
        real().shortSignatures.verify(signature.real(), message.real(), key.real()),
      ),
  },
}
