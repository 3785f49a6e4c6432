import { LotteryError } from '@fairball/domain/errors'
import { bankrollWanted } from '@fairball/domain/jackpot'
import { satsOfMinor } from '@fairball/domain/money'
import type { Tx } from '../../db/pool.ts'
import { bankroll } from '../ledger/accounts.ts'
import type { DrawsDeps } from './draws-deps.ts'
import * as queries from './queries.ts'

/** Whether draws can be sold now. */
export function createSales(deps: Pick<DrawsDeps, 'runtime' | 'ledger' | 'clock' | 'missingSats'>) {
  const { runtime, ledger, clock } = deps

  /**
   * Refuses new orders while the clock is slow or fast (fairness section 9), and while the free bankroll is below 1.25 times the
   * guaranteed jackpots and covers of all games' next draws (decisions section 5). Coins that left the wallets and that nobody has
   * booked count as gone from it.
   *
   * @param askingRate the satoshis of a pound, which may still be being asked for
   * @throws LotteryError GAME_NOT_AVAILABLE, and what `askingRate` throws
   */
  async function checkSales(tx: Tx, askingRate: Promise<bigint>): Promise<void> {
    const [rate, covers, bankrollSats, missingSats] = await Promise.all([
      askingRate,
      tx.run(queries.findCovers, []),
      ledger.balance(tx, bankroll),
      deps.missingSats(tx),
      clock.assertRight(tx),
    ])
    const neededSats = covers.reduce(
      (sum, cover) => sum + satsOfMinor(cover.guaranteed_minor + cover.cover_minor, rate),
      0n,
    )
    const freeBankrollSats = bankrollSats - missingSats
    const wantedSats = bankrollWanted(neededSats)
    if (freeBankrollSats >= wantedSats) return
    runtime.log.error({ freeBankrollSats, wantedSats }, 'the bankroll is too low: no orders are taken')
    throw new LotteryError('GAME_NOT_AVAILABLE')
  }

  return { checkSales }
}
