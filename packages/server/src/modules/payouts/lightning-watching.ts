import type { Tx } from '../../db/pool.ts'
import type { PayoutsContext } from './context.ts'
import type { LightningPayouts } from './lightning-context.ts'
import { addLightningStep } from './lightning-making.ts'
import * as queries from './lightning-queries.ts'
import { compareSends } from './lightning-sends.ts'
import { schedulePayouts } from './steps.ts'

/** Interval between comparisons of the node's payments with ours. */
export const COMPARE_SECONDS = 60

/**
 * Compares the node's payments with ours, looks whether what waited for the node can leave, and gives every payout that
 * is not done its next step, so that a lost job does not hold it up for long.
 *
 * @throws NodeSilent
 */
export async function catchUp(ctx: PayoutsContext & { readonly lightning: LightningPayouts }): Promise<void> {
  await compareSends(ctx, ctx.lightning)
  await ctx.db.transaction(async (tx) => {
    const now = ctx.runtime.clock.now()
    for (const { id, state, nextAt } of await tx.run(queries.listOpenLightning, [])) {
      if (state === 'WAITING_APPROVAL' || state === 'HALTED') continue
      await addLightningStep(ctx, tx, id, Math.max(nextGridAt(now), nextAt))
    }
    const { isWaiting } = await tx.one(queries.hasWaiting, [now])
    if (isWaiting) await schedulePayouts(ctx, tx)
  })
}

/** The same as a job that first adds the next one. @throws NodeSilent */
export async function watchLightning(ctx: PayoutsContext & { readonly lightning: LightningPayouts }): Promise<void> {
  await ctx.db.transaction((tx) => addCompare(ctx, tx))
  await catchUp(ctx)
}

/** What a start does: the node's payments are known from now on, and watched. */
export async function beginLightningPayouts(ctx: PayoutsContext): Promise<void> {
  const { lightning } = ctx
  if (lightning === null) return
  await ctx.db.transaction((tx) => addCompare(ctx, tx))
  await compareSends(ctx, lightning).catch((error: unknown) => {
    ctx.runtime.log.error({ err: error }, 'the payments of the Lightning node cannot be read: none is sent')
  })
}

async function addCompare(ctx: PayoutsContext, tx: Tx): Promise<void> {
  const runAt = nextGridAt(ctx.runtime.clock.now())
  await ctx.jobs.add(tx, 'lightning.compare', {}, { key: `lightning.compare:${runAt}`, runAt })
}

/** The next moment of the grid that all looks share: two requests become one. */
function nextGridAt(now: number): number {
  return (Math.floor(now / COMPARE_SECONDS) + 1) * COMPARE_SECONDS
}
