import type { LotteryError } from '@fairball/domain/errors'
import { KNOWN_ADDRESS_SECONDS, KNOWN_DEVICE_SECONDS, TRIES_DAY_SECONDS, TRIES_SECONDS } from '@fairball/domain/periods'
import type { Queries, Tx } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import { tooMany } from '../../kernel/limits.ts'
import type { Caller } from './caller.ts'
import type { IdentityContext } from './context.ts'
import * as queries from './login-attempt-queries.ts'
import { hashOfKey } from './secrets.ts'

// Counts wrong passwords and codes, and slows the next try (ASVS 6.3.1). Nothing is slowed before the fifth failure.
//
// Strangers cannot lock a player out. Failures in a browser that the player has logged in with count only for that
// browser, those at an address the player has logged in from only for that address, and those at all other addresses
// together. An account that does not exist has a counter like any other.

/**
 * Failures in a quarter of an hour after which the next try has to wait a second, and twice as long after each further
 * one.
 */
const FREE_FAILURES = 5
/** Failures that block the rest of the quarter of an hour (decisions section 2), and of the day (ASVS 6.3.1). */
const MAX_IN_WINDOW = 10
const MAX_IN_DAY = 100

/** Maximum number of known browsers per player; an eleventh replaces the one whose last login is oldest. */
const MAX_DEVICES = 10n
/** In place of a token's hash: nothing is stored under it. */
const NO_DEVICE = new Uint8Array()

/** The two steps are counted separately: someone who knows the password must not use up the tries at it. */
export type LoginStep = 'password' | 'second-step'

/** The subject whose failures are counted together. */
export interface Subject {
  /** a keyed hash of the step, the account, and the caller's place */
  readonly digest: Uint8Array
  /** the device's name, if the player has logged in with it: then its address does not matter */
  readonly device: string | null
}

/** The account that is tried: a player, or an unknown name. */
export type Account = { readonly playerId: bigint } | { readonly unknownName: string }

type Failures = RowOf<typeof queries.readFailures>

function hashOfAddress(ctx: IdentityContext, address: string): Uint8Array {
  return ctx.secrets.callerDigest(`address:${address}`)
}

/** Finds the subject of a try. Costs the same whether or not the account exists. */
export async function attemptSubjectOf(
  ctx: IdentityContext,
  step: LoginStep,
  account: Account,
  { address, device }: Caller,
): Promise<Subject> {
  const playerId = 'playerId' in account ? account.playerId : 0n // the identity begins at 1: 0 is no player
  const deviceHash = device === null ? NO_DEVICE : hashOfKey(device)
  const nowAt = ctx.runtime.clock.now()
  const known = await ctx.db.one(queries.findKnown, {
    playerId,
    addressHash: hashOfAddress(ctx, address),
    addressSince: nowAt - KNOWN_ADDRESS_SECONDS,
    deviceHash,
    deviceSince: nowAt - KNOWN_DEVICE_SECONDS,
  })
  if (!known.device) return { digest: digestOf(ctx, step, account, known.address ? address : null), device: null }
  const name = `device:${Buffer.from(deviceHash).toString('base64url')}`
  return { digest: digestOf(ctx, step, account, name), device: name }
}

/** @param place a known device or address; null for all others */
function digestOf(ctx: IdentityContext, step: LoginStep, account: Account, place: string | null): Uint8Array {
  const whom = 'playerId' in account ? `player:${account.playerId}` : `name:${account.unknownName}`
  return ctx.secrets.callerDigest(`${step}|${place ?? 'elsewhere'}|${whom}`)
}

/** @throws LotteryError TOO_MANY_REQUESTS while the subject has to wait */
export async function checkAttempts(ctx: IdentityContext, of: Subject): Promise<void> {
  const row = await ctx.db.maybeOne(queries.readFailures, [of.digest])
  const refusal = row === null ? null : refusalOf(row, ctx.runtime.clock.nowMs())
  if (refusal !== null) throw refusal
}

/**
 * Makes a try. Tries of one subject are made one after the other, in all processes: however many come at the same time,
 * each sees the failure of the one before.
 *
 * @param isRight must already have its turn, because it holds a connection to the database
 * @returns whether it was right; a wrong one is counted
 * @throws LotteryError TOO_MANY_REQUESTS while the subject has to wait; `isRight` is not called then
 */
export async function makeAttempt(
  ctx: IdentityContext,
  of: Subject,
  isRight: () => Promise<boolean>,
): Promise<boolean> {
  return await ctx.db.transaction(async (tx) => {
    const before = await lockUnlessRefused(ctx, tx, of)
    if (!(await isRight())) {
      await count(ctx, tx, of, before)
      return false
    }
    if (before.windowCount > 0) await forgetAttempts(tx, of)
    return true
  })
}

/**
 * Counts a try as a failure before it is made; `forget` undoes that if it was right. For what is quick to guess: of a
 * thousand at the same time, only as many are checked as may fail.
 *
 * @throws LotteryError TOO_MANY_REQUESTS while the subject has to wait
 */
export async function reserveAttempt(ctx: IdentityContext, of: Subject): Promise<void> {
  await ctx.db.transaction(async (tx) => count(ctx, tx, of, await lockUnlessRefused(ctx, tx, of)))
}

async function lockUnlessRefused(ctx: IdentityContext, tx: Tx, of: Subject): Promise<Failures> {
  const row = await tx.one(queries.lockFailures, [of.digest])
  const refusal = refusalOf(row, ctx.runtime.clock.nowMs())
  if (refusal !== null) throw refusal
  return row
}

async function count(ctx: IdentityContext, tx: Tx, of: Subject, before: Failures): Promise<void> {
  const after = withFailure(before, ctx.runtime.clock.nowMs())
  await tx.execute(queries.writeFailures, {
    subject: of.digest,
    windowCount: after.windowCount,
    windowEndsAt: after.windowEndsAt,
    dayCount: after.dayCount,
    dayEndsAt: after.dayEndsAt,
    waitUntilMs: after.waitUntilMs,
  })
}

/** Restarts the quarter of an hour at zero, after a success. */
export async function forgetAttempts(from: Queries, of: Subject): Promise<void> {
  await from.execute(queries.forgetFailures, [of.digest])
}

/** Remembers where a player has just logged in: the address, and the browser by a token that it gets. */
export async function rememberCaller(ctx: IdentityContext, tx: Tx, playerId: bigint, caller: Caller): Promise<void> {
  const nowAt = ctx.runtime.clock.now()
  await tx.execute(queries.rememberAddress, [playerId, nowAt, hashOfAddress(ctx, caller.address)])
  const { key, hash } = ctx.secrets.newKey()
  if (caller.device !== null) await tx.execute(queries.changeDevice, [hashOfKey(caller.device), hash])
  await tx.execute(queries.rememberDevice, [playerId, nowAt, hash])
  await tx.execute(queries.removeSurplusDevices, [playerId, hash, MAX_DEVICES])
  caller.keepDevice(key)
}

/**
 * After a password reset: guesses at the old one no longer count, and address and browser are known from now on. A
 * player who is away from home while strangers guess gets in this way.
 */
export async function restartAttempts(ctx: IdentityContext, tx: Tx, playerId: bigint, caller: Caller): Promise<void> {
  for (const place of [null, caller.address])
    await tx.execute(queries.removeFailures, [digestOf(ctx, 'password', { playerId }, place)])
  await rememberCaller(ctx, tx, playerId, caller)
}

/** Forgets where a player has logged in. */
export async function forgetAttemptsOf(tx: Tx, playerId: bigint): Promise<void> {
  await tx.execute(queries.removeAddresses, [playerId])
  await tx.execute(queries.removeDevices, [playerId])
}

/** Removes expired counters, and addresses and devices not seen for 90 and 180 days. */
export async function removeOldAttempts(ctx: IdentityContext, tx: Tx): Promise<void> {
  await tx.execute(queries.removeOldFailures, [ctx.runtime.clock.now()])
  await tx.execute(queries.removeOldAddresses, [ctx.runtime.clock.now() - KNOWN_ADDRESS_SECONDS])
  await tx.execute(queries.removeOldDevices, [ctx.runtime.clock.now() - KNOWN_DEVICE_SECONDS])
}

/** The refusal of a try at this moment, or null if it may be made. */
function refusalOf({ waitUntilMs, ...row }: Failures, nowMs: number): LotteryError | null {
  const isDayUsedUp = row.dayCount >= MAX_IN_DAY && row.dayEndsAt * 1000 > nowMs
  const untilMs = Math.max(waitUntilMs, isDayUsedUp ? row.dayEndsAt * 1000 : 0)
  return nowMs < untilMs ? tooMany(Math.ceil((untilMs - nowMs) / 1000)) : null
}

/** The counters with one more failure; a window and a day begin with their first failure. */
function withFailure(before: Failures, nowMs: number): Failures {
  const nowAt = Math.floor(nowMs / 1000)
  const isInWindow = before.windowEndsAt > nowAt
  const isInDay = before.dayEndsAt > nowAt
  const windowCount = isInWindow ? before.windowCount + 1 : 1
  const windowEndsAt = isInWindow ? before.windowEndsAt : nowAt + TRIES_SECONDS
  const isClosed = windowCount >= MAX_IN_WINDOW
  return {
    windowCount,
    windowEndsAt,
    dayCount: isInDay ? before.dayCount + 1 : 1,
    dayEndsAt: isInDay ? before.dayEndsAt : nowAt + TRIES_DAY_SECONDS,
    waitUntilMs: isClosed ? windowEndsAt * 1000 : nowMs + waitSeconds(windowCount) * 1000,
  }
}

/** How long the next try has to wait: 1 s after the fifth failure, then 2, 4, 8, 16. */
function waitSeconds(failures: number): number {
  return failures < FREE_FAILURES ? 0 : 2 ** (failures - FREE_FAILURES)
}
