import { describe, expect, it } from 'vitest'
import type { DepositCoin } from '../../ports/wallet/deposit-coins.ts'
import { coinsToJoin, parseSummary, planSweep, summaryLines, summaryOf, summaryText } from './deposits.ts'

const coin = (sats: bigint, place = 0): DepositCoin => ({ outpoint: `${'ab'.repeat(32)}:${place}`, sats })
const small = Array.from({ length: 1_000 }, (_, place) => coin(1_400n, place))

describe('the coins of the deposits', () => {
  it('coins are shown by size, with the cost of spending all of them: 1,000 coins of 1,400 sats', () => {
    const summary = summaryOf(small, 2_500n, 7)
    expect(summary.sizes.filter(({ coins }) => coins > 0)).toEqual([
      { upToSats: 10_000n, coins: 1_000, sats: 1_400_000n },
    ])
    expect(summary.costs).toEqual([
      { rate: 'now', sats: 170_000n },
      { rate: '5', sats: 340_000n },
      { rate: '50', sats: 3_400_000n },
    ])
    expect(parseSummary(summaryText(summary))).toEqual(summary)
    const lines = summaryLines(summary)
    expect(lines).toContain('  to 0.00010000 BTC       1000 coins  0.01400000 BTC')
    expect(lines).toContain('  spending all at 5 sats/vB costs 0.00340000 BTC')
  })

  it.each([
    [1_000n, 0],
    [1_001n, 1],
    [1_000_000n, 3],
    [1_000_001n, 4],
  ])('a coin of %s sats is in the size that holds it', (sats, place) => {
    expect(summaryOf([coin(sats)], 1_000n, 0).sizes.findIndex(({ coins }) => coins === 1)).toBe(place)
  })
})

describe('a plan to join small coins', () => {
  it('a plan takes the coins that are worth more than their fee, smallest first, 1,000 at most', () => {
    const coins = [coin(1_000_001n), coin(1_000_000n, 1), coin(340n, 2), coin(341n, 3)]
    expect(coinsToJoin(coins, 5_000n).map(({ sats }) => sats)).toEqual([341n, 1_000_000n])
    expect(coinsToJoin([...small, coin(1_401n)], 5_000n)).toEqual(small)
  })

  it('a plan asks for no address if fewer than two coins can be joined', async () => {
    const deps = {
      coins: { list: async () => [coin(1_400n)], join: () => Promise.reject(new Error('nothing is joined')) },
      operatorAddress: () => Promise.reject(new Error('no address is given')),
    }
    expect(await planSweep(deps, 5_000n)).toBe(null)
  })
})
