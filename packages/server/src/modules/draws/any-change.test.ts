import { LotteryError } from '@fairball/domain/errors'
import { type ChangeKind, isVersion, kindsOfChange } from '@fairball/domain/game-changes'
import { type GameRules, problemsOfGame, type Weekday } from '@fairball/domain/games'
import { gameByKey, STARTER } from '@fairball/domain/seeds'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { testLottery, type TestLottery } from '../../../test/lottery.ts'
import { casesOf } from '../../../test/share.ts'
import { findViolations } from '../invariants/service.ts'
import { announceVersion } from './service.ts'

const DAY = 86_400
const seedOf = (key: string) => gameByKey(key) ?? expect.fail('there is no such game')
const daily = (game: ReturnType<typeof seedOf>, days: readonly Weekday[]) => ({
  ...game,
  drawTimes: days.map((day) => ({ day, minuteOfDay: 1080 + 5 * days.length })),
  weeksAhead: 1,
})
const GAMES = [
  daily(seedOf('bitcoin-hero'), [1, 4]),
  daily(seedOf('treasure'), [2, 5, 6]),
  daily({ ...STARTER, currency: 'EUR' }, [3, 7]),
]

/** A change of one rule, by a number from 1 to 5. */
const CHANGES: readonly ((rules: GameRules, by: number) => Partial<GameRules>)[] = [
  (_rules, by) => ({ priceMinor: 50 * by }),
  (rules, by) => ({
    tiers: rules.tiers.map((tier) =>
      tier.kind === 'fixed' ? { ...tier, prizeMinor: tier.prizeMinor + by - 3 } : tier,
    ),
  }),
  ({ tiers }) => ({ tiers: tiers.filter(({ kind }) => kind !== 'free') }),
  (rules, by) => ({ guaranteedMinor: rules.guaranteedMinor + 10_000 * (by - 3) }),
  (_rules, by) => ({ coverMinor: 50_000 * by }),
  (_rules, by) => ({ split: { prizePool: 60 + by, donation: 10, fee: 30 - by } }),
  (_rules, by) => ({ mostEntries: 100 * by }),
  (rules, by) => ({
    drawTimes: rules.drawTimes.map(({ minuteOfDay }, place) => ({
      day: (((place * 2 + by) % 7) + 1) as Weekday,
      minuteOfDay,
    })),
  }),
  (_rules, by) => ({ closesBeforeSeconds: 300 + 60 * by }),
]

const EVENTS = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('buy' as const), game: fc.nat(2), weeks: fc.integer({ min: 1, max: 2 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('pass' as const), seconds: fc.integer({ min: 3600, max: 5 * DAY }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('down' as const), seconds: fc.integer({ min: 3600, max: 3 * DAY }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('announce' as const),
      game: fc.nat(2),
      change: fc.nat(CHANGES.length - 1),
      by: fc.integer({ min: 1, max: 5 }),
      isLater: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('horizon' as const), weeks: fc.integer({ min: 1, max: 2 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('retire' as const) }) },
)

it('draws keep what was announced for their start, and the ledger balances, in every currency, whatever changes when', async () => {
  const kindsSeen = new Set<ChangeKind>()
  await fc.assert(
    fc.asyncProperty(fc.array(EVENTS, { minLength: 8, maxLength: 14 }), async (events) => {
      const world = await testLottery({ games: GAMES })
      const { runtime, rows } = world
      const rules = new Map<string, GameRules>(GAMES.map((game) => [game.key, game]))
      let isEnding = false
      const now = runtime.clock.now
      const playerId = await world.addPlayer()
      for (const event of events) {
        switch (event.kind) {
          case 'buy':
            await buyAny(world, playerId, GAMES[event.game]?.key ?? '', event.weeks)
            break
          case 'pass':
            await world.moveTo(now() + event.seconds)
            break
          case 'down':
            runtime.clock.set(now() + event.seconds)
            await world.restart()
            await world.lottery.queue.runDue()
            break
          case 'horizon':
            await rows(`update games set weeks_ahead = $1`, [event.weeks])
            break
          case 'announce': {
            const gameKey = GAMES[event.game]?.key ?? ''
            const before = rules.get(gameKey)
            if (before === undefined || (isEnding && event.game === 1)) break
            const after = { ...before, ...CHANGES[event.change]?.(before, event.by) }
            const kinds = kindsOfChange(before, after)
            if (!isVersion(kinds) || problemsOfGame(after).length > 0) break
            rules.set(gameKey, after)
            for (const kind of kinds) kindsSeen.add(kind)
            await announce(world, { gameKey, rules: after, kinds, fromAt: event.isLater ? now() + 20 * DAY : null })
            break
          }
          case 'retire': {
            const [, ending] = GAMES
            if (isEnding || ending === undefined) break
            isEnding = true
            kindsSeen.add('retire')
            const last = rules.get(ending.key) ?? ending
            await announce(world, {
              gameKey: ending.key,
              rules: last,
              kinds: ['retire'],
              into: GAMES[0]?.key ?? '',
              fromAt: null,
            })
          }
        }
        expect(await findViolations(world.db), event.kind).toEqual([])
      }
      await world.moveTo(now() + 30 * DAY)
      expect(await findViolations(world.db)).toEqual([])
      expect(await world.violations()).toEqual([])
      const [retired] = await rows<{ state: string }>(`select state from games where key = 'treasure'`)
      expect(retired?.state).toBe(isEnding ? 'retired' : 'active')
    }),
    { numRuns: casesOf({ all: 12, share: 1 }), seed: 11, examples: [[ALL_KINDS]] },
  )
  expect([...kindsSeen].toSorted()).toEqual([
    'closing',
    'cover-down',
    'cover-up',
    'floor-down',
    'floor-up',
    'limits',
    'price-down',
    'price-up',
    'prizes-down',
    'prizes-up',
    'retire',
    'schedule',
    'split',
  ])
}, 300_000)

/** Every change once, each while the one before is still to come. */
const ALL_KINDS = [
  { kind: 'buy' as const, game: 0, weeks: 1 },
  ...CHANGES.flatMap((_, change) => [
    { kind: 'announce' as const, game: change % 3, change, by: 1, isLater: false },
    { kind: 'pass' as const, seconds: DAY },
    { kind: 'announce' as const, game: change % 3, change, by: 4, isLater: true },
    { kind: 'buy' as const, game: change % 3, weeks: 1 },
  ]),
  { kind: 'retire' as const },
]

/** Orders lines on every day that can be bought, as far as sales allow. */
async function buyAny(world: TestLottery, playerId: bigint, gameKey: string, weeks: number): Promise<void> {
  const days = await world.rows<{ day: number }>(
    `select distinct weekday as day from draws where game_key = $1 and status = 'open' and closes_at > $2 order by 1`,
    [gameKey, world.runtime.clock.now()],
  )
  const lines = [
    [1, 2, 3, 4, 5],
    [3, 8, 13, 21, 34],
  ]
  const order = { playerId, gameKey, lines, days: days.map(({ day }) => day), weeks }
  await world.buy(order).catch((error: unknown) => {
    if (!(error instanceof LotteryError)) throw error
  })
}

async function announce(
  { db, lottery }: TestLottery,
  change: Omit<Parameters<typeof announceVersion>[2], 'reason' | 'actor'>,
): Promise<void> {
  await db.transaction((tx) => announceVersion(lottery.draws, tx, { ...change, reason: 'a test', actor: 'test' }))
}
