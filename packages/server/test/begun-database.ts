import type { RandomSource } from '../src/runtime/runtime.ts'
import { seededRandom, type TestRuntime, testRuntime } from '../src/runtime/test-runtime.ts'
import type { Db } from '../src/db/pool.ts'
import { databaseTemplate, testDatabase, type TestDatabase } from './database.ts'

/** The seed of a test runtime's randomness. */
const SEED = 'fairball'

/** A database in which a program has begun, for copies. */
interface Begun {
  readonly template: string
  /** the number of random bytes that its beginning took */
  readonly bytes: number
}

/** Begins a program and ends it again, for a database that is copied. */
type Beginning = (world: { db: Db; runtime: TestRuntime }) => Promise<void>

/** The databases of this process in which a program has begun, by the program's name. */
const begun = new Map<string, Promise<Begun>>()

/** Randomness from the seed that can be moved on, as if more bytes had been taken. */
class MovedRandom implements RandomSource {
  readonly #source = seededRandom(SEED)
  taken = 0

  bytes(count: number): Uint8Array {
    this.taken += count
    return this.#source.bytes(count)
  }

  uuid(): string {
    this.taken += 16
    return this.#source.uuid()
  }

  /** @param taken number of bytes from the beginning */
  moveTo(taken: number): void {
    this.bytes(taken - this.taken)
  }
}

/** A copy of a database in which a program has begun. */
interface BegunDatabase {
  readonly database: TestDatabase
  readonly runtime: TestRuntime
  /** To be called when the program has begun again: its randomness continues as after the first beginning. */
  continueRandom(): void
}

/**
 * Makes a copy of a database in which a program has begun at the runtime's usual time: its log has its first
 * statements, and its draws are open. That takes a tenth of the time of beginning it in an empty one. The program has
 * to begin on the copy as after a restart.
 *
 * @param name of the program; its settings must always be the same
 * @param begin called once in a process
 */
export async function begunDatabase(name: string, startAt: number, begin: Beginning): Promise<BegunDatabase> {
  let making = begun.get(name)
  if (making === undefined) {
    making = makeBegun(name, startAt, begin)
    begun.set(name, making)
  }
  const { template, bytes } = await making
  const random = new MovedRandom()
  const runtime = { ...testRuntime({ startAt }), random }
  const database = await testDatabase({ runtime, template })
  return { database, runtime, continueRandom: () => random.moveTo(bytes) }
}

async function makeBegun(name: string, startAt: number, begin: Beginning): Promise<Begun> {
  const random = new MovedRandom()
  const runtime = { ...testRuntime({ startAt }), random }
  const template = await databaseTemplate(`${name}_${process.pid}`, runtime, (db) => begin({ db, runtime }))
  return { template, bytes: random.taken }
}
