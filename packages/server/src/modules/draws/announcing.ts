import { type ChangeKind, mayBeWorse, reasonOfKinds } from '@fairball/domain/game-changes'
import { rulesToJson } from '@fairball/domain/game-json'
import { checkGameRules, type GameRules, type GameTraits } from '@fairball/domain/games'
import { earliestFrom, isIntoPartners } from '@fairball/domain/standing-games'
import { writeRules } from '@fairball/domain/protocol/rules'
import type { Tx } from '../../db/pool.ts'
import type { Jobs } from '../../jobs/queue.ts'
import { noteEvent } from '../integrations/service.ts'
import { appendStatement, keepText, lockHead, type LogContext } from '../fairness/service.ts'
import * as queries from './queries.ts'
import { markRetiring } from './retiring-queries.ts'
import { finishLater } from './retiring.ts'
import { rulesOf } from './rules.ts'
import { tellLater } from './telling-changes.ts'

/** What announcing needs. */
interface Announcer {
  readonly fairness: LogContext
  readonly jobs: Jobs
}

/** A version to announce. */
interface NewVersion {
  readonly gameKey: string
  readonly rules: GameRules
  /** the first scheduled start that it applies to, epoch seconds; null for the earliest the protocol allows */
  readonly fromAt: number | null
  readonly kinds: readonly ChangeKind[]
  /** in the words of who announces it */
  readonly reason: string
  readonly actor: string
  readonly requestId?: string | null
  /** where the pools of a game go that retires by it: a game's key, or `partners`; null for every other kind */
  readonly into?: string | null
  /** the time of its statement in epoch seconds, of a caller that holds the log's head since then; default: now */
  readonly announcedAt?: number
}

/** A version as it was announced. */
interface AnnouncedVersion {
  readonly version: number
  readonly fromAt: number
  readonly announcedAt: number
  readonly statementHash: string
}

/** A new version cannot apply from the moment that was asked for. */
export class TooEarly extends Error {
  override readonly name = 'TooEarly'
  /** epoch seconds */
  readonly earliestAt: number
  /** the newest opened draw, if it is the reason */
  readonly afterDraw: number | null

  constructor(earliestAt: number, afterDraw: number | null) {
    super(`the version can apply from ${new Date(earliestAt * 1000).toISOString()}`)
    this.earliestAt = earliestAt
    this.afterDraw = afterDraw
  }
}

/**
 * Announces a version of a game: one `game` statement, in the caller's transaction. It locks the game's row, then the
 * log's head, as a close does, so no draw opens in between. Draws are not opened by it.
 *
 * @throws TooEarly if `fromAt` lies before the newest opened draw's schedule, or less than a week after now for a game
 *   that was announced before
 * @throws RangeError for rules with problems, UnexpectedRowCount for a game that is not there
 */
export async function announceVersion(ctx: Announcer, tx: Tx, change: NewVersion): Promise<AnnouncedVersion> {
  const { gameKey, kinds, into = null } = change
  checkGameRules(change.rules)
  // A game that ends has an empty calendar from then on, which no game that is played may have.
  const rules = into === null ? change.rules : { ...change.rules, drawTimes: [] }
  const { extraStartAt } = await tx.one(queries.lockGame, [gameKey])
  const announced = await tx.maybeOne(queries.findNewestVersion, [gameKey])
  const version = (announced?.version ?? 0) + 1
  const announcedAt = change.announcedAt ?? (await lockHead(ctx.fairness, tx))
  const lastOpened = await tx.maybeOne(queries.findLastOpened, [gameKey])
  const earliestAt = earliestFrom({ lastOpened, versions: announced === null ? [] : [announced] }, announcedAt)
  const fromAt = change.fromAt ?? earliestAt
  const isAfterDraw = lastOpened !== null && lastOpened.scheduledAt + 1 === earliestAt
  if (fromAt < earliestAt) throw new TooEarly(earliestAt, isAfterDraw ? lastOpened.number : null)
  const extraAt = extraStartAt !== null && extraStartAt >= fromAt ? extraStartAt : null
  const text = into === null ? writeRules(rulesOf(gameKey, version, rules, extraAt)) : announced?.rulesText
  if (text === undefined) throw new RangeError(`${gameKey} was never announced, so it cannot end`)
  const rulesHash = await keepText(tx, text)
  const { hash: statementHash } = await appendStatement(
    ctx.fairness,
    tx,
    {
      type: 'game',
      game: gameKey,
      version,
      rules: rulesHash,
      from: fromAt,
      reason: reasonOfKinds(kinds),
      pot_to: into === null || isIntoPartners(into) ? null : into,
    },
    announcedAt,
  )
  await tx.execute(queries.insertVersion, {
    gameKey,
    version,
    fromAt,
    rules: rulesToJson(rules),
    rulesHash,
    announcedAt,
    kinds: [...kinds],
    reason: change.reason,
    statementHash,
    actor: change.actor,
    requestId: change.requestId ?? null,
  })
  if (into !== null) {
    await tx.execute(markRetiring, [gameKey, into])
    await finishLater(ctx, tx, gameKey, fromAt)
  }
  await noteEvent(ctx, tx, {
    type: 'game.announced',
    subject: `${gameKey}:${version}`,
    at: announcedAt,
    data: { game: gameKey, version, from_at: fromAt, kinds: [...kinds], statement: statementHash },
  })
  if (mayBeWorse(kinds)) await tellLater(ctx, tx, { gameKey, version, afterId: 0n }, announcedAt)
  return { version, fromAt, announcedAt, statementHash }
}

/** Enters a game that has no version yet, as the last in the order of display. */
export async function insertGame(
  tx: Tx,
  game: GameTraits & { readonly weeksAhead: number },
  options: { readonly createdAt: number; readonly extraStartAt?: number | null },
): Promise<void> {
  const { key, name, accent, pattern, summary, weeksAhead } = game
  const { createdAt, extraStartAt = null } = options
  await tx.execute(queries.insertGame, { key, name, accent, pattern, summary, weeksAhead, createdAt, extraStartAt })
}
