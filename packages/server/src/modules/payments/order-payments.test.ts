import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SeenOutput } from '../../ports/payment-provider/payment-provider.ts'
import {
  DAILY_LOOKS_SECONDS,
  FINAL_AFTER_SECONDS,
  isNothingNew,
  type KnownPayment,
  LATE_LOOKS_SECONDS,
  LONGEST_WAIT_SECONDS,
  MISSING_SECONDS,
  missingOf,
  nextLookAt,
  paymentChanges,
  sumPayments,
} from './order-payments.ts'

const output = (outpoint: string, confirmations = 0): SeenOutput => ({
  outpoint,
  sats: 1000n,
  confirmations,
  seenAt: 100,
  network: 'ONCHAIN',
})
const known = (outpoint: string, sats: bigint, seenAt: number, confirmedAt: number | null = null) => {
  return {
    outpoint,
    sats,
    seenAt,
    minedAt: confirmedAt,
    inputs: null,
    earlier: [],
    confirmedAt,
    finalAt: null,
    missingSince: null,
  }
}

const NOW = 1_000_000
const look = (before: Parameters<typeof paymentChanges>[0], outputs: SeenOutput[]) =>
  paymentChanges(before, { outputs }, { requiredConfirmations: 1, now: NOW })

describe('what a check of the provider changes', () => {
  it('a check adds an outpoint once, and counts it when it is deep enough', () => {
    const changes = look([known('a:0', 1000n, 100)], [output('a:0', 1), output('b:0', 0)])
    expect(changes.appeared.map((one) => one.outpoint)).toEqual(['b:0'])
    expect(changes.confirmed).toEqual(['a:0'])
    expect(changes.vanished).toEqual([])
  })

  it('a check drops money that was replaced before it was confirmed, and nothing that was counted', () => {
    const before = [known('a:0', 1000n, 100), known('b:0', 1000n, 100, 120)]
    expect(look(before, []).vanished).toEqual(['a:0'])
  })

  it.each([
    ['absent', []],
    ['back in the mempool', [output('a:0', 0)]],
  ])('a payment that counts is reorganised away only if it is %s twice, a minute apart', (_, outputs) => {
    const counted = known('a:0', 1000n, 100, 120)
    expect(look([counted], outputs)).toMatchObject({ missing: ['a:0'], reversed: [], vanished: [], found: [] })
    const doubted = (since: number) => ({ ...counted, missingSince: since })
    expect(look([doubted(NOW - MISSING_SECONDS + 1)], outputs)).toMatchObject({ missing: [], reversed: [] })
    expect(look([doubted(NOW - MISSING_SECONDS)], outputs)).toMatchObject({ missing: [], reversed: ['a:0'] })
    expect(look([doubted(NOW - 10)], [output('a:0', 1)])).toMatchObject({ found: ['a:0'], reversed: [] })
  })

  it('a check undoes nothing that is final, shallower than before, or finished at the provider', () => {
    const counted = known('a:0', 1000n, 100, 120)
    expect(look([{ ...counted, finalAt: 200 }], [])).toMatchObject({ missing: [], reversed: [] })
    const shallow = paymentChanges([counted], { outputs: [output('a:0', 1)] }, { requiredConfirmations: 3, now: NOW })
    expect(shallow).toMatchObject({ missing: [], reversed: [] })
    const done = paymentChanges(
      [{ ...counted, missingSince: 1 }],
      { outputs: [], isFinal: true },
      { requiredConfirmations: 1, now: NOW },
    )
    expect(done).toMatchObject({ missing: [], reversed: [], final: ['a:0'], found: ['a:0'] })
  })

  it('what is six deep, over Lightning, or has counted for a day is final', () => {
    expect(look([], [output('a:0', 6), output('b:0', 5)]).final).toEqual(['a:0'])
    const old = known('a:0', 1000n, 100, NOW - FINAL_AFTER_SECONDS)
    expect(look([old], [output('a:0', 2)]).final).toEqual(['a:0'])
    expect(look([old], []).final).toEqual([])
    expect(look([known('a:0', 1000n, 100, NOW - FINAL_AFTER_SECONDS + 1)], [output('a:0', 2)]).final).toEqual([])
  })
})

describe('a payment that replaces another', () => {
  it('a replacement is found by reading what both transactions spend once, however many outputs they have', () => {
    let reads = 0
    const counted = (coins: readonly string[]): readonly string[] =>
      new Proxy(coins, { get: (all, key) => ((reads += 1), Reflect.get(all, key) as unknown) })
    const numbers = Array.from({ length: 60 }, (_, number) => number)
    const [older, newer] = ['old', 'new'].map((name) => counted([...numbers.map((at) => `${name}:${at}`), 'both:0']))
    const before = numbers.map((at) => ({ ...known(`a:${at}`, 1000n, at), inputs: older ?? null }))
    const { earlier } = look(
      before,
      numbers.map((at) => ({ ...output(`b:${at}`), sats: 500n, inputs: newer ?? [] })),
    )
    expect([...earlier.values()].flat().map(({ at }) => at)).toEqual(numbers.map((at) => Math.floor(at / 2)))
    expect(reads).toBeLessThan(10 * numbers.length)
  })

  it('a replacement passes on all outputs, even if only one reports what is spent', () => {
    const before = [{ ...known('a:0', 600n, 1), inputs: ['coin:0'] }, known('a:1', 400n, 2)]
    const { earlier } = look(before, [{ ...output('b:0'), inputs: ['coin:0'] }])
    expect(earlier.get('b:0')).toEqual([
      { at: 1, sats: 600n },
      { at: 2, sats: 400n },
    ])
    expect(look(before, [{ ...output('b:0'), inputs: ['coin:1'] }]).earlier.size).toBe(0)
  })
})

describe('a check that found nothing new', () => {
  it.each([
    ['shows what counts, not deep enough to be final', [known('a:0', 1000n, 100, NOW - 600)], [output('a:0', 3)], true],
    ['shows what waits for its block', [known('a:0', 1000n, 100)], [output('a:0', 0)], true],
    ['shows nothing where nothing was', [], [], true],
    ['shows something more', [known('a:0', 1000n, 100, NOW - 600)], [output('a:0', 3), output('b:0', 0)], false],
    ['shows what waited in a block', [known('a:0', 1000n, 100)], [output('a:0', 1)], false],
    [
      'shows what counts as deep as it will ever matter',
      [known('a:0', 1000n, 100, NOW - 600)],
      [output('a:0', 6)],
      false,
    ],
    ['shows what counts no longer', [known('a:0', 1000n, 100, NOW - 600)], [], false],
    ['shows what waited no longer', [known('a:0', 1000n, 100)], [], false],
  ])('a check %s', (_, before, outputs, expected) => {
    expect(isNothingNew(before, look(before, outputs))).toBe(expected)
  })

  it('a check found nothing new exactly if every payment is as before', () => {
    const outpoints = fc.constantFrom('a:0', 'b:0', 'c:1')
    const since = fc.option(fc.constantFrom(NOW - FINAL_AFTER_SECONDS, NOW - MISSING_SECONDS, NOW - 10), { nil: null })
    const payment = fc.record({ outpoint: outpoints, confirmedAt: since, isFinal: fc.boolean(), missingSince: since })
    const shown = fc.record({ outpoint: outpoints, confirmations: fc.constantFrom(0, 1, 2, 6) })
    const some = <T extends { outpoint: string }>(one: fc.Arbitrary<T>) =>
      fc.uniqueArray(one, { maxLength: 3, selector: ({ outpoint }) => outpoint })
    const snapshots = fc.record({ isFinal: fc.boolean(), leavesCounted: fc.boolean() })
    const found = { nothing: 0, something: 0 }
    fc.assert(
      fc.property(
        some(payment),
        some(shown),
        snapshots,
        fc.constantFrom(1, 2),
        (payments, outputs, snapshot, needed) => {
          const before = payments.map(({ outpoint, confirmedAt, isFinal, missingSince }) => ({
            ...known(outpoint, 1000n, 100, confirmedAt),
            finalAt: confirmedAt !== null && isFinal ? confirmedAt : null,
            missingSince: confirmedAt === null || isFinal ? null : missingSince,
          }))
          const changes = paymentChanges(
            before,
            { ...snapshot, outputs: outputs.map((one) => output(one.outpoint, one.confirmations)) },
            { requiredConfirmations: needed, now: NOW },
          )
          const after = changed(before, changes)
          const isSame = JSON.stringify(after.map(namesAndTimes)) === JSON.stringify(before.map(namesAndTimes))
          expect(isNothingNew(before, changes)).toBe(isSame)
          found[isSame ? 'nothing' : 'something'] += 1
        },
      ),
      { numRuns: 2000, seed: 5 },
    )
    expect(Math.min(found.nothing, found.something)).toBeGreaterThan(100)
  })

  const namesAndTimes = ({ outpoint, minedAt, confirmedAt, finalAt, missingSince }: KnownPayment) => {
    return [outpoint, minedAt, confirmedAt, finalAt, missingSince]
  }

  /** The payments as the statements that store a check leave them. */
  function changed(before: readonly KnownPayment[], changes: ReturnType<typeof paymentChanges>): KnownPayment[] {
    const { appeared, mined, unmined, vanished, confirmed, final, missing, found, reversed } = changes
    const minedAt = new Map(mined.map(({ outpoint, at }) => [outpoint, at]))
    return [...before, ...appeared.map((one) => known(one.outpoint, one.sats, one.seenAt))]
      .filter((payment) => !vanished.includes(payment.outpoint))
      .map((payment) => {
        const { outpoint } = payment
        if (reversed.includes(outpoint)) return { ...payment, minedAt: null, confirmedAt: null, missingSince: null }
        const confirmedAt = payment.confirmedAt ?? (confirmed.includes(outpoint) ? NOW : null)
        const isFinal = final.includes(outpoint) && confirmedAt !== null
        const doubtedAt = missing.includes(outpoint) ? (payment.missingSince ?? NOW) : payment.missingSince
        return {
          ...payment,
          minedAt: minedAt.get(outpoint) ?? (unmined.includes(outpoint) ? null : payment.minedAt),
          confirmedAt,
          finalAt: payment.finalAt ?? (isFinal ? NOW : null),
          missingSince: found.includes(outpoint) ? null : doubtedAt,
        }
      })
  }
})

describe('the sum of what arrived', () => {
  const HELD_UNTIL = 6_000
  const sums = (payments: Parameters<typeof sumPayments>[0], neededSats = 1000n, readAt = 5_000) =>
    sumPayments(payments, { neededSats, expiresAt: 350, heldUntil: HELD_UNTIL }, readAt)

  it('an order is covered from the time of the payment that made it enough', () => {
    const payments = [known('b:0', 400n, 300), known('a:0', 600n, 200, 250), known('c:0', 600n, 400)]
    expect(sums(payments)).toEqual({
      seenSats: 1600n,
      confirmedSats: 600n,
      coveredAt: 300,
      minedAt: null,
      quote: 'open',
      blockBy: HELD_UNTIL,
    })
    expect(sums(payments, 1601n)).toMatchObject({ coveredAt: null, quote: 'lost', blockBy: null })
    expect(sums([])).toMatchObject({ seenSats: 0n, confirmedSats: 0n, coveredAt: null, quote: 'lost', blockBy: null })
  })

  const seen = (outpoint: string, seenAt: number, minedAt: number | null, confirmedAt: number | null = null) => {
    return { ...known(outpoint, 1000n, seenAt, confirmedAt), minedAt }
  }
  it.each([
    ['what is confirmed in time', seen('a:0', 350, HELD_UNTIL, 9_000), 9_000, 'kept', null],
    ['what is in a block in time, not deep enough', seen('a:0', 350, HELD_UNTIL), 9_000, 'open', null],
    ['what waits for its block', seen('a:0', 350, null), HELD_UNTIL - 1, 'open', HELD_UNTIL],
    ['what waits for it still at the end', seen('a:0', 350, null), HELD_UNTIL, 'lost', HELD_UNTIL],
    ['what came into its block too late', seen('a:0', 350, HELD_UNTIL + 1, 9_000), 9_000, 'lost', HELD_UNTIL],
    ['what was seen too late', seen('a:0', 351, 400, 400), 500, 'lost', null],
    ['what was counted before blocks had times', seen('a:0', 350, null, 400), 9_000, 'kept', null],
  ])('price and draws depend on %s', (_what, payment, readAt, quote, blockBy) => {
    expect(sums([payment], 1000n, readAt)).toMatchObject({ quote, blockBy })
  })
})

describe('the next check of an order', () => {
  const expiresAt = 10_000
  const heldUntil = expiresAt + 5_400
  const TEN_MINUTES = 600
  const DAY = 86_400
  /** A provider that sends messages, and one that has to be asked. */
  const told = { paymentAt: null, blockAt: null }
  const asked = (now: number) => ({ paymentAt: now + 30, blockAt: now + 60 })
  const open = { isDecided: false, isCovered: false, hasUnconfirmed: false, hasWatched: false }
  const grid = (now: number): number => expiresAt + (Math.floor((now - expiresAt) / TEN_MINUTES) + 1) * TEN_MINUTES

  it.each([
    ['nothing came, and the provider tells', 9_500, open, told, expiresAt],
    ['nothing came, and the provider has to be asked', 9_500, open, asked(9_500), 9_530],
    ['enough waits for its block', 9_500, { ...open, isCovered: true, hasUnconfirmed: true }, asked(9_500), 9_560],
    ['a part waits for its block', 9_500, { ...open, hasUnconfirmed: true }, asked(9_500), 9_530],
    ['at the expiry', expiresAt, open, told, expiresAt + TEN_MINUTES],
    ['after it, where nobody tells', expiresAt + 20, open, asked(expiresAt + 20), grid(expiresAt + 20)],
    ['late money in full waits', 10_700, { ...open, isCovered: true, hasUnconfirmed: true }, asked(10_700), 10_760],
    ['a part waits after the expiry', 10_700, { ...open, hasUnconfirmed: true }, asked(10_700), grid(10_700)],
    ['a day later', expiresAt + DAY, open, asked(expiresAt + DAY), expiresAt + 2 * DAY],
    ['a week later', expiresAt + 7 * DAY, open, asked(expiresAt + 7 * DAY), null],
    ['it was paid, a day later', expiresAt + DAY, { ...open, isDecided: true }, told, null],
    [
      'money waits for days',
      expiresAt + 3 * DAY + 7,
      { ...open, isCovered: true, hasUnconfirmed: true },
      asked(expiresAt + 3 * DAY + 7),
      grid(expiresAt + 3 * DAY + 7),
    ],
    [
      'money waits, a moment before it is given up',
      expiresAt + LONGEST_WAIT_SECONDS - 1,
      { ...open, hasUnconfirmed: true },
      told,
      expiresAt + LONGEST_WAIT_SECONDS,
    ],
    [
      'money was given up',
      expiresAt + LONGEST_WAIT_SECONDS,
      { ...open, hasUnconfirmed: true },
      asked(expiresAt + LONGEST_WAIT_SECONDS),
      null,
    ],
    ['what counts may be undone', expiresAt + 90_001, { ...open, isDecided: true, hasWatched: true }, told, 100_600],
  ])('an order has its next check: %s', (_title, now, facts, provider, expected) => {
    expect(nextLookAt({ expiresAt, heldUntil, now, ...facts, provider })).toBe(expected)
  })

  function looksAt(facts: typeof open, providerAt: (now: number) => ReturnType<typeof asked> | typeof told): number[] {
    const looks = [expiresAt]
    for (;;) {
      const now = looks.at(-1) ?? expiresAt
      const next = nextLookAt({ expiresAt, heldUntil, now, ...facts, provider: providerAt(now) })
      if (next === null) return looks.slice(1).map((at) => at - expiresAt)
      expect(next).toBeGreaterThan(now)
      looks.push(next)
    }
  }

  it('orders made one after the other are checked at different moments', () => {
    const now = expiresAt + 2 * DAY
    const looks = Array.from({ length: TEN_MINUTES }, (_, second) =>
      nextLookAt({
        expiresAt: expiresAt + second,
        heldUntil,
        now,
        ...open,
        isDecided: true,
        hasWatched: true,
        provider: told,
      }),
    )
    expect(new Set(looks).size).toBe(TEN_MINUTES)
    for (const at of looks) expect(at).toBeLessThanOrEqual(now + TEN_MINUTES)
  })

  it('checks become ever rarer if the provider sends messages, and end after a week', () => {
    expect(looksAt(open, () => told)).toEqual([...LATE_LOOKS_SECONDS, ...DAILY_LOOKS_SECONDS])
  })

  it('checks come every ten minutes for a day if the provider has to be asked, then daily for a week', () => {
    const looks = looksAt(open, asked)
    expect(looks.filter((at) => at <= DAY).length).toBeGreaterThanOrEqual(144)
    for (const [place, at] of looks.entries())
      if (at <= DAY) expect(at - (looks[place - 1] ?? 0)).toBeLessThanOrEqual(TEN_MINUTES)
    expect(looks.filter((at) => at > DAY)).toEqual(DAILY_LOOKS_SECONDS)
  })

  it('checks come every ten minutes for fourteen days while part of the money waits, and once more at the end', () => {
    const looks = looksAt({ ...open, hasUnconfirmed: true }, asked)
    expect(looks.at(-1)).toBe(LONGEST_WAIT_SECONDS)
    expect(looks.length).toBeLessThan(14 * 144 + 30)
  })
})

describe('what is missing', () => {
  const order = { status: 'UNDERPAID', neededSats: 1500n } as const
  it('what is missing is what the order needs, whatever it cost', () => {
    expect(missingOf(order, 1100n)).toBe(400n)
    expect(missingOf(order, 1500n)).toBe(0n)
    expect(missingOf(order, 9000n)).toBe(0n)
  })
  it('nothing is missing once the order is decided', () => {
    for (const status of ['PAID', 'REFUNDED'] as const) expect(missingOf({ ...order, status }, 0n)).toBe(0n)
  })
})
