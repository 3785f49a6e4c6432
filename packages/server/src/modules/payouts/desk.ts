import type { Db, Tx } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import type { Jobs } from '../../jobs/queue.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { Ledger } from '../ledger/service.ts'
import { createBooking } from './booking.ts'
import * as queries from './queries.ts'
import { addStepAt, type BatchState, stepFrom } from './steps.ts'

/** What the operator asked for cannot be done now. The message says why. */
export class DeskRefusal extends Error {
  override readonly name = 'DeskRefusal'
}

export type OpenBatch = RowOf<typeof queries.listOpenBatches>
export type SetAsideAddress = RowOf<typeof queries.listSetAside>
export type OwedPartner = RowOf<typeof queries.findOwedToPartners>
export type ListedPayout = RowOf<typeof queries.listAllPayouts>

/** States in which nothing has ever been signed. */
const UNSIGNED: BatchState[] = ['WAITING_APPROVAL', 'WAITING_FUNDS', 'BATCHED']

/**
 * What an operator does with payouts by hand. Nothing here touches the wallet: a change of state and a job for the
 * worker, in one transaction with the line of the audit log that says who did it.
 */
export function createDesk(deps: { db: Db; runtime: Runtime; ledger: Ledger; jobs: Jobs; actor: string }) {
  const { db, runtime, jobs } = deps
  const booking = createBooking(deps)
  const now = (): number => runtime.clock.now()

  async function act(action: string, subject: string, work: (tx: Tx) => Promise<string>): Promise<string> {
    return await db.transaction(async (tx) => {
      const detail = await work(tx)
      await tx.run(queries.insertAction, [now(), deps.actor, action, subject, detail])
      return detail
    })
  }

  async function batchOf(tx: Tx, batchId: bigint) {
    const batch = await tx.maybeOne(queries.lockBatch, [batchId])
    if (batch === null) throw new DeskRefusal(`There is no payout batch ${batchId}.`)
    return batch
  }

  async function goOn(tx: Tx, batchId: bigint, state: BatchState): Promise<void> {
    const kind = stepFrom(state)
    if (kind !== null) await addStepAt(tx, jobs, { kind, batchId, runAt: now() })
  }

  return {
    /**
     * The batches that are not done, and why payouts are stopped as a whole, if they are; foreign spends that nobody has
     * accepted, the addresses that are paid nothing for now, and what waits for partners, most often for an address.
     */
    async list(): Promise<{
      batches: OpenBatch[]
      stopReason: string | null
      unaccepted: string[]
      setAside: SetAsideAddress[]
      owedToPartners: OwedPartner[]
    }> {
      const stop = await db.maybeOne(queries.findStop, [])
      return {
        batches: await db.run(queries.listOpenBatches, []),
        stopReason: stop?.value ?? null,
        unaccepted: (await db.run(queries.findUnaccepted, [])).map((row) => row.txid),
        setAside: await db.run(queries.listSetAside, []),
        owedToPartners: await db.run(queries.findOwedToPartners, []),
      }
    },

    /**
     * Accepts foreign spends that were found. Where they may be payouts of ours that the database forgot, nobody is paid
     * beside them; those that are none are never looked at again.
     *
     * @throws DeskRefusal where one is none of those found
     */
    accept(txids: readonly string[], mayBePayout = true): Promise<string> {
      const named = txids.join(' ')
      return act(mayBePayout ? 'payouts-accept' : 'payouts-not-a-payout', named, async (tx) => {
        const accepted = await tx.run(queries.acceptForeignTxs, [[...txids], now(), mayBePayout])
        const unknown = txids.filter((txid) => !accepted.some((row) => row.txid === txid))
        if (unknown.length > 0) throw new DeskRefusal(`${unknown.join(' ')} is none of the spends that were found.`)
        if (mayBePayout) return `Accepted: ${named}. payouts-retry all lets payouts go on.`
        await tx.run(queries.dropClearedSetAside, [])
        await jobs.add(tx, 'payouts.make', {}, { key: 'payouts.make' })
        return `Accepted, and no payout of ours: ${named}. payouts-retry all lets payouts go on, where they are stopped.`
      })
    },

    /** Has an address that was set aside looked at anew. @throws DeskRefusal */
    retryAddress(address: string): Promise<string> {
      return act('payouts-retry', address, async (tx) => {
        if ((await tx.execute(queries.dropSetAside, [address])) === 0)
          throw new DeskRefusal(`The address ${address} is not set aside.`)
        await jobs.add(tx, 'payouts.make', {}, { key: 'payouts.make' })
        return `The address ${address} is looked at anew.`
      })
    },

    /** Every payout ever made. */
    async export(): Promise<ListedPayout[]> {
      const rows = await db.run(queries.listAllPayouts, [])
      await act('payouts-export', 'all', async () => `${rows.length} payouts`)
      return rows
    },

    /** Lets a large payout be signed. @throws DeskRefusal */
    approve(batchId: bigint): Promise<string> {
      return act('payouts-approve', String(batchId), async (tx) => {
        const { state } = await batchOf(tx, batchId)
        if (state !== 'WAITING_APPROVAL')
          throw new DeskRefusal(`Batch ${batchId} is ${state}: it waits for no approval.`)
        await tx.run(queries.moveBatch, [batchId, ['WAITING_APPROVAL'], 'BATCHED', null])
        await goOn(tx, batchId, 'BATCHED')
        return `Batch ${batchId} is approved.`
      })
    },

    /** Keeps a batch from being signed or sent. @throws DeskRefusal when it has left */
    hold(batchId: bigint): Promise<string> {
      return act('payouts-hold', String(batchId), async (tx) => {
        const { state } = await batchOf(tx, batchId)
        const held = await tx.execute(queries.haltBatch, [batchId, [...UNSIGNED, 'SIGNED'], 'held by the operator'])
        if (held === 0) throw new DeskRefusal(`Batch ${batchId} is ${state}: it cannot be held.`)
        return `Batch ${batchId} is held; it was ${state}.`
      })
    },

    /** Keeps everything from being made, signed or sent. */
    holdAll(): Promise<string> {
      return act('payouts-hold', 'all', async (tx) => {
        await tx.run(queries.stopPayouts, ['held by the operator'])
        return 'All payouts are held.'
      })
    },

    /** Lets a halted batch go on where it was, or looks at once at one that waits. @throws DeskRefusal */
    retry(batchId: bigint): Promise<string> {
      return act('payouts-retry', String(batchId), async (tx) => {
        const { state } = await batchOf(tx, batchId)
        if (state === 'WAITING_APPROVAL') throw new DeskRefusal(`Batch ${batchId} waits for approval.`)
        if (state === 'FINAL' || state === 'CANCELLED') throw new DeskRefusal(`Batch ${batchId} is ${state}.`)
        const resumed = await tx.maybeOne(queries.resumeBatch, [batchId])
        const goesOnAs = resumed?.state ?? state
        await goOn(tx, batchId, goesOnAs)
        // The line says what the operator knew.
        const halted = resumed?.reason == null ? '' : ` It was halted: ${resumed.reason}`
        return `Batch ${batchId} goes on as ${goesOnAs}.${halted}`
      })
    },

    /**
     * Ends a stop of all payouts.
     *
     * @throws DeskRefusal while there are foreign spends, or broken invariants, that nobody has accepted
     */
    retryAll(): Promise<string> {
      return act('payouts-retry', 'all', async (tx) => {
        const unaccepted = (await tx.run(queries.findUnaccepted, [])).map((row) => row.txid)
        if (unaccepted.length > 0)
          throw new DeskRefusal(
            `The wallet spent coins in transactions that nobody has accepted: ${unaccepted.join(' ')}. ` +
              'payouts-accept accepts them, payouts-not-a-payout those that paid nobody for us.',
          )
        const broken = (await tx.run(queries.findBroken, [])).map((row) => row.invariant)
        if (broken.length > 0)
          throw new DeskRefusal(
            `Invariants are broken: ${broken.join(' ')}. invariants-list says how; what is mended goes with the next ` +
              'check, and invariants-accept accepts what stays.',
          )
        await tx.run(queries.resumePayouts, [])
        for (const batch of await tx.run(queries.listOpenBatches, [])) await goOn(tx, batch.id, batch.state)
        await jobs.add(tx, 'payouts.make', {}, { key: 'payouts.make' })
        return 'Payouts go on.'
      })
    },

    /**
     * Takes a batch back. One that was never signed is owed again at once; the coins of one that was are first spent to
     * ourselves, and only six blocks over that it is owed again.
     *
     * @throws DeskRefusal
     */
    cancel(batchId: bigint): Promise<string> {
      return act('payouts-cancel', String(batchId), async (tx) => {
        const batch = await batchOf(tx, batchId)
        const stood = batch.halted_from ?? batch.state
        if (UNSIGNED.includes(stood)) {
          await tx.run(queries.moveBatch, [batchId, [batch.state], 'CANCELLED', null])
          await booking.bookCancelled(tx, batch, 0n, now())
          await jobs.add(tx, 'payouts.make', {}, { key: 'payouts.make' })
          return `Batch ${batchId} was never signed: it is cancelled, and what it held is owed again.`
        }
        // A batch that is halted may have been confirmed once, in a block that is gone.
        if (stood !== 'SIGNED' && stood !== 'SENT' && batch.state !== 'HALTED')
          throw new DeskRefusal(`Batch ${batchId} is ${stood}: too late.`)
        await addStepAt(tx, jobs, { kind: 'payouts.cancel', batchId, runAt: now() })
        return `The coins of batch ${batchId} are spent back; it is owed again once that is six blocks deep.`
      })
    },
  }
}
