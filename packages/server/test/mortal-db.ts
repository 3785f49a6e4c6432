import { createHash } from 'node:crypto'
import type { Db, TransactionOptions, Tx } from '../src/db/pool.ts'
import type { Statement } from '../src/db/sql.ts'
import type { RandomSource } from '../src/runtime/runtime.ts'
import { uuidOfBytes } from '../src/runtime/uuid.ts'
import { wrappedQueries } from './wrapped-queries.ts'

/** The process is dead: nothing more returns to it. */
export class Died extends Error {
  override readonly name = 'Died'
}

/** Where a process is to die. */
export interface Death {
  /** the number of the step, from 1 */
  readonly step: number
  /** `before`: the step is undone. `after`: it is done, but the process never learns of it */
  readonly when: 'before' | 'after'
}

/** Seeded bytes that can be rewound when the work that used them was undone. */
export function rewindableRandom(seed: string): RandomSource & { mark(): number; rewind(mark: number): void } {
  let calls = 0
  const bytes = (count: number): Uint8Array => {
    calls += 1
    const blocks = Array.from({ length: Math.ceil(count / 32) }, (_, block) =>
      createHash('sha256').update(`${seed}:${calls}:${block}`).digest(),
    )
    return new Uint8Array(Buffer.concat(blocks).subarray(0, count))
  }
  return {
    bytes,
    uuid: () => uuidOfBytes(bytes(16)),
    mark: () => calls,
    rewind(mark) {
      calls = mark
    },
  }
}

/**
 * A database under a process that can be made to die at any of its steps: a step is a transaction, or a single
 * statement, that runs one of the test's statements.
 */
export function mortalDb(
  db: Db,
  options: { isStep: (names: ReadonlySet<string>) => boolean; random: ReturnType<typeof rewindableRandom> },
) {
  let death: Death | null = null
  let isDead = false
  let steps = 0

  function die(): never {
    isDead = true
    throw new Died()
  }

  function assertAlive(): void {
    if (isDead) throw new Died()
  }

  /** Counts a step that is about to be done; true if the process dies after it. */
  function isLast(names: ReadonlySet<string>): boolean {
    if (!options.isStep(names)) return false
    steps += 1
    if (death === null || death.step !== steps) return false
    if (death.when === 'before') die()
    return true
  }

  async function alone<R>(statement: Statement, act: () => Promise<R>): Promise<R> {
    assertAlive()
    const isDeadly = isLast(new Set([statement.name]))
    const result = await act()
    if (isDeadly) die()
    return result
  }

  async function transaction<T>(work: (tx: Tx) => Promise<T>, settings?: TransactionOptions): Promise<T> {
    assertAlive()
    const mark = options.random.mark()
    let isDeadly = false
    try {
      const result = await db.transaction(async (tx) => {
        const seen = new Set<string>()
        const done = await work(watched(tx, seen))
        isDeadly = isLast(seen)
        return done
      }, settings)
      if (isDeadly) die()
      return result
    } catch (error) {
      if (!isDeadly) options.random.rewind(mark) // undone, with the bytes it drew
      throw error
    }
  }

  return {
    db: { ...wrappedQueries(db, alone), transaction } satisfies Db,
    /** Counts from now on, and dies there. */
    arm(at: Death | null): void {
      death = at
      steps = 0
    },
    steps: () => steps,
    isDead: () => isDead,
    /** Another process begins. */
    revive(): void {
      isDead = false
      death = null
    },
  }
}

/** A transaction that records the names of its statements. */
function watched(tx: Tx, seen: Set<string>): Tx {
  return wrappedQueries(tx, (statement, act) => {
    seen.add(statement.name)
    return act()
  })
}
