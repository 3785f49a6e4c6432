import { readBolt11 } from '@fairball/domain/bolt11'
import { nodeIdOf, payeeOfBolt11, signBolt11 } from '@fairball/domain/bolt11-signature'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isPaidBy } from './invoice-signer.ts'

const KEYS = [new Uint8Array(32).fill(7), new Uint8Array(32).fill(8)] as const
const [NODE, OTHER] = KEYS.map(nodeIdOf) as [string, string]

const DRAFT = fc.record({
  network: fc.constantFrom('mainnet', 'regtest'),
  amountMsat: fc.bigInt({ min: 1n, max: 10n ** 12n }),
  madeAt: fc.integer({ min: 1_600_000_000, max: 2_000_000_000 }),
  hash: fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('hex')),
  description: fc.string({ maxLength: 60, unit: 'grapheme' }),
})

function invoiceOf(draft: typeof DRAFT extends fc.Arbitrary<infer T> ? T : never, key: Uint8Array): string {
  const usual = { descriptionHash: null, expirySeconds: 900, minFinalCltv: 18, features: [8, 14] }
  return signBolt11({ ...draft, ...usual, secret: 'cd'.repeat(32) }, key)
}

it('a node is paid by the invoices that it signed, and by no other', () => {
  fc.assert(
    fc.property(DRAFT, (draft) => {
      for (const key of KEYS) {
        const text = invoiceOf(draft, key)
        const said = { payee: readBolt11(text)?.payee ?? null }
        const payee = payeeOfBolt11(text)
        expect([isPaidBy(text, said, NODE), isPaidBy(text, said, OTHER)]).toEqual([payee === NODE, payee === OTHER])
      }
    }),
    { numRuns: 30 },
  )
})

it('an invoice that names another node, or that was changed after its signature, does not pay the node', () => {
  const draft = { network: 'regtest', amountMsat: 5_000_000n, madeAt: 1_700_000_000, hash: 'ab'.repeat(32) } as const
  const [text, dearer] = [draft, { ...draft, amountMsat: 6_000_000n }].map((one) =>
    invoiceOf({ ...one, description: 'one line' }, KEYS[0]),
  ) as [string, string]
  expect(isPaidBy(text, { payee: null }, NODE)).toBe(true)
  expect(isPaidBy(text, { payee: NODE }, NODE)).toBe(true)
  expect(isPaidBy(text, { payee: OTHER }, NODE)).toBe(false)
  expect(isPaidBy('lnbcrt1', { payee: null }, NODE)).toBe(false)
  const swapped = `${text.slice(0, 20)}${dearer.slice(20)}`
  expect(isPaidBy(swapped, { payee: null }, NODE)).toBe(false)
})
