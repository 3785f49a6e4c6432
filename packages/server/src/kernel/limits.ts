import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { LotteryError } from '@fairball/domain/errors'
import { TRIES_DAY_SECONDS, TRIES_SECONDS } from '@fairball/domain/periods'
import type { Db, Queries } from '../db/pool.ts'
import type { Clock } from '../runtime/runtime.ts'
import { countTry, forgetCounter, readCounter, removeOldCounters } from './limit-queries.ts'

/** How often one subject (an address, a player) may try something in a window that its first try opens. */
export interface RateLimit {
  /** Unique name of the counter. */
  readonly name: string
  readonly most: number
  readonly seconds: number
  /** Whether it is for logins or registrations: half of the waiting places for hashes are kept for those. */
  readonly letsIn?: true
}

declare const made: unique symbol

/**
 * Proof that a counter was asked about a subject and admitted it. Made only here: expensive work requires one, so that
 * none of it is done for a subject that was not counted.
 */
export interface Counted {
  readonly limit: RateLimit
  readonly subject: string
  readonly [made]: true
}

/**
 * The limits of decisions section 2, and of everything else that costs us a hash, a mail or a row. Failed logins of an
 * account are slowed as well as counted: identity/login-attempts.ts.
 */
export const LIMITS = {
  registrationsOfAddress: { name: 'register-address', most: 60, seconds: TRIES_SECONDS, letsIn: true },
  failedLoginsOfAddress: { name: 'login-address', most: 60, seconds: TRIES_SECONDS, letsIn: true },
  // For a known browser: the failures of others at its address do not affect it.
  failedLoginsOfDevice: { name: 'login-device', most: 60, seconds: TRIES_SECONDS, letsIn: true },
  // A network that refuses tokens must not block password logins from the same address.
  failedSocialLoginsOfAddress: { name: 'social-address', most: 60, seconds: TRIES_SECONDS },
  failedSecondStepsOfPlayer: { name: 'second-step', most: 10, seconds: TRIES_SECONDS },
  codesOfPlayer: { name: 'codes', most: 30, seconds: TRIES_SECONDS },
  failedChecksOfPlayer: { name: 'password-check', most: 10, seconds: TRIES_SECONDS },
  // Right or wrong: far more than a player types, and far less than a flood of hashes.
  checksOfPlayer: { name: 'password-checks', most: 100, seconds: TRIES_SECONDS },
  questionChangesOfPlayer: { name: 'question-change', most: 5, seconds: TRIES_SECONDS },
  passwordChangesOfPlayer: { name: 'password-change', most: 10, seconds: TRIES_DAY_SECONDS },
  // Separate from the changes: someone who knows the password must not use up the way back of the mailbox's owner.
  passwordResetsOfPlayer: { name: 'password-reset', most: 10, seconds: TRIES_DAY_SECONDS },
  wrongKeysOfAddress: { name: 'key-address', most: 60, seconds: TRIES_SECONDS },
  resetMailsOfAddress: { name: 'reset-address', most: 60, seconds: TRIES_SECONDS },
  resetMailsOfEmail: { name: 'reset-email', most: 10, seconds: TRIES_SECONDS },
  verificationMailsOfPlayer: { name: 'verify-mail', most: 10, seconds: TRIES_SECONDS },
  // For a recipient, whatever the sender: many accounts must not fill a stranger's mailbox.
  hourlyMailsOfUnverified: { name: 'unverified-hour', most: 10, seconds: 3600 },
  dailyMailsOfUnverified: { name: 'unverified-day', most: 20, seconds: TRIES_DAY_SECONDS },
  dailyNoticesOfKind: { name: 'notices', most: 5, seconds: TRIES_DAY_SECONDS },
  emailChangesOfPlayer: { name: 'email-change', most: 20, seconds: TRIES_SECONDS },
  usernameChecksOfPlayer: { name: 'username-availability', most: 2400, seconds: TRIES_SECONDS },
  // Far more than a player types, and too few to find out who has an account.
  emailChecksOfPlayer: { name: 'email-availability', most: 300, seconds: TRIES_SECONDS },
  // Each asks a server that the player names.
  destinationChecksOfPlayer: { name: 'destination-check', most: 20, seconds: TRIES_SECONDS },
  exportsOfPlayer: { name: 'export', most: 30, seconds: TRIES_SECONDS },
  // A witness signs every close of every game; a demo's clock brings many together.
  witnessNotesOfAddress: { name: 'witness-address', most: 600, seconds: TRIES_SECONDS },
  // A signature of the beacon costs a pairing, 50 ms in which nothing else is answered: those that no draw waits for
  // are also limited over all addresses.
  beaconRoundsOfAddress: { name: 'beacon-address', most: 60, seconds: TRIES_SECONDS },
  beaconRoundsNobodyWaitsFor: { name: 'beacon-all', most: 600, seconds: TRIES_SECONDS },
  // Each is a row, made for anybody. The demo's own payouts are not counted.
  demoInvoicesOfAddress: { name: 'demo-invoice', most: 600, seconds: TRIES_SECONDS },
  contactMessagesOfAddress: { name: 'contact', most: 30, seconds: TRIES_SECONDS },
} as const satisfies Record<string, RateLimit>

const passed = (limit: RateLimit, subject: string): Counted => ({ limit, subject }) as Counted

interface RateLimitsDeps {
  readonly db: Db
  readonly clock: Clock
  /** the key of the digests of callers, 32 bytes */
  readonly callerKey: Uint8Array
}

/**
 * Rate limits, counted in the database so that all processes share them, and by the system's clock so that a jump ends
 * a window. Counting is a transaction of its own unless it is given one: a refusal that rolls its work back still
 * counts.
 */
export class RateLimits {
  readonly #deps: RateLimitsDeps
  readonly #callerKey: KeyObject

  constructor(deps: RateLimitsDeps) {
    this.#deps = deps
    this.#callerKey = createSecretKey(deps.callerKey)
  }

  /**
   * Addresses and emails are counted by a keyed hash: the table does not reveal who tried to log in, and cannot be
   * searched for anyone.
   */
  #keyOf(limit: RateLimit, subject: string): string {
    return `${limit.name}:${createHmac('sha256', this.#callerKey).update(subject.toLowerCase()).digest('base64url')}`
  }

  /** @throws LotteryError TOO_MANY_REQUESTS if the limit is used up; counts nothing */
  async check(limit: RateLimit, subject: string): Promise<Counted> {
    const nowAt = this.#deps.clock.now()
    const [counter] = await this.#deps.db.run(readCounter, [this.#keyOf(limit, subject), nowAt])
    if (counter !== undefined && counter.count >= limit.most) throw tooMany(counter.expiresAt - nowAt)
    return passed(limit, subject)
  }

  /** Counts one try, without a result. */
  async count(limit: RateLimit, subject: string): Promise<void> {
    const nowAt = this.#deps.clock.now()
    await this.#deps.db.execute(countTry, [this.#keyOf(limit, subject), nowAt, nowAt + limit.seconds])
  }

  /**
   * Counts one try and returns whether it is still within the limit: for work that is skipped silently, because a
   * refusal would reveal that an address is known.
   *
   * @param from the transaction of the limited work, if a try that is rolled back does not count
   */
  async allows(limit: RateLimit, subject: string, from: Queries = this.#deps.db): Promise<boolean> {
    const nowAt = this.#deps.clock.now()
    const [counter] = await from.run(countTry, [this.#keyOf(limit, subject), nowAt, nowAt + limit.seconds])
    return counter !== undefined && counter.count <= limit.most
  }

  /** Counts one try. @throws LotteryError TOO_MANY_REQUESTS if it is one too many */
  async take(limit: RateLimit, subject: string): Promise<Counted> {
    const nowAt = this.#deps.clock.now()
    const [counter] = await this.#deps.db.run(countTry, [this.#keyOf(limit, subject), nowAt, nowAt + limit.seconds])
    if (counter !== undefined && counter.count > limit.most) throw tooMany(counter.expiresAt - nowAt)
    return passed(limit, subject)
  }

  /** Restarts at zero, as after a successful login. */
  async forget(limit: RateLimit, subject: string): Promise<void> {
    await this.#deps.db.execute(forgetCounter, [this.#keyOf(limit, subject)])
  }

  /** Removes the counters whose window has ended. */
  async removeOld(tx: Queries): Promise<void> {
    await tx.execute(removeOldCounters, [this.#deps.clock.now()])
  }
}

/** The refusal of too many tries. @param seconds how long to wait, at least 1 */
export function tooMany(seconds: number): LotteryError {
  const retryAfterSeconds = Math.max(1, seconds)
  return new LotteryError('TOO_MANY_REQUESTS', 'Too many attempts. Please wait a while before you try again.', {
    retryAfterSeconds,
  })
}
