import { fundDemoBankroll, fundDemoLightning } from '../modules/demo/bankroll.ts'
import { assertDrawsFit, beginGames } from '../modules/draws/service.ts'
import { beginFairness, checkHead, headOfLog } from '../modules/fairness/service.ts'
import { pauseFirstRun } from '../modules/operator/service.ts'
import { acceptLightning, assertLightningFit, beginPayments } from '../modules/payments/service.ts'
import { beginLightningPayouts, beginPartners, beginReconciling, beginSeals } from '../modules/payouts/service.ts'
import { bookLightningFees } from '../modules/treasury/service.ts'
import type { Lottery } from './lottery.ts'

/**
 * What has to exist before the first request: working wallets, rates, the log, the bankroll, the games and their draws.
 *
 * @throws GamesChanged, ProviderUnfit, WalletUnfit, NodeUnreachable: see `Bitcoin`; LightningUnfit
 */
export async function beginLottery(lottery: Lottery): Promise<void> {
  const { db, runtime, isDemo, bitcoin, draws, payouts } = lottery
  // The test wallet's chain exists only in this database, so there is nothing to reconcile.
  const isReal = bitcoin.testChain === null
  // Before the log begins: a process that dies between the two begins with both again.
  const isFirst = (await headOfLog(lottery.fairness, db)) === null
  if (isFirst && !isDemo) await db.transaction((tx) => pauseFirstRun(tx, runtime.clock.now()))
  await assertDrawsFit(draws)
  await bitcoin.assertFit()
  if (lottery.payments.lightning !== null) {
    await acceptLightning(lottery.payments, lottery.payments.lightning)
    await bookLightningFees(lottery.treasury)
  }
  await lottery.rates.start()
  await beginFairness(lottery.fairness)
  if (!isReal) await db.transaction((tx) => fundDemoBankroll(tx, runtime.clock.now()))
  if (lottery.lightning?.test != null) await db.transaction((tx) => fundDemoLightning(tx, runtime.clock.now()))
  await beginGames(draws, { isDemo })
  await beginPayments(lottery.payments)
  await beginSeals(payouts)
  await beginLightningPayouts(payouts)
  await beginPartners(payouts)
  if (isReal) await beginReconciling(payouts)
}

/**
 * What a process checks that only serves players: games, nodes and log fit. A worker has begun everything else.
 *
 * @throws GamesChanged, LogHeadError, ProviderUnfit: see `Bitcoin`; LightningUnfit
 */
export async function beginServing({ draws, bitcoin, fairness, payments }: Lottery): Promise<void> {
  await assertDrawsFit(draws)
  await bitcoin.assertFitToTake()
  if (payments.lightning !== null) await assertLightningFit(payments.lightning)
  await checkHead(fairness)
}
