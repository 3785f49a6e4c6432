import { signNote } from '@fairball/domain/protocol/note'
import { publicKeyOf } from '@fairball/domain/protocol/ed25519'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { signedNote, signingKey } from './signing.ts'

describe("a note signed by the server's own Ed25519", () => {
  it("a signed note has the same bytes as the domain's, for any key and text", () => {
    const seed = fc.uint8Array({ minLength: 32, maxLength: 32 })
    const text = fc.string({ minLength: 1, unit: fc.constantFrom('a', 'B', '0', ' ', '/') }).map((line) => `x${line}\n`)
    fc.assert(
      fc.property(seed, text, (secretSeed, line) => {
        const key = signingKey(secretSeed)
        expect(key.publicKey).toEqual(publicKeyOf(secretSeed))
        expect(signedNote(line, 'a.example/fairball', [key])).toBe(signNote(line, 'a.example/fairball', secretSeed))
      }),
      { numRuns: 30 },
    )
  })

  it('a text without a line feed at its end is not signed', () => {
    expect(() => signedNote('text', 'a.example/fairball', [signingKey(new Uint8Array(32))])).toThrow('line feed')
  })
})
