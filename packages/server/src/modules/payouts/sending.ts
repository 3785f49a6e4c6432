import {
  type BroadcastOutcome,
  FeeTooHigh,
  type WalletOutput,
  WalletRefused,
  WalletShort,
  WalletUnfit,
} from '../../ports/wallet/wallet.ts'
import { refusedPayouts } from './address-check.ts'
import { isSame } from './seal-chain.ts'
import { type Batch, bookStanding, type Version } from './booking.ts'
import { endCancelled } from './cancelling.ts'
import type { PayoutsContext } from './context.ts'
import { isDead, newestOf, outcomeOf, paymentVersion } from './outcome.ts'
import * as queries from './queries.ts'
import { addStepAt, type BatchState, haltBatch, LATE_SECONDS, nextLookAt, RESEND_SECONDS } from './steps.ts'
import { finalSpenders, requestOf, sightingsOf, storeVersion, versionsOf } from './versions.ts'

// A batch on its way: signed and stored, sent, followed until it is final (payments.md section 5). Every step is
// idempotent, even for two workers at the same time: a state changes by one conditional update, a version is stored
// under its number, and the second worker discards what it made.

/** After this time a transaction gets a version that pays more, if a block has passed it over: see `Wallet.bump`. */
const BUMP_SECONDS = 20 * 60
const HAS_LEFT = 'it was already sent'
/** More versions of one transaction would mean that the wallet is broken. */
const MAX_VERSIONS = 20

/** Sends the newest version's stored bytes, and books that they have left. */
export async function sendBatch(ctx: PayoutsContext, batchId: bigint): Promise<void> {
  const batch = await ctx.db.one(queries.findBatch, [batchId])
  if (batch.state !== 'SIGNED' && batch.state !== 'SENT' && batch.state !== 'CANCELLING') return
  if (!(await ctx.reconciling.mayWork())) return
  const versions = await versionsOf(ctx, batchId)
  const outcome = await broadcastNewest(ctx, batch, versions)
  if (outcome === 'halted') return
  const signedAt = versions[0]?.createdAt ?? ctx.runtime.clock.now()
  if (outcome === 'unreachable' || outcome === 'not-final') return await resendLater(ctx, batchId, signedAt, outcome)
  if (batch.state !== 'SIGNED') return await onSentAgain(ctx, batch, versions, outcome)
  if (outcome === 'too-cheap') return await replaceOrWait(ctx, batch, versions)
  const standing = outcome === 'conflict-of-ours' ? await standingOf(ctx, versions) : newestOf(versions)
  if (standing === null) return await resendLater(ctx, batchId, signedAt, outcome)
  await settleBatch(ctx, batchId, ['SIGNED'], 'SENT', standing)
  ctx.runtime.log.info({ batchId: String(batchId), txid: standing.txid }, 'payouts sent')
}

async function standingOf(ctx: PayoutsContext, versions: readonly Version[]): Promise<Version | null> {
  const outcome = outcomeOf(await sightingsOf(ctx, versions))
  return 'version' in outcome ? outcome.version : null
}

/** Follows a batch that has left until it is final; one the network forgot is sent again, with the same bytes. */
export async function confirmBatch(ctx: PayoutsContext, batchId: bigint): Promise<void> {
  const batch = await ctx.db.one(queries.findBatch, [batchId])
  if (batch.state !== 'SENT' && batch.state !== 'CONFIRMED' && batch.state !== 'CANCELLING') return
  await lookAtBatch(ctx, batch, await versionsOf(ctx, batchId))
  await ctx.db.transaction((tx) =>
    addStepAt(tx, ctx.jobs, { kind: 'payouts.confirm', batchId, runAt: nextLookAt(ctx.runtime.clock.now()) }),
  )
}

async function lookAtBatch(ctx: PayoutsContext, batch: Batch, versions: readonly Version[]): Promise<void> {
  const outcome = outcomeOf(await sightingsOf(ctx, versions))
  const isCancelling = batch.state === 'CANCELLING'
  switch (outcome.is) {
    case 'final':
      return await settleBatch(ctx, batch.id, [batch.state], 'FINAL', outcome.version)
    case 'confirmed':
      return await settleBatch(ctx, batch.id, [batch.state], isCancelling ? 'CANCELLING' : 'CONFIRMED', outcome.version)
    case 'cancel-mined':
      return await endCancelled(ctx, batch, versions)
    case 'cancel-waiting':
      return undefined
    case 'waiting':
      // The self-spend pays more: it replaces the payment.
      if (isCancelling) return await sendAgain(ctx, batch, versions)
      await settleBatch(ctx, batch.id, ['SENT', 'CONFIRMED'], 'SENT', outcome.version)
      return await bumpIfSlow(ctx, batch, versions)
    case 'unseen':
      return await sendAgain(ctx, batch, versions)
  }
}

async function sendAgain(ctx: PayoutsContext, batch: Batch, versions: readonly Version[]): Promise<void> {
  const mayWork = await ctx.reconciling.mayWork()
  if (batch.state === 'CANCELLING') {
    if (mayWork) await broadcastNewest(ctx, batch, versions)
    return await endCancelled(ctx, batch, versions)
  }
  if (!mayWork) return
  const outcome = await broadcastNewest(ctx, batch, versions)
  if (outcome === 'halted') return
  await onSentAgain(ctx, batch, versions, outcome)
  if (outcome === 'too-cheap') await replaceOrWait(ctx, batch, versions)
}

/** Bytes that were sent once are never given up, whatever the network says of them now. */
async function onSentAgain(
  ctx: PayoutsContext,
  batch: Batch,
  versions: readonly Version[],
  outcome: BroadcastOutcome,
): Promise<void> {
  const newest = newestOf(versions)
  ctx.runtime.log.info({ batchId: String(batch.id), txid: newest.txid, outcome }, 'a payout transaction was sent again')
  if ((outcome === 'sent' || outcome === 'already-known') && newest.kind === 'pay' && batch.state !== 'CANCELLING')
    await settleBatch(ctx, batch.id, ['SENT', 'CONFIRMED'], 'SENT', newest)
}

async function bumpIfSlow(ctx: PayoutsContext, batch: Batch, versions: readonly Version[]): Promise<void> {
  const sentAt = batch.sentAt ?? ctx.runtime.clock.now()
  if (ctx.runtime.clock.now() - sentAt >= LATE_SECONDS)
    ctx.runtime.log.error({ batchId: String(batch.id), sentAt }, 'a payout transaction is still unconfirmed')
  if (ctx.runtime.clock.now() - newestOf(versions).createdAt < BUMP_SECONDS || !(await ctx.reconciling.mayWork()))
    return
  await bumpBatch(ctx, batch, versions)
}

/** Stores a version that pays more, to be sent next. False if none is available. */
async function bumpBatch(ctx: PayoutsContext, batch: Batch, versions: readonly Version[]): Promise<boolean> {
  if (versions.length >= MAX_VERSIONS) return false
  const request = { ...(await requestOf(ctx, batch.id)), versions: versions.map(paymentVersion) }
  if (!(await isAsChecked(ctx, batch.id, request.outputs, versions))) {
    ctx.runtime.log.error({ batchId: String(batch.id) }, 'a payout that is not what was checked is not signed again')
    return false
  }
  try {
    const prepared = await ctx.wallet.bump(request)
    if (prepared === null) return false
    const number = newestOf(versions).version + 1
    return await storeVersion(ctx, batch.id, { number, kind: 'pay', from: [batch.state], to: batch.state, prepared })
  } catch (error) {
    // The sent version remains valid.
    if (![FeeTooHigh, WalletRefused, WalletShort, WalletUnfit].some((kind) => error instanceof kind)) throw error
    ctx.runtime.log.error({ batchId: String(batch.id), err: error }, 'a payout transaction cannot be made dearer')
    return false
  }
}

/**
 * Whether a batch pays what was checked before it was first signed. The addresses of a player may be gone since; they
 * are checked again only if the first version has no seal, because an older program stored it.
 */
async function isAsChecked(
  ctx: PayoutsContext,
  batchId: bigint,
  outputs: readonly WalletOutput[],
  versions: readonly Version[],
): Promise<boolean> {
  const seal = versions[0]?.outputsSeal ?? null
  if (seal === null) return (await refusedPayouts(ctx, batchId)).length === 0
  return isSame(seal, ctx.addressSeals.outputsSeal(batchId, outputs))
}

async function replaceOrWait(ctx: PayoutsContext, batch: Batch, versions: readonly Version[]): Promise<void> {
  if (await bumpBatch(ctx, batch, versions)) return
  const txid = newestOf(versions).txid
  ctx.runtime.log.error(
    { batchId: String(batch.id), txid },
    'a payout transaction is too cheap, and no dearer one is to be had',
  )
  await ctx.db.transaction((tx) =>
    addStepAt(tx, ctx.jobs, { kind: 'payouts.send', batchId: batch.id, runAt: nextLookAt(ctx.runtime.clock.now()) }),
  )
}

/** Moves a batch on, and adjusts the ledger to the version in force. */
async function settleBatch(
  ctx: PayoutsContext,
  batchId: bigint,
  from: BatchState[],
  to: BatchState,
  version: Version,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const batch = await tx.one(queries.lockBatch, [batchId])
    if ((await tx.execute(queries.moveBatch, [batchId, from, to, null])) === 0) return
    const sent = await bookStanding(tx, batch, version, ctx.runtime.clock.now())
    const way = { kind: 'chain', txid: version.txid } as const
    for (const payout of sent) {
      const news = { payoutId: payout.id, playerId: payout.playerId, address: payout.address, way }
      await ctx.facts.record(tx, 'payout.sent', { ...news, sats: payout.sats - payout.feeShareSats })
    }
    if (to === 'FINAL') await tx.execute(queries.closeInputs, [batchId])
    if (batch.sentAt !== null) return
    await addStepAt(tx, ctx.jobs, { kind: 'payouts.confirm', batchId, runAt: nextLookAt(ctx.runtime.clock.now()) })
    await ctx.facts.record(tx, 'payouts.done', {})
  })
}

async function resendLater(
  ctx: PayoutsContext,
  batchId: bigint,
  signedAt: number,
  outcome: BroadcastOutcome,
): Promise<void> {
  const fields = { batchId: String(batchId), outcome }
  if (ctx.runtime.clock.now() - signedAt >= LATE_SECONDS)
    ctx.runtime.log.error(fields, 'a payout transaction still cannot leave')
  else ctx.runtime.log.warn(fields, 'a payout transaction cannot leave yet')
  await ctx.db.transaction((tx) =>
    addStepAt(tx, ctx.jobs, { kind: 'payouts.send', batchId, runAt: ctx.runtime.clock.now() + RESEND_SECONDS }),
  )
}

/** Sends the newest bytes. What only a person can resolve halts the batch, unless it is being taken back anyway. */
async function broadcastNewest(
  ctx: PayoutsContext,
  batch: Batch,
  versions: readonly Version[],
): Promise<Exclude<BroadcastOutcome, 'foreign-conflict'> | 'halted'> {
  const newest = newestOf(versions)
  // We never pay what is being taken back, whatever happens to the self-spend.
  if (batch.state === 'CANCELLING' && newest.kind === 'pay') return 'not-final'
  const others = versions.filter((version) => version !== newest).map(paymentVersion)
  const haltFor = async (reason: string): Promise<'halted'> => {
    if (batch.state !== 'CANCELLING') await haltBatch(ctx, { batchId: batch.id, from: [batch.state], reason })
    return 'halted'
  }
  try {
    const outcome = await ctx.wallet.broadcast(paymentVersion(newest), others)
    if (outcome === 'not-final' && isDead(versions, await finalSpenders(ctx, versions)))
      return await haltFor('its coin went with a reorganisation for good: cancel the batch')
    if (outcome !== 'foreign-conflict') return outcome
    // Another worker may have sent a version since ours were read: then the rival is ours. The same bytes follow later.
    if ((await versionsOf(ctx, batch.id)).length > versions.length) return 'not-final'
    return await haltFor(`somebody else spent a coin of ${newest.txid}`)
  } catch (error) {
    if (!(error instanceof WalletRefused)) throw error
    return await haltFor(error.message)
  }
}

/**
 * Finds halted batches whose bytes are out nevertheless: a halt may come while they are being sent. They are booked
 * when the operator lets the batch continue.
 */
export async function lookAtHalted(ctx: PayoutsContext): Promise<void> {
  for (const { id, state, reason } of await ctx.db.run(queries.listOpenBatches, [])) {
    if (state !== 'HALTED' || reason?.includes(HAS_LEFT) === true) continue
    const seen = (await sightingsOf(ctx, await versionsOf(ctx, id))).find(({ confirmations }) => confirmations !== null)
    if (seen === undefined || seen.version.kind !== 'pay') continue
    const { txid } = seen.version
    await ctx.db.execute(queries.noteReason, [id, ['HALTED'], `${reason ?? 'halted'}; ${HAS_LEFT}: ${txid}`])
    ctx.runtime.log.error({ batchId: String(id), txid }, 'a halted payout batch was already sent')
  }
}
