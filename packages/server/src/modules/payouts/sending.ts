import type { Tx } from '../../db/pool.ts'
import type { BroadcastOutcome } from '../../ports/wallet/wallet.ts'
import { FeeTooHigh, WalletRefused, WalletShort, WalletUnfit } from '../../ports/wallet/wallet.ts'
import type { Ledger } from '../ledger/service.ts'
import { type Batch, createBooking, type Version } from './booking.ts'
import { createCancelling } from './cancelling.ts'
import { isDead, newestOf, outcomeOf, paymentVersion } from './outcome.ts'
import * as queries from './queries.ts'
import { createSigning } from './signing.ts'
import { addStepAt, type BatchState, haltBatch, LATE_SECONDS, nextLookAt, RESEND_SECONDS } from './steps.ts'
import { createVersions, type VersionsDeps } from './versions.ts'

/** After this long a transaction gets a version that pays more, where a block has passed it over: see `Wallet.bump`. */
const BUMP_SECONDS = 20 * 60
const HAS_LEFT = 'it has left all the same'
/** More versions of one transaction would be a wallet gone wrong. */
const MOST_VERSIONS = 20

/** A payout that has left. */
export interface PayoutNews {
  readonly payoutId: bigint
  readonly playerId: bigint
  /** what arrives, in sats */
  readonly sats: bigint
  readonly txid: string
}

export interface SendingDeps extends VersionsDeps {
  readonly ledger: Ledger
  /** Tells a player that money has left, inside the transaction that marks it. */
  readonly tell: (tx: Tx, news: PayoutNews) => Promise<void>
  /** Called in the transaction in which payouts left. */
  readonly onPaid: (tx: Tx) => Promise<void>
  /** Called in the transaction in which what was to be paid is owed again. */
  readonly onOwed: (tx: Tx) => Promise<void>
}

/**
 * A batch on its way: signed and stored, sent, followed until it is final (payments.md section 5). Every step may be
 * run twice and by two workers at once: a state moves by one conditional update, a version is stored under its number,
 * and whoever comes second gives up what it made.
 */
export function createSending(deps: SendingDeps) {
  const { db, runtime, jobs, wallet, reconciling } = deps
  const booking = createBooking(deps)
  const versionsOfBatches = createVersions(deps)
  const { requestOf, versionsOf, storeVersion, sightingsOf, finalSpenders } = versionsOfBatches
  const { sign } = createSigning({ ...deps, booking, versions: versionsOfBatches })
  const { cancel, endCancelled } = createCancelling({ ...deps, booking, versions: versionsOfBatches })
  const now = (): number => runtime.clock.now()

  /** Sends the newest version's stored bytes, and books that they have left. */
  async function send(batchId: bigint): Promise<void> {
    const batch = await db.one(queries.findBatch, [batchId])
    if (batch.state !== 'SIGNED' && batch.state !== 'SENT' && batch.state !== 'CANCELLING') return
    if (!(await reconciling.mayWork())) return
    const versions = await versionsOf(batchId)
    const outcome = await broadcastNewest(batch, versions)
    if (outcome === 'halted') return
    const signedAt = versions[0]?.created_at ?? now()
    if (outcome === 'unreachable' || outcome === 'not-final') return await resendLater(batchId, signedAt, outcome)
    if (batch.state !== 'SIGNED') return await onSentAgain(batch, versions, outcome)
    if (outcome === 'too-cheap') return await replaceOrWait(batch, versions)
    const standing = outcome === 'conflict-of-ours' ? await standingOf(versions) : newestOf(versions)
    if (standing === null) return await resendLater(batchId, signedAt, outcome)
    await settle(batchId, ['SIGNED'], 'SENT', standing)
    runtime.log.info({ batchId: String(batchId), txid: standing.txid }, 'payouts sent')
  }

  async function standingOf(versions: readonly Version[]): Promise<Version | null> {
    const outcome = outcomeOf(await sightingsOf(versions))
    return 'version' in outcome ? outcome.version : null
  }

  /** Follows a batch that has left until it is final; one the network forgot is sent again: the same bytes. */
  async function confirm(batchId: bigint): Promise<void> {
    const batch = await db.one(queries.findBatch, [batchId])
    if (batch.state !== 'SENT' && batch.state !== 'CONFIRMED' && batch.state !== 'CANCELLING') return
    await look(batch, await versionsOf(batchId))
    await db.transaction((tx) => addStepAt(tx, jobs, { kind: 'payouts.confirm', batchId, runAt: nextLookAt(now()) }))
  }

  async function look(batch: Batch, versions: readonly Version[]): Promise<void> {
    const outcome = outcomeOf(await sightingsOf(versions))
    const isCancelling = batch.state === 'CANCELLING'
    switch (outcome.is) {
      case 'final':
        return await settle(batch.id, [batch.state], 'FINAL', outcome.version)
      case 'confirmed':
        return await settle(batch.id, [batch.state], isCancelling ? 'CANCELLING' : 'CONFIRMED', outcome.version)
      case 'cancel-mined':
        return await endCancelled(batch, versions)
      case 'cancel-waiting':
        return undefined
      case 'waiting':
        // The self-spend pays more: it takes the payment's place.
        if (isCancelling) return await sendAgain(batch, versions)
        await settle(batch.id, ['SENT', 'CONFIRMED'], 'SENT', outcome.version)
        return await bumpIfSlow(batch, versions)
      case 'unseen':
        return await sendAgain(batch, versions)
    }
  }

  async function sendAgain(batch: Batch, versions: readonly Version[]): Promise<void> {
    const mayWork = await reconciling.mayWork()
    if (batch.state === 'CANCELLING') {
      if (mayWork) await broadcastNewest(batch, versions)
      return await endCancelled(batch, versions)
    }
    if (!mayWork) return
    const outcome = await broadcastNewest(batch, versions)
    if (outcome === 'halted') return
    await onSentAgain(batch, versions, outcome)
    if (outcome === 'too-cheap') await replaceOrWait(batch, versions)
  }

  /** Bytes that were sent once are never given up, whatever the network says of them now. */
  async function onSentAgain(batch: Batch, versions: readonly Version[], outcome: BroadcastOutcome): Promise<void> {
    const newest = newestOf(versions)
    runtime.log.info({ batchId: String(batch.id), txid: newest.txid, outcome }, 'a payout transaction was sent again')
    if ((outcome === 'sent' || outcome === 'already-known') && newest.kind === 'pay' && batch.state !== 'CANCELLING')
      await settle(batch.id, ['SENT', 'CONFIRMED'], 'SENT', newest)
  }

  async function bumpIfSlow(batch: Batch, versions: readonly Version[]): Promise<void> {
    const sentAt = batch.sent_at ?? now()
    if (now() - sentAt >= LATE_SECONDS)
      runtime.log.error({ batchId: String(batch.id), sentAt }, 'a payout transaction is still unconfirmed')
    if (now() - newestOf(versions).created_at < BUMP_SECONDS || !(await reconciling.mayWork())) return
    await bump(batch, versions)
  }

  /** Stores a version that pays more, to be sent next. False where there is none to be had. */
  async function bump(batch: Batch, versions: readonly Version[]): Promise<boolean> {
    if (versions.length >= MOST_VERSIONS) return false
    try {
      const request = { ...(await requestOf(batch.id)), versions: versions.map(paymentVersion) }
      const prepared = await wallet.bump(request)
      if (prepared === null) return false
      const number = newestOf(versions).version + 1
      return await storeVersion(batch.id, { number, kind: 'pay', from: [batch.state], to: batch.state, prepared })
    } catch (error) {
      // The version that is out stays as good as it was.
      if (![FeeTooHigh, WalletRefused, WalletShort, WalletUnfit].some((kind) => error instanceof kind)) throw error
      runtime.log.error({ batchId: String(batch.id), err: error }, 'a payout transaction cannot be made dearer')
      return false
    }
  }

  async function replaceOrWait(batch: Batch, versions: readonly Version[]): Promise<void> {
    if (await bump(batch, versions)) return
    const txid = newestOf(versions).txid
    runtime.log.error(
      { batchId: String(batch.id), txid },
      'a payout transaction is too cheap, and no dearer one is to be had',
    )
    await db.transaction((tx) =>
      addStepAt(tx, jobs, { kind: 'payouts.send', batchId: batch.id, runAt: nextLookAt(now()) }),
    )
  }

  /** Moves a batch on, with what the ledger says of the version that stands. */
  async function settle(batchId: bigint, from: BatchState[], to: BatchState, version: Version): Promise<void> {
    await db.transaction(async (tx) => {
      const batch = await tx.one(queries.lockBatch, [batchId])
      if ((await tx.execute(queries.moveBatch, [batchId, from, to, null])) === 0) return
      const sent = await booking.bookStanding(tx, batch, version, now())
      for (const payout of sent) {
        if (payout.player_id === null) continue
        const news = { payoutId: payout.id, playerId: payout.player_id, txid: version.txid }
        await deps.tell(tx, { ...news, sats: payout.sats - payout.fee_share_sats })
      }
      if (to === 'FINAL') await tx.run(queries.closeInputs, [batchId])
      if (batch.sent_at !== null) return
      await addStepAt(tx, jobs, { kind: 'payouts.confirm', batchId, runAt: nextLookAt(now()) })
      await deps.onPaid(tx)
    })
  }

  async function resendLater(batchId: bigint, signedAt: number, outcome: BroadcastOutcome): Promise<void> {
    const fields = { batchId: String(batchId), outcome }
    if (now() - signedAt >= LATE_SECONDS) runtime.log.error(fields, 'a payout transaction still cannot leave')
    else runtime.log.warn(fields, 'a payout transaction cannot leave yet')
    await db.transaction((tx) => addStepAt(tx, jobs, { kind: 'payouts.send', batchId, runAt: now() + RESEND_SECONDS }))
  }

  /** Sends the newest bytes. What only a person can answer halts the batch, unless it is being taken back anyhow. */
  async function broadcastNewest(
    batch: Batch,
    versions: readonly Version[],
  ): Promise<Exclude<BroadcastOutcome, 'foreign-conflict'> | 'halted'> {
    const newest = newestOf(versions)
    // What is being taken back is never paid by us, whatever becomes of the self-spend.
    if (batch.state === 'CANCELLING' && newest.kind === 'pay') return 'not-final'
    const others = versions.filter((version) => version !== newest).map(paymentVersion)
    const haltFor = async (reason: string): Promise<'halted'> => {
      if (batch.state !== 'CANCELLING') await haltBatch(deps, { batchId: batch.id, from: [batch.state], reason })
      return 'halted'
    }
    try {
      const outcome = await wallet.broadcast(paymentVersion(newest), others)
      if (outcome === 'not-final' && isDead(versions, await finalSpenders(versions)))
        return await haltFor('its coin went with a reorganisation for good: cancel the batch')
      if (outcome !== 'foreign-conflict') return outcome
      // Another worker may have sent a version since ours were read: the rival is ours then. The same bytes later.
      if ((await versionsOf(batch.id)).length > versions.length) return 'not-final'
      return await haltFor(`somebody else spent a coin of ${newest.txid}`)
    } catch (error) {
      if (!(error instanceof WalletRefused)) throw error
      return await haltFor(error.message)
    }
  }

  /**
   * Says of halted batches whether their bytes are out all the same: a halt may come while they are being sent. They are
   * booked when the operator lets the batch go on.
   */
  async function lookAtHalted(): Promise<void> {
    for (const { id, state, reason } of await db.run(queries.listOpenBatches, [])) {
      if (state !== 'HALTED' || reason?.includes(HAS_LEFT) === true) continue
      const seen = (await sightingsOf(await versionsOf(id))).find(({ confirmations }) => confirmations !== null)
      if (seen === undefined || seen.version.kind !== 'pay') continue
      const { txid } = seen.version
      await db.run(queries.noteReason, [id, ['HALTED'], `${reason ?? 'halted'}; ${HAS_LEFT}: ${txid}`])
      runtime.log.error({ batchId: String(id), txid }, 'a halted payout batch has left all the same')
    }
  }

  return { sign, send, confirm, cancel, lookAtHalted }
}
