import type { Tx } from '../../db/pool.ts'
import { pot, prizePool, reserve, stakesHeld } from '../ledger/accounts.ts'
import { balanceOf } from '../ledger/service.ts'
import type { PayoutsContext } from './context.ts'
import * as queries from './queries.ts'
import { noteFloat } from './returns.ts'
import { lookAtHalted } from './sending.ts'
import { addStepAt, nextLookAt, nextReconcileAt, stepFrom } from './steps.ts'

/** How long before a draw it is checked whether it can be paid: time enough to bring coins to the hot wallet. */
const FORESIGHT_SECONDS = 86_400

/**
 * What a start does with a real wallet: locks and spends are compared with the database now, if the wallet can be
 * reached, and every minute from then on. Nothing is signed or sent before the first comparison has succeeded.
 */
export async function beginReconciling(ctx: PayoutsContext): Promise<void> {
  await ctx.db.transaction((tx) => addReconcile(ctx, tx))
  await ctx.reconciling.mayWork().catch((error: unknown) => {
    ctx.runtime.log.error({ err: error }, 'the hot wallet cannot be looked at: payouts wait for it')
  })
}

/**
 * Compares the wallet with the database, and schedules the next comparison in a minute, whatever the outcome. Every
 * batch that is not done gets its next step as well, so that a lost job does not hold it up for long.
 */
export async function reconcileWallet(ctx: PayoutsContext): Promise<void> {
  await ctx.db.transaction((tx) => addReconcile(ctx, tx))
  await ctx.reconciling.reconcile()
  await lookAtHalted(ctx)
  const { spendableSats } = await ctx.wallet.balances()
  sayWhenTooMuch(ctx, spendableSats)
  await noteFloat(ctx, spendableSats)
  await sayWhatIsToCome(ctx, spendableSats)
  await ctx.db.transaction(async (tx) => {
    for (const { id: batchId, state } of await tx.run(queries.listOpenBatches, [])) {
      const kind = stepFrom(state)
      if (kind !== null) await addStepAt(tx, ctx.jobs, { kind, batchId, runAt: nextLookAt(ctx.runtime.clock.now()) })
    }
  })
}

/** An intruder on this computer gets what is in the hot wallet: more than intended belongs elsewhere. */
function sayWhenTooMuch(ctx: PayoutsContext, spendableSats: bigint): void {
  const { floatSats } = ctx.limits()
  const fields = { spendableSats: String(spendableSats), floatSats: String(floatSats) }
  if (floatSats !== null && spendableSats > floatSats)
    ctx.runtime.log.warn(fields, 'the hot wallet holds more than its float')
}

/** A jackpot beyond the hot wallet would wait for funds: the operator is alerted while there is time, once per draw. */
async function sayWhatIsToCome(ctx: PayoutsContext, spendableSats: bigint): Promise<void> {
  for (const { id, gameKey: game, number } of await ctx.db.run(queries.findComingDraws, [
    ctx.runtime.clock.now() + FORESIGHT_SECONDS,
  ])) {
    if (ctx.foretold.has(id)) continue
    // The most the draw can give: the pool, what is staked on the game, and from the close on what was set aside.
    const sources = [prizePool(game), stakesHeld(game), pot(id), reserve(id)]
    let mostSats = 0n
    for (const account of sources) mostSats += await balanceOf(ctx.db, account)
    if (mostSats <= spendableSats) continue
    ctx.foretold.add(id)
    const fields = { game, draw: number, mostSats: String(mostSats), spendableSats: String(spendableSats) }
    ctx.runtime.log.error(fields, 'a coming draw may pay more than the hot wallet holds')
  }
}

async function addReconcile(ctx: PayoutsContext, tx: Tx): Promise<void> {
  const runAt = nextReconcileAt(ctx.runtime.clock.now())
  await ctx.jobs.add(tx, 'payouts.reconcile', {}, { key: `payouts.reconcile:${runAt}`, runAt })
}
