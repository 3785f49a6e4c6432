import type { Db } from '../../db/pool.ts'
import type { Wallet } from '../../ports/wallet/wallet.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import * as queries from './queries.ts'

export type Reconciling = ReturnType<typeof createReconciling>

/**
 * Holds the wallet against the database. The database is the truth about which coins are taken, so the wallet's locks
 * are made anew from it; the wallet is the truth about what was spent, so a spend that the database does not know stops
 * all payouts: the database may be a restored backup, or the keys may be in other hands (payments.md section 4, 16).
 */
export function createReconciling(deps: { db: Db; runtime: Runtime; wallet: Wallet }) {
  const { db, runtime, wallet } = deps
  let first: Promise<void> | null = null

  /**
   * Locks are made anew from the database: a restart of the node forgets them, and a preparation whose answer was lost
   * leaves one behind that would keep its coin from everybody. One that is being made right now loses its lock as well;
   * if another takes its coin then, the database lets only the first one be stored.
   */
  async function holdReserved(): Promise<void> {
    const reserved = await db.run(queries.findReserved, [0n])
    await wallet.hold(reserved.map((row) => row.outpoint))
  }

  async function compare(): Promise<void> {
    const since = await db.maybeOne(queries.findCursor, [])
    const { cursor, txids } = await wallet.outgoing(since?.value ?? null)
    const unknown = (await db.run(queries.findUnknownTxs, [txids])).map((row) => row.txid)
    if (unknown.length === 0) {
      if (cursor !== null) await db.run(queries.saveCursor, [cursor])
      return
    }
    await db.transaction(async (tx) => {
      // Until the operator accepts them they stop everything, also where somebody has ended or made another stop meanwhile.
      await tx.run(queries.insertForeignTxs, [unknown, runtime.clock.now()])
      await tx.run(queries.stopPayouts, [
        `the wallet spent coins in transactions that are not ours: ${unknown.join(' ')}`,
      ])
    })
    runtime.log.error({ txids: unknown }, 'payouts are stopped: the hot wallet spent coins that no payout asked for')
  }

  async function reconcile(): Promise<void> {
    await holdReserved()
    await compare()
  }

  async function stopReason(): Promise<string | null> {
    return (await db.maybeOne(queries.findStop, []))?.value ?? null
  }

  return {
    reconcile,
    stopReason,

    /**
     * Whether anything may be signed or sent. The first question of a process reconciles first.
     * @throws when the wallet or the database cannot be reached
     */
    async mayWork(): Promise<boolean> {
      first ??= reconcile().catch((error: unknown) => {
        first = null
        throw error
      })
      await first
      return (await stopReason()) === null
    },

    /** Frees the coins of a preparation that nothing came of, save those that a batch has reserved meanwhile. */
    async release(outpoints: readonly string[]): Promise<void> {
      const reserved = new Set((await db.run(queries.findReserved, [0n])).map((row) => row.outpoint))
      await wallet.release(outpoints.filter((outpoint) => !reserved.has(outpoint)))
    },
  }
}
