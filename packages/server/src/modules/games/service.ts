import type { Amount } from '@fairball/contract/schemas/money'
import type { DrawDay, Game, MyGame, NextDraw } from '@fairball/contract/schemas/game'
import { LotteryError } from '@fairball/domain/errors'
import { DEFAULT_CURRENCY_CODE } from '@fairball/domain/fiat'
import { GAMES, type GameRules } from '@fairball/domain/games'
import { estimatedJackpot, reserveOfDraw } from '@fairball/domain/jackpot'
import type { Db, Tx } from '../../db/pool.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { bankroll, prizePool } from '../ledger/accounts.ts'
import type { Ledger } from '../ledger/service.ts'
import { amountOf } from '../payments/amounts.ts'
import { currentRates } from '../payments/rates.ts'
import { type BoardDraw, type GameBoard, readBoard, shownUntil } from './board.ts'
import { momentCache } from './moment-cache.ts'
import { priceIn, prizeIn } from './prices.ts'
import { findFreeTickets, findPlayedGames, sumStakes } from './queries.ts'

/** What the games module needs. */
export interface GamesDeps {
  readonly db: Db
  readonly runtime: Pick<Runtime, 'clock' | 'steady'>
  readonly ledger: Pick<Ledger, 'balance'>
}

export type Games = ReturnType<typeof createGames>

/** The catalogue: every game with its rules, its next draw and its advertised jackpot. */
export function createGames({ db, runtime, ledger }: GamesDeps) {
  // One snapshot of the database: money that moves between two statements would be counted twice or not at all.
  const catalogue = momentCache(runtime, (nowAt) =>
    db.transaction((tx) => readCatalogue(tx, nowAt), { isolation: 'repeatable read' }),
  )
  const boards = momentCache(runtime, (nowAt) => readBoard(db, nowAt))

  async function readCatalogue(tx: Tx, nowAt: number): Promise<Game[]> {
    const byGame = await readBoard(tx, nowAt)
    const rates = await currentRates(tx, nowAt)
    const poundSats = rates.get(DEFAULT_CURRENCY_CODE)
    if (poundSats === undefined) throw new LotteryError('RATE_UNAVAILABLE')
    const stakes = await stakesOf(tx, [...byGame.values()])
    const freeSats = await ledger.balance(tx, bankroll)
    const games: Game[] = []
    for (const [index, rules] of GAMES.entries()) {
      const board = byGame.get(rules.key)
      if (board === undefined || board.nextDraw === null) continue // it has not been opened yet
      const poolSats = await ledger.balance(tx, prizePool(rules.key))
      const jackpotSats = jackpotOf({ rules, board, poolSats, freeSats, stakes, poundSats })
      const jackpot = amountOf(jackpotSats, rates)
      games.push(gameOf({ id: index + 1, rules, nextDraw: board.nextDraw, jackpot, rates }))
    }
    return games
  }

  return {
    /**
     * Every game that is offered. Without a player the same list is given to all who ask within a moment.
     *
     * @param playerId whose free tickets are counted; null for a visitor
     * @throws LotteryError RATE_UNAVAILABLE before the first rate was read
     */
    async list(playerId: bigint | null): Promise<Game[]> {
      if (playerId === null) return await catalogue.read()
      const [games, tickets] = await Promise.all([catalogue.read(), db.run(findFreeTickets, [playerId])])
      const byGame = new Map(tickets.map((row) => [row.game_key, row.available]))
      return games.map((game) => ({ ...game, tickets_won: byGame.get(game.key) ?? 0 }))
    },

    /** The games the player has a paid order of, in the order of the catalogue. */
    async playedBy(playerId: bigint): Promise<MyGame[]> {
      const [games, played] = await Promise.all([catalogue.read(), db.run(findPlayedGames, [playerId])])
      const keys = new Set(played.map((row) => row.game_key))
      return games
        .filter((game) => keys.has(game.key))
        .map(({ key, name, color, jackpot, next_draw }) => ({ key, name, color, jackpot, next_draw }))
    },

    /** What a game is at now, secrets included: for the watch page; null before its first draw was opened. */
    async boardOf(gameKey: string): Promise<GameBoard | null> {
      return (await boards.read()).get(gameKey) ?? null
    },

    /** The next reading sees what was just written. */
    drop(): void {
      catalogue.drop()
      boards.drop()
    },
  }
}

/** What is staked in the first open draw of each game, by the draw's id. */
async function stakesOf(tx: Tx, boards: readonly GameBoard[]): Promise<Map<bigint, Stakes>> {
  const drawIds = boards.flatMap((board) => (board.openDraw === null ? [] : [board.openDraw.id]))
  const rows = await tx.run(sumStakes, [drawIds])
  return new Map(rows.map((row) => [row.draw_id, { stakeSats: row.stake_sats, entries: Number(row.entries) }]))
}

interface Stakes {
  readonly stakeSats: bigint
  readonly entries: number
}

/**
 * The advertised jackpot in sats (decisions section 5): from a draw's close to its settlement that of the sealed draw,
 * whose pot holds its stakes already; otherwise that of the first open draw with what is staked in it so far.
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
      poolSats: sealedDraw.pot_sats ?? 0n,
      stakeSats: 0n,
      entries: sealedDraw.entries ?? 0,
      floorSats: sealedDraw.floor_sats ?? 0n,
      satsPerUnit: poundSats,
    })
  }
  const staked = openDraw === null ? undefined : stakes.get(openDraw.id)
  // What the close would set aside now: never more than the operator has.
  const { floorSats } = reserveOfDraw({
    guaranteedMinor: openDraw?.guaranteed_minor ?? 0n,
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
  jackpot: Amount
  rates: ReadonlyMap<string, bigint>
}): Game {
  const { id, rules, nextDraw, jackpot, rates } = parts
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
  }
}

function drawDayOf({ day, minuteOfDay }: GameRules['drawTimes'][number]): DrawDay {
  return { day, time_delta_midnight_utc: minuteOfDay * 60 }
}

function nextDrawOnWire(draw: BoardDraw): NextDraw {
  return {
    number: draw.number,
    start_at: draw.start_at,
    end_at: shownUntil(draw),
    ticket_sell_closes_at: draw.closes_at,
  }
}
