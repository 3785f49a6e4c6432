import { availableParallelism } from 'node:os'
import { parseOptions, type Options } from '@node-rs/argon2'
import { Overloaded } from '../../http/errors.ts'
import type { RandomSource } from '../../runtime/runtime.ts'
import { hashInThread, verifyInThread } from './password-threads.ts'

/** argon2id; the package's own name for it is a const enum, which type stripping cannot read. */
const ARGON2ID = 2 as NonNullable<Options['algorithm']>
/** OWASP's parameters (ASVS 11.4.2): 19 MiB, two passes, one lane. */
const COST = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
const SALT_BYTES = 16

/** Hashes at once at most: each is a thread that computes, and 19 MiB (stack-server.md section 7). */
const MOST_AT_ONCE = 2
/** How many may wait for their turn, about a second; the next one is told to come again. */
const MOST_WAITING = 64

export type Passwords = ReturnType<typeof createPasswords>

/**
 * Hashes and checks passwords and security answers, two at once at most.
 *
 * @param cores of the computer. A flood of logins leaves one of them to everybody else: of two cores it gets one.
 */
export function createPasswords(random: RandomSource, cores = availableParallelism()) {
  const turns = createTurns(Math.min(MOST_AT_ONCE, Math.max(1, cores - 1)), MOST_WAITING)
  const hashNow = (text: string): Promise<string> => hashInThread(text, { ...COST, salt: random.bytes(SALT_BYTES) })
  // What an unknown account's password is held against, so that it takes as long as a known one's.
  let dummy: Promise<string> | null = null

  /**
   * For what comes before a hash and costs something itself: a flood of logins is refused without a query.
   * @throws Overloaded when too many are waiting
   */
  function assertRoom(): void {
    turns.assertRoom()
  }

  /** @throws Overloaded when too many are waiting */
  async function hashOf(password: string): Promise<string> {
    return await turns.take(() => hashNow(password))
  }

  /**
   * Whether a password is the one that was hashed. With null in place of a hash it takes as long, and says no.
   *
   * @param beforehand run when the turn has come: a limit looked at there cannot be outrun by many tries at once
   * @throws Overloaded when too many are waiting, and what `beforehand` throws
   */
  async function isRight(
    stored: string | null,
    password: string,
    beforehand: () => Promise<void> = async () => undefined,
  ): Promise<boolean> {
    return await turns.take(async () => {
      await beforehand()
      return await verifyNow(stored, password)
    })
  }

  async function verifyNow(stored: string | null, password: string): Promise<boolean> {
    const isSame = await verifyInThread(stored ?? (await (dummy ??= hashNow('no password of anybody'))), password)
    return isSame && stored !== null
  }

  /** Whether a hash was made at another cost than today's. */
  function isOutdated(stored: string): boolean {
    const { memoryCost, timeCost, parallelism } = parseOptions(stored)
    return memoryCost !== COST.memoryCost || timeCost !== COST.timeCost || parallelism !== COST.parallelism
  }

  /**
   * Has the caller's turn once for all that `work` does, its check of a password in the middle of it.
   *
   * @param work gets `isRight`, which takes no further turn
   * @throws Overloaded when too many are waiting, and what `work` throws
   */
  async function inTurn<T>(work: (isRight: typeof verifyNow) => Promise<T>): Promise<T> {
    return await turns.take(() => work(verifyNow))
  }

  return { assertRoom, hashOf, isRight, inTurn, isOutdated }
}

/** Lets `atOnce` run together and `mostWaiting` wait, in the order they came. */
function createTurns(atOnce: number, mostWaiting: number) {
  const waiting: (() => void)[] = []
  let running = 0

  function assertRoom(): void {
    if (running >= atOnce && waiting.length >= mostWaiting) throw new Overloaded('a password to be hashed')
  }

  async function take<T>(work: () => Promise<T>): Promise<T> {
    assertRoom()
    if (running >= atOnce) {
      await new Promise<void>((resolve) => waiting.push(resolve)) // whoever ends hands its place over
    } else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }

  return { assertRoom, take }
}
