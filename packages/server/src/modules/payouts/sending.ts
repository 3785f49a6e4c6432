import { FINAL_CONFIRMATIONS } from '@fairball/domain/finality'
import type { Db, Tx } from '../../db/pool.ts'
import type { Jobs } from '../../jobs/queue.ts'
import type { BroadcastOutcome, PreparedTx, Wallet } from '../../ports/wallet/wallet.ts'
import { FeeTooHigh, WalletRefused, WalletShort, WalletUnfit } from '../../ports/wallet/wallet.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { Ledger } from '../ledger/service.ts'
import { type Batch, createBooking, type Version } from './booking.ts'
import { isDead, newestOf, outcomeOf, paymentVersion, type Sighting } from './outcome.ts'
import * as queries from './queries.ts'
import type { Reconciling } from './reconciling.ts'
import {
  addSend,
  addStep,
  addStepAt,
  type BatchState,
  FUNDS_SECONDS,
  nextFeeLookAt,
  nextLookAt,
  RESEND_SECONDS,
} from './steps.ts'

/** After this long a transaction gets a version that pays more, where a block has passed it over: see `Wallet.bump`. */
const BUMP_SECONDS = 20 * 60
/** Unconfirmed for longer than this, a batch is worth waking somebody. */
const LATE_SECONDS = 45 * 60
/** What six blocks may take, beyond which a batch that is taken back is late as well. */
export const CANCEL_SECONDS = 3600
const HAS_LEFT = 'it has left all the same'
/** More versions of one transaction would be a wallet gone wrong. */
const MOST_VERSIONS = 20

/** An address that is paid nothing until somebody has looked. */
interface SetAside {
  readonly address: string
  readonly reason: string
  readonly txids: readonly string[]
}

/** A payout that has left. */
export interface PayoutNews {
  readonly payoutId: bigint
  readonly playerId: bigint
  /** what arrives, in sats */
  readonly sats: bigint
  readonly txid: string
}

/** Another worker stored a version of this number first: what this one would have stored with it is rolled back. */
class Superseded extends Error {
  override readonly name = 'Superseded'
}

export interface SendingDeps {
  readonly db: Db
  readonly runtime: Runtime
  readonly jobs: Jobs
  readonly ledger: Ledger
  readonly wallet: Wallet
  readonly reconciling: Reconciling
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
  const now = (): number => runtime.clock.now()

  /** Has a batch's transaction signed, and stores its bytes before anything leaves. */
  async function sign(batchId: bigint): Promise<void> {
    const { state } = await db.one(queries.findBatch, [batchId])
    if (state !== 'BATCHED' && state !== 'WAITING_FUNDS') return
    if (!(await reconciling.mayWork())) return
    const forgotten = await findForgotten(batchId)
    if (forgotten === 'given up') return
    const prepared = forgotten ?? (await prepare(batchId))
    if (prepared === null) return
    await storeVersion(batchId, { number: 1, kind: 'pay', from: ['BATCHED', 'WAITING_FUNDS'], to: 'SIGNED', prepared })
  }

  /**
   * What the database does not remember, the wallet may: after a restored backup the operator lets payouts go on, and a batch
   * is made that left once. Where a transaction pays exactly what the batch is to pay, it is the batch's; where it pays
   * only one of its addresses, a person decides about that address. Nobody else waits for that.
   *
   * What goes to an address of the hot wallet's own would not leave it: that waits as well.
   */
  async function findForgotten(batchId: bigint): Promise<PreparedTx | 'given up' | null> {
    const wanted = new Map((await db.run(queries.findOutputs, [batchId])).map(({ address, sats }) => [address, sats]))
    const suspects = new Map<string, string[]>()
    for (const { txid } of await db.run(queries.findForgottenTxs, [])) {
      const spend = await wallet.spend(txid)
      if (spend === null) continue
      const { outputs } = spend
      if (outputs.length === wanted.size && outputs.every(({ address, sats }) => wanted.get(address) === sats)) {
        runtime.log.warn({ batchId: String(batchId), txid }, 'a payout that the database had forgotten is taken up')
        return { ...spend, change: null }
      }
      for (const { address } of outputs)
        if (wanted.has(address)) suspects.set(address, [...(suspects.get(address) ?? []), txid])
    }
    const aside = [...suspects].map(([address, txids]): SetAside => {
      return { address, txids, reason: `was paid already by ${txids.join(' ')}: was that a payout of ours?` }
    })
    for (const address of await wallet.ownAmong([...wanted.keys()].filter((one) => !suspects.has(one))))
      aside.push({ address, txids: [], reason: 'is an address of the hot wallet itself: it has to be changed' })
    if (aside.length === 0) return null
    return (await setAside(batchId, aside)) < wanted.size ? null : 'given up'
  }

  /** Takes addresses out of a batch that was never signed, and pays them nothing until somebody has looked. */
  async function setAside(batchId: bigint, aside: readonly SetAside[]): Promise<number> {
    const addresses = aside.map(({ address }) => address)
    const isDone = await db.transaction(async (tx) => {
      const { state } = await tx.one(queries.lockBatch, [batchId])
      if (state !== 'BATCHED' && state !== 'WAITING_FUNDS') return false
      for (const { address, reason, txids } of aside)
        await tx.run(queries.setAside, [address, reason, [...txids], now()])
      await booking.bookTakenOut(tx, batchId, addresses, now())
      if ((await tx.run(queries.findOutputs, [batchId])).length > 0) return true
      await tx.run(queries.moveBatch, [batchId, ['BATCHED', 'WAITING_FUNDS'], 'CANCELLED', null])
      await deps.onOwed(tx)
      return true
    })
    // Another worker was first: what it found is what counts.
    if (!isDone) return Infinity
    runtime.log.error({ batchId: String(batchId), aside }, 'addresses are set aside: they are paid nothing for now')
    return aside.length
  }

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

  /** Takes back a batch whose bytes exist: a spend of its coins to ourselves, which has to be six deep before it counts. */
  async function cancel(batchId: bigint): Promise<void> {
    const batch = await db.one(queries.findBatch, [batchId])
    const versions = await versionsOf(batchId)
    const isOnItsWay = batch.state === 'SIGNED' || batch.state === 'SENT' || batch.halted_from !== null
    const hasNoSelfSpend = batch.state === 'CANCELLING' && versions.every((version) => version.kind === 'pay')
    if (!(isOnItsWay || hasNoSelfSpend) || versions.length === 0) return
    if (!(await reconciling.mayWork())) {
      const step = { kind: 'payouts.cancel', batchId, runAt: nextLookAt(now()) } as const
      return await db.transaction((tx) => addStepAt(tx, jobs, step))
    }
    const request = { ...(await requestOf(batchId)), versions: versions.map(paymentVersion) }
    const number = newestOf(versions).version + 1
    const from: BatchState[] = [batch.state]
    const again = (runAt: number): Promise<void> =>
      db.transaction((tx) => addStepAt(tx, jobs, { kind: 'payouts.cancel', batchId, runAt }))
    try {
      const prepared = await wallet.cancel(request)
      const isStored = await storeVersion(batchId, { number, kind: 'cancel', from, to: 'CANCELLING', prepared })
      // Another worker made the payment dearer meanwhile, or cancelled it: the next try finds out which.
      if (!isStored) await again(now() + RESEND_SECONDS)
    } catch (error) {
      if (error instanceof WalletUnfit) {
        runtime.log.error({ batchId: String(batchId), err: error }, 'a payout batch cannot be cancelled yet')
        return await again(now() + FUNDS_SECONDS)
      }
      if (!(error instanceof WalletRefused)) throw error
      await cancelWithout(batch, versions, error)
    }
  }

  /**
   * No self-spend can be made. Where the payment is mined, or can never be, following it is all there is to do; otherwise
   * the coin is in no block for the moment, or somebody else's spend of it is not deep enough: later again, and until
   * then the batch stays what it is.
   */
  async function cancelWithout(batch: Batch, versions: readonly Version[], error: WalletRefused): Promise<void> {
    const { is } = outcomeOf(await sightingsOf(versions))
    const isMined = is === 'confirmed' || is === 'final'
    const isDecided = isMined || isDead(versions, await finalSpenders(versions))
    const reason = `it cannot be taken back yet: ${error.message}`
    const isNew = await db.transaction(async (tx) => {
      if (isDecided) {
        if ((await tx.execute(queries.moveBatch, [batch.id, [batch.state], 'CANCELLING', error.message])) === 0)
          return false
        await addStep(tx, jobs, 'payouts.confirm', batch.id)
        return true
      }
      await addStepAt(tx, jobs, { kind: 'payouts.cancel', batchId: batch.id, runAt: nextLookAt(now()) })
      return (await tx.execute(queries.noteReason, [batch.id, [batch.state], reason])) > 0
    })
    if (isNew)
      runtime.log.error({ batchId: String(batch.id), err: error }, 'nothing can be spent to cancel a payout batch')
  }

  /** Ends a batch none of whose versions can be mined any more. */
  async function endCancelled(batch: Batch, versions: readonly Version[]): Promise<void> {
    const spenders = await finalSpenders(versions)
    if (!isDead(versions, spenders)) return await waitForCancelled(batch, versions)
    const txids = new Set(spenders.values())
    const feeSats = versions.find(({ kind, txid }) => kind === 'cancel' && txids.has(txid))?.fee_sats ?? 0n
    await db.transaction(async (tx) => {
      const locked = await tx.one(queries.lockBatch, [batch.id])
      if ((await tx.execute(queries.moveBatch, [batch.id, ['CANCELLING'], 'CANCELLED', null])) === 0) return
      await booking.bookCancelled(tx, locked, feeSats, now())
      await tx.run(queries.closeInputs, [batch.id])
      await deps.onOwed(tx)
    })
    runtime.log.warn({ batchId: String(batch.id) }, 'a payout batch was cancelled')
  }

  /** The payment was mined when it was to be taken back, and is not any more: it needs a self-spend after all. */
  async function waitForCancelled(batch: Batch, versions: readonly Version[]): Promise<void> {
    const newest = newestOf(versions)
    if (now() - newest.created_at >= LATE_SECONDS + CANCEL_SECONDS)
      runtime.log.error({ batchId: String(batch.id) }, 'a payout batch is still not taken back')
    if (newest.kind === 'cancel') return
    await db.transaction((tx) =>
      addStepAt(tx, jobs, { kind: 'payouts.cancel', batchId: batch.id, runAt: nextLookAt(now()) }),
    )
  }

  async function finalSpenders(versions: readonly Version[]): Promise<Map<string, string>> {
    const found = new Map<string, string>()
    const coins = [...new Set(versions.flatMap((version) => version.inputs))]
    // A reorganisation may leave a batch with a coin of a version that another has replaced for good.
    for (const { outpoint } of await db.run(queries.findLostCoins, [coins])) found.set(outpoint, 'never')
    for (const outpoint of coins) {
      if (await wallet.isLost(outpoint)) found.set(outpoint, 'never')
      const spender = await wallet.spender(outpoint)
      if (spender !== null && spender.confirmations >= FINAL_CONFIRMATIONS) found.set(outpoint, spender.txid)
    }
    return found
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

  /** Stores signed bytes with the coins they spend, in one commit, before anything leaves. */
  async function storeVersion(
    batchId: bigint,
    step: { number: number; kind: 'pay' | 'cancel'; from: BatchState[]; to: BatchState; prepared: PreparedTx },
  ): Promise<boolean> {
    const { number, kind, from, to, prepared } = step
    const { txid, raw, feeSats, inputs } = prepared
    let isStored = false
    try {
      isStored = await db.transaction(async (tx) => {
        if ((await tx.execute(queries.moveBatch, [batchId, from, to, null])) === 0) return false
        const stored = await tx.execute(queries.insertTx, [
          batchId,
          number,
          kind,
          txid,
          raw,
          feeSats,
          [...inputs],
          now(),
        ])
        if (stored === 0) throw new Superseded()
        await tx.run(queries.insertInputs, [batchId, [...inputs]])
        await addSend(tx, jobs, batchId, number)
        // After a halt nobody follows the batch any more.
        if (kind === 'cancel') await addStepAt(tx, jobs, { kind: 'payouts.confirm', batchId, runAt: nextLookAt(now()) })
        return true
      })
    } catch (error) {
      if (!(error instanceof Superseded)) throw error
    } finally {
      if (!isStored) await reconciling.release(inputs)
    }
    return isStored
  }

  /** Has the wallet sign, and puts the batch aside where the wallet has not enough, or makes something else. */
  async function prepare(batchId: bigint): Promise<PreparedTx | null> {
    try {
      return await wallet.prepare(await requestOf(batchId))
    } catch (error) {
      if (error instanceof WalletShort) await waitForFunds(batchId, error.message)
      else if (error instanceof WalletUnfit)
        await signLater(batchId, {
          error,
          at: now() + FUNDS_SECONDS,
          says: 'payouts wait for the node of the hot wallet',
        })
      else if (error instanceof FeeTooHigh)
        await signLater(batchId, { error, at: nextFeeLookAt(now()), says: 'payouts wait for lower fees' })
      else if (error instanceof WalletRefused) await halt(batchId, ['BATCHED', 'WAITING_FUNDS'], error.message)
      else throw error
      return null
    }
  }

  async function waitForFunds(batchId: bigint, reason: string): Promise<void> {
    const isNew = await db.transaction(async (tx) => {
      const moved = await tx.execute(queries.moveBatch, [batchId, ['BATCHED'], 'WAITING_FUNDS', reason])
      if (moved === 0) await tx.run(queries.noteReason, [batchId, ['WAITING_FUNDS'], reason])
      await addStepAt(tx, jobs, { kind: 'payouts.sign', batchId, runAt: now() + FUNDS_SECONDS })
      return moved > 0
    })
    if (isNew) runtime.log.error({ batchId: String(batchId), reason }, 'payouts wait for funds in the hot wallet')
  }

  /** A wallet that is locked, or fees that are high today, need a person or time, and no batch is given up for that. */
  async function signLater(
    batchId: bigint,
    waits: { error: WalletUnfit | FeeTooHigh; at: number; says: string },
  ): Promise<void> {
    const { error, at, says } = waits
    const isNew = await db.transaction(async (tx) => {
      const noted = await tx.execute(queries.noteReason, [batchId, ['BATCHED', 'WAITING_FUNDS'], error.message])
      await addStepAt(tx, jobs, { kind: 'payouts.sign', batchId, runAt: at })
      return noted > 0
    })
    const fee = error instanceof FeeTooHigh ? { feeSats: String(error.feeSats) } : {}
    if (isNew) runtime.log.error({ batchId: String(batchId), ...fee, err: error }, says)
  }

  async function halt(batchId: bigint, from: BatchState[], reason: string): Promise<void> {
    const halted = await db.execute(queries.haltBatch, [batchId, from, reason])
    if (halted > 0) runtime.log.error({ batchId: String(batchId), reason }, 'a payout batch is halted')
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
      if (batch.state !== 'CANCELLING') await halt(batch.id, [batch.state], reason)
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

  async function standingOf(versions: readonly Version[]): Promise<Version | null> {
    const outcome = outcomeOf(await sightingsOf(versions))
    return 'version' in outcome ? outcome.version : null
  }

  async function sightingsOf(versions: readonly Version[]): Promise<Sighting[]> {
    const sightings: Sighting[] = []
    for (const version of versions) {
      sightings.push({ version, confirmations: await wallet.confirmations(version.txid) })
    }
    return sightings
  }

  async function versionsOf(batchId: bigint): Promise<Version[]> {
    return await db.run(queries.findVersions, [batchId])
  }

  async function requestOf(batchId: bigint) {
    const outputs = await db.run(queries.findOutputs, [batchId])
    const reserved = (await db.run(queries.findReserved, [batchId])).map((row) => row.outpoint)
    return { label: `payout batch ${batchId}`, outputs, reserved }
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
