import { parseBtcAddress } from '@fairball/domain/btc-address'
import type { Tx } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import {
  FeeTooHigh,
  type PreparedTx,
  type PrepareRequest,
  WalletRefused,
  WalletShort,
  WalletUnfit,
} from '../../ports/wallet/wallet.ts'
import { refusedPayouts } from './address-check.ts'
import { listBatchPayees } from './address-queries.ts'
import { type Batch, bookTakenOut } from './booking.ts'
import type { PayoutsContext } from './context.ts'
import * as queries from './queries.ts'
import { feeSharesOf, keepReturnsWaiting, type WhyNot, whyReturnsWait } from './returns.ts'
import {
  addStepAt,
  type BatchState,
  FUNDS_SECONDS,
  haltBatch,
  nextFeeLookAt,
  schedulePayouts,
  WAITS_FOR_FUNDS,
} from './steps.ts'
import { requestOf, storeVersion } from './versions.ts'

// The first step of a batch: its transaction is signed and stored, or the batch waits for what that needs.

/** An address that is not paid until the operator has looked. */
interface SetAside {
  readonly address: string
  readonly reason: string
  readonly txids: readonly string[]
}

/** Delay before what was taken out of a batch, because another address is in use, is planned again. */
const AGAIN_SECONDS = 60

/** Has a batch's transaction signed, and stores its bytes before anything leaves. */
export async function signBatch(ctx: PayoutsContext, batchId: bigint): Promise<void> {
  const batch = await ctx.db.one(queries.findBatch, [batchId])
  if (batch.state !== 'BATCHED' && batch.state !== 'WAITING_FUNDS') return
  if (!(await ctx.reconciling.mayWork())) return
  const forgotten = await findForgotten(ctx, batchId)
  if (forgotten === 'given up') return
  if (forgotten === null && (await takeOutRefused(ctx, batchId)) === 'given up') return
  const request = await requestOf(ctx, batchId)
  const prepared =
    forgotten ??
    (batch.class === 'returns' ? await prepareReturns(ctx, batch, request) : await preparePrizes(ctx, batchId, request))
  if (prepared === null) return
  const outputsSeal = ctx.addressSeals.outputsSeal(batchId, request.outputs)
  const from: BatchState[] = ['BATCHED', 'WAITING_FUNDS']
  await storeVersion(ctx, batchId, { number: 1, kind: 'pay', from, to: 'SIGNED', prepared, outputsSeal })
}

/**
 * The wallet may remember what the database does not: after a restored backup the operator lets payouts continue, and a
 * batch is made that already left. If a transaction pays exactly what the batch is to pay, it is the batch's. If it
 * pays only one of its addresses, a person decides about that address, and no other waits for that.
 *
 * What goes to an address of the hot wallet itself would not leave it: that waits as well.
 */
async function findForgotten(ctx: PayoutsContext, batchId: bigint): Promise<PreparedTx | 'given up' | null> {
  const wanted = new Map((await ctx.db.run(queries.findOutputs, [batchId])).map(({ address, sats }) => [address, sats]))
  const suspects = new Map<string, string[]>()
  for (const { txid } of await ctx.db.run(queries.findForgottenTxs, [])) {
    const spend = await ctx.wallet.spend(txid)
    if (spend === null) continue
    const { outputs } = spend
    if (outputs.length === wanted.size && outputs.every(({ address, sats }) => wanted.get(address) === sats)) {
      ctx.runtime.log.warn({ batchId: String(batchId), txid }, 'a payout that the database had forgotten is taken up')
      return { ...spend, change: null }
    }
    for (const { address } of outputs)
      if (wanted.has(address)) suspects.set(address, [...(suspects.get(address) ?? []), txid])
  }
  const aside = [...suspects].map(([address, txids]): SetAside => {
    return { address, txids, reason: `was paid already by ${txids.join(' ')}: was that a payout of ours?` }
  })
  for (const address of await ctx.wallet.ownAmong([...wanted.keys()].filter((one) => !suspects.has(one))))
    aside.push({ address, txids: [], reason: 'is an address of the hot wallet itself: it has to be changed' })
  if (aside.length === 0) return null
  return await setAside(ctx, batchId, aside)
}

/**
 * Takes out payouts whose addresses are not those in use that their players were notified of; others at the same
 * address leave. If a player's addresses were tampered with, the player is not paid until the operator has looked; the
 * other payouts are planned again in a minute.
 */
async function takeOutRefused(ctx: PayoutsContext, batchId: bigint): Promise<'given up' | null> {
  const refused = await refusedPayouts(ctx, batchId)
  if (refused.length === 0) return null
  const ids = new Set(refused.map(({ payoutId }) => payoutId))
  const note = async (tx: Tx): Promise<void> => {
    for (const { playerId, address, reason, isTampered } of refused)
      if (isTampered && playerId !== null)
        await tx.execute(queries.setPlayerAside, [playerId, address, reason, ctx.runtime.clock.now()])
    const runAt = ctx.runtime.clock.now() + AGAIN_SECONDS
    await ctx.jobs.add(tx, 'payouts.make', {}, { key: `payouts.make:${runAt}`, runAt })
  }
  const left = await takeOut(ctx, batchId, { isChosen: ({ id }) => ids.has(id), note })
  const fields = { batchId: String(batchId), refused }
  if (refused.some(({ isTampered }) => isTampered))
    ctx.runtime.log.error(fields, 'players are set aside: somebody changed their addresses')
  else ctx.runtime.log.warn(fields, 'payouts are planned again: their addresses are no longer those in use')
  return left
}

/** Takes addresses out of a batch that was never signed, and blocks them until the operator has looked. */
async function setAside(ctx: PayoutsContext, batchId: bigint, aside: readonly SetAside[]): Promise<'given up' | null> {
  const addresses = new Set(aside.map(({ address }) => address))
  const note = async (tx: Tx): Promise<void> => {
    for (const { address, reason, txids } of aside)
      await tx.execute(queries.setAside, [address, reason, [...txids], ctx.runtime.clock.now()])
    await schedulePayouts(ctx, tx)
  }
  const left = await takeOut(ctx, batchId, { isChosen: ({ address }) => addresses.has(address), note })
  ctx.runtime.log.error({ batchId: String(batchId), aside }, 'addresses are set aside: they are paid nothing for now')
  return left
}

/**
 * Takes payouts out of a batch that was never signed: they are owed again, and so is what is too little for its address
 * without them. An empty batch is given up. So is the work on one that another worker has moved on.
 */
async function takeOut(
  ctx: PayoutsContext,
  batchId: bigint,
  what: { isChosen: (payee: RowOf<typeof listBatchPayees>) => boolean; note: (tx: Tx) => Promise<void> },
): Promise<'given up' | null> {
  return await ctx.db.transaction(async (tx) => {
    const { state } = await tx.one(queries.lockBatch, [batchId])
    if (state !== 'BATCHED' && state !== 'WAITING_FUNDS') return 'given up'
    await what.note(tx)
    const payees = await tx.run(listBatchPayees, [batchId])
    const chosen = payees.filter(what.isChosen)
    await bookTakenOut(tx, batchId, idsOf(chosen), ctx.runtime.clock.now())
    const outputs = await tx.run(queries.findOutputs, [batchId])
    const isDust = ({ address, sats }: (typeof outputs)[number]): boolean =>
      sats < (parseBtcAddress(address, ctx.network)?.dustSats ?? 0n)
    const dust = new Set(outputs.filter(isDust).map(({ address }) => address))
    await bookTakenOut(tx, batchId, idsOf(payees.filter(({ address }) => dust.has(address))), ctx.runtime.clock.now())
    if (outputs.length > dust.size) return null
    await tx.execute(queries.moveBatch, [batchId, ['BATCHED', 'WAITING_FUNDS'], 'CANCELLED', null])
    return 'given up'
  })
}

/** Has the wallet sign, and puts the batch aside if the wallet does not have enough or makes something else. */
async function preparePrizes(
  ctx: PayoutsContext,
  batchId: bigint,
  request: PrepareRequest,
): Promise<PreparedTx | null> {
  try {
    return await ctx.wallet.prepare(request)
  } catch (error) {
    return await postponeSigning(ctx, batchId, error)
  }
}

/** Has a batch wait for what signing it needs. @throws what is none of the wallet's answers */
async function postponeSigning(ctx: PayoutsContext, batchId: bigint, error: unknown): Promise<null> {
  if (error instanceof WalletShort) await waitForFunds(ctx, batchId, error.message)
  else if (error instanceof WalletUnfit)
    await signLater(ctx, batchId, {
      error,
      at: ctx.runtime.clock.now() + FUNDS_SECONDS,
      says: 'payouts wait for the node of the hot wallet',
    })
  else if (error instanceof FeeTooHigh)
    await signLater(ctx, batchId, {
      error,
      at: nextFeeLookAt(ctx.runtime.clock.now()),
      says: 'payouts wait for lower fees',
    })
  else if (error instanceof WalletRefused)
    await haltBatch(ctx, { batchId, from: ['BATCHED', 'WAITING_FUNDS'], reason: error.message })
  else throw error
  return null
}

/**
 * Has the wallet sign returns, at the rate of their shares or a higher one. They wait if a prize or earlier returns
 * need the coins, or if sending would cost more than half of what they are.
 */
async function prepareReturns(ctx: PayoutsContext, batch: Batch, request: PrepareRequest): Promise<PreparedTx | null> {
  const { id: batchId } = batch
  const whyNot = await whyReturnsWait(ctx, batchId)
  if (whyNot !== null) return await keepWaiting(ctx, batch, whyNot)
  try {
    const prepared = await ctx.wallet.prepare(request)
    if (prepared.feeSats >= (await feeSharesOf(ctx, batchId))) return prepared
    // Without change a transaction is smaller than the shares were made for: no player bears more than it costs.
    await ctx.reconciling.release(prepared.inputs)
    const reason = 'the fee would be less than what the returns bear of it'
    return await keepWaiting(ctx, batch, { reason, isShort: false })
  } catch (error) {
    if (!(error instanceof WalletShort) && !(error instanceof FeeTooHigh))
      return await postponeSigning(ctx, batchId, error)
    return await keepWaiting(ctx, batch, { reason: error.message, isShort: error instanceof WalletShort })
  }
}

async function keepWaiting(ctx: PayoutsContext, batch: Batch, why: WhyNot): Promise<null> {
  await keepReturnsWaiting(ctx, batch, why)
  return null
}

async function waitForFunds(ctx: PayoutsContext, batchId: bigint, reason: string): Promise<void> {
  const isNew = await ctx.db.transaction(async (tx) => {
    const moved = await tx.execute(queries.moveBatch, [batchId, ['BATCHED'], 'WAITING_FUNDS', reason])
    if (moved === 0) await tx.execute(queries.noteReason, [batchId, ['WAITING_FUNDS'], reason])
    await addStepAt(tx, ctx.jobs, { kind: 'payouts.sign', batchId, runAt: ctx.runtime.clock.now() + FUNDS_SECONDS })
    return moved > 0
  })
  if (isNew) ctx.runtime.log.error({ batchId: String(batchId), reason }, WAITS_FOR_FUNDS)
}

/** A locked wallet, or today's high fees, need a person or time: no batch is given up for that. */
async function signLater(
  ctx: PayoutsContext,
  batchId: bigint,
  waits: { error: WalletUnfit | FeeTooHigh; at: number; says: string },
): Promise<void> {
  const { error, at, says } = waits
  const isNew = await ctx.db.transaction(async (tx) => {
    const noted = await tx.execute(queries.noteReason, [batchId, ['BATCHED', 'WAITING_FUNDS'], error.message])
    await addStepAt(tx, ctx.jobs, { kind: 'payouts.sign', batchId, runAt: at })
    return noted > 0
  })
  const fee = error instanceof FeeTooHigh ? { feeSats: String(error.feeSats) } : {}
  if (isNew) ctx.runtime.log.error({ batchId: String(batchId), ...fee, err: error }, says)
}

function idsOf(payees: readonly { readonly id: bigint }[]): bigint[] {
  return payees.map(({ id }) => id)
}
