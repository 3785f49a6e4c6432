import { bankrollWanted, carriedGames, type GameNeed } from '@fairball/domain/bankroll'
import type { ChangeKind } from '@fairball/domain/game-changes'
import type { GameRules, GameWithRules } from '@fairball/domain/games'
import {
  type FileGame,
  type FileProblem,
  type ReadGames,
  readGamesFile,
  writeGamesFile,
} from '@fairball/domain/games-file'
import { type PlannedGame, planGames } from '@fairball/domain/games-plan'
import { satsOfMinor, satsToBtc } from '@fairball/domain/money'
import { sentencesOf } from '@fairball/domain/plan-sentences'
import type { PlannedFor, StandingGame } from '@fairball/domain/standing-games'
import type { Db, Tx } from '../../db/pool.ts'
import { Refused } from '../../kernel/errors.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import * as queries from './desk-queries.ts'
import { baseHashOf, standingGames } from './standing.ts'
import { gameAliases } from '../catalogue/service.ts'
import { quotedRates } from '../payments/service.ts'

/** How long a plan can be announced, in seconds. */
const PLAN_SECONDS = 86_400

/** What the bankroll has, and what each game with an open draw needs of it, by position. */
interface DeskFunds {
  readonly freeSats: bigint
  readonly needs: readonly GameNeed[]
}

/** What the desk of the games works with. Games are announced, and their draws opened, by the module of draws. */
export interface DeskContext {
  readonly db: Db
  readonly runtime: Pick<Runtime, 'clock' | 'random'>
  /** the site by the settings in force: its colours, and the number of its partner charities */
  readonly site: (tx: Tx) => Promise<Pick<PlannedFor, 'colors' | 'partners'>>
  readonly funds: (tx: Tx) => Promise<DeskFunds>
  /** The newest rate of each currency at a moment in epoch seconds, in sats per unit. */
  readonly rates: (tx: Tx, at: number) => Promise<ReadonlyMap<string, bigint>>
  /** Locks the log's head. @returns the time of a statement that is appended now, in epoch seconds */
  readonly lockHead: (tx: Tx) => Promise<number>
  /** Enters a game that has no version yet, as the last in the order of display. */
  readonly enter: (tx: Tx, game: GameWithRules, createdAt: number) => Promise<void>
  readonly announce: (tx: Tx, version: DeskVersion) => Promise<void>
  /** Has the draws of a game opened that its versions and horizon ask for. */
  readonly openSoon: (tx: Tx, gameKey: string) => Promise<void>
}

/** A version that the desk announces. */
interface DeskVersion {
  readonly gameKey: string
  readonly rules: GameRules
  /** epoch seconds */
  readonly fromAt: number
  /** the time of its statement, for which `fromAt` was calculated, epoch seconds */
  readonly announcedAt: number
  readonly kinds: readonly ChangeKind[]
  /** where the pools of a game go that retires by it: a game's key, or `partners`; otherwise null */
  readonly into: string | null
  readonly reason: string
  readonly actor: string
  readonly requestId: string | null
}

/** A games file with problems: all of them, each with its place. */
class FileRefused extends Refused {
  readonly problems: readonly FileProblem[]

  constructor(problems: readonly FileProblem[]) {
    super(problems.map(({ at, problem }) => (at === '' ? problem : `${at}: ${problem}`)).join('\n'))
    this.problems = problems
  }
}

/** A checked games file. */
interface Plan {
  /** null if nothing changes */
  readonly id: string | null
  /** what the operator reads */
  readonly lines: readonly string[]
}

/** The games that are not retired, as they were announced last, as a games file. */
export async function exportGames(ctx: Pick<DeskContext, 'db'>): Promise<string> {
  return writeGamesFile(fileOf(await ctx.db.transaction((tx) => standingGames(tx))))
}

/** The games that are not retired, as a games file has them. */
export function fileOf(standing: readonly StandingGame[]): FileGame[] {
  return standing.filter(({ state }) => state !== 'retired').map(entryOf)
}

/**
 * Checks a games file, and keeps it as a plan for a day if it changes something.
 *
 * @throws FileRefused
 */
export async function planFile(ctx: DeskContext, text: string): Promise<Plan> {
  return await ctx.db.transaction(async (tx) => {
    const nowAt = ctx.runtime.clock.now()
    const file = readGamesFile(text)
    const outcome = await outcomeOf(ctx, tx, file, nowAt)
    const { standing, changes } = outcome
    if (changes.length === 0) return { id: null, lines: ['Nothing changes.'] }
    const id = ctx.runtime.random.uuid()
    const lines = [
      ...linesOf(outcome, file.games, nowAt),
      `Plan ${id} can be announced for 24 hours: games-apply ${id} --reason <text>`,
    ]
    const times = { createdAt: nowAt, expiresAt: nowAt + PLAN_SECONDS }
    await tx.execute(queries.insertPlan, { id, baseHash: baseHashOf(standing), file: text, plan: { lines }, ...times })
    return { id, lines }
  })
}

/** An order of the operator to announce a plan. */
interface ApplyOrder {
  readonly id: string
  /** in the words of who announces it */
  readonly reason: string
  readonly actor: string
  readonly requestId?: string | null
  /** whether games that sell may lose their place in the bankroll by it */
  readonly stopsSales: boolean
}

/**
 * Announces a plan: every version with its statement, in the caller's transaction, and what applies at once. All games
 * are locked, then the log's head, so no draw opens in between.
 *
 * @returns what the operator reads
 * @throws Refused if something was announced since the plan, if it expired or was announced, while an old program is
 *   at the database, or if a game that sells would not be carried
 * @throws FileRefused if the file has problems now
 */
export async function applyPlan(ctx: DeskContext, tx: Tx, order: ApplyOrder): Promise<string[]> {
  const reason = order.reason.trim()
  if (reason === '' || /\p{Cc}/u.test(reason)) throw new Refused('The reason is one line of text.')
  const plan = await lockedPlan(ctx, tx, order.id)
  await tx.run(queries.lockGames, [])
  const { sessions } = await tx.one(queries.countOldSessions, [])
  if (sessions > 0)
    throw new Refused(
      `A program of an older version is at this database (sessions: ${sessions}). It sells by a table of its own: stop it first.`,
    )
  const file = readGamesFile(plan.file)
  const entered = await enterNew(ctx, tx, file.games)
  const nowAt = await ctx.lockHead(tx)
  const outcome = await outcomeOf(ctx, tx, file, nowAt)
  if (baseHashOf(outcome.standing) !== plan.baseHash)
    throw new Refused('The games changed since this plan was made. Make it again: games-plan.')
  const stopped = stoppedBy(outcome)
  if (stopped.length > 0 && !order.stopsSales)
    throw new Refused(
      `The bankroll would not carry ${stopped.join(', ')} any more, which sells now. Put bankroll in, or announce it with --stops-sales.`,
    )
  for (const change of outcome.changes) {
    await applyChange(ctx, tx, change, { ...order, reason, announcedAt: nowAt, isNew: entered.has(change.key) })
  }
  await tx.execute(queries.markApplied, [order.id, ctx.runtime.clock.now()])
  return linesOf(outcome, file.games, nowAt)
}

async function lockedPlan(ctx: DeskContext, tx: Tx, id: string): Promise<{ file: string; baseHash: string }> {
  const isId = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(id)
  const plan = isId ? await tx.maybeOne(queries.lockPlan, [id]) : null
  if (plan === null) throw new Refused(`There is no plan ${id}.`)
  if (plan.appliedAt !== null) throw new Refused(`Plan ${id} was announced already.`)
  if (plan.expiresAt <= ctx.runtime.clock.now()) throw new Refused(`Plan ${id} has expired. Make it again: games-plan.`)
  return plan
}

/**
 * New games get their rows before the log's head is locked, because announcing locks them.
 *
 * @returns their keys
 */
async function enterNew(ctx: DeskContext, tx: Tx, file: readonly FileGame[]): Promise<ReadonlySet<string>> {
  const known = new Set((await tx.run(queries.lockGames, [])).map(({ key }) => key))
  const added = file.filter(({ traits }) => !known.has(traits.key))
  for (const { traits, rules } of added) await ctx.enter(tx, { ...traits, ...rules }, ctx.runtime.clock.now())
  return new Set(added.map(({ traits }) => traits.key))
}

async function applyChange(
  ctx: DeskContext,
  tx: Tx,
  change: PlannedGame,
  order: Pick<ApplyOrder, 'actor' | 'requestId' | 'reason'> & {
    readonly announcedAt: number
    readonly isNew: boolean
  },
): Promise<void> {
  const { key, traits, position, rules, kinds, version, into, shown } = change
  if (order.isNew || shown.length > 0 || kinds.includes('horizon'))
    await tx.execute(queries.showGame, { ...traits, position, weeksAhead: rules.weeksAhead })
  if (version !== null) {
    const { actor, requestId = null, reason, announcedAt } = order
    const about = { kinds, into, reason, actor, requestId }
    await ctx.announce(tx, { gameKey: key, rules, fromAt: version.fromAt, announcedAt, ...about })
  }
  if (kinds.length > 0) await ctx.openSoon(tx, key)
}

/** What a file does to the games and to the bankroll. */
interface Outcome {
  readonly standing: readonly StandingGame[]
  readonly changes: readonly PlannedGame[]
  readonly freeSats: bigint
  readonly before: readonly GameNeed[]
  readonly after: readonly GameNeed[]
}

/** What a games file is weighed with: the games as they are, the site, rates, and the bankroll. */
interface Known extends Pick<PlannedFor, 'standing' | 'aliases' | 'currencies'> {
  readonly site: Pick<PlannedFor, 'colors' | 'partners'>
  readonly funds: DeskFunds
  /** the newest rate of each currency, in sats per unit */
  readonly rates: ReadonlyMap<string, bigint>
}

/**
 * What a games file would change, without a plan that could be announced.
 *
 * @param nowAt epoch seconds
 * @returns no lines if nothing changes; or everything that is wrong with the file
 */
export function previewGames(
  text: string,
  known: Known,
  nowAt: number,
): { readonly lines: readonly string[]; readonly problems: readonly FileProblem[] } {
  try {
    const file = readGamesFile(text)
    const outcome = weigh(known, file, nowAt)
    return { lines: outcome.changes.length === 0 ? [] : linesOf(outcome, file.games, nowAt), problems: [] }
  } catch (error) {
    if (error instanceof FileRefused) return { lines: [], problems: error.problems }
    throw error
  }
}

/** @throws FileRefused */
async function outcomeOf(ctx: DeskContext, tx: Tx, file: ReadGames, nowAt: number): Promise<Outcome> {
  const known: Known = {
    standing: await standingGames(tx),
    aliases: [...(await gameAliases(tx)).keys()],
    rates: await ctx.rates(tx, ctx.runtime.clock.now()),
    currencies: await quotedRates(tx, ctx.runtime.clock.now()),
    site: await ctx.site(tx),
    funds: await ctx.funds(tx),
  }
  return weigh(known, file, nowAt)
}

/** @throws FileRefused */
function weigh(known: Known, file: ReadGames, nowAt: number): Outcome {
  const { standing, aliases, currencies, rates, site, funds } = known
  const planned = planGames(file, { standing, aliases, currencies, ...site, nowAt })
  if ('problems' in planned) throw new FileRefused(planned.problems)
  const { freeSats, needs } = funds
  const after = needsAfter(needs, standing, planned.changes, rates)
  return { standing, changes: planned.changes, freeSats, before: needs, after }
}

/** What games need once the draws of new versions are open beside those that are. */
function needsAfter(
  before: readonly GameNeed[],
  standing: readonly StandingGame[],
  changes: readonly PlannedGame[],
  rates: ReadonlyMap<string, bigint>,
): GameNeed[] {
  const needs = new Map(before.map((need) => [need.key, need]))
  for (const { key, version, into, rules } of changes) {
    const rate = rates.get(rules.currency)
    if (version === null || into !== null || rate === undefined) continue
    const neededSats = satsOfMinor(rules.guaranteedMinor + rules.coverMinor, rate)
    const open = needs.get(key) ?? { key, neededSats: 0n, isCommitted: false }
    needs.set(key, { ...open, neededSats: neededSats > open.neededSats ? neededSats : open.neededSats })
  }
  const positions = new Map(standing.map(({ traits, position }) => [traits.key, position]))
  for (const { key, position } of changes) positions.set(key, position)
  return [...needs.values()].sort((one, other) => (positions.get(one.key) ?? 0) - (positions.get(other.key) ?? 0))
}

/** Names of the games that the bankroll carries and would not carry any more. */
function stoppedBy({ standing, freeSats, before, after }: Outcome): string[] {
  const carried = carriedGames(after, freeSats)
  const stopped = [...carriedGames(before, freeSats)].filter((key) => !carried.has(key))
  return stopped.map((key) => standing.find(({ traits }) => traits.key === key)?.traits.name ?? key)
}

function linesOf({ standing, changes, freeSats, before, after }: Outcome, file: readonly FileGame[], nowAt: number) {
  const names = new Map([...standing, ...file].map(({ traits }) => [traits.key, traits.name]))
  const nameOf = (key: string): string => names.get(key) ?? key
  const games = changes.flatMap((change) => {
    const game = standing.find(({ traits }) => traits.key === change.key) ?? null
    return [...sentencesOf(change, game, nameOf, nowAt), ...announcementOf(change, nowAt)]
  })
  return [
    ...games,
    `Free bankroll: ${satsToBtc(freeSats)} BTC.`,
    `Before: ${carriageOf(before, freeSats, nameOf)}`,
    `After: ${carriageOf(after, freeSats, nameOf)}`,
  ]
}

function announcementOf({ kinds, version, key }: PlannedGame, nowAt: number): string[] {
  if (version === null) return []
  const iso = new Date(version.fromAt * 1000).toISOString().replace('.000Z', 'Z')
  const days = Math.floor((version.fromAt - nowAt) / 86_400)
  return [
    `  ${kinds.join(', ')}: statement game ${key}, version ${version.version}, reason ${version.reason}, from ` +
      `${version.fromAt} (${iso}); ${days === 1 ? '1 day' : `${days} days`} of notice.`,
  ]
}

function carriageOf(needs: readonly GameNeed[], freeSats: bigint, nameOf: (key: string) => string): string {
  const wanted = bankrollWanted(needs.reduce((sum, { neededSats }) => sum + neededSats, 0n))
  const carried = carriedGames(needs, freeSats)
  const names = [needs.filter(({ key }) => carried.has(key)), needs.filter(({ key }) => !carried.has(key))].map(
    (list) => list.map(({ key }) => nameOf(key)).join(', '),
  )
  const [on = '', off = ''] = names
  return `all games want ${satsToBtc(wanted)} BTC. Carried: ${on === '' ? 'none' : on}.${off === '' ? '' : ` Not carried: ${off}.`}`
}

function entryOf({ traits, rules, retiresInto }: StandingGame): FileGame {
  return { traits, rules, from: null, retire: retiresInto === null ? null : { into: retiresInto } }
}
