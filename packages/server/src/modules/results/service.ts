import type {
  CheckedLine,
  Draw,
  DrawDetails,
  FairnessRecord,
  Play,
  Statistics,
  WatchData,
  Win,
} from '@fairball/contract/schemas/game'
import { PAGE_SIZE } from '@fairball/contract/schemas/paging'
import { LotteryError } from '@fairball/domain/errors'
import { ballsShown } from '@fairball/domain/draw-phase'
import { DEFAULT_CURRENCY_CODE } from '@fairball/domain/fiat'
import { lineMask, matchesOf } from '@fairball/domain/lines'
import type { Db } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import { pageRange, totalPages } from '../../http/paging.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { type BoardDraw, type GameBoard, shownUntil } from '../games/board.ts'
import { assertLines, linesOf } from '../games/numbers.ts'
import { rulesOf } from '../games/rules.ts'
import type { Games } from '../games/service.ts'
import type { RecentWin } from '../content/service.ts'
import type { Ledger } from '../ledger/service.ts'
import { amountOf } from '../payments/amounts.ts'
import { ratesAt } from '../payments/rates.ts'
import { DRAW_EVENTS, drawMoneyOf, moneyMoved } from './draw-money.ts'
import { drawOf, jackpotOf, prizesOf, prizesOfPlayer, winTypeOf, type DrawRates } from './draw-views.ts'
import * as queries from './queries.ts'

/** The draw history and the check of numbers go back this far (spec section 9). */
export const HISTORY_SECONDS = 180 * 86_400
/** The most wins of one player and game that are listed, the newest ones. */
const MOST_WINS = 10_000
/** The most jackpots of a game's statistics, the newest ones: each comes in every currency. */
const MOST_JACKPOTS = 200

/** The most wins that are shown to everybody: six rows of four. */
const MOST_SHOWN_WINS = 24

/** What the results module needs. */
export interface ResultsDeps {
  readonly db: Db
  readonly runtime: Pick<Runtime, 'clock' | 'steady'>
  readonly games: Pick<Games, 'boardOf'>
  readonly ledger: Pick<Ledger, 'movedBy'>
  /** The public fairness record of a draw, which itself tells nothing before its time: the fairness module's. */
  readonly fairnessRecord: (gameKey: string, drawNumber: number) => Promise<FairnessRecord>
}

/** The watch page's data as a visitor sees it, and the draw it is of. */
export interface WatchedDraw {
  readonly data: WatchData
  /** null while the game has no draw */
  readonly draw: BoardDraw | null
}

export type Results = ReturnType<typeof createResults>

/** What became of draws, plays and lines. Nothing here tells more of a draw than its balls shown, until it is settled. */
export function createResults({ db, runtime, games, ledger, fairnessRecord }: ResultsDeps) {
  const watched = new Map<string, KeptWatch>()
  let readingWins: Promise<readonly RecentWin[]> | null = null

  async function plays(
    playerId: bigint,
    rawKey: string,
    page: number,
  ): Promise<{ results: Play[]; total_pages: number }> {
    const { key } = rulesOf(rawKey)
    const { limit, offset } = pageRange(page)
    const rows = await db.run(queries.findPlays, [playerId, key, limit, offset])
    // Each row tells how many there are; past the end there is none that could.
    const count = rows[0]?.plays ?? (page === 1 ? 0 : (await db.one(queries.countPlays, [playerId, key])).plays)
    // An order's plays share its lines, of which there can be a thousand: they are unfolded once.
    const ticketsByOrder = new Map<string, number[][]>()
    const results = Array.from(Map.groupBy(rows, (row) => row.id).values(), (parts) => {
      const [row] = parts
      if (row === undefined) throw new Error('a play without a row')
      const tickets = ticketsByOrder.get(row.order_id) ?? linesOf(parts.flatMap((part) => part.masks))
      ticketsByOrder.set(row.order_id, tickets)
      return playOf(row, tickets)
    })
    return { results, total_pages: totalPages(count) }
  }

  async function wins(playerId: bigint, rawKey: string): Promise<Win[]> {
    const { key } = rulesOf(rawKey)
    const rows = await db.run(queries.findWins, [playerId, key, MOST_WINS])
    // Free tickets are no amount of money: most players have won nothing else, and need no rates.
    const rates = await ratesOf(rows.filter((row) => row.win_type !== 'FREE_TICKET'))
    return rows.map((row) => ({
      id: row.id,
      date: row.start_at,
      win_type: row.win_type,
      amount_won: row.win_type === 'FREE_TICKET' ? null : amountOf(row.amount_sats ?? 0n, rates(row)),
      play_page: Math.ceil(row.place / PAGE_SIZE),
      play_id: row.play_id,
    }))
  }

  /** Whoever asks while they are read gets what is being read: many visitors at once cost one query. */
  function shownWins(): Promise<readonly RecentWin[]> {
    readingWins ??= readShownWins().finally(() => {
      readingWins = null
    })
    return readingWins
  }

  async function readShownWins(): Promise<RecentWin[]> {
    const since = runtime.clock.now() - HISTORY_SECONDS
    const rows = await db.run(queries.findShownWins, [since, MOST_SHOWN_WINS])
    const rates = await ratesOf(rows)
    return rows.map((row) => ({
      id: row.id,
      username: row.username,
      at: row.start_at,
      gameName: rulesOf(row.game_key).name,
      amount: amountOf(row.sats, rates(row)),
    }))
  }

  async function draws(
    rawKey: string,
    page: number,
  ): Promise<{ results: Draw[]; totalPages: number; total_pages: number }> {
    const { key } = rulesOf(rawKey)
    const { limit, offset } = pageRange(page)
    const since = runtime.clock.now() - HISTORY_SECONDS
    const [{ draws: count }, rows] = await Promise.all([
      db.one(queries.countSettledDraws, [key, since]),
      db.run(queries.findSettledDraws, [key, since, limit, offset]),
    ])
    const rates = await ratesOf(rows)
    const pages = totalPages(count)
    return { results: rows.map((row) => drawOf(row, rates(row))), totalPages: pages, total_pages: pages }
  }

  async function draw(rawKey: string, number: number): Promise<DrawDetails> {
    const { key } = rulesOf(rawKey)
    const row = await db.maybeOne(queries.findDraw, [key, number])
    if (row === null) throw new LotteryError('NOT_FOUND', 'No such draw.')
    const [rates, fairness, money] = await Promise.all([
      ratesOf([row]),
      fairnessRecord(key, number),
      isMoneySettled(row) ? ledger.movedBy(db, DRAW_EVENTS, String(row.id)) : null,
    ])
    const isSettled = row.status === 'settled'
    const told = isSettled ? row : { ...row, numbers: null, jackpot_sats: null, donation_sats: null, partners: null }
    return {
      ...drawOf(told, rates(row)),
      status: shownStatus(row, runtime.clock.now()),
      ticket_sell_closes_at: row.closes_at,
      end_at: shownUntil(row),
      entries: row.entries,
      prizes: isSettled ? prizesOf(row, rates(row)) : false,
      is_scaled: isSettled && row.prizes_scaled === true,
      rate:
        row.rate_sats === null || row.rate_at === null
          ? null
          : { code: DEFAULT_CURRENCY_CODE, sats: Number(row.rate_sats), at: row.rate_at },
      money:
        money === null ? null : drawMoneyOf(moneyMoved(money), rates(row), { isJackpotWon: row.jackpot_sats !== null }),
      fairness,
    }
  }

  async function watchedOf(gameKey: string, draw: BoardDraw | null, nowAt: number): Promise<WatchedDraw> {
    if (draw === null) return { data: { draw: hiddenBalls(rulesOf(gameKey).pick), prizes: false }, draw }
    if (draw.status !== 'settled') return { data: { draw: ballsOf(draw, nowAt), prizes: false }, draw }
    const rates = await ratesOf([draw])
    return { data: { draw: [...(draw.numbers ?? [])], prizes: prizesOf(draw, rates(draw)) }, draw }
  }

  /** The draw a game is at, as a visitor sees it; the same object is given to all who ask within a moment. */
  async function watchedNow(rawKey: string): Promise<WatchedDraw> {
    const { key } = rulesOf(rawKey)
    const board = await games.boardOf(key)
    const nowAt = runtime.clock.now()
    const kept = watched.get(key)
    if (kept !== undefined && kept.board === board && kept.nowAt === nowAt) return await kept.value
    const value = watchedOf(key, board?.nextDraw ?? null, nowAt)
    watched.set(key, { board, nowAt, value })
    return await value
  }

  async function watch(rawKey: string, playerId: bigint | null): Promise<WatchData> {
    const shown = await watchedNow(rawKey)
    if (playerId === null || shown.draw === null || shown.data.prizes === false) return shown.data
    const won = await wonMatches(shown.draw.id, [playerId])
    return dataOfPlayer(shown.data, won.get(playerId))
  }

  async function wonMatches(drawId: bigint, playerIds: readonly bigint[]): Promise<Map<bigint, Set<number>>> {
    const rows = await db.run(queries.findWonMatches, [drawId, [...playerIds]])
    const byPlayer = Map.groupBy(rows, (row) => row.player_id)
    return new Map(Array.from(byPlayer, ([playerId, own]) => [playerId, new Set(own.map((row) => row.matches))]))
  }

  async function checkNumbers(rawKey: string, lines: readonly (readonly number[])[]): Promise<CheckedLine[]> {
    const game = rulesOf(rawKey)
    assertLines(lines, game)
    const drawn = await db.run(queries.findDrawnMasks, [game.key, runtime.clock.now() - HISTORY_SECONDS])
    const known = drawn.flatMap(({ drawn_mask, tiers, number, start_at }) => {
      if (drawn_mask === null) return []
      return [{ number, start_at, mask: drawn_mask, tiers: new Map(tiers?.map((tier) => [tier.matches, tier])) }]
    })
    return lines.map((line) => {
      const mask = lineMask(line)
      const draws: CheckedLine['draws'] = []
      for (const { number, start_at, mask: drawnMask, tiers } of known) {
        const matches = matchesOf(mask, drawnMask)
        const tier = tiers.get(matches)
        if (tier !== undefined) draws.push({ number, date: start_at, matches, win_type: winTypeOf(tier.kind) })
      }
      return { line: [...line], draws }
    })
  }

  async function statistics(rawKey: string): Promise<Statistics> {
    const game = rulesOf(rawKey)
    const [{ draws: count }, counted, jackpots] = await Promise.all([
      db.one(queries.countSettledDraws, [game.key, 0]),
      db.run(queries.countDrawnNumbers, [game.key]),
      db.run(queries.findJackpots, [game.key, MOST_JACKPOTS]),
    ])
    const counts = new Map(counted.map((row) => [row.number, row.count]))
    const rates = await ratesOf(jackpots)
    return {
      draws: count,
      numbers: Array.from({ length: game.pool }, (_, index) => ({
        number: index + 1,
        count: counts.get(index + 1) ?? 0,
      })),
      jackpots: jackpots.map((row) => ({
        number: row.number,
        date: row.start_at,
        ...amountOf(row.jackpot_sats ?? jackpotOf(row), rates(row)),
        is_won: row.jackpot_sats !== null,
      })),
    }
  }

  /** Finds the rates each draw is seen through: those of its close, the newest ones where it has none. */
  async function ratesOf(
    rows: readonly { rate_at: number | null }[],
  ): Promise<(row: { rate_at: number | null }) => DrawRates> {
    const nowAt = runtime.clock.now()
    const momentOf = (row: { rate_at: number | null }): number => row.rate_at ?? nowAt
    const moments = [...new Set(rows.map(momentOf))]
    const found = moments.length === 0 ? new Map<number, DrawRates>() : await ratesAt(db, moments)
    return (row) => found.get(momentOf(row)) ?? new Map()
  }

  return {
    /**
     * One page of a player's plays in a game: those not yet drawn first, then newest first.
     *
     * @param page from 1; past the end it is an empty list
     * @throws LotteryError NOT_FOUND
     */
    plays,
    /** A player's winning entries in a game, newest first. @throws LotteryError NOT_FOUND */
    wins,
    /**
     * The newest wins in money of the last 180 days whose players let everybody see them, newest first: for each player and draw what
     * was won in it altogether. Names are not masked here.
     */
    shownWins,
    /** One page of a game's settled draws of the last 180 days, newest first. @throws LotteryError NOT_FOUND */
    draws,
    /** One draw with all that may be told of it now. @throws LotteryError NOT_FOUND */
    draw,
    /** The balls and prizes of the draw a game is at. @throws LotteryError NOT_FOUND */
    watch,
    watchedNow,
    /** In which tiers of a settled draw players have won, by player; players without a win are missing. */
    wonMatches,
    /**
     * How lines would have done in the draws of the last 180 days.
     *
     * @throws LotteryError NOT_FOUND, INVALID_PAYLOAD with a field a line that is none of the game
     */
    checkNumbers,
    /** How often each number of a game was drawn, and the jackpots of its newest draws. @throws LotteryError NOT_FOUND */
    statistics,
  }
}

/** What was last shown of a game: good for as long as the board and the second are the same. */
interface KeptWatch {
  readonly board: GameBoard | null
  readonly nowAt: number
  readonly value: Promise<WatchedDraw>
}

const STATUS_ON_WIRE = {
  open: 'OPEN',
  closed: 'CLOSED',
  // The numbers are known to the server and to nobody else.
  drawn: 'CLOSED',
  settled: 'DRAWN',
  void: 'VOID',
} as const satisfies Record<RowOf<typeof queries.findDraw>['status'], DrawDetails['status']>

/** A draw that waits to be sealed, or was put off before it was, takes no entries any more. */
function shownStatus(row: RowOf<typeof queries.findDraw>, nowAt: number): DrawDetails['status'] {
  return row.status === 'open' && row.closes_at <= nowAt ? 'CLOSED' : STATUS_ON_WIRE[row.status]
}

type PlayRow = RowOf<typeof queries.findPlays>

/** Whether the money of a draw has gone where it goes: all that was in its pot has left it. */
function isMoneySettled(row: RowOf<typeof queries.findDraw>): boolean {
  return row.status === 'settled' || (row.status === 'void' && row.closed_at !== null)
}

function playOf(row: PlayRow, tickets: number[][]): Play {
  const isDrawn = row.status === 'settled'
  return {
    id: row.id,
    date: row.start_at,
    draw: isDrawn ? { id: Number(row.draw_id), number: row.number, numbers: row.numbers ?? [] } : null,
    tickets,
    is_win: row.win_type !== null,
    win_type: row.win_type,
    is_claimed: row.is_claimed === true,
  }
}

function ballsOf(draw: BoardDraw, nowAt: number): WatchData['draw'] {
  return ballsShown({
    numbers: draw.numbers,
    startAt: draw.start_at,
    endAt: draw.end_at,
    pick: draw.pick,
    nowAt,
    revealFromAt: draw.reveal_from_at,
  })
}

function hiddenBalls(count: number): false[] {
  return Array.from({ length: count }, () => false)
}

/** The watch page's data as one player sees them. */
export function dataOfPlayer(data: WatchData, wonMatches: ReadonlySet<number> | undefined): WatchData {
  if (data.prizes === false || wonMatches === undefined) return data
  return { ...data, prizes: prizesOfPlayer(data.prizes, wonMatches) }
}
