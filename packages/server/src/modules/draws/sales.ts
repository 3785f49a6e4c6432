import { bankrollWanted, carriedGames, type GameNeed } from '@fairball/domain/bankroll'
import { LotteryError } from '@fairball/domain/errors'
import { DEFAULT_CURRENCY_CODE } from '@fairball/domain/fiat'
import { satsOfMinor } from '@fairball/domain/money'
import type { Db, Tx } from '../../db/pool.ts'
import { assertAlone } from '../../db/shared-statements.ts'
import { bankroll } from '../ledger/accounts.ts'
import { balanceOf } from '../ledger/service.ts'
import type { SalesContext } from './context.ts'
import * as queries from './queries.ts'

/** What stops the sales of all games, in the order it is checked. */
export const SALES_CAUSES = ['clock', 'rates'] as const
type SalesCause = (typeof SALES_CAUSES)[number]

/** What the sales of one game depend on, besides clock and rates. */
interface GameFunds {
  readonly gameKey: string
  readonly isCommitted: boolean
  /** 1.25 times its floor and cover, in sats at the newest rate; null before the first rate */
  readonly wantedSats: bigint | null
  readonly isCarried: boolean
  /** what pages say while the operator has paused it; null if it is not paused */
  readonly pauseNote: string | null
  /** of its prices */
  readonly currency: string
}

/** Whether orders for a game are taken, and why not. */
export interface GameSales extends GameFunds {
  /** whether its currency has a rate to sell at */
  readonly isRated: boolean
  readonly isOnSale: boolean
}

/** Whether orders are taken, and the money behind them. */
export interface SalesState {
  /** what stops all sales; null if nothing does */
  readonly cause: SalesCause | null
  /** the bankroll that nothing has reserved, less coins that left the wallets unbooked; in sats */
  readonly freeSats: bigint
  /** every game with an open draw, by position */
  readonly games: readonly GameSales[]
}

interface Funds {
  readonly freeSats: bigint
  readonly games: readonly GameFunds[]
}

/** What the bankroll has free, and what it is needed for, at the newest rates. */
interface Needs {
  /** the bankroll that nothing has reserved, less coins that left the wallets unbooked; in sats */
  readonly freeSats: bigint
  /** every game with an open draw and a rate, by position */
  readonly needs: readonly GameNeed[]
}

/** What the bankroll has free, and what each game with an open draw needs of it. */
export async function bankrollNeeds(ctx: Pick<SalesContext, 'runtime' | 'missingSats'>, tx: Db | Tx): Promise<Needs> {
  const { freeSats, needs } = await readNeeds(ctx, tx)
  return { freeSats, needs }
}

async function readNeeds(ctx: Pick<SalesContext, 'runtime' | 'missingSats'>, tx: Db | Tx) {
  const [rows, bankrollSats, missingSats] = await Promise.all([
    tx.run(queries.listSales, [ctx.runtime.clock.now()]),
    balanceOf(tx, bankroll),
    ctx.missingSats(tx),
  ])
  const freeSats = bankrollSats - missingSats
  const needs = rows.flatMap(({ gameKey: key, neededMinor, rateSats, isCommitted }) =>
    rateSats === null ? [] : [{ key, neededSats: satsOfMinor(neededMinor, rateSats), isCommitted }],
  )
  return { rows, freeSats, needs }
}

/** Which games the free bankroll carries. */
async function fundsOf(ctx: SalesContext, tx: Db | Tx): Promise<Funds> {
  const { rows, freeSats, needs } = await readNeeds(ctx, tx)
  const carried = carriedGames(needs, freeSats)
  const neededOf = new Map(needs.map(({ key, neededSats }) => [key, neededSats]))
  const games = rows.map(({ gameKey, isCommitted, pauseNote, currency }) => {
    const neededSats = neededOf.get(gameKey)
    const wantedSats = neededSats === undefined ? null : bankrollWanted(neededSats)
    return { gameKey, isCommitted, wantedSats, isCarried: carried.has(gameKey), pauseNote, currency }
  })
  return { freeSats, games }
}

/** The same before an order, which may commit its game: no other order commits one until the transaction ends. */
async function heldFundsOf(ctx: SalesContext, tx: Tx, gameKey: string): Promise<Funds> {
  const [held, funds] = await Promise.all([
    tx.one(queries.holdCommitments, [gameKey, ctx.runtime.clock.now()]),
    fundsOf(ctx, tx), // after the lock: it sees the orders that the lock waited for
  ])
  const game = funds.games.find((one) => one.gameKey === gameKey)
  if (held.isCommitted && (game === undefined || game.isCommitted)) return funds
  assertAlone(tx)
  if (!held.isCommitted) return funds
  const [, newest] = await Promise.all([tx.run(queries.holdAllCommitments, []), fundsOf(ctx, tx)])
  return newest
}

/** Whether sales are checked for an order, which may commit its game, or for the price of one that nobody has made. */
type SalesUse = 'order' | 'quote'

/**
 * Refuses a new order while the clock is slow or fast (fairness section 9), while its game is paused, and while the free
 * bankroll does not carry it.
 *
 * @throws LotteryError GAME_NOT_AVAILABLE
 */
export async function checkSales(ctx: SalesContext, tx: Tx, gameKey: string, use: SalesUse): Promise<void> {
  const funds = use === 'order' ? heldFundsOf(ctx, tx, gameKey) : fundsOf(ctx, tx)
  const [{ freeSats, games }] = await Promise.all([funds, ctx.clock.assertRight(tx)])
  const game = games.find((one) => one.gameKey === gameKey)
  if (game !== undefined && game.pauseNote === null && game.isCarried) return
  if (game?.isCarried === false) {
    const told = { gameKey, freeBankrollSats: freeSats, wantedSats: game.wantedSats }
    ctx.runtime.log.error(told, 'the bankroll does not carry this game: no orders for it are taken')
  }
  throw new LotteryError('GAME_NOT_AVAILABLE')
}

/** Whether orders are taken, as `checkSales` and the rates decide. */
export async function salesState(ctx: SalesContext, tx: Db | Tx): Promise<SalesState> {
  const isClockWrong = await ctx.clock.isWrong(tx)
  const { freeSats, games } = await fundsOf(ctx, tx)
  const fresh = await freshCurrencies(ctx, tx, games)
  const cause = isClockWrong ? 'clock' : fresh.size === 0 ? 'rates' : null
  return {
    cause,
    freeSats,
    games: games.map((game) => {
      const isRated = fresh.has(game.currency)
      return { ...game, isRated, isOnSale: cause === null && isRated && game.isCarried && game.pauseNote === null }
    }),
  }
}

/** Which currencies of some games have a rate to sell at; of the default one, if there are no games. */
async function freshCurrencies(
  ctx: SalesContext,
  tx: Db | Tx,
  games: readonly GameFunds[],
): Promise<ReadonlySet<string>> {
  const currencies = new Set(games.length === 0 ? [DEFAULT_CURRENCY_CODE] : games.map(({ currency }) => currency))
  for (const currency of currencies) if (!(await isRateFresh(ctx, tx, currency))) currencies.delete(currency)
  return currencies
}

async function isRateFresh(ctx: SalesContext, tx: Db | Tx, currency: string): Promise<boolean> {
  try {
    await ctx.assertFreshRate(tx, currency)
    return true
  } catch (error) {
    if (error instanceof LotteryError && error.code === 'RATE_UNAVAILABLE') return false
    throw error
  }
}
