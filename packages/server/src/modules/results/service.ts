import type {
  CheckedLine,
  Draw,
  DrawDetails,
  LatestDraw,
  Play,
  Statistics,
  WatchData,
  Win,
} from '@fairball/contract/schemas/game'
import { PAGE_SIZE } from '@fairball/contract/schemas/paging'
import { ballsShown } from '@fairball/domain/draw-phase'
import { LotteryError } from '@fairball/domain/errors'
import { lineMask, matchesOf } from '@fairball/domain/lines'
import type { RowOf } from '../../db/sql.ts'
import { pageRange, totalPages } from '../../kernel/paging.ts'
import type { RecentWin } from '../content/service.ts'
import { storedGames } from '../catalogue/service.ts'
import type { StoredTier } from '../draws/service.ts'
import { assertLines, type BoardDraw, boardOf, knownGame, lineShape, linesOf, shownUntil } from '../games/service.ts'
import { movedBy } from '../ledger/service.ts'
import { amountOf } from '../payments/service.ts'
import type { ResultsContext, WatchedDraw } from './context.ts'
import { DRAW_EVENTS, drawMoneyOf, moneyMoved } from './draw-money.ts'
import { drawOf, jackpotOf, prizesOf, prizesOfPlayer, winTypeOf } from './draw-views.ts'
import * as queries from './queries.ts'
import { ratesOf } from './rates.ts'

export { type ResultsContext, resultsContext, type WatchedDraw } from './context.ts'
export { listTickets } from './tickets.ts'

/** The draw history and the check of numbers go back this far (spec section 9). */
const HISTORY_SECONDS = 180 * 86_400
/** Maximum number of wins listed per player and game, newest first. */
const MAX_WINS = 10_000
/** Maximum number of jackpots in a game's statistics, newest first: each comes in every currency. */
const MAX_JACKPOTS = 200

/** Maximum number of wins shown to everyone: six rows of four. */
const MAX_SHOWN_WINS = 24

/**
 * One page of a player's plays in a game: undrawn ones first, then newest first.
 *
 * @param page from 1; past the end it is an empty list
 * @throws LotteryError NOT_FOUND
 */
export async function listPlays(
  ctx: ResultsContext,
  playerId: bigint,
  rawKey: string,
  page: number,
): Promise<{ results: Play[]; total_pages: number }> {
  const { key } = await knownGame(ctx.games, rawKey)
  const { limit, offset } = pageRange(page)
  const rows = await ctx.db.run(queries.findPlays, [playerId, key, limit, offset])
  // Each row has the total; past the end there is no row that could.
  const count = rows[0]?.plays ?? (page === 1 ? 0 : (await ctx.db.one(queries.countPlays, [playerId, key])).plays)
  // An order's plays share its lines, up to a thousand: they are unpacked once.
  const ticketsByOrder = new Map<string, number[][]>()
  const results = Array.from(Map.groupBy(rows, (row) => row.id).values(), (parts) => {
    const [row] = parts
    if (row === undefined) throw new Error('a play without a row')
    const tickets = ticketsByOrder.get(row.orderId) ?? linesOf(parts.flatMap((part) => part.masks))
    ticketsByOrder.set(row.orderId, tickets)
    return playOf(row, tickets)
  })
  return { results, total_pages: totalPages(count) }
}

/** A player's winning entries in a game, newest first. @throws LotteryError NOT_FOUND */
export async function listWins(ctx: ResultsContext, playerId: bigint, rawKey: string): Promise<Win[]> {
  const { key } = await knownGame(ctx.games, rawKey)
  const rows = await ctx.db.run(queries.findWins, [playerId, key, MAX_WINS])
  // Free tickets are no amount of money: most players have won nothing else, and need no rates.
  const rates = await ratesOf(
    ctx,
    rows.filter((row) => row.winType !== 'FREE_TICKET'),
  )
  return rows.map((row) => ({
    id: row.id,
    date: row.startAt,
    win_type: row.winType,
    amount_won: row.winType === 'FREE_TICKET' ? null : amountOf(row.amountSats ?? 0n, rates(row)),
    play_page: Math.ceil(row.rank / PAGE_SIZE),
    play_id: row.playId,
  }))
}

/**
 * The newest money wins of the last 180 days whose players let everyone see them, newest first: for each player and
 * draw, the total won in it. Names are not masked here.
 */
export function shownWins(ctx: ResultsContext): Promise<readonly RecentWin[]> {
  ctx.wins.reading ??= readShownWins(ctx).finally(() => {
    ctx.wins.reading = null
  })
  return ctx.wins.reading
}

async function readShownWins(ctx: ResultsContext): Promise<RecentWin[]> {
  const since = ctx.runtime.clock.now() - HISTORY_SECONDS
  const rows = await ctx.db.run(queries.findShownWins, [since, MAX_SHOWN_WINS])
  const rates = await ratesOf(ctx, rows)
  const names = new Map((await storedGames(ctx.db)).map(({ key, name }) => [key, name]))
  return rows.map((row) => ({
    id: row.id,
    username: row.username,
    at: row.startAt,
    gameName: names.get(row.gameKey) ?? row.gameKey,
    amount: amountOf(row.sats, rates(row)),
  }))
}

/** One page of a game's settled draws of the last 180 days, newest first. @throws LotteryError NOT_FOUND */
export async function listDraws(
  ctx: ResultsContext,
  rawKey: string,
  page: number,
): Promise<{ results: Draw[]; totalPages: number; total_pages: number }> {
  const { key } = await knownGame(ctx.games, rawKey)
  const { limit, offset } = pageRange(page)
  const since = ctx.runtime.clock.now() - HISTORY_SECONDS
  const [{ draws: count }, rows] = await Promise.all([
    ctx.db.one(queries.countSettledDraws, [key, since]),
    ctx.db.run(queries.findSettledDraws, [key, since, limit, offset]),
  ])
  const rates = await ratesOf(ctx, rows)
  const pages = totalPages(count)
  return { results: rows.map((row) => drawOf(row, rates(row))), totalPages: pages, total_pages: pages }
}

/** A settled draw, as feeds tell of it; money is in sats. */
export interface DrawResult {
  readonly gameKey: string
  readonly number: number
  /** epoch seconds */
  readonly startAt: number
  /** when the last ball was shown, in epoch seconds */
  readonly shownAt: number
  /** in the order drawn */
  readonly numbers: readonly number[]
  readonly winningLines: number
  /** all money prizes together, the jackpot among them */
  readonly prizeSats: bigint
  /** what the jackpot paid; 0 if nobody won it */
  readonly jackpotSats: bigint
}

/** The newest settled draws of all games in the last 180 days, newest first. @param most maximum number */
export async function newestResults(ctx: Pick<ResultsContext, 'db' | 'runtime'>, most: number): Promise<DrawResult[]> {
  const rows = await ctx.db.run(queries.findNewestDraws, [ctx.runtime.clock.now() - HISTORY_SECONDS, most])
  return rows.map(({ gameKey, number, startAt, settledAt, numbers, tiers, jackpotSats }) => ({
    gameKey,
    number,
    startAt,
    shownAt: settledAt ?? startAt,
    numbers: numbers ?? [],
    ...wonIn(tiers ?? []),
    jackpotSats: jackpotSats ?? 0n,
  }))
}

function wonIn(tiers: readonly StoredTier[]): { winningLines: number; prizeSats: bigint } {
  return {
    winningLines: tiers.reduce((sum, { winners }) => sum + winners, 0),
    prizeSats: tiers
      .filter((tier) => tier.kind !== 'free')
      .reduce((sum, tier) => sum + BigInt(tier.winners) * BigInt(tier.satsEach), 0n),
  }
}

/** The newest settled draw of each game in the last 180 days, newest first. */
export async function latestDraws(ctx: ResultsContext): Promise<LatestDraw[]> {
  const rows = await ctx.db.run(queries.findLatestDraws, [ctx.runtime.clock.now() - HISTORY_SECONDS])
  const rates = await ratesOf(ctx, rows)
  return rows.map((row) => {
    const { winningLines, prizeSats } = wonIn(row.tiers ?? [])
    return {
      game_key: row.gameKey,
      draw: drawOf(row, rates(row)),
      winning_lines: winningLines,
      prizes: amountOf(prizeSats, rates(row)),
    }
  })
}

/** One draw with all that may be revealed now. @throws LotteryError NOT_FOUND */
export async function readDraw(ctx: ResultsContext, rawKey: string, number: number): Promise<DrawDetails> {
  const { key } = await knownGame(ctx.games, rawKey)
  const row = await ctx.db.maybeOne(queries.findDraw, [key, number])
  if (row === null) throw new LotteryError('NOT_FOUND', 'No such draw.')
  const [rates, statements, money] = await Promise.all([
    ratesOf(ctx, [row]),
    ctx.statementsOf(row.openHash),
    isMoneySettled(row) ? movedBy(ctx.db, DRAW_EVENTS, String(row.id)) : null,
  ])
  const isSettled = row.status === 'settled'
  const told = isSettled ? row : { ...row, numbers: null, jackpotSats: null, donationSats: null, partners: null }
  return {
    ...drawOf(told, rates(row)),
    status: shownStatus(row, ctx.runtime.clock.now()),
    ticket_sell_closes_at: row.closesAt,
    end_at: shownUntil(row),
    entries: row.entries,
    prizes: isSettled ? prizesOf(row, rates(row)) : false,
    is_scaled: isSettled && row.prizesScaled === true,
    rate:
      row.rateSats === null || row.rateAt === null
        ? null
        : { code: row.currency, sats: Number(row.rateSats), at: row.rateAt },
    money:
      money === null ? null : drawMoneyOf(moneyMoved(money), rates(row), { isJackpotWon: row.jackpotSats !== null }),
    statements,
  }
}

async function watchedOf(
  ctx: ResultsContext,
  gameKey: string,
  draw: BoardDraw | null,
  nowAt: number,
): Promise<WatchedDraw> {
  if (draw === null)
    return { data: { draw: hiddenBalls((await lineShape(ctx.db, gameKey)).pick), prizes: false }, draw }
  if (draw.status !== 'settled') return { data: { draw: ballsOf(draw, nowAt), prizes: false }, draw }
  const rates = await ratesOf(ctx, [draw])
  return { data: { draw: [...(draw.numbers ?? [])], prizes: prizesOf(draw, rates(draw)) }, draw }
}

/** A game's present draw, as a visitor sees it; requests at the same moment get the same object. */
export async function watchedNow(ctx: ResultsContext, rawKey: string): Promise<WatchedDraw> {
  const { key } = await knownGame(ctx.games, rawKey)
  const board = await boardOf(ctx.games, key)
  const nowAt = ctx.runtime.clock.now()
  const kept = ctx.watched.get(key)
  if (kept !== undefined && kept.board === board && kept.nowAt === nowAt) return await kept.value
  const value = watchedOf(ctx, key, board?.nextDraw ?? null, nowAt)
  ctx.watched.set(key, { board, nowAt, value })
  return await value
}

/** The balls and prizes of a game's present draw. @throws LotteryError NOT_FOUND */
export async function readWatch(ctx: ResultsContext, rawKey: string, playerId: bigint | null): Promise<WatchData> {
  const shown = await watchedNow(ctx, rawKey)
  if (playerId === null || shown.draw === null || shown.data.prizes === false) return shown.data
  const won = await wonMatches(ctx, shown.draw.id, [playerId])
  return dataOfPlayer(shown.data, won.get(playerId))
}

/** In which tiers of a settled draw players have won, by player; players without a win are missing. */
export async function wonMatches(
  ctx: ResultsContext,
  drawId: bigint,
  playerIds: readonly bigint[],
): Promise<Map<bigint, Set<number>>> {
  const rows = await ctx.db.run(queries.findWonMatches, [drawId, [...playerIds]])
  const byPlayer = Map.groupBy(rows, (row) => row.playerId)
  return new Map(Array.from(byPlayer, ([playerId, own]) => [playerId, new Set(own.map((row) => row.matches))]))
}

/**
 * How lines would have done in the draws of the last 180 days.
 *
 * @throws LotteryError NOT_FOUND, or INVALID_PAYLOAD with a field for each line that does not fit the game
 */
export async function checkNumbers(
  ctx: ResultsContext,
  rawKey: string,
  lines: readonly (readonly number[])[],
): Promise<CheckedLine[]> {
  const { key } = await knownGame(ctx.games, rawKey)
  assertLines(lines, await lineShape(ctx.db, key))
  const drawn = await ctx.db.run(queries.findDrawnMasks, [key, ctx.runtime.clock.now() - HISTORY_SECONDS])
  const known = drawn.flatMap(({ drawnMask, tiers, number, startAt }) => {
    if (drawnMask === null) return []
    return [{ number, startAt, mask: drawnMask, tiers: new Map(tiers?.map((tier) => [tier.matches, tier])) }]
  })
  return lines.map((line) => {
    const mask = lineMask(line)
    const draws: CheckedLine['draws'] = []
    for (const { number, startAt, mask: drawnMask, tiers } of known) {
      const matches = matchesOf(mask, drawnMask)
      const tier = tiers.get(matches)
      if (tier !== undefined) draws.push({ number, date: startAt, matches, win_type: winTypeOf(tier.kind) })
    }
    return { line: [...line], draws }
  })
}

/** How often each number of a game was drawn, and the jackpots of its newest draws. @throws LotteryError NOT_FOUND */
export async function readStatistics(ctx: ResultsContext, rawKey: string): Promise<Statistics> {
  const { key } = await knownGame(ctx.games, rawKey)
  const [{ pool }, { draws: count }, counted, jackpots] = await Promise.all([
    lineShape(ctx.db, key),
    ctx.db.one(queries.countSettledDraws, [key, 0]),
    ctx.db.run(queries.countDrawnNumbers, [key]),
    ctx.db.run(queries.findJackpots, [key, MAX_JACKPOTS]),
  ])
  const counts = new Map(counted.map((row) => [row.number, row.count]))
  const rates = await ratesOf(ctx, jackpots)
  return {
    draws: count,
    numbers: Array.from({ length: pool }, (_, index) => ({
      number: index + 1,
      count: counts.get(index + 1) ?? 0,
    })),
    jackpots: jackpots.map((row) => ({
      number: row.number,
      date: row.startAt,
      ...amountOf(row.jackpotSats ?? jackpotOf(row), rates(row)),
      is_won: row.jackpotSats !== null,
    })),
  }
}

const STATUS_ON_WIRE = {
  open: 'OPEN',
  closed: 'CLOSED',
  // Only the server knows the numbers.
  drawn: 'CLOSED',
  settled: 'DRAWN',
  void: 'VOID',
} as const satisfies Record<RowOf<typeof queries.findDraw>['status'], DrawDetails['status']>

/** A draw that waits to be sealed, or was postponed before it was, takes no more entries. */
function shownStatus(row: RowOf<typeof queries.findDraw>, nowAt: number): DrawDetails['status'] {
  return row.status === 'open' && row.closesAt <= nowAt ? 'CLOSED' : STATUS_ON_WIRE[row.status]
}

type PlayRow = RowOf<typeof queries.findPlays>

/** Whether the money of a draw is in its final place: all that was in its pot has left it. */
function isMoneySettled(row: RowOf<typeof queries.findDraw>): boolean {
  return row.status === 'settled' || (row.status === 'void' && row.closedAt !== null)
}

function playOf(row: PlayRow, tickets: number[][]): Play {
  const isDrawn = row.status === 'settled'
  return {
    id: row.id,
    date: row.startAt,
    draw: isDrawn ? { id: Number(row.drawId), number: row.number, numbers: row.numbers ?? [] } : null,
    tickets,
    is_win: row.winType !== null,
    win_type: row.winType,
    is_claimed: row.isClaimed === true,
  }
}

function ballsOf(draw: BoardDraw, nowAt: number): WatchData['draw'] {
  return ballsShown({ ...draw, nowAt })
}

function hiddenBalls(count: number): false[] {
  return Array.from({ length: count }, () => false)
}

/** The watch page's data as one player sees it. */
export function dataOfPlayer(data: WatchData, wonMatches: ReadonlySet<number> | undefined): WatchData {
  if (data.prizes === false || wonMatches === undefined) return data
  return { ...data, prizes: prizesOfPlayer(data.prizes, wonMatches) }
}
