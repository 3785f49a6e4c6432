import type { DrawDay, Game, MyGame, NextDraw } from '@fairball/contract/schemas/game'
import type { Amount } from '@fairball/contract/schemas/money'
import { weeksOfDay } from '@fairball/domain/calendar'
import { LotteryError } from '@fairball/domain/errors'
import { DEFAULT_CURRENCY_CODE } from '@fairball/domain/fiat'
import { splitToJson } from '@fairball/domain/game-json'
import type { GameRules } from '@fairball/domain/games'
import { estimatedJackpot, reserveOfDraw } from '@fairball/domain/jackpot'
import type { Db, Tx } from '../../db/pool.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { GameSales } from '../draws/service.ts'
import { bankroll, prizePool } from '../ledger/accounts.ts'
import { balanceOf } from '../ledger/service.ts'
import { amountOf, currentRates, priceIn } from '../payments/service.ts'
import { type BoardDraw, type GameBoard, readBoard, shownUntil } from './board.ts'
import { comingChange } from './coming-change.ts'
import { type MomentCache, momentCache } from './moment-cache.ts'
import { prizesIn } from './prices.ts'
import { findFreeTickets, findLastDraws, findPlayedGames, findRetired, sumStakes } from './queries.ts'
import { allVersions, gamesByName, type GameVersion, type StoredGame, storedGames } from '../catalogue/service.ts'

export type { BoardDraw } from './board.ts'
export type { GameBoard } from './board.ts'
export { shownUntil } from './board.ts'
export { applyPlan, type DeskContext, exportGames, fileOf, planFile, previewGames } from './desk.ts'
export { assertLines } from './numbers.ts'
export { lineShape } from './numbers.ts'
export { linesOf } from './numbers.ts'
export { wordIn } from './prices.ts'

/** What pages say of a game that is not on sale for a reason that passes. */
const SALES_SOON = 'Sales open soon'
/** What they say of a game whose last draw has closed. */
const SALES_OVER = 'This game has ended'

/** Whether a game is on sale, and the note of its pause. */
type SoldGame = Pick<GameSales, 'gameKey' | 'isOnSale' | 'pauseNote'>

/** What reading the catalogue of games needs, and its short-lived cache. */
export interface GamesContext {
  readonly db: Db
  readonly runtime: Pick<Runtime, 'clock' | 'monotonic'>
  /** Which games orders are taken for. Games without an open draw are missing. */
  readonly salesState: (tx: Tx) => Promise<{ readonly games: readonly SoldGame[] }>
  readonly catalogue: MomentCache<Game[]>
  readonly boards: MomentCache<ReadonlyMap<string, GameBoard>>
  /** every game, by its key and by each alias */
  readonly known: MomentCache<ReadonlyMap<string, StoredGame>>
}

/** The context of one process. */
export function gamesContext(deps: Pick<GamesContext, 'db' | 'salesState' | 'runtime'>): GamesContext {
  const { db, salesState, runtime } = deps
  // One snapshot of the database: money that moves between two statements would be counted twice or not at all.
  const readAtOnce = (nowAt: number) =>
    db.transaction((tx) => readCatalogue(deps, tx, nowAt), { isolation: 'repeatable read' })
  return {
    db,
    runtime,
    salesState,
    catalogue: momentCache(runtime, readAtOnce),
    boards: momentCache(runtime, (nowAt) => readBoard(db, nowAt)),
    known: momentCache(runtime, () => gamesByName(db)),
  }
}

async function readCatalogue(ctx: Pick<GamesContext, 'salesState'>, tx: Tx, nowAt: number): Promise<Game[]> {
  const stored = await storedGames(tx)
  if (stored.length === 0) return []
  const byGame = await readBoard(tx, nowAt)
  const rates = await currentRates(tx, nowAt)
  if (!rates.has(DEFAULT_CURRENCY_CODE)) throw new LotteryError('RATE_UNAVAILABLE')
  const stakes = await stakesOf(tx, [...byGame.values()])
  const freeSats = await balanceOf(tx, bankroll)
  const sales = new Map((await ctx.salesState(tx)).games.map((game) => [game.gameKey, game]))
  const lastDraws = new Map((await tx.run(findLastDraws, [])).map((row) => [row.gameKey, row.startAt]))
  const versionsByGame = await allVersions(tx)
  const games: Game[] = []
  for (const game of stored) {
    const board = byGame.get(game.key)
    // It has not been opened yet, or has ended: its last draw is listed until it is over, so that it can be watched.
    if (board === undefined || board.nextDraw === null) continue
    const versions = versionsByGame.get(game.key) ?? []
    const shown = board.onSale[0] ?? board.nextDraw
    const base = versions.find(({ version }) => version === shown.version)
    const unitSats = base === undefined ? undefined : rates.get(base.rules.currency)
    if (base === undefined || unitSats === undefined) continue // nothing can be said of its price
    const poolSats = await balanceOf(tx, prizePool(game.key))
    const jackpotSats = jackpotOf({ rules: base.rules, board, poolSats, freeSats, stakes, unitSats })
    games.push(
      gameOf({
        game,
        versions,
        base,
        board,
        nextDraw: board.nextDraw,
        nowAt,
        salesNote:
          game.state !== 'active' && board.forSale.length === 0 ? SALES_OVER : salesNoteOf(sales.get(game.key)),
        lastDrawAt: lastDraws.get(game.key) ?? null,
        change: comingChange(versions, base, board.forSale),
        jackpot: amountOf(jackpotSats, rates),
        rates,
      }),
    )
  }
  return games
}

/**
 * Every game that is offered. Without a player, all requests within a moment share the same list.
 *
 * @param playerId whose free tickets are counted; null for a visitor
 * @throws LotteryError RATE_UNAVAILABLE before the first rate was read
 */
export async function listGames(ctx: GamesContext, playerId: bigint | null): Promise<Game[]> {
  if (playerId === null) return await ctx.catalogue.read()
  const [games, tickets] = await Promise.all([ctx.catalogue.read(), ctx.db.run(findFreeTickets, [playerId])])
  const byGame = new Map(tickets.map((row) => [row.gameKey, row.available]))
  return games.map((game) => ({ ...game, tickets_won: byGame.get(game.key) ?? 0 }))
}

/** The games with a paid order of the player, in the order of the catalogue; after them those that are no longer drawn. */
export async function gamesPlayedBy(ctx: GamesContext, playerId: bigint): Promise<MyGame[]> {
  const [games, played, retired] = await Promise.all([
    ctx.catalogue.read(),
    ctx.db.run(findPlayedGames, [playerId]),
    ctx.db.run(findRetired, []),
  ])
  const keys = new Set(played.map((row) => row.gameKey))
  const offered = new Set(games.map(({ key }) => key))
  const ended = retired
    .filter(({ key }) => !offered.has(key))
    .map(({ key, name, accent: color }) => ({ key, name, color, jackpot: null, next_draw: null, open_draws: [] }))
  const present = games.map(({ key, name, color, jackpot, next_draw, open_draws }) => ({
    key,
    name,
    color,
    jackpot,
    next_draw,
    open_draws,
  }))
  return [...present, ...ended].filter(({ key }) => keys.has(key))
}

/** The present state of a game, secrets included, for the watch page; null before its first draw was opened. */
export async function boardOf(ctx: GamesContext, gameKey: string): Promise<GameBoard | null> {
  return (await ctx.boards.read()).get(gameKey) ?? null
}

/** The game that a caller named, as read within the last moment. @throws LotteryError NOT_FOUND */
export async function knownGame(ctx: GamesContext, keyOrAlias: string): Promise<StoredGame> {
  const game = (await ctx.known.read()).get(keyOrAlias)
  if (game === undefined) throw new LotteryError('NOT_FOUND', 'No such game.')
  return game
}

/** The next reading sees what was just written. */
export function dropGames(ctx: GamesContext): void {
  ctx.known.drop()
  ctx.catalogue.drop()
  ctx.boards.drop()
}

/** What stands in place of the way to play; null for a game on sale. */
function salesNoteOf(game: SoldGame | undefined): string | null {
  return game?.isOnSale === true ? null : (game?.pauseNote ?? SALES_SOON)
}

/** The stakes in the first open draw of each game, by the draw's id. */
async function stakesOf(tx: Tx, boards: readonly GameBoard[]): Promise<Map<bigint, Stakes>> {
  const drawIds = boards.flatMap((board) => (board.openDraw === null ? [] : [board.openDraw.id]))
  const rows = await tx.run(sumStakes, [drawIds])
  return new Map(rows.map((row) => [row.drawId, { stakeSats: row.stakeSats, entries: Number(row.entries) }]))
}

interface Stakes {
  readonly stakeSats: bigint
  readonly entries: number
}

/**
 * The advertised jackpot in sats (decisions section 5): from a draw's close to its settlement that of the sealed draw,
 * whose pot already has its stakes; otherwise that of the first open draw with its stakes so far.
 */
function jackpotOf(state: {
  rules: GameRules
  board: GameBoard
  poolSats: bigint
  freeSats: bigint
  stakes: ReadonlyMap<bigint, Stakes>
  unitSats: bigint
}): bigint {
  const { rules, board, poolSats, freeSats, stakes, unitSats } = state
  const { sealedDraw, openDraw } = board
  if (sealedDraw !== null) {
    return estimatedJackpot({
      game: rules,
      poolSats: sealedDraw.potSats ?? 0n,
      stakeSats: 0n,
      entries: sealedDraw.entries ?? 0,
      floorSats: sealedDraw.floorSats ?? 0n,
      satsPerUnit: unitSats,
    })
  }
  const staked = openDraw === null ? undefined : stakes.get(openDraw.id)
  // What the close would set aside now: never more than the operator has.
  const { floorSats } = reserveOfDraw({
    guaranteedMinor: openDraw?.guaranteedMinor ?? 0n,
    coverMinor: 0n,
    satsPerUnit: unitSats,
    freeBankrollSats: freeSats,
  })
  return estimatedJackpot({
    game: rules,
    poolSats,
    stakeSats: staked?.stakeSats ?? 0n,
    entries: staked?.entries ?? 0,
    floorSats,
    satsPerUnit: unitSats,
  })
}

function gameOf(parts: {
  game: StoredGame
  versions: readonly GameVersion[]
  base: GameVersion
  board: GameBoard
  nextDraw: BoardDraw
  nowAt: number
  lastDrawAt: number | null
  change: Game['change']
  jackpot: Amount
  rates: ReadonlyMap<string, bigint>
  salesNote: string | null
}): Game {
  const { game, versions, base, board, nextDraw, nowAt, lastDrawAt, change, jackpot, rates, salesNote } = parts
  const { rules } = base
  return {
    id: game.id,
    key: game.key,
    name: game.name,
    color: game.accent,
    pattern: game.pattern,
    summary: game.summary,
    currency: rules.currency,
    split: splitToJson(rules.split),
    sets: [{ n: rules.pick, N: rules.pool }],
    tickets_won: 0,
    ticket_price: { fiat: priceIn(rules.priceMinor, rates, rules.currency) },
    jackpot,
    prizes: prizesIn(rules, rates),
    advanced_ticket_purchase: {
      days: drawDays(game, versions, board.forSale, nowAt),
      max_weeks_ahead: game.weeksAhead,
    },
    next_draw: nextDrawOnWire(nextDraw),
    open_draws: board.onSale.map(nextDrawOnWire),
    is_on_sale: salesNote === null,
    sales_note: salesNote,
    change,
    last_draw_at: lastDrawAt,
  }
}

/** The days that an order can name: those of the versions of the draws that can be bought, where one is left. */
function drawDays(
  game: StoredGame,
  versions: readonly GameVersion[],
  forSale: readonly BoardDraw[],
  nowAt: number,
): DrawDay[] {
  const times = versions
    .filter(({ version }) => forSale.some((draw) => draw.version === version))
    .flatMap(({ rules }) => rules.drawTimes)
  const distinct = new Map(times.map((time) => [time.day * 1440 + time.minuteOfDay, time]))
  return [...distinct.entries()]
    .sort(([one], [other]) => one - other)
    .map(([, { day, minuteOfDay }]) => ({
      day,
      time_delta_midnight_utc: minuteOfDay * 60,
      max_weeks: weeksOfDay(game, forSale, day, nowAt),
    }))
    .filter(({ max_weeks }) => max_weeks > 0)
}

function nextDrawOnWire(draw: BoardDraw): NextDraw {
  return {
    number: draw.number,
    start_at: draw.startAt,
    end_at: shownUntil(draw),
    ticket_sell_closes_at: draw.closesAt,
  }
}
