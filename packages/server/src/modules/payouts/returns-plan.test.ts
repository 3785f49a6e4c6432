import { HDKey } from '@scure/bip32'
import { p2wpkh } from '@scure/btc-signer'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { REGTEST } from '../../ports/wallet/test-chain.ts'
import { LARGE_PAYOUT, MAX_OUTPUTS } from './batch.ts'
import {
  BEYOND_ADDRESS,
  BEYOND_ORDER,
  BEYOND_TOTAL,
  type OwedReturn,
  type PlannedReturns,
  planReturns,
  returnLimitOf,
  type ReturnsSituation,
} from './returns-plan.ts'

const keys = HDKey.fromMasterSeed(new Uint8Array(32).fill(5))
const addresses = Array.from({ length: MAX_OUTPUTS + 1 }, (_, index) => {
  const made = p2wpkh(keys.deriveChild(index).publicKey ?? new Uint8Array(), REGTEST).address
  if (made === undefined) throw new Error('no address')
  return made
})
const DUST_SATS = 294n
const RICH: ReturnsSituation = {
  network: 'regtest',
  fee: { rate: 2_000n, bareVbytes: 78n },
  freeSats: 100_000_000n,
  approvalSats: null,
  limits: null,
}
const limitsOf = (floatSats: bigint, returned: [string, bigint][] = []) => ({ floatSats, returned: new Map(returned) })

function owed(id: number, sats: bigint, to = id, order: OwedReturn['order'] = null): OwedReturn {
  return { payee: { playerId: BigInt(to) }, address: addresses[to] ?? '', payableIds: [BigInt(id)], sats, order }
}
const idsIn = ({ payouts }: PlannedReturns): bigint[] => payouts.flatMap(({ payableIds }) => payableIds)
const sharesIn = ({ payouts }: PlannedReturns): bigint =>
  payouts.reduce((sum, { feeShareSats }) => sum + feeShareSats, 0n)
const verdicts = (planned: readonly PlannedReturns[]) =>
  planned.map((one) => [one.approvalReason, ...idsIn(one)] as const)

describe('a return', () => {
  it('a return bears its own output and an equal part of the transaction around it', () => {
    const [batch] = planReturns([owed(1, 10_000n), owed(2, 10_000n)], RICH)
    expect(batch?.payouts.map(({ feeShareSats }) => feeShareSats)).toEqual([140n, 140n])
    const [dear] = planReturns([owed(1, 20_000n)], { ...RICH, fee: { rate: 50_500n, bareVbytes: 109n } })
    expect(dear?.payouts.map(({ feeShareSats }) => feeShareSats)).toEqual([7_070n])
  })

  it('a return shares the fee of its output with others at its address, by what each gets', () => {
    const [batch] = planReturns(
      [owed(1, 3_000n), owed(2, 1_000n, 1), { ...owed(3, 1_000n), address: addresses[1] ?? '' }],
      RICH,
    )
    expect(batch?.payouts.map(({ payableIds, feeShareSats }) => [payableIds, feeShareSats])).toEqual([
      [[1n, 2n], 174n],
      [[3n], 43n],
    ])
  })

  it.each([
    [2_000n, 511n, 512n], // 218 sats of fee, and dust
    [50_000n, 11_099n, 11_100n], // twice the fee, of two virtual bytes more
  ])(
    'waits until the dust limit and its share of the fee arrive: at %s sats a kilobyte %s wait',
    (rate, few, enough) => {
      const situation = { ...RICH, fee: { rate, bareVbytes: 78n } }
      expect(planReturns([owed(1, few)], situation)).toEqual([])
      expect(planReturns([owed(1, enough)], situation)).toHaveLength(1)
      expect(planReturns([owed(1, few), owed(2, enough - few, 1)], situation).flatMap(idsIn)).toEqual([1n, 2n])
    },
  )

  it('a return waits if only a prize’s money is left, and a smaller one leaves', () => {
    const owedNow = [owed(1, 60_000n), owed(2, 50_000n), owed(3, 40_000n)]
    expect(planReturns(owedNow, { ...RICH, freeSats: 90_000n }).map(idsIn)).toEqual([[1n]])
    expect(planReturns(owedNow, { ...RICH, freeSats: 59_999n }).map(idsIn)).toEqual([[2n]])
    expect(planReturns(owedNow, { ...RICH, freeSats: -1n })).toEqual([])
  })

  it('returns to more than 500 addresses need further batches, each with the shares of its own fee', () => {
    const planned = planReturns(
      addresses.map((_, index) => owed(index, 5_000n)),
      RICH,
    )
    expect(planned.map(({ payouts }) => payouts.length)).toEqual([MAX_OUTPUTS, 1])
    expect(planned.map(sharesIn)).toEqual([62n * 500n, 218n])
  })
})

describe('a person has to approve', () => {
  it.each([
    ['three times the price', 300_001n, 100_000n, 2n],
    ['£50', 50_001n, 1_000n, 1_000n],
  ])(
    'a person approves excess of an order beyond %s, however much the wallet holds',
    (_title, excessSats, dueSats, poundSats) => {
      const at = (more: bigint) => owed(1, 10_000n, 1, { excessSats: excessSats + more, dueSats, poundSats })
      const limits = limitsOf(10_000_000_000n)
      expect(verdicts(planReturns([at(0n)], { ...RICH, limits }))).toEqual([[BEYOND_ORDER, 1n]])
      expect(verdicts(planReturns([at(-1n)], { ...RICH, limits }))).toEqual([[null, 1n]])
      expect(verdicts(planReturns([at(0n)], { ...RICH, limits, freeSats: 0n }))).toEqual([[BEYOND_ORDER, 1n]])
      // In the demo returns have no limits.
      expect(verdicts(planReturns([at(0n)], RICH))).toEqual([[null, 1n]])
    },
  )

  it('a person approves what one address gets beyond 5% of the float in 24 hours, and the rest leaves', () => {
    const owedNow = [owed(1, 30_000n), owed(2, 20_000n, 1), owed(3, 1_000n, 1), owed(4, 5_000n)]
    const limits = limitsOf(1_000_000n)
    expect(verdicts(planReturns(owedNow, { ...RICH, limits }))).toEqual([
      [null, 1n, 2n, 4n],
      [BEYOND_ADDRESS, 3n],
    ])
    const returned: [string, bigint][] = [[addresses[4] ?? '', 45_001n]]
    expect(verdicts(planReturns(owedNow.slice(3), { ...RICH, limits: limitsOf(1_000_000n, returned) }))).toEqual([
      [BEYOND_ADDRESS, 4n],
    ])
  })

  it('a person approves what exceeds 25% of the float in 24 hours, in one batch', () => {
    const owedNow = Array.from({ length: 8 }, (_, index) => owed(index, 40_000n))
    expect(verdicts(planReturns(owedNow, { ...RICH, limits: limitsOf(1_000_000n, [['elsewhere', 10_000n]]) }))).toEqual(
      [
        [null, 0n, 1n, 2n, 3n, 4n, 5n],
        [BEYOND_TOTAL, 6n, 7n],
      ],
    )
  })

  it('a person approves what one address gets beyond PAYOUT_APPROVAL_SATS, in the demo as well', () => {
    expect(verdicts(planReturns([owed(1, 30_000n), owed(2, 40_001n)], { ...RICH, approvalSats: 40_000n }))).toEqual([
      [null, 1n],
      [LARGE_PAYOUT, 2n],
    ])
  })
})

it('no plan contains a return that a prize needs, that is beyond a limit, or that costs more than half of what it is', () => {
  const amount = fc.bigInt({ min: 1n, max: 2_000_000n })
  const order = fc.record({ excessSats: amount, dueSats: amount, poundSats: fc.constantFrom(1n, 1_000n, 40_000n) })
  const some = fc.array(fc.record({ sats: amount, to: fc.nat(5), order: fc.option(order) }), { maxLength: 30 })
  const situation = fc.record({
    rate: fc.bigInt({ min: 1_000n, max: 300_000n }),
    freeSats: fc.bigInt({ min: -1_000_000n, max: 20_000_000n }),
    floatSats: fc.bigInt({ min: 0n, max: 40_000_000n }),
    returned: fc.array(amount, { maxLength: 6 }),
  })
  const rule = fc.property(some, situation, (returns, { rate, freeSats, floatSats, returned }) => {
    const fee = { rate, bareVbytes: 109n }
    const limits = limitsOf(
      floatSats,
      returned.map((sats, index) => [addresses[index] ?? '', sats]),
    )
    const owedNow = returns.map(({ sats, to, order: of }, id) => owed(id, sats, to, of))
    const planned = planReturns(owedNow, { network: 'regtest', fee, freeSats, approvalSats: null, limits })
    const ids = planned.flatMap(idsIn)
    expect(new Set(ids).size).toBe(ids.length)
    for (const batch of planned) {
      const paidSats = batch.payouts.reduce((sum, { sats }) => sum + sats, 0n)
      const vbytes = 109n + 31n * BigInt(new Set(batch.payouts.map(({ address }) => address)).size)
      const feeSats = (vbytes * rate) / 1000n
      // The shares are the fee except for rounding, which the operator bears.
      expect(sharesIn(batch) <= feeSats && feeSats - sharesIn(batch) <= 2n * BigInt(batch.payouts.length)).toBe(true)
      expect(2n * sharesIn(batch) <= paidSats).toBe(true)
      for (const [address, group] of Map.groupBy(batch.payouts, (payout) => payout.address)) {
        const arriving = group.reduce((sum, { sats, feeShareSats }) => sum + sats - feeShareSats, 0n)
        expect(arriving >= DUST_SATS, address).toBe(true)
      }
    }
    const leaving = planned.filter(({ approvalReason }) => approvalReason === null).flatMap(({ payouts }) => payouts)
    const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, sats) => sum + sats, 0n)
    const leavingSats = sumOf(leaving.map(({ sats }) => sats))
    expect(leavingSats <= (freeSats > 0n ? freeSats : 0n)).toBe(true)
    if (leaving.length > 0) expect(leavingSats + sumOf(returned) <= returnLimitOf(floatSats)).toBe(true)
    for (const [address, group] of Map.groupBy(leaving, (payout) => payout.address)) {
      const sats = sumOf(group.map((payout) => payout.sats)) + (limits.returned.get(address) ?? 0n)
      expect(sats <= floatSats / 20n).toBe(true)
    }
    for (const id of leaving.flatMap(({ payableIds }) => payableIds)) {
      const { order: of } = owedNow[Number(id)] ?? { order: null }
      if (of !== null) expect(of.excessSats <= 3n * of.dueSats || of.excessSats <= 50n * of.poundSats).toBe(true)
    }
  })
  fc.assert(rule, { numRuns: 300 })
})
