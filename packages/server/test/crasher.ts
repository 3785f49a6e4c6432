import type { Db } from '../src/db/pool.ts'
import type { LightningSender } from '../src/ports/lightning/lightning-node.ts'
import type { Wallet } from '../src/ports/wallet/wallet.ts'
import { wrappedQueries } from './wrapped-queries.ts'

/**
 * A process that dies at its n-th outside call: before the call is done, or with its answer lost. Once dead it calls
 * nothing more, whatever its own code still tries.
 */
export class Crasher {
  calls = 0
  #dieAt = 0
  #when: 'before' | 'after' = 'before'
  #isDead = false

  /** Another process begins, and dies at that call; 0 is never. */
  arm(dieAt: number, when: 'before' | 'after'): void {
    this.calls = 0
    this.#dieAt = dieAt
    this.#when = when
    this.#isDead = false
  }

  isDead(): boolean {
    return this.#isDead
  }

  async call<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isDead) throw new Error('died already')
    this.calls += 1
    const dies = this.calls === this.#dieAt
    if (dies && this.#when === 'before') this.#die()
    const result = await work()
    if (dies) this.#die()
    return result
  }

  #die(): never {
    this.#isDead = true
    throw new Error(`died ${this.#when} call ${this.calls}`)
  }

  wrapDb(db: Db): Db {
    return {
      ...db,
      run: (statement, args) => this.call(() => db.run(statement, args)),
      one: (statement, args) => this.call(() => db.one(statement, args)),
      maybeOne: (statement, args) => this.call(() => db.maybeOne(statement, args)),
      execute: (statement, args) => this.call(() => db.execute(statement, args)),
      // The inner call ends before the commit, the outer one after it: dying in between rolls back.
      transaction: (work, options) => this.call(() => db.transaction((tx) => this.call(() => work(tx)), options)),
    }
  }

  /** The same, which dies at the statements inside transactions as well. */
  wrapStatements(db: Db): Db {
    return {
      ...this.wrapDb(db),
      transaction: (work, options) =>
        this.call(() =>
          db.transaction(
            (tx) => this.call(() => work(wrappedQueries(tx, (_statement, act) => this.call(act)))),
            options,
          ),
        ),
    }
  }

  wrapNode<T extends LightningSender>(node: T): T {
    return {
      ...node,
      send: (payment) => this.call(() => node.send(payment)),
      track: (hash) => this.call(() => node.track(hash)),
      paidSince: (cursor) => this.call(() => node.paidSince(cursor)),
    }
  }

  wrapWallet(wallet: Wallet): Wallet {
    return {
      prepare: (request) => this.call(() => wallet.prepare(request)),
      bump: (request) => this.call(() => wallet.bump(request)),
      cancel: (request) => this.call(() => wallet.cancel(request)),
      broadcast: (version, others) => this.call(() => wallet.broadcast(version, others)),
      confirmations: (txid) => this.call(() => wallet.confirmations(txid)),
      spender: (outpoint) => this.call(() => wallet.spender(outpoint)),
      isLost: (outpoint) => this.call(() => wallet.isLost(outpoint)),
      ownAmong: (addresses) => this.call(() => wallet.ownAmong(addresses)),
      spend: (txid) => this.call(() => wallet.spend(txid)),
      outgoing: (since) => this.call(() => wallet.outgoing(since)),
      hold: (outpoints) => this.call(() => wallet.hold(outpoints)),
      release: (outpoints) => this.call(() => wallet.release(outpoints)),
      estimateFee: () => this.call(() => wallet.estimateFee()),
      balances: () => this.call(() => wallet.balances()),
    }
  }
}

/** Lets a test continue after the death it requested. */
export function onlyDeath(error: unknown): false {
  if (error instanceof Error && error.message.startsWith('died')) return false
  throw error
}
