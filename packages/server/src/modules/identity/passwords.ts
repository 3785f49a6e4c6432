import { createHmac } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { type Options, parseOptions } from '@node-rs/argon2'
import type { Counted } from '../../kernel/limits.ts'
import type { RandomSource } from '../../runtime/runtime.ts'
import { hashInThread, verifyInThread } from './password-threads.ts'
import { type TurnCaller, Turns } from './password-turns.ts'

/** argon2id; the package's own name for it is a const enum, which type stripping cannot read. */
const ARGON2ID = 2 as NonNullable<Options['algorithm']>
/** OWASP's parameters (ASVS 11.4.2): 19 MiB, two passes, one lane. */
const COST = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
const SALT_BYTES = 16
/** The prefix of a hash over the password's HMAC; an older hash without it is over the password itself. */
const KEYED = 'hmac'

/** Maximum number of concurrent hashes: each is a thread that computes, and 19 MiB (stack-server.md section 7). */
const MAX_AT_ONCE = 2

/**
 * Hashes and checks passwords and security answers, at most two at the same time. Each hash belongs to a caller that a
 * counter was asked about before: there is no other way to get a `Counted`.
 */
export class Passwords {
  readonly #random: RandomSource
  readonly #key: Uint8Array
  readonly #turns: Turns
  // The hash that an unknown account's password is compared with, so that it takes as long as a known one's.
  #dummy: Promise<string> | null = null

  /**
   * @param key of passwords, 32 bytes: without it a hash cannot be tested against anything
   * @param cores of the computer. A flood of logins leaves one of them to everything else: of two cores it gets one.
   */
  constructor(random: RandomSource, key: Uint8Array, cores = availableParallelism()) {
    this.#random = random
    this.#key = key
    this.#turns = new Turns(Math.min(MAX_AT_ONCE, Math.max(1, cores - 1)))
  }

  #keyed(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64')
  }

  async #hashNow(text: string): Promise<string> {
    return KEYED + (await hashInThread(this.#keyed(text), { ...COST, salt: this.#random.bytes(SALT_BYTES) }))
  }

  /**
   * For expensive work before the hash of a login: a flood of logins is refused without a query.
   *
   * @throws Overloaded if too many are waiting
   */
  assertRoomFor(address: string): void {
    this.#turns.assertRoom({ name: address, letsIn: true })
  }

  /** @throws Overloaded if too many are waiting */
  async hashOf(counted: Counted, password: string): Promise<string> {
    return await this.#turns.take(callerOf(counted), () => this.#hashNow(password))
  }

  /**
   * Whether a password is the one that was hashed. With null instead of a hash it takes as long, and returns false.
   *
   * @param beforehand runs when the turn has come: many concurrent tries cannot outrun a limit checked there
   * @throws Overloaded if too many are waiting, and what `beforehand` throws
   */
  async isRight(
    counted: Counted,
    stored: string | null,
    password: string,
    beforehand: () => Promise<unknown> = async () => undefined,
  ): Promise<boolean> {
    return await this.#turns.take(callerOf(counted), async () => {
      await beforehand()
      return await this.#verifyNow(stored, password)
    })
  }

  async #verifyNow(stored: string | null, password: string): Promise<boolean> {
    const hash = stored ?? (await (this.#dummy ??= this.#hashNow('no password of anybody')))
    const isSame = hash.startsWith(KEYED)
      ? await verifyInThread(hash.slice(KEYED.length), this.#keyed(password))
      : await verifyInThread(hash, password)
    return isSame && stored !== null
  }

  /** Whether a hash was made at another cost than today's, or without the key. */
  isOutdated(stored: string): boolean {
    if (!stored.startsWith(KEYED)) return true
    const { memoryCost, timeCost, parallelism } = parseOptions(stored.slice(KEYED.length))
    return memoryCost !== COST.memoryCost || timeCost !== COST.timeCost || parallelism !== COST.parallelism
  }

  /**
   * Takes the caller's turn once for all that `work` does, including its check of a password.
   *
   * @param work gets `isRight`, which takes no further turn
   * @throws Overloaded if too many are waiting, and what `work` throws
   */
  async inTurn<T>(
    counted: Counted,
    work: (isRight: (stored: string | null, password: string) => Promise<boolean>) => Promise<T>,
  ): Promise<T> {
    return await this.#turns.take(callerOf(counted), () =>
      work((stored, password) => this.#verifyNow(stored, password)),
    )
  }
}

function callerOf({ subject, limit }: Counted): TurnCaller {
  return { name: subject, letsIn: limit.letsIn === true }
}
