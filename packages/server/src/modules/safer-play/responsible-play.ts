import { accountBlocked, LotteryError } from '@fairball/domain/errors'
import { CURRENCIES, type Currency, DEFAULT_CURRENCY_CODE, formatMoney } from '@fairball/domain/fiat'
import type { Queries, Tx } from '../../db/pool.ts'
import type { SignedIn } from '../../kernel/caller.ts'
import { Refused } from '../../kernel/errors.ts'
import { findPlayer, keepExclusion, lockPlayer, lockSignedIn } from '../identity/service.ts'
import type { LimitsContext, SaferPlayContext } from './context.ts'
import * as queries from './limits-queries.ts'

// What a player has set for responsible play: a weekly limit, a time-out, self-exclusion, reminders.

const DAY = 86_400
const WEEK_SECONDS = 7 * DAY
/** Delay before a looser limit applies, in seconds: it has to be wanted twice. */
const LOOSER_LIMIT_WAITS_SECONDS = DAY
/** A time-out lasts 1 day to 6 weeks, a self-exclusion 6 months or more (decisions section 6). */
const SHORTEST_TIME_OUT = DAY
const LONGEST_TIME_OUT = 6 * WEEK_SECONDS
/** Six months of thirty days: no calendar makes a choice of "6 months" shorter. */
const SHORTEST_EXCLUSION = 180 * DAY
/** The page calculates from when it was opened: a choice is still accepted this much later. */
const LATENESS_SECONDS = 600

/** Stored limits. Minor units of `currencyId`; times are epoch seconds. */
interface Limits {
  readonly weeklyLimitMinor: bigint | null
  /** replaces the weekly limit at `nextLimitFrom`; null for no limit */
  readonly nextLimitMinor: bigint | null
  readonly nextLimitFrom: number | null
  readonly timeOutUntil: number | null
  readonly excludedUntil: number | null
  readonly currencyId: number
  readonly reminderMinutes: number | null
}

/** Limits in a request: missing ones stay, and read-only ones may be sent back unchanged. */
interface LimitsInput {
  readonly weekly_limit?: number | null | undefined
  readonly weekly_limit_next?: number | null | undefined
  readonly time_out_until?: number | null | undefined
  readonly excluded_until?: number | null | undefined
  readonly reminder_minutes?: number | null | undefined
}

async function limitsOf(
  ctx: Pick<LimitsContext, 'runtime'>,
  from: Queries,
  playerId: bigint,
  currencyId: number,
): Promise<Limits> {
  const row = await from.maybeOne(queries.findLimits, [playerId])
  return row === null ? { ...NO_LIMITS, currencyId } : asOf(row, ctx.runtime.clock.now())
}

async function storeLimits(tx: Tx, playerId: bigint, limits: Limits): Promise<void> {
  await tx.execute(queries.saveLimits, {
    playerId,
    weeklyLimitMinor: limits.weeklyLimitMinor,
    nextLimitMinor: limits.nextLimitMinor,
    nextLimitFrom: limits.nextLimitFrom,
    timeOutUntil: limits.timeOutUntil,
    excludedUntil: limits.excludedUntil,
    currencyId: limits.currencyId,
    reminderMinutes: limits.reminderMinutes,
  })
}

/** The limits for the pages, in the player's currency. */
export async function limitsSettingOf(ctx: SaferPlayContext, player: SignedIn) {
  return await shown(ctx, ctx.db, player.id, await limitsOf(ctx, ctx.db, player.id, player.currencyId))
}

/**
 * Saves limits. A stricter one applies immediately, a looser one after a day; a current time-out or exclusion can only
 * be made longer.
 *
 * @throws LotteryError INVALID_PAYLOAD for a time outside its range, SELF_EXCLUDED for ending a current one
 * @throws Unauthorized if the session ended meanwhile
 */
export async function saveLimits(ctx: SaferPlayContext, player: SignedIn, input: LimitsInput) {
  return await ctx.db.transaction(async (tx) => {
    const locked = await lockSignedIn(tx, player)
    const nowAt = ctx.runtime.clock.now()
    const before = await limitsOf(ctx, tx, player.id, locked.currencyId)
    const after: Limits = {
      ...weeklyLimitAfter(before, input, nowAt),
      timeOutUntil: nextPause('time_out_until', before.timeOutUntil, input.time_out_until, nowAt),
      excludedUntil: nextPause('excluded_until', before.excludedUntil, input.excluded_until, nowAt),
      reminderMinutes: input.reminder_minutes === undefined ? before.reminderMinutes : input.reminder_minutes,
    }
    await storeLimits(tx, player.id, after)
    if (after.excludedUntil !== null) await keepExclusion(ctx, tx, locked, after.excludedUntil)
    await endOrders(ctx, tx, player.id, before, after)
    await countChanges(tx, before, after, nowAt)
    return await shown(ctx, tx, player.id, after)
  })
}

/**
 * Excludes a player for the operator, as the player could: for six months at least, and only ever longer.
 *
 * @param until epoch seconds
 * @returns the player's name
 * @throws Refused
 */
export async function excludePlayer(
  ctx: SaferPlayContext,
  tx: Tx,
  { playerId, until }: { readonly playerId: bigint; readonly until: number },
): Promise<string> {
  const player = await tx.maybeOne(lockPlayer, [playerId])
  if (player === null) throw new Refused(`There is no open account ${playerId}.`)
  const nowAt = ctx.runtime.clock.now()
  const before = await limitsOf(ctx, tx, playerId, player.currencyId)
  if (before.excludedUntil !== null && until <= before.excludedUntil)
    throw new Refused('This player is excluded for longer already, and an exclusion is never made shorter.')
  if (before.excludedUntil === null && until < nowAt + SHORTEST_EXCLUSION - LATENESS_SECONDS)
    throw new Refused('An exclusion lasts at least 180 days.')
  const after: Limits = { ...before, excludedUntil: until }
  await storeLimits(tx, playerId, after)
  await keepExclusion(ctx, tx, player, until)
  await endOrders(ctx, tx, playerId, before, after)
  await countChanges(tx, before, after, nowAt)
  return player.username
}

/** Counts what was set, by day and without the player's name. */
async function countChanges(tx: Tx, before: Limits, after: Limits, nowAt: number): Promise<void> {
  const day = nowAt - (nowAt % DAY)
  const { weeklyLimitMinor: limit, excludedUntil } = after
  if (limit !== null && limit !== before.weeklyLimitMinor) await tx.execute(queries.countChange, [day, 'limit'])
  if (isRunning(excludedUntil, nowAt) && !isRunning(before.excludedUntil, nowAt))
    await tx.execute(queries.countChange, [day, 'exclusion'])
}

/** Uncovered orders end with the limits that forbid them. */
async function endOrders(
  ctx: SaferPlayContext,
  tx: Tx,
  playerId: bigint,
  before: Limits,
  after: Limits,
): Promise<void> {
  const nowAt = ctx.runtime.clock.now()
  if (isRunning(after.excludedUntil, nowAt) || isRunning(after.timeOutUntil, nowAt))
    return await ctx.endUncovered(tx, playerId, { because: 'PAUSE' }, nowAt)
  const { weeklyLimitMinor: limit } = after
  if (limit === null || !isLooser(before.weeklyLimitMinor, limit)) return
  const rates = await ctx.rates(tx)
  const limitMinor = converter(rates, currencyOf(after.currencyId), POUND)(limit)
  const inPence = (minor: bigint, code: string): bigint => converter(rates, currencyOfCode(code), POUND)(minor)
  const week = { limitMinor, inPence, sinceAt: nowAt - WEEK_SECONDS }
  await ctx.endUncovered(tx, playerId, { because: 'WEEKLY_LIMIT', ...week }, nowAt)
}

/** Keeps the value of the limits in another currency, rounded down: changing it must not loosen them. */
export async function changeLimitsCurrency(
  ctx: LimitsContext,
  tx: Tx,
  playerId: bigint,
  from: Currency,
  to: Currency,
): Promise<void> {
  const limits = await limitsOf(ctx, tx, playerId, from.id)
  if (limits.weeklyLimitMinor === null && limits.nextLimitMinor === null) {
    await storeLimits(tx, playerId, { ...limits, currencyId: to.id })
    return
  }
  const convert = converter(await ctx.rates(tx), from, to)
  await storeLimits(tx, playerId, {
    ...limits,
    weeklyLimitMinor: limits.weeklyLimitMinor === null ? null : convert(limits.weeklyLimitMinor),
    nextLimitMinor: limits.nextLimitMinor === null ? null : convert(limits.nextLimitMinor),
    currencyId: to.id,
  })
}

/**
 * Checks an order against the limits. The week is the seven days before it. The code that makes the order already holds
 * the player's row: limits are saved under the same lock, so these do not change until the order is made.
 *
 * @param priceMinor what the order costs, in hundredths of its currency
 * @throws LotteryError ACCOUNT_BLOCKED for whom the operator keeps from buying; SELF_EXCLUDED during an exclusion or a time-out; LIMIT_REACHED if the order, with what was spent
 *   in the week, is over the limit, and then it says what is left; ACCESS_DENIED once the account is closed
 */
export async function checkMayPlay(
  ctx: LimitsContext,
  tx: Tx,
  playerId: bigint,
  priceMinor: bigint,
  orderCurrency: string,
): Promise<void> {
  const nowAt = ctx.runtime.clock.now()
  const row = await tx.maybeOne(queries.findLimitsToPlay, [playerId, nowAt])
  if (row === null) throw new LotteryError('ACCESS_DENIED', 'This account is closed.')
  if (row.isBlocked) throw accountBlocked()
  const limits = asOf(row, nowAt)
  if (isRunning(limits.excludedUntil, nowAt)) throw new LotteryError('SELF_EXCLUDED')
  if (isRunning(limits.timeOutUntil, nowAt))
    throw new LotteryError('SELF_EXCLUDED', 'You are taking a time-out from playing.')
  if (limits.weeklyLimitMinor === null || priceMinor === 0n) return

  const { limit, spent, rates } = await weekOf(ctx, tx, playerId, limits.weeklyLimitMinor, limits.currencyId)
  if (spent + converter(rates, currencyOfCode(orderCurrency), POUND)(priceMinor) <= limit) return
  const currency = currencyOf(limits.currencyId)
  const left = converter(rates, POUND, currency)(leftOf(limit, spent))
  throw new LotteryError('LIMIT_REACHED', weeklyLimitReached(currency, left), { reason: 'WEEKLY_LIMIT' })
}

/** A weekly limit and what was spent in the seven days before now, in pence, at the present rates. */
async function weekOf(ctx: LimitsContext, from: Queries, playerId: bigint, limitMinor: bigint, currencyId: number) {
  const [sums, rates] = await Promise.all([
    ctx.spentSince(from, playerId, ctx.runtime.clock.now() - WEEK_SECONDS),
    ctx.rates(from),
  ])
  const inPence = (minor: bigint, code: string): bigint => converter(rates, currencyOfCode(code), POUND)(minor)
  const spent = sums.reduce((sum, { minor, currency }) => sum + inPence(minor, currency), 0n)
  return { limit: converter(rates, currencyOf(currencyId), POUND)(limitMinor), spent, rates }
}

function leftOf(limit: bigint, spent: bigint): bigint {
  return limit > spent ? limit - spent : 0n
}

/**
 * What is left of a weekly limit, in hundredths of its currency; null without a limit, or while a rate was never read.
 */
async function weeklyLeft(
  ctx: LimitsContext,
  from: Queries,
  playerId: bigint,
  { weeklyLimitMinor, currencyId }: Limits,
): Promise<bigint | null> {
  if (weeklyLimitMinor === null) return null
  try {
    const { limit, spent, rates } = await weekOf(ctx, from, playerId, weeklyLimitMinor, currencyId)
    // Unspent, it is the limit itself: converting to pounds and back would lose a fraction.
    return spent === 0n ? weeklyLimitMinor : converter(rates, POUND, currencyOf(currencyId))(leftOf(limit, spent))
  } catch (error) {
    if (error instanceof LotteryError && error.code === 'RATE_UNAVAILABLE') return null
    throw error
  }
}

/** Until when a player has excluded himself; null when not. */
async function excludedUntil(ctx: Pick<LimitsContext, 'runtime'>, tx: Tx, playerId: bigint): Promise<number | null> {
  const { excludedUntil: until } = await limitsOf(ctx, tx, playerId, POUND.id)
  return isRunning(until, ctx.runtime.clock.now()) ? until : null
}

/** Binds a player's exclusion to an address that was verified: see `keepExclusion`. */
export async function keepExclusionOfVerified(ctx: SaferPlayContext, tx: Tx, playerId: bigint): Promise<void> {
  const until = await excludedUntil(ctx, tx, playerId)
  if (until !== null) await keepExclusion(ctx, tx, await tx.one(findPlayer, [playerId]), until)
}

const POUND = currencyOfCode(DEFAULT_CURRENCY_CODE)

const NO_LIMITS: Omit<Limits, 'currencyId'> = {
  weeklyLimitMinor: null,
  nextLimitMinor: null,
  nextLimitFrom: null,
  timeOutUntil: null,
  excludedUntil: null,
  reminderMinutes: null,
}

/** The limits at a time: a looser limit whose day has come is the limit, and a pause that is over is none. */
function asOf(limits: Limits, nowAt: number): Limits {
  const { nextLimitFrom, timeOutUntil, excludedUntil } = limits
  const isNextDue = nextLimitFrom !== null && nextLimitFrom <= nowAt
  return {
    ...limits,
    ...(isNextDue ? { weeklyLimitMinor: limits.nextLimitMinor, nextLimitMinor: null, nextLimitFrom: null } : {}),
    timeOutUntil: isRunning(timeOutUntil, nowAt) ? timeOutUntil : null,
    excludedUntil: isRunning(excludedUntil, nowAt) ? excludedUntil : null,
  }
}

function isRunning(until: number | null, nowAt: number): boolean {
  return until !== null && until > nowAt
}

/** The requested limit for every week; requesting nothing, or the present value, changes nothing. */
function weeklyLimitAfter(before: Limits, input: LimitsInput, nowAt: number): Limits {
  if (input.weekly_limit === undefined) return before
  const wanted = minorOf(input.weekly_limit)
  const isSentBack =
    input.weekly_limit_next !== undefined &&
    before.nextLimitFrom !== null &&
    wanted === before.weeklyLimitMinor &&
    minorOf(input.weekly_limit_next) === before.nextLimitMinor
  return isSentBack ? before : withWeeklyLimit(before, wanted, nowAt)
}

function withWeeklyLimit(before: Limits, wanted: bigint | null, nowAt: number): Limits {
  if (!isLooser(wanted, before.weeklyLimitMinor))
    return { ...before, weeklyLimitMinor: wanted, nextLimitMinor: null, nextLimitFrom: null }
  // A limit no looser than the waiting one was wanted since then: its day still counts.
  const waitsSince = before.nextLimitFrom !== null && !isLooser(wanted, before.nextLimitMinor)
  const nextLimitFrom = waitsSince ? before.nextLimitFrom : nowAt + LOOSER_LIMIT_WAITS_SECONDS
  return { ...before, nextLimitMinor: wanted, nextLimitFrom }
}

/** Null is no limit: looser than any. */
function isLooser(wanted: bigint | null, present: bigint | null): boolean {
  return present !== null && (wanted === null || wanted > present)
}

function weeklyLimitReached(currency: Currency, leftMinor: bigint): string {
  const { symbol, position } = currency
  const left = formatMoney({ value: Number(leftMinor) / 100, symbol, position_of_symbol: position })
  return `This is more than your weekly limit. You have ${left} left to spend this week.`
}

function nextPause(
  field: 'time_out_until' | 'excluded_until',
  present: number | null,
  wanted: number | null | undefined,
  nowAt: number,
): number | null {
  if (wanted === undefined || wanted === present) return present
  if (present !== null && (wanted === null || wanted < present))
    throw new LotteryError('SELF_EXCLUDED', 'A pause that has begun cannot be made shorter.')
  if (wanted === null) return null
  const shortest = field === 'time_out_until' ? SHORTEST_TIME_OUT : SHORTEST_EXCLUSION
  // A current one may be made longer by any time.
  const isTooShort = present === null && wanted < nowAt + shortest - LATENESS_SECONDS
  const isTooLong = field === 'time_out_until' && wanted > nowAt + LONGEST_TIME_OUT + LATENESS_SECONDS
  if (isTooShort || isTooLong) {
    const range =
      field === 'time_out_until' ? 'Must be 1 day to 6 weeks from now.' : 'Must be at least 6 months from now.'
    throw new LotteryError('INVALID_PAYLOAD', undefined, { fields: { [field]: range } })
  }
  return wanted
}

async function shown(ctx: LimitsContext, from: Queries, playerId: bigint, limits: Limits) {
  return {
    weekly_limit: majorOf(limits.weeklyLimitMinor),
    weekly_left: majorOf(await weeklyLeft(ctx, from, playerId, limits)),
    weekly_limit_next: majorOf(limits.nextLimitMinor),
    weekly_limit_next_at: limits.nextLimitFrom,
    time_out_until: limits.timeOutUntil,
    excluded_until: limits.excludedUntil,
    reminder_minutes: limits.reminderMinutes,
  }
}

function majorOf(minor: bigint | null): number | null {
  return minor === null ? null : Number(minor) / 100
}

function minorOf(major: number | null): bigint | null {
  return major === null ? null : BigInt(Math.round(major * 100))
}

function currencyOf(id: number): Currency {
  const currency = CURRENCIES.find((one) => one.id === id)
  if (currency === undefined) throw new Error(`no currency ${id}`)
  return currency
}

function currencyOfCode(code: string): Currency {
  const currency = CURRENCIES.find((one) => one.code === code)
  if (currency === undefined) throw new Error(`no currency ${code}`)
  return currency
}

/** Converts minor units, rounded down. @throws LotteryError RATE_UNAVAILABLE if a rate was never read */
function converter(rates: ReadonlyMap<string, bigint>, from: Currency, to: Currency): (minor: bigint) => bigint {
  if (from.code === to.code) return (minor) => minor
  const satsFrom = rates.get(from.code)
  const satsTo = rates.get(to.code)
  if (satsFrom === undefined || satsTo === undefined) throw new LotteryError('RATE_UNAVAILABLE')
  return (minor) => (minor * satsFrom) / satsTo
}
