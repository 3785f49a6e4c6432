/** Fairness section 12: a report comes of everything that may be in a bundle. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Bundle } from './bundle.ts'
import { toHex } from './bytes.ts'
import { fixedPlay, gameOf } from './draw-fixture.ts'
import { OperatorFixture } from './operator-fixture.ts'
import { resigned } from './resigned-fixture.ts'
import { verifyBundle } from './verify.ts'

const LOTTO = gameOf('bitcoin-lotto')
const operator = new OperatorFixture()
const draw = operator.open(1, [fixedPlay('alice', 2, LOTTO), fixedPlay('bob', 1, LOTTO)])
const closeHash = operator.settle(draw)
const bundle = operator.bundle(draw)

describe('whatever is in a bundle', () => {
  const whole: Bundle = {
    ...bundle,
    own: { key: null, username: 'alice', sights: [], receipts: [operator.receipt(draw, 0, closeHash)] },
  }
  const anyText = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom(...bundle.log))
  const anyReceipt = fc.record({
    receipt: fc.oneof(anyText, fc.constant(whole.own?.receipts[0]?.receipt ?? '')),
    close: fc.option(anyText),
    entries: fc.array(
      fc.record({
        id: fc.constantFrom(toHex(draw.entries[0]?.id ?? new Uint8Array()), 'x'),
        index: fc.nat(),
        size: fc.nat(),
        path: fc.array(fc.string()),
      }),
    ),
  })

  it('the verifier gives a report and does not throw, and never passes', () => {
    fc.assert(
      fc.property(
        fc.record({
          game: fc.constantFrom('bitcoin-lotto', ''),
          draw: fc.constantFrom(1, 0),
          log: fc.oneof(fc.constant(bundle.log), fc.array(anyText)),
          rules: fc.oneof(fc.constant(bundle.rules), anyText),
          witnesses: fc.array(anyText),
          beacon: fc.option(fc.record({ round: fc.bigInt({ min: -1n, max: 1n << 70n }), signature: fc.string() })),
          entries: fc.option(fc.uint8Array({ maxLength: 300 })),
          own: fc.option(
            fc.record({
              key: fc.option(fc.string()),
              username: fc.option(fc.string()),
              sights: fc.array(fc.record({ hash: fc.string(), seenAt: fc.maxSafeNat() })),
              receipts: fc.array(anyReceipt),
            }),
          ),
        }),
        (hostile) => {
          expect(verifyBundle(hostile).outcome).not.toBe('passed')
        },
      ),
      { numRuns: 200 },
    )
  }, 60_000)

  it('statements with any figures, signed, give a report', () => {
    const anyWhole = fc.oneof(fc.nat(), fc.maxSafeNat(), fc.constant(0))
    const anyBig = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n })
    fc.assert(
      fc.property(anyWhole, anyWhole, anyBig, anyBig, (time, count, amount, round) => {
        const positive = round === 0n ? 1n : round
        const log = resigned(whole.log, operator, (one) => {
          if (one.type === 'chain') return { ...one, period: Math.max(1, count), genesis: time }
          if (one.type === 'open') return { ...one, round: positive }
          if (one.type === 'close')
            return { ...one, entries: count, free: 0, pool: amount, rate: { currency: 'EUR', amount }, round: positive }
          return one.type === 'result'
            ? { ...one, tiers: [{ matches: count, kind: 'fixed', winners: count, satsEach: amount }] }
            : one
        })
        expect(verifyBundle({ ...whole, log, beacon: null }).outcome).toBe('failed')
      }),
      { numRuns: 60 },
    )
  }, 60_000)
})
