import type { DrawDay, Game, MyGame, NextDraw } from '@fairball/contract/schemas/game'
import type { Amount } from '@fairball/contract/schemas/money'
import { LotteryError } from '@fairball/domain/errors'
import { DEFAULT_CURRENCY_CODE } from '@fairball/domain/fiat'
import { type GameRules, GAMES } from '@fairball/domain/games'
import { estimatedJackpot, reserveOfDraw } from '@fairball/domain/jackpot'
import type { Db, Tx } from '../../db/pool.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { bankroll, prizePool } from '../ledger/accounts.ts'
import { balanceOf } from '../ledger/service.ts'
import { amountOf, currentRates } from '../payments/service.ts'
import { type BoardDraw, type GameBoard, readBoard, shownUntil } from './board.ts'
import { type MomentCache, momentCache } from './moment-cache.ts'
import { priceIn, prizeIn } from './prices.ts'
import { findFreeTickets, findLastDraws, findPlayedGames, sumStakes } from './queries.ts'

export type { BoardDraw } from './board.ts'
export type { GameBoard } from './board.ts'
export { shownUntil } from './board.ts'
export { assertLines } from './numbers.ts'
export { linesOf } from './numbers.ts'
export { wordIn } from './prices.ts'
export { rulesOf } from './rules.ts'

/** What reading the catalogue of games needs, and its short-lived cache. */
export interface GamesContext {
  readonly db: Db
  /** Whether orders are taken at all. */
  readonly salesState: (tx: Tx) => Promise<{ readonly cause: string | null }>
  readonly catalogue: MomentCache<Game[]>
  readonly boards: MomentCache<ReadonlyMap<string, GameBoard>>
}

/** The context of one process. */
export function gamesContext(
  deps: Pick<GamesContext, 'db' | 'salesState'> & { readonly runtime: Pick<Runtime, 'clock' | 'monotonic'> },
): GamesContext {
  const { db, salesState, runtime } = deps
  // One snapshot of the database: money that moves between two statements would be counted twice or not at all.
  const readAtOnce = (nowAt: number) =>
    db.transaction((tx) => readCatalogue(deps, tx, nowAt), { isolation: 'repeatable read' })
  return {
    db,
    salesState,
    catalogue: momentCache(runtime, readAtOnce),
    boards: momentCache(runtime, (nowAt) => readBoard(db, nowAt)),
  }
}

async function readCatalogue(ctx: Pick<GamesContext, 'salesState'>, tx: Tx, nowAt: number): Promise<Game[]> {
  const byGame = await readBoard(tx, nowAt)
  const rates = await currentRates(tx, nowAt)
  const poundSats = rates.get(DEFAULT_CURRENCY_CODE)
  if (poundSats === undefined) throw new LotteryError('RATE_UNAVAILABLE')
  const stakes = await stakesOf(tx, [...byGame.values()])
  const freeSats = await balanceOf(tx, bankroll)
  const { cause } = await ctx.salesState(tx)
  const lastDraws = new Map((await tx.run(findLastDraws, [])).map((row) => [row.gameKey, row.startAt]))
  const games: Game[] = []
  for (const [index, rules] of GAMES.entries()) {
    const board = byGame.get(rules.key)
    if (board === undefined || board.nextDraw === null) continue // it has not been opened yet
    const poolSats = await balanceOf(tx, prizePool(rules.key))
    const jackpotSats = jackpotOf({ rules, board, poolSats, freeSats, stakes, poundSats })
    const jackpot = amountOf(jackpotSats, rates)
    games.push(
      gameOf({
        id: index + 1,
        rules,
        nextDraw: board.nextDraw,
        onSale: board.onSale,
        isOnSale: cause === null,
        lastDrawAt: lastDraws.get(rules.key) ?? null,
        jackpot,
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

/** The games with a paid order of the player, in the order of the catalogue. */
export async function gamesPlayedBy(ctx: GamesContext, playerId: bigint): Promise<MyGame[]> {
  const [games, played] = await Promise.all([ctx.catalogue.read(), ctx.db.run(findPlayedGames, [playerId])])
  const keys = new Set(played.map((row) => row.gameKey))
  return games
    .filter((game) => keys.has(game.key))
    .map(({ key, name, color, jackpot, next_draw, open_draws }) => ({
      key,
      name,
      color,
      jackpot,
      next_draw,
      open_draws,
    }))
}

/** The present state of a game, secrets included, for the watch page; null before its first draw was opened. */
export async function boardOf(ctx: GamesContext, gameKey: string): Promise<GameBoard | null> {
  return (await ctx.boards.read()).get(gameKey) ?? null
}

/** The next reading sees what was just written. */
export function dropGames(ctx: GamesContext): void {
  ctx.catalogue.drop()
  ctx.boards.drop()
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
  poundSats: bigint
}): bigint {
  const { rules, board, poolSats, freeSats, stakes, poundSats } = state
  const { sealedDraw, openDraw } = board
  if (sealedDraw !== null) {
    return estimatedJackpot({
      game: rules,
      poolSats: sealedDraw.potSats ?? 0n,
      stakeSats: 0n,
      entries: sealedDraw.entries ?? 0,
      floorSats: sealedDraw.floorSats ?? 0n,
      satsPerUnit: poundSats,
    })
  }
  const staked = openDraw === null ? undefined : stakes.get(openDraw.id)
  // What the close would set aside now: never more than the operator has.
  const { floorSats } = reserveOfDraw({
    guaranteedMinor: openDraw?.guaranteedMinor ?? 0n,
    coverMinor: 0n,
    satsPerUnit: poundSats,
    freeBankrollSats: freeSats,
  })
  return estimatedJackpot({
    game: rules,
    poolSats,
    stakeSats: staked?.stakeSats ?? 0n,
    entries: staked?.entries ?? 0,
    floorSats,
    satsPerUnit: poundSats,
  })
}

function gameOf(parts: {
  id: number
  rules: GameRules
  nextDraw: BoardDraw
  onSale: readonly BoardDraw[]
  lastDrawAt: number | null
  jackpot: Amount
  rates: ReadonlyMap<string, bigint>
  isOnSale: boolean
}): Game {
  const { id, rules, nextDraw, onSale, lastDrawAt, jackpot, rates, isOnSale } = parts
  return {
    id,
    key: rules.key,
    name: rules.name,
    color: rules.color,
    sets: [{ n: rules.pick, N: rules.pool }],
    tickets_won: 0,
    ticket_price: { fiat: priceIn(rules.priceMinor, rates) },
    jackpot,
    prizes: rules.tiers.map((tier) => ({ matches: [tier.matches], prize: { fiat: prizeIn(tier, rates) } })),
    advanced_ticket_purchase: { days: rules.drawTimes.map(drawDayOf), max_weeks_ahead: rules.maxWeeksAhead },
    next_draw: nextDrawOnWire(nextDraw),
    open_draws: onSale.map(nextDrawOnWire),
    is_on_sale: isOnSale,
    last_draw_at: lastDrawAt,
  }
}

function drawDayOf({ day, minuteOfDay }: GameRules['drawTimes'][number]): DrawDay {
  return { day, time_delta_midnight_utc: minuteOfDay * 60 }
}

function nextDrawOnWire(draw: BoardDraw): NextDraw {
  return {
    number: draw.number,
    start_at: draw.startAt,
    end_at: shownUntil(draw),
    ticket_sell_closes_at: draw.closesAt,
  }
}
