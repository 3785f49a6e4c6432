import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bankrollWanted, carriedGames, type GameNeed } from './bankroll.ts'
import { satsOfMinor } from './money.ts'
import { GAMES } from './seeds.ts'

const RATE = 1667n
const needsOf = (committed: readonly string[] = []): GameNeed[] =>
  GAMES.map(({ key, guaranteedMinor, coverMinor }) => ({
    key,
    neededSats: satsOfMinor(guaranteedMinor + coverMinor, RATE),
    isCommitted: committed.includes(key),
  }))
const pounds = (amount: number): bigint => satsOfMinor(amount * 100, RATE)
const carriedBy = (amount: number, committed?: readonly string[]): string[] => [
  ...carriedGames(needsOf(committed), pounds(amount)),
]

const anyGames = fc
  .array(fc.record({ neededSats: fc.bigInt({ min: 0n, max: 1000n }), isCommitted: fc.boolean() }), { maxLength: 8 })
  .map((games) => games.map((game, place) => ({ key: `game-${place}`, ...game })))
const anyFreeSats = fc.bigInt({ min: -100n, max: 8000n })

describe('the games that a bankroll carries', () => {
  it('the bankroll must have one and a quarter times what games need, rounded up', () => {
    expect([100n, 101n, 4n, 1n, 0n].map(bankrollWanted)).toEqual([125n, 127n, 5n, 2n, 0n])
  })

  it('one game and all six want exactly what they were announced to want', () => {
    const starter = satsOfMinor(150_000 + 200_000, RATE)
    expect([starter, bankrollWanted(starter)]).toEqual([5_834_500n, 7_293_125n])
    const hero = needsOf().find(({ key }) => key === 'bitcoin-hero')?.neededSats ?? 0n
    expect([hero, bankrollWanted(hero)]).toEqual([36_674_000n, 45_842_500n])
    const all = needsOf().reduce((sum, { neededSats }) => sum + neededSats, 0n)
    expect([all, bankrollWanted(all)]).toEqual([5_091_018_000n, 6_363_772_500n])
    expect(carriedBy(3_817_500)).toEqual(GAMES.map(({ key }) => key))
    expect(carriedGames(needsOf(), pounds(3_817_500) - 1n)).not.toContain('super-game')
  })

  it('£700,000 carry Bitcoin Lotto and Bitcoin Hero, £30,000 carry Bitcoin Hero alone', () => {
    expect(carriedBy(700_000)).toEqual(['bitcoin-lotto', 'bitcoin-hero'])
    expect(carriedBy(677_500)).toEqual(['bitcoin-lotto', 'bitcoin-hero'])
    expect(carriedBy(30_000)).toEqual(['bitcoin-hero'])
  })

  it('a committed game that is not carried ends all other sales', () => {
    expect(carriedBy(30_000, ['bitcoin-lotto'])).toEqual([])
    expect(carriedBy(700_000, ['bitcoin-hero', 'mega-ball'])).toEqual(['bitcoin-hero'])
  })

  it('one and a quarter times what the carried games need never exceeds the bankroll', () => {
    fc.assert(
      fc.property(anyGames, anyFreeSats, (games, freeSats) => {
        const carried = carriedGames(games, freeSats)
        const neededSats = games.reduce((sum, { key, neededSats: sats }) => (carried.has(key) ? sum + sats : sum), 0n)
        expect(carried.size === 0 || neededSats * 5n <= freeSats * 4n).toBe(true)
      }),
    )
  })

  it('an uncommitted game never displaces a committed one', () => {
    fc.assert(
      fc.property(anyGames, anyFreeSats, (games, freeSats) => {
        const committed = games.filter(({ isCommitted }) => isCommitted)
        const alone = carriedGames(committed, freeSats)
        const carried = carriedGames(games, freeSats)
        expect(committed.filter(({ key }) => carried.has(key))).toEqual(committed.filter(({ key }) => alone.has(key)))
        // What sells once is committed, and keeps selling whatever else sells then.
        for (const { key } of games.filter((game) => carried.has(game.key))) {
          const sold = games.map((game) => (carried.has(game.key) ? { ...game, isCommitted: true } : game))
          expect(carriedGames(sold, freeSats).has(key)).toBe(true)
        }
      }),
    )
  })
})
