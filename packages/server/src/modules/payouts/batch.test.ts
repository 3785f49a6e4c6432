import { HDKey } from '@scure/bip32'
import { p2pkh, p2wpkh } from '@scure/btc-signer'
import { describe, expect, it } from 'vitest'
import { REGTEST } from '../../ports/wallet/test-chain.ts'
import { MAX_OUTPUTS, type Owed, payableTo, planBatch } from './batch.ts'

const keys = HDKey.fromMasterSeed(new Uint8Array(32).fill(5))
function address(index: number, kind: 'wpkh' | 'pkh' = 'wpkh'): string {
  const key = keys.deriveChild(index).publicKey
  const made = key === null ? undefined : (kind === 'wpkh' ? p2wpkh : p2pkh)(key, REGTEST).address
  if (made === undefined) throw new Error('no address')
  return made
}
const owed = (playerId: bigint, at: string, sats: bigint): Owed => {
  return { payee: { playerId }, address: at, payableIds: [playerId], sats }
}

describe('a batch of prizes', () => {
  it('a batch pays prizes in full', () => {
    const { payouts } = planBatch([owed(1n, address(1), 10_000n), owed(2n, address(2), 294n)], 'regtest')
    expect(payouts.map(({ sats, feeShareSats }) => [sats, feeShareSats])).toEqual([
      [10_000n, 0n],
      [294n, 0n],
    ])
  })

  it.each([
    ['wpkh', 293n, 0],
    ['wpkh', 294n, 1],
    ['pkh', 545n, 0],
    ['pkh', 546n, 1],
  ] as const)('a batch pays to %s from its dust limit on: %s sats', (kind, sats, payouts) => {
    expect(planBatch([owed(1n, address(1, kind), sats)], 'regtest').payouts).toHaveLength(payouts)
  })

  it('a batch adds up what goes to one address, for all its players', () => {
    expect(planBatch([owed(1n, address(1), 200n), owed(2n, address(1), 94n)], 'regtest').payouts).toHaveLength(2)
  })

  it('a batch recognises an address that is written in capitals', () => {
    const { payouts } = planBatch([owed(1n, address(1), 200n), owed(2n, address(1).toUpperCase(), 94n)], 'regtest')
    expect(payouts.map((payout) => payout.address)).toEqual([address(1), address(1)])
  })

  it('a batch lets an address of another network wait', () => {
    expect(planBatch([owed(1n, address(1), 10_000n)], 'mainnet').payouts).toEqual([])
    expect(planBatch([owed(1n, 'nonsense', 10_000n)], 'regtest').payouts).toEqual([])
  })

  it('a batch has at most 500 outputs, longest waiting first, and says that more waits', () => {
    const many = Array.from({ length: MAX_OUTPUTS + 1 }, (_, index) => owed(BigInt(index), address(index), 1_000n))
    const plan = planBatch(many, 'regtest')
    expect(plan.payouts).toHaveLength(MAX_OUTPUTS)
    expect(plan.payouts[0]?.address).toBe(address(0))
    expect(plan.hasMore).toBe(true)
    expect(planBatch(many.slice(1), 'regtest').hasMore).toBe(false)
    expect(payableTo(many, 'regtest').has(BigInt(MAX_OUTPUTS))).toBe(true)
  })
})
