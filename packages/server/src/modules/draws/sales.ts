import { LotteryError } from '@fairball/domain/errors'
import { DEFAULT_CURRENCY_CODE } from '@fairball/domain/fiat'
import { bankrollWanted } from '@fairball/domain/jackpot'
import { satsOfMinor } from '@fairball/domain/money'
import type { Db, Tx } from '../../db/pool.ts'
import { bankroll } from '../ledger/accounts.ts'
import { balanceOf } from '../ledger/service.ts'
import type { SalesContext } from './context.ts'
import * as queries from './queries.ts'

/** What stops all sales, in the order it is checked. */
export const SALES_CAUSES = ['clock', 'rates', 'bankroll'] as const
type SalesCause = (typeof SALES_CAUSES)[number]

/** Whether orders are taken, and the money behind them. */
export interface SalesState {
  /** null while orders are taken */
  readonly cause: SalesCause | null
  /** the bankroll that nothing has reserved, less coins that left the wallets unbooked; in sats */
  readonly freeSats: bigint
  /** the least it may be, in sats, at the newest rate; null before the first rate */
  readonly wantedSats: bigint | null
}

/**
 * The free bankroll, and 1.25 times the guaranteed jackpots and covers of all games' next draws (decisions section 5).
 * Coins that left the wallets unbooked are deducted from it.
 *
 * @param askingRate satoshis per pound, possibly still being read
 * @throws whatever `askingRate` throws
 */
async function fundsOf(
  ctx: SalesContext,
  tx: Db | Tx,
  askingRate: Promise<bigint>,
): Promise<{ freeSats: bigint; wantedSats: bigint }> {
  const [rate, covers, bankrollSats, missingSats] = await Promise.all([
    askingRate,
    tx.run(queries.findCovers, []),
    balanceOf(tx, bankroll),
    ctx.missingSats(tx),
  ])
  const neededSats = covers.reduce(
    (sum, cover) => sum + satsOfMinor(cover.guaranteedMinor + cover.coverMinor, rate),
    0n,
  )
  return { freeSats: bankrollSats - missingSats, wantedSats: bankrollWanted(neededSats) }
}

/**
 * Refuses new orders while the clock is slow or fast (fairness section 9), and while the free bankroll is too low.
 *
 * @param askingRate satoshis per pound, possibly still being read
 * @throws LotteryError GAME_NOT_AVAILABLE, and what `askingRate` throws
 */
export async function checkSales(ctx: SalesContext, tx: Tx, askingRate: Promise<bigint>): Promise<void> {
  const [{ freeSats, wantedSats }] = await Promise.all([fundsOf(ctx, tx, askingRate), ctx.clock.assertRight(tx)])
  if (freeSats >= wantedSats) return
  ctx.runtime.log.error({ freeBankrollSats: freeSats, wantedSats }, 'the bankroll is too low: no orders are taken')
  throw new LotteryError('GAME_NOT_AVAILABLE')
}

/** Whether orders are taken at all, as `checkSales` and the rate decide. */
export async function salesState(ctx: SalesContext, tx: Db | Tx): Promise<SalesState> {
  const rate = await tx.maybeOne(queries.newestRate, [DEFAULT_CURRENCY_CODE])
  const isClockWrong = await ctx.clock.isWrong(tx)
  if (rate === null) {
    const freeSats = (await balanceOf(tx, bankroll)) - (await ctx.missingSats(tx))
    return { cause: isClockWrong ? 'clock' : 'rates', freeSats, wantedSats: null }
  }
  const funds = await fundsOf(ctx, tx, Promise.resolve(rate.satsPerUnit))
  if (isClockWrong) return { cause: 'clock', ...funds }
  if (!(await isRateFresh(ctx, tx))) return { cause: 'rates', ...funds }
  return { cause: funds.freeSats < funds.wantedSats ? 'bankroll' : null, ...funds }
}

async function isRateFresh(ctx: SalesContext, tx: Db | Tx): Promise<boolean> {
  try {
    await ctx.assertFreshRate(tx, DEFAULT_CURRENCY_CODE)
    return true
  } catch (error) {
    if (error instanceof LotteryError && error.code === 'RATE_UNAVAILABLE') return false
    throw error
  }
}
