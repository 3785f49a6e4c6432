import type { LotteryError } from '@fairball/domain/errors'
import { FAILED_LOGINS_SECONDS, KNOWN_ADDRESS_SECONDS, TRIES_SECONDS } from '@fairball/domain/periods'
import type { Db, Queries, Tx } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import { tooMany } from '../../http/rate-limits.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import * as queries from './login-attempt-queries.ts'
import type { Secrets } from './secrets.ts'

/** Failures in a quarter of an hour after which the next try has to wait a second, and twice as long after each more. */
const FREE_FAILURES = 5
/** Failures that close the rest of the quarter of an hour (decisions section 2), and of the day (ASVS 6.3.1). */
const MOST_IN_WINDOW = 10
const MOST_IN_DAY = 100

/** The two steps are counted apart: who knows the password must not use up the tries at it. */
export type LoginStep = 'password' | 'second-step'

/** Whose failures are counted together: a keyed hash of the step, the account, and where the caller is. */
export type Subject = Uint8Array

/** Who is tried: a player, or the name that nobody has. */
export type Account = { readonly playerId: bigint } | { readonly unknownName: string }

type Failures = RowOf<typeof queries.readFailures>

export type LoginAttempts = ReturnType<typeof createLoginAttempts>

/**
 * Counts wrong passwords and codes, and slows the next try (ASVS 6.3.1). Nothing is slowed before the fifth failure.
 *
 * A player is not locked out by strangers: failures at an address from which the player has logged in are counted for
 * that address alone, those at all other addresses together. An account that does not exist has a counter like any.
 */
export function createLoginAttempts({
  db,
  runtime,
  secrets,
}: {
  db: Db
  runtime: Pick<Runtime, 'clock'>
  secrets: Secrets
}) {
  const { clock } = runtime
  const hashOfAddress = (address: string): Uint8Array => secrets.callerDigest(`address:${address}`)

  /** Finds whose failures a try would be. Costs the same whether or not the account exists. */
  async function subjectOf(step: LoginStep, account: Account, address: string): Promise<Subject> {
    const playerId = 'playerId' in account ? account.playerId : 0n // the identity begins at 1: 0 is nobody
    const knownSince = clock.now() - KNOWN_ADDRESS_SECONDS
    const { known } = await db.one(queries.isKnownAddress, [playerId, hashOfAddress(address), knownSince])
    return subject(step, account, known ? address : null)
  }

  function subject(step: LoginStep, account: Account, knownAddress: string | null): Subject {
    const whom = 'playerId' in account ? `player:${account.playerId}` : `name:${account.unknownName}`
    return secrets.callerDigest(`${step}|${knownAddress ?? 'elsewhere'}|${whom}`)
  }

  /** @throws LotteryError TOO_MANY_REQUESTS while the subject has to wait */
  async function check(of: Subject): Promise<void> {
    const row = await db.maybeOne(queries.readFailures, [of])
    const refusal = row === null ? null : refusalOf(row, clock.nowMs())
    if (refusal !== null) throw refusal
  }

  /**
   * Makes a try. Tries of one subject are made one after the other, in all processes: however many come at once, each
   * sees the failure of the one before.
   *
   * @param isRight must have its turn already, because it keeps a connection to the database
   * @returns whether it was right; a wrong one is counted
   * @throws LotteryError TOO_MANY_REQUESTS while the subject has to wait; `isRight` is not called then
   */
  async function make(of: Subject, isRight: () => Promise<boolean>): Promise<boolean> {
    return await db.transaction(async (tx) => {
      const before = await lockUnlessRefused(tx, of)
      if (!(await isRight())) {
        await count(tx, of, before)
        return false
      }
      if (before.window_count > 0) await tx.execute(queries.forgetFailures, [of])
      return true
    })
  }

  /**
   * Counts a try as a failure before it is made; `forget` takes it back when it was right. For what is quick to guess:
   * of a thousand at once, only as many are looked at as may fail.
   *
   * @throws LotteryError TOO_MANY_REQUESTS while the subject has to wait
   */
  async function reserve(of: Subject): Promise<void> {
    await db.transaction(async (tx) => count(tx, of, await lockUnlessRefused(tx, of)))
  }

  async function lockUnlessRefused(tx: Tx, of: Subject): Promise<Failures> {
    const row = await tx.one(queries.lockFailures, [of])
    const refusal = refusalOf(row, clock.nowMs())
    if (refusal !== null) throw refusal
    return row
  }

  async function count(tx: Tx, of: Subject, before: Failures): Promise<void> {
    const after = withFailure(before, clock.nowMs())
    await tx.execute(queries.writeFailures, [
      of,
      after.window_count,
      after.window_ends_at,
      after.day_count,
      after.day_ends_at,
      after.wait_until_ms,
    ])
  }

  /** Begins the quarter of an hour again at zero, after a success. */
  async function forget(from: Queries, of: Subject): Promise<void> {
    await from.execute(queries.forgetFailures, [of])
  }

  /** Remembers an address from which a player has logged in. */
  async function rememberAddress(tx: Tx, playerId: bigint, address: string): Promise<void> {
    await tx.execute(queries.rememberAddress, [playerId, clock.now(), hashOfAddress(address)])
  }

  /**
   * After a password was reset: what was guessed at the old one no longer counts, and the address is known from now on.
   * A player who is away from home while strangers guess gets in this way.
   */
  async function beginAnew(tx: Tx, playerId: bigint, address: string): Promise<void> {
    for (const knownAddress of [null, address])
      await tx.execute(queries.removeFailures, [subject('password', { playerId }, knownAddress)])
    await rememberAddress(tx, playerId, address)
  }

  /** Removes counters whose time is over, and addresses not seen for 90 days. */
  async function removeOld(tx: Tx): Promise<void> {
    await tx.execute(queries.removeOldFailures, [clock.now()])
    await tx.execute(queries.removeOldAddresses, [clock.now() - KNOWN_ADDRESS_SECONDS])
  }

  return { subjectOf, check, make, reserve, forget, rememberAddress, beginAnew, removeOld }
}

/** The refusal of a try at this moment, or null when it may be made. */
function refusalOf({ wait_until_ms: waitUntilMs, ...row }: Failures, nowMs: number): LotteryError | null {
  const isDayUsedUp = row.day_count >= MOST_IN_DAY && row.day_ends_at * 1000 > nowMs
  const untilMs = Math.max(waitUntilMs, isDayUsedUp ? row.day_ends_at * 1000 : 0)
  return nowMs < untilMs ? tooMany(Math.ceil((untilMs - nowMs) / 1000)) : null
}

/** The counters with one failure more; a window and a day begin with their first failure. */
function withFailure(before: Failures, nowMs: number): Failures {
  const nowAt = Math.floor(nowMs / 1000)
  const isInWindow = before.window_ends_at > nowAt
  const isInDay = before.day_ends_at > nowAt
  const windowCount = isInWindow ? before.window_count + 1 : 1
  const windowEndsAt = isInWindow ? before.window_ends_at : nowAt + TRIES_SECONDS
  const isClosed = windowCount >= MOST_IN_WINDOW
  return {
    window_count: windowCount,
    window_ends_at: windowEndsAt,
    day_count: isInDay ? before.day_count + 1 : 1,
    day_ends_at: isInDay ? before.day_ends_at : nowAt + FAILED_LOGINS_SECONDS,
    wait_until_ms: isClosed ? windowEndsAt * 1000 : nowMs + waitSeconds(windowCount) * 1000,
  }
}

/** How long the next try has to wait: 1 s after the fifth failure, then 2, 4, 8, 16. */
function waitSeconds(failures: number): number {
  return failures < FREE_FAILURES ? 0 : 2 ** (failures - FREE_FAILURES)
}
