import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GAMES, STARTER } from './seeds.ts'
import { type FileGame, readGamesFile, writeGamesFile } from './games-file.ts'
import { type GameWithRules, PATTERNS } from './games.ts'

describe('the games file', () => {
  it('is read again as it was written', () => {
    const anyGame = fc.record({
      seed: fc.constantFrom(...GAMES, STARTER),
      priceMinor: fc.integer({ min: 1000, max: 100_000 }),
      mostEntries: fc.integer({ min: 1, max: 100_000 }),
      donation: fc.integer({ min: 0, max: 50 }),
      currency: fc.constantFrom('GBP', 'EUR', 'JPY'),
      pattern: fc.constantFrom(...PATTERNS),
      summary: fc.constantFrom('Five numbers.', 'Änderungen “täglich”', '\\ " {}'),
      from: fc.option(fc.integer({ min: 0, max: 4_000_000_000 })),
      into: fc.option(fc.constantFrom('starter', 'partners')),
    })
    fc.assert(
      fc.property(fc.array(anyGame, { maxLength: 7 }), (made) => {
        const games = made.map(({ seed, pattern, summary, from, into, donation, ...rules }): FileGame => {
          const game = fileGame({ ...seed, ...rules, split: { prizePool: 50, donation, fee: 50 - donation } })
          return {
            ...game,
            traits: { ...game.traits, pattern, summary },
            from,
            retire: into === null ? null : { into },
          }
        })
        expect(readGamesFile(writeGamesFile(games))).toEqual({ games, problems: [] })
      }),
    )
  })

  it.each<[refused: string, change: (file: Json) => unknown, at: string]>([
    ['another format', (file) => (file.format = 'fairball-games/2'), 'format'],
    ['a key that is not known', (file) => (file.note = 'x'), 'note'],
    ['no list of games', (file) => (file.games = {}), 'games'],
    ['a game that is no object', (file) => (file.games[0] = 3), 'games[0]'],
    ['a key that is not known in a game', (file) => (file.games[0].colour = 'red'), 'games[0].colour'],
    ['a missing key', (file) => delete file.games[0].summary, 'games[0].summary'],
    ['a key with a capital letter', (file) => (file.games[0].key = 'Starter'), 'games[0].key'],
    ['a name with a space around it', (file) => (file.games[0].name = ' Starter'), 'games[0].name'],
    ['a name of two lines', (file) => (file.games[0].name = 'Star\nter'), 'games[0].name'],
    ['a name with a control character', (file) => (file.games[0].name = 'Star\0ter'), 'games[0].name'],
    ['a name that turns the text after it', (file) => (file.games[0].name = 'Star\u202Eter'), 'games[0].name'],
    ['half of a character in a summary', (file) => (file.games[0].summary = 'Five \uD83C'), 'games[0].summary'],
    ['a colour by name', (file) => (file.games[0].accent = 'red'), 'games[0].accent'],
    ['a pattern that is not known', (file) => (file.games[0].pattern = 'dots'), 'games[0].pattern'],
    ['a moment that is a text', (file) => (file.games[0].from = '2026-12-01'), 'games[0].from'],
    ['a retirement without a place', (file) => (file.games[0].retire = {}), 'games[0].retire.into'],
    ['a key that is not known in the rules', (file) => (file.games[0].rules.bonus = 1), 'games[0].rules.bonus'],
    ['a price with decimals', (file) => (file.games[0].rules.price_minor = 1.5), 'games[0].rules.price_minor'],
    ['a price of zero', (file) => (file.games[0].rules.price_minor = 0), 'games[0].rules.price_minor'],
    ['a currency that is not known', (file) => (file.games[0].rules.currency = 'XAU'), 'games[0].rules.currency'],
    [
      'a prize in a tier of free tickets',
      (file) => (file.games[0].rules.tiers[3].prize_minor = 1),
      'games[0].rules.tiers[3].prize_minor',
    ],
    [
      'a fixed prize of zero',
      (file) => (file.games[0].rules.tiers[1].prize_minor = 0),
      'games[0].rules.tiers[1].prize_minor',
    ],
    ['shares below 100', (file) => (file.games[0].rules.split.fee = 14), 'games[0].rules.split'],
    [
      'less than half for prizes',
      (file) => (file.games[0].rules.split = { prize_pool: 49, donation: 5, fee: 46 }),
      'games[0].rules.split.prize_pool',
    ],
    [
      'starts 759 s apart',
      (file) => file.games[0].rules.draw_times.push({ day: 1, minute_of_day: 1092 }),
      'games[0].rules.draw_times[7]',
    ],
    ['weeks that open 120 draws', (file) => (file.games[0].rules.weeks_ahead = 18), 'games[0].rules.weeks_ahead'],
  ])('refuses %s, with its place', (_refused, change, at) => {
    const file: Json = JSON.parse(writeGamesFile([fileGame(STARTER)]))
    change(file)
    expect(placesOf(JSON.stringify(file))).toContain(at)
  })

  it('names all problems at once', () => {
    const file: Json = JSON.parse(writeGamesFile(GAMES.map(fileGame)))
    file.games[0].rules.price_minor = '200'
    file.games[2].accent = 'green'
    file.games[2].rules.split.fee = 16
    file.games[5].rules.closes_before_seconds = 10
    expect(placesOf(JSON.stringify(file))).toEqual([
      'games[0].rules.price_minor',
      'games[2].accent',
      'games[2].rules.split',
      'games[5].rules.closes_before_seconds',
    ])
  })

  it('is JSON', () => {
    expect(placesOf('{"format": ')).toEqual([''])
  })
})

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a file of any shape
type Json = any

function fileGame({ key, name, accent, pattern, summary, ...rules }: GameWithRules): FileGame {
  return { traits: { key, name, accent, pattern, summary }, rules, from: null, retire: null }
}

function placesOf(text: string): string[] {
  return readGamesFile(text).problems.map(({ at }) => at)
}
