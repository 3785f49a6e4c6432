import { expect, it } from 'vitest'
import { longRunShares, oneInAnyTenths } from './game-outlook.ts'
import { GAMES } from './seeds.ts'
import { linesWithMatches, oddsOfMatches } from './odds.ts'

it('the odds are the number of lines for one that wins anything', () => {
  expect(GAMES.map((game) => [game.key, oneInAnyTenths(game)])).toEqual([
    ['bitcoin-lotto', 66n],
    ['bitcoin-hero', 76n],
    ['treasure', 139n],
    ['ether-lotto', 57n],
    ['mega-ball', 177n],
    ['super-game', 92n],
  ])
})

it('the odds equal the sum of the probabilities of the tiers', () => {
  for (const game of GAMES) {
    const chance = game.tiers.reduce((sum, tier) => {
      const { numerator, denominator } = oddsOfMatches(game, tier.matches)
      return sum + Number(numerator) / Number(denominator)
    }, 0)
    expect(Number(oneInAnyTenths(game)) / 10).toBeCloseTo(1 / chance, 1)
  }
})

it('every stake is divided without a remainder: 5% to the causes, 15% to the operator, the rest to the players', () => {
  for (const game of GAMES) {
    const { donationPermille, feePermille, fixedPermille, jackpotPermille } = longRunShares(game)
    expect([donationPermille, feePermille, fixedPermille + jackpotPermille]).toEqual([50, 150, 800])
    expect(fixedPermille).toBeGreaterThan(0)
    expect(jackpotPermille).toBeGreaterThan(fixedPermille)
  }
})

it('the fixed prizes of free tickets count, and of free tickets won with free tickets', () => {
  for (const game of GAMES) {
    const lines = (matches: number) => Number(linesWithMatches(game, matches))
    const all = Array.from({ length: game.pick + 1 }, (_, matches) => lines(matches)).reduce((sum, one) => sum + one)
    let entries = 0
    let share = 1
    for (let round = 0; round < 200; round++) {
      entries += share
      share *= game.tiers.reduce((sum, tier) => sum + (tier.kind === 'free' ? lines(tier.matches) / all : 0), 0)
    }
    const fixed = game.tiers.reduce(
      (sum, tier) => sum + (tier.kind === 'fixed' ? (lines(tier.matches) / all) * tier.prizeMinor : 0),
      0,
    )
    expect(longRunShares(game).fixedPermille).toBe(Math.round((1000 * entries * fixed) / game.priceMinor))
  }
})
