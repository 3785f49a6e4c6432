import type { Db } from '../../db/pool.ts'
import type { Wallet } from '../../ports/wallet/wallet.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import * as queries from './queries.ts'

/** Age of the last comparison from which the wallet's spends are compared again before anything is signed or sent. */
const COMPARED_SECONDS = 30

interface ReconcilingDeps {
  readonly db: Db
  readonly runtime: Runtime
  readonly wallet: Wallet
}

/**
 * Compares the wallet with the database. The database is the truth about which coins are taken, so the wallet's locks
 * are rebuilt from it. The wallet is the truth about what was spent, so a spend unknown to the database stops all
 * payouts: the database may be a restored backup, or the keys may be in other hands (payments.md sections 4 and 16).
 */
export class Reconciling {
  readonly #deps: ReconcilingDeps
  #first: Promise<void> | null = null
  /** the last comparison that this process has begun, and when; epoch seconds */
  #last: { readonly at: number; readonly compared: Promise<void> } | null = null

  constructor(deps: ReconcilingDeps) {
    this.#deps = deps
  }

  /**
   * Rebuilds the locks from the database: a restart of the node forgets them, and a preparation whose answer was lost
   * leaves one behind that would block its coin. A preparation in progress loses its lock as well; if another one takes
   * its coin then, the database lets only the first one be stored.
   */
  async #holdReserved(): Promise<void> {
    const reserved = await this.#deps.db.run(queries.findReserved, [0n])
    await this.#deps.wallet.hold(reserved.map((row) => row.outpoint))
  }

  /** Compares now; further requests within 30 s share the answer. */
  #compare(): Promise<void> {
    const own = { at: this.#deps.runtime.clock.now(), compared: this.#compareNow() }
    this.#last = own
    own.compared.catch(() => {
      if (this.#last === own) this.#last = null
    })
    return own.compared
  }

  async #compareIfOld(): Promise<void> {
    const isNew = this.#last !== null && Math.abs(this.#deps.runtime.clock.now() - this.#last.at) < COMPARED_SECONDS
    await (isNew ? this.#last?.compared : this.#compare())
  }

  async #compareNow(): Promise<void> {
    const since = await this.#deps.db.maybeOne(queries.findCursor, [])
    const { cursor, txids } = await this.#deps.wallet.outgoing(since?.value ?? null)
    const unknown = (await this.#deps.db.run(queries.findUnknownTxs, [txids])).map((row) => row.txid)
    if (unknown.length === 0) {
      if (cursor !== null) await this.#deps.db.execute(queries.saveCursor, [cursor])
      return
    }
    await this.#stopFor(unknown)
  }

  async #stopFor(unknown: readonly string[]): Promise<void> {
    await this.#deps.db.transaction(async (tx) => {
      // Until the operator accepts them they stop everything, even if another stop was made or ended meanwhile.
      await tx.execute(queries.insertForeignTxs, [[...unknown], this.#deps.runtime.clock.now()])
      await tx.execute(queries.stopPayouts, [
        `the wallet spent coins in transactions that are not ours: ${unknown.join(' ')}`,
      ])
    })
    this.#deps.runtime.log.error(
      { txids: unknown },
      'payouts are stopped: coins of ours were spent that no payout asked for',
    )
  }

  async reconcile(): Promise<void> {
    await this.#holdReserved()
    await this.#compare()
  }

  async stopReason(): Promise<string | null> {
    return (await this.#deps.db.maybeOne(queries.findStop, []))?.value ?? null
  }

  /** Stops payouts for foreign spends of our coins, unless the operator has accepted them. */
  async reportForeign(txids: readonly string[]): Promise<void> {
    const unknown = (await this.#deps.db.run(queries.findUnknownTxs, [[...txids]])).map((row) => row.txid)
    if (unknown.length > 0) await this.#stopFor(unknown)
  }

  /**
   * Whether anything may be signed or sent. The first call in a process reconciles first; each later one compares what
   * the wallet spent, unless that was done within 30 s.
   *
   * @throws when the wallet or the database cannot be reached
   */
  async mayWork(): Promise<boolean> {
    this.#first ??= this.reconcile().catch((error: unknown) => {
      this.#first = null
      throw error
    })
    await this.#first
    await this.#compareIfOld()
    return (await this.stopReason()) === null
  }

  /** Frees the coins of a preparation without a result, except those that a batch has reserved meanwhile. */
  async release(outpoints: readonly string[]): Promise<void> {
    const reserved = new Set((await this.#deps.db.run(queries.findReserved, [0n])).map((row) => row.outpoint))
    await this.#deps.wallet.release(outpoints.filter((outpoint) => !reserved.has(outpoint)))
  }
}
