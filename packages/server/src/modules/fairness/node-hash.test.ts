import { nobleHash } from '@fairball/domain/protocol/hash'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NODE_HASH } from './node-hash.ts'

describe("the server's own hash", () => {
  it("the server's hash returns the same bytes as the domain's for any input", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 200 })), (parts) => {
        expect(NODE_HASH(...parts)).toEqual(nobleHash(...parts))
      }),
    )
  })
})
