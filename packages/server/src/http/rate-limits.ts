import { createHash } from 'node:crypto'
import { LotteryError } from '@fairball/domain/errors'
import { TRIES_SECONDS } from '@fairball/domain/periods'
import type { Db, Queries } from '../db/pool.ts'
import type { Clock } from '../runtime/runtime.ts'
import { countTry, forgetCounter, readCounter, removeOldCounters } from './queries.ts'

/** How often something may be tried by one subject (an address, a player) in a window that its first try opens. */
export interface RateLimit {
  /** Unique name of what is counted. */
  readonly name: string
  readonly most: number
  readonly seconds: number
}

/**
 * The limits of decisions section 2, and of what else costs us a hash, a mail or a row. Failed logins of an account are
 * slowed and not only counted: accounts/login-attempts.ts.
 */
export const LIMITS = {
  registrationsOfAddress: { name: 'register-address', most: 60, seconds: TRIES_SECONDS },
  failedLoginsOfAddress: { name: 'login-address', most: 60, seconds: TRIES_SECONDS },
  // A network that refuses tokens must not shut the logins by password of the same address.
  failedSocialLoginsOfAddress: { name: 'social-address', most: 60, seconds: TRIES_SECONDS },
  failedSecondStepsOfPlayer: { name: 'second-step', most: 10, seconds: TRIES_SECONDS },
  codesOfPlayer: { name: 'codes', most: 30, seconds: TRIES_SECONDS },
  failedChecksOfPlayer: { name: 'password-check', most: 10, seconds: TRIES_SECONDS },
  wrongKeysOfAddress: { name: 'key-address', most: 60, seconds: TRIES_SECONDS },
  resetMailsOfAddress: { name: 'reset-address', most: 60, seconds: TRIES_SECONDS },
  resetMailsOfEmail: { name: 'reset-email', most: 10, seconds: TRIES_SECONDS },
  verificationMailsOfPlayer: { name: 'verify-mail', most: 10, seconds: TRIES_SECONDS },
  // Of a recipient, whoever has them sent: many accounts must not fill a stranger's mailbox. Counted apart, so that
  // nobody uses up the notice of a change with mails of the other kind.
  verificationMailsOfEmail: { name: 'verify-email', most: 10, seconds: TRIES_SECONDS },
  changeMailsOfEmail: { name: 'change-email', most: 10, seconds: TRIES_SECONDS },
  emailChangesOfPlayer: { name: 'email-change', most: 20, seconds: TRIES_SECONDS },
  usernameChecksOfPlayer: { name: 'username-availability', most: 2400, seconds: TRIES_SECONDS },
  // Far more than a player types, and too few to find out who has an account.
  emailChecksOfPlayer: { name: 'email-availability', most: 300, seconds: TRIES_SECONDS },
  exportsOfPlayer: { name: 'export', most: 30, seconds: TRIES_SECONDS },
  // A witness signs every close of every game; a demo's clock brings many at once.
  witnessNotesOfAddress: { name: 'witness-address', most: 600, seconds: TRIES_SECONDS },
  // A signature of the beacon costs a pairing, 50 ms in which nothing else is answered: those no draw waits for are
  // limited over all addresses too.
  beaconRoundsOfAddress: { name: 'beacon-address', most: 60, seconds: TRIES_SECONDS },
  beaconRoundsNobodyWaitsFor: { name: 'beacon-all', most: 600, seconds: TRIES_SECONDS },
  contactMessagesOfAddress: { name: 'contact', most: 30, seconds: TRIES_SECONDS },
} as const satisfies Record<string, RateLimit>

export type RateLimits = ReturnType<typeof createRateLimits>

/**
 * Rate limits, counted in the database so that all processes share them, by the system's clock so that a jump of it
 * ends a window. Counting is a transaction of its own: a refusal that rolls its business back still counts.
 */
export function createRateLimits({ db, clock }: { db: Db; clock: Clock }) {
  /** @throws LotteryError TOO_MANY_REQUESTS when the limit is used up; counts nothing */
  async function check(limit: RateLimit, subject: string): Promise<void> {
    const nowAt = clock.now()
    const [counter] = await db.run(readCounter, [keyOf(limit, subject), nowAt])
    if (counter !== undefined && counter.count >= limit.most) throw tooMany(counter.expires_at - nowAt)
  }

  /** Counts one try, and says nothing. */
  async function count(limit: RateLimit, subject: string): Promise<void> {
    const nowAt = clock.now()
    await db.execute(countTry, [keyOf(limit, subject), nowAt, nowAt + limit.seconds])
  }

  /**
   * Counts one try and tells whether it is still within the limit: for what is silently not done, because a refusal
   * would say that an address is known.
   */
  async function allows(limit: RateLimit, subject: string): Promise<boolean> {
    const nowAt = clock.now()
    const [counter] = await db.run(countTry, [keyOf(limit, subject), nowAt, nowAt + limit.seconds])
    return counter !== undefined && counter.count <= limit.most
  }

  /** Counts one try. @throws LotteryError TOO_MANY_REQUESTS when it is one too many */
  async function take(limit: RateLimit, subject: string): Promise<void> {
    const nowAt = clock.now()
    const [counter] = await db.run(countTry, [keyOf(limit, subject), nowAt, nowAt + limit.seconds])
    if (counter !== undefined && counter.count > limit.most) throw tooMany(counter.expires_at - nowAt)
  }

  /** Begins again at zero, as after a login that succeeded. */
  async function forget(limit: RateLimit, subject: string): Promise<void> {
    await db.execute(forgetCounter, [keyOf(limit, subject)])
  }

  /** Removes the counters whose window has ended. */
  async function removeOld(tx: Queries): Promise<void> {
    await tx.execute(removeOldCounters, [clock.now()])
  }

  return { check, count, allows, take, forget, removeOld }
}

/** Addresses and e-mails are counted by their hash: the table tells nobody who tried to sign in. */
function keyOf(limit: RateLimit, subject: string): string {
  return `${limit.name}:${createHash('sha256').update(subject.toLowerCase()).digest('base64url')}`
}

/** The refusal of what was tried too often. @param seconds how long to wait, at least 1 */
export function tooMany(seconds: number): LotteryError {
  const retryAfterSeconds = Math.max(1, seconds)
  return new LotteryError('TOO_MANY_REQUESTS', 'Too many attempts. Please wait a while before you try again.', {
    retryAfterSeconds,
  })
}
