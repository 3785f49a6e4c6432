import type { GameRules } from '@fairball/domain/games'
import { type FileGame, readGamesFile, writeGamesFile } from '@fairball/domain/games-file'
import { STARTER } from '@fairball/domain/seeds'
import { FastClock } from '@fairball/server/testing/database'
import { Refused } from '@fairball/server/testing/http'
import { applyPlan, exportGames, pauseSales, planFile, resumeSales } from '@fairball/server/testing/lottery'
import { Broken } from './checks.ts'
import type { SeedDatabase } from './database.ts'
import { onErrand } from './errands.ts'
import { createPrng, type Prng } from './prng.ts'
import { isLost, type Process } from './processes.ts'
import { START_AT } from './server.ts'

const LIKELIHOOD = 0.2
/** Bounds of the first change, in seconds from the start: while the first draw sells. */
const EARLIEST_SECONDS = 10
const LATEST_SECONDS = 400
/** Seconds between two changes. */
const MOST_SECONDS_BETWEEN = 300
const MOST_CHANGES = 4
/** How long sales are paused, in seconds. */
const PAUSE_SECONDS = { least: 200, most: 600 }
/** An order may be checked before a pause and stored after it: clocks are apart, and time slips between the two. */
const BEGUN_SECONDS = 120
/** Seconds after which the operator tries again if a process died. */
const MOST_SECONDS_UNTIL_TRY = 30

/** The game that every seed of today sells most. */
const PLAYED = 'bitcoin-hero'
const ENDING = 'treasure'
export const NEW_GAME = STARTER.key
/** Wednesday, the day of the seed. */
const TODAY = 3
/** Minutes from the start of a seed to the new game's first draw, rounded down to five minutes. */
const NEW_DRAW_MINUTES = 40

/** What the operator does to the games in one seed, in this order. */
export interface GameChanges {
  /** when the first change is made, in seconds from the start */
  readonly after: number
  readonly changes: readonly ChangeName[]
}

type Change = (games: readonly FileGame[], prng: Prng) => readonly FileGame[]

/** Every kind of change, and a pause of sales, which is no change of the file. */
const CHANGES = {
  new: (games) => [...games, newGame()],
  price: withRules((_rules, prng) => ({ priceMinor: 50 * prng.between(1, 6) })),
  prizes: withRules(({ tiers }, prng) => ({
    tiers: tiers.map((tier) =>
      tier.kind === 'fixed' ? { ...tier, prizeMinor: tier.prizeMinor + prng.between(-2, 2) * 100 } : tier,
    ),
  })),
  floor: withRules(({ guaranteedMinor }, prng) => ({
    guaranteedMinor: guaranteedMinor + prng.between(-2, 2) * 10_000,
  })),
  cover: withRules(({ coverMinor }, prng) => ({ coverMinor: coverMinor + prng.between(-2, 2) * 10_000 })),
  split: withRules((_rules, prng) => {
    const fee = prng.between(10, 20)
    return { split: { prizePool: 95 - fee, donation: 5, fee } }
  }),
  limits: withRules(({ mostEntries }, prng) => ({ mostEntries: mostEntries + prng.between(-2, 2) * 100 })),
  schedule: withRules(({ drawTimes }, prng) => ({
    drawTimes: drawTimes.map(({ day, minuteOfDay }) => ({ day, minuteOfDay: minuteOfDay + prng.between(-2, 2) * 5 })),
  })),
  closing: withRules((_rules, prng) => ({ closesBeforeSeconds: 60 * prng.between(5, 10) })),
  horizon: withRules(({ weeksAhead }, prng) => ({ weeksAhead: weeksAhead + prng.between(-1, 1) })),
  look: (games) => changed(games, PLAYED, ({ traits }) => ({ traits: { ...traits, name: 'Hero' } })),
  retire: (games) => changed(games, ENDING, () => ({ retire: { into: PLAYED } })),
  pause: null,
} as const satisfies Record<string, Change | null>
type ChangeName = keyof typeof CHANGES

/** What the operator changes in a seed; null for nothing. */
export function changesOf(seed: number): GameChanges | null {
  const prng = createPrng(`${seed} game changes`) // a separate stream, so that the seed's other faults stay the same
  if (!prng.chance(LIKELIHOOD)) return null
  const after = prng.between(EARLIEST_SECONDS, LATEST_SECONDS)
  const names = Object.keys(CHANGES) as ChangeName[] // its own keys
  const others = Array.from({ length: prng.between(1, MOST_CHANGES - 1) }, () => prng.pick(names))
  return { after, changes: prng.chance(0.6) ? ['new', ...others] : others }
}

/** In a story a game retires, while the player orders another. */
export const STORY_CHANGES: GameChanges = { after: 90, changes: ['retire'] }

/** What the operator of a seed works with. */
interface OperatorDeps {
  readonly seed: number
  readonly workers: readonly Process[]
  readonly pause: (seconds: number) => Promise<void>
  readonly onChange: (what: string) => void
}

/** Makes the changes of a seed one after the other, each until it is done or refused, whichever processes die. */
export async function changeGames(deps: OperatorDeps, { after, changes }: GameChanges): Promise<void> {
  const prng = createPrng(`${deps.seed} operator of the games`)
  await deps.pause(after)
  for (const name of changes) {
    const isDone = name === 'pause' ? await pauseForAWhile(deps, prng) : await announce(deps, prng, name)
    deps.onChange(isDone ? `games changed: ${name}` : `game changes refused: ${name}`)
    await deps.pause(prng.between(1, MOST_SECONDS_BETWEEN))
  }
}

/** Exports the games, changes the file, plans and announces it. @returns whether it was announced */
async function announce(deps: OperatorDeps, prng: Prng, name: Exclude<ChangeName, 'pause'>): Promise<boolean> {
  const games = gamesOf(await insist(deps, prng, (worker) => worker.ask(({ games: desk }) => exportGames(desk))))
  if (name === 'new' && games.some(({ traits }) => traits.key === NEW_GAME)) return false
  const file = writeGamesFile(CHANGES[name](games, prng))
  const plan = await insist(deps, prng, (worker) => worker.ask(({ games: desk }) => planFile(desk, file)))
  const { id } = plan
  if (id === null) return false
  let isLostOnce = false
  try {
    await insist(deps, prng, async (worker) => {
      const order = { id, reason: `the operator wants it: ${name}`, actor: 'operator', stopsSales: true }
      try {
        await worker.ask(({ games: desk }) => desk.db.transaction((tx) => applyPlan(desk, tx, order)))
      } catch (error) {
        isLostOnce ||= isLost(error)
        throw error
      }
    })
    return true
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return isLostOnce && error.message.includes('was announced already')
  }
}

/** Pauses the sales of the game that is played, and resumes them. */
async function pauseForAWhile(deps: OperatorDeps, prng: Prng): Promise<boolean> {
  const texts = { note: 'Sales are paused.', reason: 'the operator looks at something' }
  const name = prng.pick([PLAYED, 'all'])
  await begun(insist(deps, prng, (worker) => worker.ask(({ desk }) => pauseSales(desk, name, texts))))
  await deps.pause(prng.between(PAUSE_SECONDS.least, PAUSE_SECONDS.most))
  await begun(insist(deps, prng, (worker) => worker.ask(({ desk }) => resumeSales(desk, name, texts.reason))))
  return true
}

/** An answer may have been lost: what was begun or ended before is refused then. */
async function begun(action: Promise<unknown>): Promise<void> {
  await action.catch((error: unknown) => {
    if (!(error instanceof Refused)) throw error
  })
}

/** Asks a worker until one answers. */
async function insist<T>(deps: OperatorDeps, prng: Prng, question: (worker: Process) => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await onErrand('announce', () => question(prng.pick(deps.workers)))
    } catch (error) {
      // A worker whose clock is fast announces nothing.
      if (!isLost(error) && !(error instanceof FastClock)) throw error
      await deps.pause(prng.between(1, MOST_SECONDS_UNTIL_TRY))
    }
  }
}

/**
 * While sales of a game were paused, no order for it was taken.
 *
 * @throws Broken
 */
export async function assertNothingSoldPaused({ observer }: SeedDatabase): Promise<void> {
  const { rows } = await observer.query<{ id: string }>(
    `select o.id from orders o join sales_pauses s on coalesce(s.game_key, o.game_key) = o.game_key
      where o.created_at > s.from_at + ${BEGUN_SECONDS} and o.created_at < coalesce(s.until_at, 1e12) - ${BEGUN_SECONDS} / 4`,
  )
  if (rows.length > 0) throw new Broken(rows.map(({ id }) => `order ${id} was sold while sales were paused`))
}

function gamesOf(text: string): readonly FileGame[] {
  const { games, problems } = readGamesFile(text)
  if (problems.length > 0) throw new Broken(problems.map(({ at, problem }) => `export ${at}: ${problem}`))
  return games
}

/** A change of the rules of the game that is played. */
function withRules(change: (rules: GameRules, prng: Prng) => Partial<GameRules>): Change {
  return (games, prng) => changed(games, PLAYED, ({ rules }) => ({ rules: { ...rules, ...change(rules, prng) } }))
}

function changed(games: readonly FileGame[], key: string, change: (game: FileGame) => Partial<FileGame>): FileGame[] {
  return games.map((game) => (game.traits.key === key ? { ...game, ...change(game) } : game))
}

/** A game whose first draw is within the seed. */
function newGame(): FileGame {
  const { key, name, accent, pattern, summary, ...rules } = STARTER
  const minuteOfDay = Math.floor(((START_AT % 86_400) / 60 + NEW_DRAW_MINUTES) / 5) * 5
  return {
    traits: { key, name, accent, pattern, summary },
    rules: { ...rules, weeksAhead: 1, drawTimes: [{ day: TODAY, minuteOfDay }] },
    from: null,
    retire: null,
  }
}
