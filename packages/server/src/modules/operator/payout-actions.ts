import type { Tx } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import { Refused } from '../../kernel/errors.ts'
import {
  addStepAt,
  type BatchState,
  bookCancelled,
  findOwedToPartners,
  findStop,
  haltBatch,
  addLightningStep,
  listOpenBatches,
  listOpenLightning,
  listSetAside,
  lockBatch,
  moveBatch,
  schedulePayouts,
  stepFrom,
  stopPayouts,
  sumWaiting,
} from '../payouts/service.ts'
import { act, type OperatorContext } from './action.ts'
import * as queries from './payout-queries.ts'

// The operator's manual actions on payouts. Nothing here touches the wallet: each is a change of state and a job for
// the worker, in one transaction with the line of the audit log that says who did it.

export type OpenBatch = RowOf<typeof listOpenBatches>
export type OpenLightning = RowOf<typeof listOpenLightning>
export type SetAside = RowOf<typeof listSetAside>
type OwedPartner = RowOf<typeof findOwedToPartners>
export type ListedPayout = RowOf<typeof queries.listAllPayouts>

/** States in which nothing has ever been signed. */
const UNSIGNED: BatchState[] = ['WAITING_APPROVAL', 'WAITING_FUNDS', 'BATCHED']

async function batchOf(tx: Tx, batchId: bigint) {
  const batch = await tx.maybeOne(lockBatch, [batchId])
  if (batch === null) throw new Refused(`There is no payout batch ${batchId}.`)
  return batch
}

async function continueBatch(ctx: OperatorContext, tx: Tx, batchId: bigint, state: BatchState): Promise<void> {
  const kind = stepFrom(state)
  if (kind !== null) await addStepAt(tx, ctx.jobs, { kind, batchId, runAt: ctx.runtime.clock.now() })
}

/**
 * The batches that are not done; why payouts are stopped as a whole, if they are; foreign spends that are not accepted;
 * the addresses and players that are not paid for now; and what waits for partners, usually for an address, and as
 * refunds and excess.
 */
export async function listPayouts(ctx: OperatorContext): Promise<{
  batches: OpenBatch[]
  overLightning: OpenLightning[]
  stopReason: string | null
  unaccepted: string[]
  setAside: SetAside[]
  owedToPartners: OwedPartner[]
  returnsSats: bigint
}> {
  const stop = await ctx.db.maybeOne(findStop, [])
  return {
    batches: await ctx.db.run(listOpenBatches, []),
    overLightning: await ctx.db.run(listOpenLightning, []),
    stopReason: stop?.value ?? null,
    unaccepted: (await ctx.db.run(queries.findUnaccepted, [])).map((row) => row.txid),
    setAside: await ctx.db.run(listSetAside, []),
    owedToPartners: await ctx.db.run(findOwedToPartners, []),
    returnsSats: (await ctx.db.one(sumWaiting, [])).sats,
  }
}

/**
 * Accepts foreign spends that were found. If they may be payouts of ours that the database forgot, no one is paid in
 * addition to them: whom a payment over Lightning may have paid is set aside. Those that are none are never checked
 * again.
 *
 * @throws Refused if one is none of those found
 */
export function acceptSpends(ctx: OperatorContext, txids: readonly string[], mayBePayout = true): Promise<string> {
  const named = txids.join(' ')
  return act(ctx, mayBePayout ? 'payouts-accept' : 'payouts-not-a-payout', named, async (tx) => {
    const accepted = await tx.run(queries.acceptForeignTxs, [[...txids], ctx.runtime.clock.now(), mayBePayout])
    const unknown = txids.filter((txid) => !accepted.some((row) => row.txid === txid))
    if (unknown.length > 0) throw new Refused(`${unknown.join(' ')} is not one of the spends found.`)
    if (mayBePayout) {
      const aside = await tx.execute(queries.setPayeesAside, [[...txids], ctx.runtime.clock.now()])
      const isAside =
        aside === 0 ? '' : ` ${aside} ${aside === 1 ? 'player is' : 'players are'} set aside: payouts-list.`
      return `Accepted: ${named}.${isAside} payouts-retry all resumes payouts.`
    }
    await tx.execute(queries.dropClearedSetAside, [])
    await tx.execute(queries.dropClearedPlayersSetAside, [])
    await schedulePayouts(ctx, tx)
    return `Accepted, and no payout of ours: ${named}. payouts-retry all resumes payouts, where they are stopped.`
  })
}

/** Has an address that was set aside, and the players set aside for a payout to it, checked again. @throws Refused */
export function retryAddress(ctx: OperatorContext, address: string): Promise<string> {
  return act(ctx, 'payouts-retry', address, async (tx) => {
    const players = await tx.execute(queries.dropPlayersSetAside, [address])
    if ((await tx.execute(queries.dropSetAside, [address])) + players === 0)
      throw new Refused(`The address ${address} is not set aside.`)
    await schedulePayouts(ctx, tx)
    return `The address ${address} is checked again.`
  })
}

/** Every payout ever made. */
export async function exportPayouts(ctx: OperatorContext): Promise<ListedPayout[]> {
  const rows = await ctx.db.run(queries.listAllPayouts, [])
  await act(ctx, 'payouts-export', 'all', async () => `${rows.length} payouts`)
  return rows
}

/** Lets a large payout be signed. @throws Refused */
export function approveBatch(ctx: OperatorContext, batchId: bigint): Promise<string> {
  return act(ctx, 'payouts-approve', String(batchId), async (tx) => {
    const { state } = await batchOf(tx, batchId)
    if (state !== 'WAITING_APPROVAL') throw new Refused(`Batch ${batchId} is ${state}: it waits for no approval.`)
    await tx.execute(moveBatch, [batchId, ['WAITING_APPROVAL'], 'BATCHED', null])
    await continueBatch(ctx, tx, batchId, 'BATCHED')
    return `Batch ${batchId} is approved.`
  })
}

/** Prevents a batch from being signed or sent. @throws Refused when it has left */
export function holdBatch(ctx: OperatorContext, batchId: bigint): Promise<string> {
  return act(ctx, 'payouts-hold', String(batchId), async (tx) => {
    const { state } = await batchOf(tx, batchId)
    const held = await tx.execute(haltBatch, [batchId, [...UNSIGNED, 'SIGNED'], 'held by the operator'])
    if (held === 0) throw new Refused(`Batch ${batchId} is ${state}: it cannot be held.`)
    return `Batch ${batchId} is held; it was ${state}.`
  })
}

/** Prevents everything from being made, signed or sent. */
export function holdAllPayouts(ctx: OperatorContext): Promise<string> {
  return act(ctx, 'payouts-hold', 'all', async (tx) => {
    await tx.execute(stopPayouts, ['held by the operator'])
    return 'All payouts are held.'
  })
}

/** Lets a halted batch continue where it was, or immediately checks one that waits. @throws Refused */
export function retryBatch(ctx: OperatorContext, batchId: bigint): Promise<string> {
  return act(ctx, 'payouts-retry', String(batchId), async (tx) => {
    const { state } = await batchOf(tx, batchId)
    if (state === 'WAITING_APPROVAL') throw new Refused(`Batch ${batchId} waits for approval.`)
    if (state === 'FINAL' || state === 'CANCELLED') throw new Refused(`Batch ${batchId} is ${state}.`)
    const resumed = await tx.maybeOne(queries.resumeBatch, [batchId])
    const nextState = resumed?.state ?? state
    await continueBatch(ctx, tx, batchId, nextState)
    // The line says what the operator knew.
    const halted = resumed?.reason == null ? '' : ` It was halted: ${resumed.reason}`
    return `Batch ${batchId} continues as ${nextState}.${halted}`
  })
}

/**
 * Ends a stop of all payouts.
 *
 * @throws Refused while there are unaccepted foreign spends or broken invariants
 */
export function retryAllPayouts(ctx: OperatorContext): Promise<string> {
  return act(ctx, 'payouts-retry', 'all', async (tx) => {
    const unaccepted = (await tx.run(queries.findUnaccepted, [])).map((row) => row.txid)
    if (unaccepted.length > 0)
      throw new Refused(
        `The wallet spent coins in transactions that nobody has accepted: ${unaccepted.join(' ')}. ` +
          'payouts-accept accepts them, payouts-not-a-payout those that paid nobody for us.',
      )
    const broken = (await tx.run(queries.findBroken, [])).map((row) => row.invariant)
    if (broken.length > 0)
      throw new Refused(
        `Invariants are broken: ${broken.join(' ')}. invariants-list says how; what is mended goes with the next ` +
          'check, and invariants-accept accepts what stays.',
      )
    await tx.execute(queries.resumePayouts, [])
    for (const batch of await tx.run(listOpenBatches, [])) await continueBatch(ctx, tx, batch.id, batch.state)
    for (const { id, state } of await tx.run(listOpenLightning, []))
      if (state !== 'WAITING_APPROVAL' && state !== 'HALTED')
        await addLightningStep(ctx, tx, id, ctx.runtime.clock.now())
    await schedulePayouts(ctx, tx)
    return 'Payouts have resumed.'
  })
}

/**
 * Takes a batch back. One that was never signed is owed again immediately. The coins of a signed one are first spent to
 * ourselves, and it is owed again only when that is six blocks deep.
 *
 * @throws Refused
 */
export function takeBackBatch(ctx: OperatorContext, batchId: bigint): Promise<string> {
  return act(ctx, 'payouts-cancel', String(batchId), async (tx) => {
    const batch = await batchOf(tx, batchId)
    const stood = batch.haltedFrom ?? batch.state
    if (UNSIGNED.includes(stood)) {
      await tx.execute(moveBatch, [batchId, [batch.state], 'CANCELLED', null])
      await bookCancelled(tx, batch, 0n, ctx.runtime.clock.now())
      await schedulePayouts(ctx, tx)
      return `Batch ${batchId} was never signed: it is cancelled, and what it held is owed again.`
    }
    // A halted batch may have been confirmed once, in a block that is gone.
    if (stood !== 'SIGNED' && stood !== 'SENT' && batch.state !== 'HALTED')
      throw new Refused(`Batch ${batchId} is ${stood}: too late.`)
    await addStepAt(tx, ctx.jobs, { kind: 'payouts.cancel', batchId, runAt: ctx.runtime.clock.now() })
    return `The coins of batch ${batchId} are spent back; it is owed again once that is six blocks deep.`
  })
}
