import { FINAL_CONFIRMATIONS } from '@fairball/domain/finality'
import type { Db, Tx } from '../../db/pool.ts'
import type { Jobs } from '../../jobs/queue.ts'
import type { PreparedTx, Wallet } from '../../ports/wallet/wallet.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { Booking, Version } from './booking.ts'
import type { Sighting } from './outcome.ts'
import * as queries from './queries.ts'
import type { Reconciling } from './reconciling.ts'
import { addSend, addStepAt, type BatchState, nextLookAt } from './steps.ts'

/** Another worker stored a version of this number first: what this one would have stored with it is rolled back. */
class Superseded extends Error {
  override readonly name = 'Superseded'
}

export interface VersionsDeps {
  readonly db: Db
  readonly runtime: Runtime
  readonly jobs: Jobs
  readonly wallet: Wallet
  readonly reconciling: Reconciling
}

export type Versions = ReturnType<typeof createVersions>

/** What the steps of a batch need that may end with what was to be paid being owed again. */
export interface StepDeps extends VersionsDeps {
  readonly booking: Booking
  readonly versions: Versions
  /** Called in the transaction in which what was to be paid is owed again. */
  readonly onOwed: (tx: Tx) => Promise<void>
}

/** The versions of a batch's transaction: what it is to pay, the bytes that were signed, and what the network knows of them. */
export function createVersions({ db, runtime, jobs, wallet, reconciling }: VersionsDeps) {
  const now = (): number => runtime.clock.now()

  /** What the wallet is asked for: outputs, and the coins that other batches have. */
  async function requestOf(batchId: bigint) {
    const outputs = await db.run(queries.findOutputs, [batchId])
    const reserved = (await db.run(queries.findReserved, [batchId])).map((row) => row.outpoint)
    return { label: `payout batch ${batchId}`, outputs, reserved }
  }

  /** From the first one on. */
  async function versionsOf(batchId: bigint): Promise<Version[]> {
    return await db.run(queries.findVersions, [batchId])
  }

  /** Stores signed bytes with the coins they spend, in one commit, before anything leaves. False where another worker was first. */
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

  /** How the network knows each version now. */
  async function sightingsOf(versions: readonly Version[]): Promise<Sighting[]> {
    const sightings: Sighting[] = []
    for (const version of versions) {
      sightings.push({ version, confirmations: await wallet.confirmations(version.txid) })
    }
    return sightings
  }

  /** For each coin of the versions that is spent for good: the transaction that spent it, or `never` where the coin itself is lost. */
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

  return { requestOf, versionsOf, storeVersion, sightingsOf, finalSpenders }
}
