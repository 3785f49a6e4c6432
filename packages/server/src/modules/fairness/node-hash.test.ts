import { NOBLE_HASH } from '@fairball/domain/fairness/hash'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { NODE_HASH } from './node-hash.ts'

const bytes = (maxLength: number) => fc.uint8Array({ maxLength })

it('gives the bytes of the domain’s own functions, whatever key and message', () => {
  fc.assert(
    fc.property(bytes(100), bytes(300), (key, message) => {
      expect(NODE_HASH.sha256(message)).toEqual(NOBLE_HASH.sha256(message))
      expect(NODE_HASH.hmac(key, message)).toEqual(NOBLE_HASH.hmac(key, message))
    }),
  )
})
