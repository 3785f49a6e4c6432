import { describe, expect, it } from 'vitest'
import type { SeenOutput } from '../../ports/payment-provider/payment-provider.ts'
import {
  FINAL_AFTER_SECONDS,
  LATE_LOOKS_SECONDS,
  LONGEST_WAIT_SECONDS,
  MISSING_SECONDS,
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
  return { outpoint, sats, seen_at: seenAt, confirmed_at: confirmedAt, final_at: null, missing_since: null }
}

const NOW = 1_000_000
const look = (before: Parameters<typeof paymentChanges>[0], outputs: SeenOutput[]) =>
  paymentChanges(before, { outputs }, { requiredConfirmations: 1, now: NOW })

describe('what a look at the provider changes', () => {
  it('adds an outpoint once, and counts it when it is deep enough', () => {
    const changes = look([known('a:0', 1000n, 100)], [output('a:0', 1), output('b:0', 0)])
    expect(changes.appeared.map((one) => one.outpoint)).toEqual(['b:0'])
    expect(changes.confirmed).toEqual(['a:0'])
    expect(changes.vanished).toEqual([])
  })

  it('lets go of money that was replaced before it was confirmed, and of nothing that was counted', () => {
    const before = [known('a:0', 1000n, 100), known('b:0', 1000n, 100, 120)]
    expect(look(before, []).vanished).toEqual(['a:0'])
  })

  it.each([
    ['absent', []],
    ['back in the mempool', [output('a:0', 0)]],
  ])('takes what counts for reorganised away only when it is %s twice, a minute apart', (_, outputs) => {
    const counted = known('a:0', 1000n, 100, 120)
    expect(look([counted], outputs)).toMatchObject({ missing: ['a:0'], reversed: [], vanished: [], found: [] })
    const doubted = (since: number) => ({ ...counted, missing_since: since })
    expect(look([doubted(NOW - MISSING_SECONDS + 1)], outputs)).toMatchObject({ missing: [], reversed: [] })
    expect(look([doubted(NOW - MISSING_SECONDS)], outputs)).toMatchObject({ missing: [], reversed: ['a:0'] })
    expect(look([doubted(NOW - 10)], [output('a:0', 1)])).toMatchObject({ found: ['a:0'], reversed: [] })
  })

  it('undoes nothing that is final, shallower than before, or that the provider is done with', () => {
    const counted = known('a:0', 1000n, 100, 120)
    expect(look([{ ...counted, final_at: 200 }], [])).toMatchObject({ missing: [], reversed: [] })
    const shallow = paymentChanges([counted], { outputs: [output('a:0', 1)] }, { requiredConfirmations: 3, now: NOW })
    expect(shallow).toMatchObject({ missing: [], reversed: [] })
    const done = paymentChanges(
      [{ ...counted, missing_since: 1 }],
      { outputs: [], isFinal: true },
      { requiredConfirmations: 1, now: NOW },
    )
    expect(done).toMatchObject({ missing: [], reversed: [], final: ['a:0'], found: ['a:0'] })
  })

  it('is done with what is six deep, over Lightning, or has counted for a day', () => {
    expect(look([], [output('a:0', 6), output('b:0', 5)]).final).toEqual(['a:0'])
    const old = known('a:0', 1000n, 100, NOW - FINAL_AFTER_SECONDS)
    expect(look([old], [output('a:0', 2)]).final).toEqual(['a:0'])
    expect(look([old], []).final).toEqual([])
    expect(look([known('a:0', 1000n, 100, NOW - FINAL_AFTER_SECONDS + 1)], [output('a:0', 2)]).final).toEqual([])
  })
})

describe('what arrived, added up', () => {
  it('is covered from the moment at which the payment came that made it enough', () => {
    const payments = [known('b:0', 400n, 300), known('a:0', 600n, 200, 250), known('c:0', 600n, 400)]
    expect(sumPayments(payments, 1000n)).toEqual({ seenSats: 1600n, confirmedSats: 600n, coveredAt: 300 })
    expect(sumPayments(payments, 1601n).coveredAt).toBe(null)
    expect(sumPayments([], 1000n)).toEqual({ seenSats: 0n, confirmedSats: 0n, coveredAt: null })
  })
})

describe('the next look at an order', () => {
  const expiresAt = 10_000
  it.each([
    ['nothing came, before the expiry', { now: 9_500, hasUnconfirmed: false, providerAt: null }, expiresAt],
    ['nothing came, the provider is asked often', { now: 9_500, hasUnconfirmed: false, providerAt: 9_510 }, 9_510],
    ['money waits for a block', { now: 9_500, hasUnconfirmed: true, providerAt: 9_600 }, 9_600],
    ['at the expiry', { now: expiresAt, hasUnconfirmed: false, providerAt: 10_030 }, expiresAt + 600],
    ['late money waits for a block', { now: 10_700, hasUnconfirmed: true, providerAt: 10_800 }, 10_800],
    ['a day after the expiry', { now: expiresAt + 86_400, hasUnconfirmed: false, providerAt: 200_000 }, null],
    ['money waits for days', { now: expiresAt + 100_000, hasUnconfirmed: true, providerAt: 110_400 }, 110_400],
    [
      'money waits for too long',
      { now: expiresAt + LONGEST_WAIT_SECONDS, hasUnconfirmed: true, providerAt: 9e6 },
      null,
    ],
    [
      'money that counts may still be reorganised away',
      { now: expiresAt + 90_001, hasUnconfirmed: false, hasWatched: true, providerAt: null },
      100_200,
    ],
  ])('%s', (_title, look, expected) => {
    expect(nextLookAt({ expiresAt, hasWatched: false, ...look })).toBe(expected)
  })

  it('comes ever more rarely, and ends', () => {
    let now = expiresAt
    let looks = 0
    for (;;) {
      const next = nextLookAt({ expiresAt, now, hasUnconfirmed: false, hasWatched: false, providerAt: null })
      if (next === null) break
      expect(next).toBeGreaterThan(now)
      now = next
      looks += 1
    }
    expect(looks).toBe(LATE_LOOKS_SECONDS.length)
    expect(now).toBe(expiresAt + 86_400)
  })
})
