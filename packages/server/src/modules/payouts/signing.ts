import type { PreparedTx } from '../../ports/wallet/wallet.ts'
import { FeeTooHigh, WalletRefused, WalletShort, WalletUnfit } from '../../ports/wallet/wallet.ts'
import * as queries from './queries.ts'
import { addStepAt, FUNDS_SECONDS, haltBatch, nextFeeLookAt } from './steps.ts'
import type { StepDeps } from './versions.ts'

/** An address that is paid nothing until somebody has looked. */
interface SetAside {
  readonly address: string
  readonly reason: string
  readonly txids: readonly string[]
}

/** The first step of a batch: its transaction is signed and stored, or the batch waits for what that needs. */
export function createSigning(deps: StepDeps) {
  const { db, runtime, jobs, wallet, reconciling, booking } = deps
  const { requestOf, storeVersion } = deps.versions
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
      else if (error instanceof WalletRefused)
        await haltBatch(deps, { batchId, from: ['BATCHED', 'WAITING_FUNDS'], reason: error.message })
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

  return { sign }
}
