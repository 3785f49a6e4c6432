import { AsyncResource } from 'node:async_hooks'
import { allInOrder } from '../runtime/all-in-order.ts'
import { atMost } from '../runtime/at-most.ts'
import type { Logger } from '../runtime/runtime.ts'
import { DatabaseUnavailable } from './database-errors.ts'
import type { Db, Tx } from './pool.ts'
import { MustBeAlone, SharedStatements } from './shared-statements.ts'
import type { ArgsOf, ParamCodecs, RowCodecs, RowOf, Statement } from './sql.ts'

/** Maximum number of members of a portion. */
const LARGEST_PORTION = 200
/** Portions at once: while the database works on one, this process works on the other. */
const PORTIONS_AT_ONCE = 2
/** Steps that run alone at once. */
const ALONE_AT_ONCE = 4

/** A step that waits for its portion. */
interface Member {
  /** no other member of its portion has one of them; the first is what it owns */
  readonly keys: readonly [string, ...string[]]
  /** does the work in a transaction, and keeps its result until `tell` */
  work(tx: Tx): Promise<unknown>
  /** the same in a transaction that it does not share */
  alone(): Promise<unknown>
  tell(result: unknown): void
  fail(error: unknown): void
}

/** How a member ended that has no error to roll its portion back with. */
type Ended = { readonly result: unknown } | { readonly refused: unknown } | 'must be alone'

/**
 * Group commit of business steps: those that wait while earlier ones run share a transaction, and statements that serve
 * many (see `sql`) also share their runs. Nothing waits for company: a step that comes alone runs alone.
 *
 * What a portion writes is all or nothing, and nobody gets an answer before the commit. If a member is refused before it
 * has written anything, the others are still done. If one fails later, or if the database refuses a statement, everything
 * is rolled back and each member runs alone, so that it gets the error that it has alone.
 *
 * Locks exclude other transactions, but not the members of one. So a member has a key, for instance its player, which
 * it shares with no other of its portion, and locks only what belongs to its key, or what it shares with others (`for
 * share`, `for key share`). One that locks anything else (see `LOCK_ORDER`), or says so (`assertAlone`), runs alone.
 */
export class SharedTransactions {
  readonly #db: Pick<Db, 'transaction' | 'one'>
  readonly #log: Pick<Logger, 'info'>
  /** For members of a portion that was rolled back: others need connections too. */
  readonly #alone = atMost(ALONE_AT_ONCE)
  /** not in the context of whichever member came first */
  readonly #begin = AsyncResource.bind(() => this.#beginPortions())
  readonly #atOnce: number
  #waiting: Member[] = []
  #running = 0

  constructor(db: Pick<Db, 'transaction' | 'one'>, log: Pick<Logger, 'info'>, portionsAtOnce = PORTIONS_AT_ONCE) {
    this.#db = db
    this.#log = log
    this.#atOnce = portionsAtOnce
  }

  /**
   * Runs `work` in a transaction, which it may share. It is run a second time if its portion was rolled back, so outside
   * of the database it only has effects that may come twice.
   *
   * @param keys no other member of its portion has one of them; the first is what it owns
   * @returns what `work` returned, once it is committed
   * @throws what `Db.transaction` throws
   */
  run<T>(keys: string | Member['keys'], work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#add(typeof keys === 'string' ? [keys] : keys, work, () => this.#db.transaction(work))
  }

  /** The same for a single statement that answers with one row. @throws what `Db.one` throws */
  one<P extends ParamCodecs, R extends RowCodecs>(
    key: string,
    statement: Statement<P, R>,
    args: ArgsOf<P>,
  ): Promise<RowOf<Statement<P, R>>> {
    return this.#add(
      [key],
      (tx) => tx.one(statement, args),
      () => this.#db.one(statement, args),
    )
  }

  #add<T>(keys: Member['keys'], work: (tx: Tx) => Promise<T>, alone: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const tell = resolve as (result: unknown) => void
      this.#waiting.push({ keys, work: AsyncResource.bind(work), alone: AsyncResource.bind(alone), tell, fail: reject })
      if (this.#waiting.length === 1) queueMicrotask(() => process.nextTick(() => this.#begin()))
    })
  }

  /** Begins portions as long as members wait and not too many portions run. */
  #beginPortions(): void {
    while (this.#waiting.length > 0 && this.#running < this.#atOnce) {
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
    const portion: Member[] = []
    const taken = new Set<string>()
    const others: Member[] = []
    for (const member of this.#waiting) {
      const isFree = portion.length < LARGEST_PORTION && !member.keys.some((key) => taken.has(key))
      if (isFree) portion.push(member)
      else others.push(member)
      for (const key of member.keys) taken.add(key)
    }
    this.#waiting = others
    return portion.toSorted((one, other) => (one.keys[0] < other.keys[0] ? -1 : 1))
  }

  async #runPortion(members: readonly Member[]): Promise<void> {
    if (members.length === 1) return await this.#runAlone(members)
    try {
      const ends = await this.#db.transaction(async (tx) => {
        const shared = new SharedStatements(tx)
        return await allInOrder(members.map((member) => runMember(shared, member)))
      })
      const others: Member[] = []
      for (const [index, ended] of ends.entries()) {
        const member = members[index] as Member // one end for each
        if (ended === 'must be alone') others.push(member)
        else if ('refused' in ended) member.fail(ended.refused)
        else member.tell(ended.result)
      }
      await this.#runAlone(others)
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
    const run = ({ alone, tell, fail }: Member) => this.#alone(alone).then(tell, fail)
    await Promise.all(members.map(run))
  }
}

/** @throws what the member throws once it has written something, or if the database refused one of its statements */
async function runMember(shared: SharedStatements, { work }: Member): Promise<Ended> {
  const { tx, state, end } = shared.member()
  try {
    return { result: await work(tx) }
  } catch (error) {
    if (state.hasWritten || state.hasFailed) throw error
    return error instanceof MustBeAlone ? 'must be alone' : { refused: error }
  } finally {
    end()
  }
}
