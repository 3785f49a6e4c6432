import { AsyncResource } from 'node:async_hooks'
import { allInOrder } from '../runtime/all-in-order.ts'
import { atMost } from '../runtime/at-most.ts'
import type { Logger } from '../runtime/runtime.ts'
import { DatabaseUnavailable } from './database-errors.ts'
import type { Db, Tx } from './pool.ts'
import { SharedStatements } from './shared-statements.ts'

/** Maximum number of members of a portion. */
const LARGEST_PORTION = 200
/** Portions at once: while the database works on one, this process works on the other. */
const PORTIONS_AT_ONCE = 2
/** Steps that run alone at once. */
const ALONE_AT_ONCE = 4

/** A step that waits for its portion. */
interface Member {
  readonly key: string
  /** does the work in a transaction, and keeps its result until `tell` */
  work(tx: Tx): Promise<unknown>
  tell(result: unknown): void
  fail(error: unknown): void
}

/**
 * Group commit of business steps: those that wait while earlier ones run share a transaction, and statements that serve
 * many (see `sql`) also share their runs. Nothing waits for company: a step that comes alone runs alone.
 *
 * A portion is all or nothing. If one of its members fails, everything is rolled back and each member runs alone: so a
 * refusal takes nobody along, its error is the one that it has alone, and nobody is told anything before the commit.
 *
 * Locks exclude other transactions, but not the members of one. So a member has a key, for instance its player, which
 * it shares with no other of its portion, and locks only what belongs to its key, or what it shares with others (`for
 * share`, `for key share`). Anything else that is locked (see `LOCK_ORDER`) ends the portion.
 */
export class SharedTransactions {
  readonly #db: Pick<Db, 'transaction'>
  readonly #log: Pick<Logger, 'info'>
  /** For members of a portion that was rolled back: others need connections too. */
  readonly #alone = atMost(ALONE_AT_ONCE)
  /** not in the context of whichever member came first */
  readonly #begin = AsyncResource.bind(() => this.#beginPortions())
  #waiting: Member[] = []
  #running = 0

  constructor(db: Pick<Db, 'transaction'>, log: Pick<Logger, 'info'>) {
    this.#db = db
    this.#log = log
  }

  /**
   * Runs `work` in a transaction, which it may share. It is run a second time if its portion was rolled back, so outside
   * of the database it only has effects that may come twice.
   *
   * @returns what `work` returned, once it is committed
   * @throws what `Db.transaction` throws
   */
  run<T>(key: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const member = { key, work: AsyncResource.bind(work), tell: resolve as (result: unknown) => void, fail: reject }
      this.#waiting.push(member)
      if (this.#waiting.length === 1) queueMicrotask(() => process.nextTick(() => this.#begin()))
    })
  }

  /** Begins portions as long as members wait and not too many portions run. */
  #beginPortions(): void {
    while (this.#waiting.length > 0 && this.#running < PORTIONS_AT_ONCE) {
      const members = this.#takePortion()
      this.#running += 1
      void this.#runPortion(members).finally(() => {
        this.#running -= 1
        this.#begin()
      })
    }
  }

  /** The longest waiting with different keys, in the order of the keys: so portions lock what they own in one order. */
  #takePortion(): Member[] {
    const portion = new Map<string, Member>()
    const others: Member[] = []
    for (const member of this.#waiting) {
      if (portion.size < LARGEST_PORTION && !portion.has(member.key)) portion.set(member.key, member)
      else others.push(member)
    }
    this.#waiting = others
    return [...portion.values()].toSorted((one, other) => (one.key < other.key ? -1 : 1))
  }

  async #runPortion(members: readonly Member[]): Promise<void> {
    if (members.length === 1) return await this.#runAlone(members)
    try {
      const results = await this.#db.transaction(async (tx) => {
        const shared = new SharedStatements(tx)
        return await allInOrder(members.map(({ work }) => work(shared.member())))
      })
      for (const [index, { tell }] of members.entries()) tell(results[index])
    } catch (error) {
      // Alone they would find no database either, or would not know what was done.
      if (error instanceof DatabaseUnavailable) return members.forEach(({ fail }) => fail(error))
      this.#log.info(
        { members: members.length, err: error },
        'a shared transaction was rolled back: each step runs alone',
      )
      await this.#runAlone(members)
    }
  }

  async #runAlone(members: readonly Member[]): Promise<void> {
    const run = ({ work, tell, fail }: Member) => this.#alone(() => this.#db.transaction(work)).then(tell, fail)
    await Promise.all(members.map(run))
  }
}
