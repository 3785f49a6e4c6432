import { HDKey } from '@scure/bip32'
import { p2pkh, p2wpkh } from '@scure/btc-signer'
import { describe, expect, it } from 'vitest'
import { REGTEST } from '../../ports/wallet/test-chain.ts'
import { FEE_SHARE_SATS_PER_VBYTE, isPayable, MOST_OUTPUTS, type Owed, planBatch } from './batch.ts'

const keys = HDKey.fromMasterSeed(new Uint8Array(32).fill(5))
function address(index: number, kind: 'wpkh' | 'pkh' = 'wpkh'): string {
  const key = keys.deriveChild(index).publicKey
  const made = key === null ? undefined : (kind === 'wpkh' ? p2wpkh : p2pkh)(key, REGTEST).address
  if (made === undefined) throw new Error('no address')
  return made
}
const owed = (playerId: bigint, at: string, sats: bigint, returnedSats = 0n): Owed => {
  return { payee: { playerId }, address: at, payableIds: [playerId], sats, returnedSats }
}

describe('a batch of payouts', () => {
  it('pays a prize in full and a refund less its share of the fee', () => {
    const { payouts } = planBatch([owed(1n, address(1), 10_000n), owed(2n, address(2), 10_000n, 10_000n)], 'regtest')
    // its own 31 virtual bytes, and half of the 78 around the two outputs, at 2 sats each
    expect(payouts.map((payout) => payout.feeShareSats)).toEqual([0n, 31n * 2n + 78n])
  })

  it('lets a player who has prizes and refunds bear the fee for the refunds alone', () => {
    const { payouts } = planBatch([owed(1n, address(1), 10_000n, 2_500n)], 'regtest')
    expect(payouts[0]?.feeShareSats).toBe(((31n + 78n) * 2n) / 4n)
  })

  it('never takes more in shares than the transaction costs', () => {
    for (const count of [1, 2, 3, 7, 253, MOST_OUTPUTS]) {
      const { payouts } = planBatch(
        Array.from({ length: count }, (_, index) => owed(BigInt(index), address(index), 5_000n, 5_000n)),
        'regtest',
      )
      const shares = payouts.reduce((sum, payout) => sum + payout.feeShareSats, 0n)
      const vsize = 78n + 31n * BigInt(count)
      expect(payouts).toHaveLength(count)
      expect(shares <= vsize * FEE_SHARE_SATS_PER_VBYTE).toBe(true)
    }
  })

  it.each([
    ['wpkh', 293n, 0],
    ['wpkh', 294n, 1],
    ['pkh', 545n, 0],
    ['pkh', 546n, 1],
  ] as const)('pays to %s from its dust limit on: %s sats', (kind, sats, payouts) => {
    expect(planBatch([owed(1n, address(1, kind), sats)], 'regtest').payouts).toHaveLength(payouts)
  })

  it('lets a refund wait whose fee would leave dust', () => {
    expect(planBatch([owed(1n, address(1), 500n, 500n)], 'regtest').payouts).toEqual([])
    expect(planBatch([owed(1n, address(1), 512n, 512n)], 'regtest').payouts).toHaveLength(1)
  })

  it('adds up what goes to one address, whoever it is for', () => {
    expect(planBatch([owed(1n, address(1), 200n), owed(2n, address(1), 94n)], 'regtest').payouts).toHaveLength(2)
  })

  it('knows an address again that is written in capitals', () => {
    const { payouts } = planBatch([owed(1n, address(1), 200n), owed(2n, address(1).toUpperCase(), 94n)], 'regtest')
    expect(payouts.map((payout) => payout.address)).toEqual([address(1), address(1)])
  })

  it('lets an address of another network wait', () => {
    expect(planBatch([owed(1n, address(1), 10_000n)], 'mainnet').payouts).toEqual([])
    expect(planBatch([owed(1n, 'nonsense', 10_000n)], 'regtest').payouts).toEqual([])
  })

  it('has at most 500 outputs, the longest waiting first, and says that more waits', () => {
    const many = Array.from({ length: MOST_OUTPUTS + 1 }, (_, index) => owed(BigInt(index), address(index), 1_000n))
    const plan = planBatch(many, 'regtest')
    expect(plan.payouts).toHaveLength(MOST_OUTPUTS)
    expect(plan.payouts[0]?.address).toBe(address(0))
    expect(plan.hasMore).toBe(true)
    expect(planBatch(many.slice(1), 'regtest').hasMore).toBe(false)
    expect(isPayable(many, 'regtest', BigInt(MOST_OUTPUTS))).toBe(true)
  })
})
