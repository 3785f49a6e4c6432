import { describe, expect, it } from 'vitest'
import { openAhead } from './calendar.ts'
import type { GameRules, GameWithRules } from './games.ts'
import fc from 'fast-check'
import { type FileGame, readGamesFile, writeGamesFile } from './games-file.ts'
import { planGames } from './games-plan.ts'
import { sentencesOf } from './plan-sentences.ts'
import { GAMES, STARTER } from './seeds.ts'
import type { PlannedFor, StandingGame } from './standing-games.ts'

const nowAt = Date.UTC(2026, 10, 27, 12) / 1000
const WEEK = 604_800
const lotto = GAMES[0] as GameWithRules
const hero = GAMES[1] as GameWithRules
const RATES = new Map([
  ['GBP', 1000n],
  ['EUR', 870n],
  ['JPY', 99n],
])

describe('the plan of a games file', () => {
  it('a price waits for the newest opened draw', () => {
    const [change] = changesOf([entry(lotto, { priceMinor: 250 })])
    expect(change).toMatchObject({ key: 'bitcoin-lotto', kinds: ['price-up'], shown: [] })
    // Draws are opened four weeks and one draw ahead.
    expect(change?.version).toEqual({
      version: 2,
      reason: 'price',
      fromAt: at('2026-12-26T20:00:01Z'),
      firstDraw: { number: 214, startAt: at('2026-12-30T20:00:00Z') },
      lastBefore: 213,
    })
    expect(textOf([entry(lotto, { priceMinor: 250 })])).toEqual([
      'Bitcoin Lotto: from draw 214, 30 December 20:00 UTC. Draws 205 to 213 are open and keep £2.00.',
    ])
  })

  it('a change waits a week at least, whatever is open', () => {
    const near = { ...standingGame(lotto), lastOpened: { number: 205, scheduledAt: nowAt + 3600 } }
    const [change] = changesOf([entry(lotto, { priceMinor: 250 })], { standing: [near] })
    expect(change?.version).toMatchObject({ fromAt: nowAt + WEEK, firstDraw: { startAt: at('2026-12-05T20:00:00Z') } })
  })

  it('a horizon is no version', () => {
    const [change] = changesOf([entry(hero, { weeksAhead: 1 })])
    expect(change).toMatchObject({ kinds: ['horizon'], version: null })
    expect(textOf([entry(hero, { weeksAhead: 1 })])).toEqual([
      'Bitcoin Hero: orders reach 1 week ahead at once, not 2 weeks.',
    ])
  })

  it('name and colour change at once, and a file of what stands changes nothing', () => {
    expect(changesOf([entry(lotto), entry(hero)])).toEqual([])
    const renamed = { ...entry(hero), traits: { ...entry(hero).traits, name: 'Hero', accent: '#22C58F' } }
    expect(changesOf([renamed])).toMatchObject([{ kinds: [], shown: ['name', 'accent'], version: null }])
  })

  it('the list orders its games on the places they have, new ones before or after', () => {
    const changes = changesOf([entry(STARTER), entry(hero), entry(lotto)])
    expect(changes.map(({ key, position }) => [key, position])).toEqual([
      ['starter', 0],
      // bitcoin-hero keeps place 1 and is no change
      ['bitcoin-lotto', 2],
    ])
  })

  it('a new game begins at once, with its first draw that can be bought', () => {
    const [change] = changesOf([entry(STARTER)])
    expect(change?.version).toEqual({
      version: 1,
      reason: 'new',
      fromAt: nowAt,
      firstDraw: { number: 1, startAt: at('2026-11-27T18:00:00Z') },
      lastBefore: null,
    })
    expect(textOf([entry(STARTER)])).toEqual(['Starter: from draw 1, 27 November 18:00 UTC.'])
  })

  it('a retirement says its last draw and where its money goes', () => {
    const file = [{ ...entry(lotto), retire: { into: 'bitcoin-hero' } }]
    const [change] = changesOf(file)
    expect(change?.version).toMatchObject({ reason: 'retire', firstDraw: null, lastBefore: 213 })
    expect(textOf(file)).toEqual([
      'Bitcoin Lotto: retires into Bitcoin Hero from 26 December 20:00 UTC. Draw 213 is its last.',
    ])
  })

  it('games retire into a new game of the same file, and only into one that stays', () => {
    const into = (key: string) => [entry(STARTER), { ...entry(lotto), retire: { into: key } }]
    expect(problemsOf(into('starter'))).toEqual([])
    expect(problemsOf(into('bitcoin-hero'))).toEqual([])
    expect(problemsOf([...into('bitcoin-hero'), { ...entry(hero), retire: { into: 'starter' } }])).toEqual([
      'games[1].retire.into',
    ])
  })

  it.each<[refused: string, file: FileGame[], at: string, over?: Partial<PlannedFor>]>([
    ['a key twice', [entry(lotto), entry(lotto)], 'games[1].key'],
    [
      'a colour on which ink cannot be read',
      [{ ...entry(lotto), traits: { ...entry(lotto).traits, accent: '#1A237E' } }],
      'games[0].accent',
    ],
    [
      'a colour that cannot be read with the site’s own ink',
      [entry(STARTER)],
      'games[0].accent',
      { colors: { paper: '#FFFFFF', ink: '#3A3550' } },
    ],
    ['a key of a retired game', [entry(lotto)], 'games[0].key', { standing: [standingGame(lotto, {}, 'retired')] }],
    ['an alias as a key', [entry(STARTER)], 'games[0].key', { aliases: ['starter'] }],
    ['another currency', [entry(lotto, { currency: 'EUR' })], 'games[0].rules.currency'],
    ['another line', [entry(lotto, { pick: 5 })], 'games[0].rules.pick'],
    ['another pool', [entry(lotto, { pool: 50 })], 'games[0].rules.pool'],
    ['a currency without a rate', [entry({ ...STARTER, currency: 'SEK' })], 'games[0].rules.currency'],
    ['a currency worth too little for draws', [entry({ ...STARTER, currency: 'JPY' })], 'games[0].rules.currency'],
    ['more than 50 games', Array.from({ length: 49 }, (_, n) => entry({ ...STARTER, key: `game-${n}` })), 'games'],
    ['an early moment', [{ ...entry(lotto, { priceMinor: 1 }), from: nowAt + WEEK }], 'games[0].from'],
    ['an early moment of a new game', [{ ...entry(STARTER), from: nowAt - 1 }], 'games[0].from'],
    ['an early retirement', [{ ...entry(lotto), retire: { into: 'bitcoin-hero' }, from: nowAt }], 'games[0].from'],
    ['a new game that retires', [{ ...entry(STARTER), retire: { into: 'bitcoin-hero' } }], 'games[0].retire'],
    [
      'a game that retires into itself',
      [{ ...entry(lotto), retire: { into: 'bitcoin-lotto' } }],
      'games[0].retire.into',
    ],
    ['a game that retires into none', [{ ...entry(lotto), retire: { into: 'mega-ball' } }], 'games[0].retire.into'],
    [
      'a game that retires into another currency',
      [entry({ ...STARTER, currency: 'EUR' }), { ...entry(lotto), retire: { into: 'starter' } }],
      'games[1].retire.into',
    ],
    [
      'a game that retires and changes',
      [{ ...entry(lotto, { priceMinor: 250 }), retire: { into: 'bitcoin-hero' } }],
      'games[0].rules',
    ],
    ['partners beside another game', [{ ...entry(lotto), retire: { into: 'partners' } }], 'games[0].retire.into'],
    [
      'partners without a partner',
      [{ ...entry(lotto), retire: { into: 'partners' } }],
      'games[0].retire.into',
      { standing: [standingGame(lotto)], partners: 0 },
    ],
    [
      'a retirement taken back',
      [entry(lotto)],
      'games[0].retire',
      { standing: [standingGame(lotto, {}, 'retiring'), standingGame(hero)] },
    ],
    [
      'the end of a game that another retires into',
      [{ ...entry(hero), retire: { into: 'starter' } }, entry(STARTER)],
      'games[0].retire',
      { standing: [standingGame(lotto, {}, 'retiring'), standingGame(hero)] },
    ],
  ])('refuses %s', (_refused, file, place, over) => {
    expect(problemsOf(file, over)).toEqual([place])
  })

  it('the last game retires into its partners', () => {
    const file = [{ ...entry(lotto), retire: { into: 'partners' } }]
    expect(problemsOf(file, { standing: [standingGame(lotto)] })).toEqual([])
  })

  it('problems of the file and with the installation are said at once, each once', () => {
    const file = JSON.parse(writeGamesFile([entry(lotto), entry(hero), entry(STARTER)]))
    file.games[0].rules.price_minor = -5
    file.games[0].rules.pool = 50
    file.games[0].accent = '#1A237E'
    file.games[1].from = 5
    file.games[1].rules.split.fee = 99
    file.games[2].retire = { into: 'bitcoin-lotto' }
    file.games[2].pattern = 'stripes'
    expect(problemsOfText(JSON.stringify(file))).toEqual([
      'games[0].rules.price_minor',
      'games[1].rules.split',
      'games[2].pattern',
      'games[0].rules.pool',
      'games[0].accent',
      'games[1].from',
      'games[2].retire',
    ])
  })

  it('a file is answered whatever stands at any place of it', () => {
    const places = placesIn(JSON.parse(writeGamesFile([entry(lotto), entry(STARTER)])))
    const anything = fc.constantFrom(undefined, null, {}, [], [{}], '', 'x', -1, 0, 1.5, 1e300, true)
    fc.assert(
      fc.property(fc.constantFrom(...places), anything, (place, value) => {
        const file = JSON.parse(writeGamesFile([entry(lotto), entry(STARTER)]))
        let parent = file
        for (const step of place.slice(0, -1)) parent = parent[step]
        parent[place.at(-1) ?? ''] = value
        const text = JSON.stringify(file)
        const ofFile = readGamesFile(text).problems.map((problem) => problem.at)
        expect(problemsOfText(text)).toEqual(expect.arrayContaining(ofFile))
      }),
    )
  })

  it('a refused moment names the earliest, and its draw', () => {
    const plan = planGames(
      { games: [{ ...entry(lotto, { priceMinor: 1 }), from: nowAt }], problems: [] },
      installation(),
    )
    const earliest = at('2026-12-26T20:00:01Z')
    expect(plan).toEqual({
      problems: [
        { at: 'games[0].from', problem: `The earliest moment is ${earliest} (2026-12-26T20:00:01Z), with draw 214.` },
      ],
    })
  })
})

function at(iso: string): number {
  return Date.parse(iso) / 1000
}

function entry(
  { key, name, accent, pattern, summary, ...rules }: GameWithRules,
  change: Partial<GameRules> = {},
): FileGame {
  return { traits: { key, name, accent, pattern, summary }, rules: { ...rules, ...change }, from: null, retire: null }
}

/** A game whose draws are opened as far ahead as an order reaches, from 205. */
function standingGame(
  game: GameWithRules,
  change: Partial<GameRules> = {},
  state: StandingGame['state'] = 'active',
): StandingGame {
  const { traits, rules } = entry(game, change)
  const versions = [{ ...rules, version: 1, fromAt: nowAt - 1000 * WEEK }]
  const open = openAhead(versions, rules.weeksAhead, nowAt)
  return {
    traits,
    state,
    position: GAMES.findIndex(({ key }) => key === game.key),
    rules,
    retiresInto: state === 'active' ? null : 'bitcoin-hero',
    versions,
    extraStartAt: null,
    lastOpened: { number: 204 + open.length, scheduledAt: open.at(-1)?.startAt ?? 0 },
    openDraws: open.map((_, index) => ({ number: 205 + index, priceMinor: rules.priceMinor })),
  }
}

function installation(over: Partial<PlannedFor> = {}): PlannedFor {
  const standing = [standingGame(lotto), standingGame(hero)]
  return { standing, aliases: [], currencies: RATES, partners: 3, colors: null, nowAt, ...over }
}

function changesOf(file: readonly FileGame[], over: Partial<PlannedFor> = {}) {
  const plan = planGames({ games: file, problems: [] }, installation(over))
  return 'changes' in plan ? plan.changes : []
}

function problemsOf(file: readonly FileGame[], over: Partial<PlannedFor> = {}): string[] {
  const plan = planGames({ games: file, problems: [] }, installation(over))
  return 'problems' in plan ? plan.problems.map((problem) => problem.at) : []
}

function problemsOfText(text: string): string[] {
  const plan = planGames(readGamesFile(text), installation())
  return 'problems' in plan ? plan.problems.map((problem) => problem.at) : []
}

/** The path to each value of parsed JSON. */
function placesIn(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [[key], ...placesIn(inner).map((path) => [key, ...path])])
}

function textOf(file: readonly FileGame[]): string[] {
  const { standing } = installation()
  const find = (key: string) => standing.find(({ traits }) => traits.key === key) ?? null
  const nameOf = (key: string) => find(key)?.traits.name ?? key
  return changesOf(file).flatMap((change) => sentencesOf(change, find(change.key), nameOf, nowAt))
}
