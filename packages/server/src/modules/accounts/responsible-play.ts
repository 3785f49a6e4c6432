import { LotteryError } from '@fairball/domain/errors'
import { CURRENCIES, DEFAULT_CURRENCY_CODE, type Currency } from '@fairball/domain/fiat'
import type { Db, Queries, Tx } from '../../db/pool.ts'
import type { SignedIn } from '../../http/auth-hook.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { lockPlayer } from './queries.ts'
import * as queries from './settings-queries.ts'

const DAY = 86_400
const WEEK_SECONDS = 7 * DAY
/** A looser limit waits so long: it is to be wanted twice. */
export const LOOSER_LIMIT_WAITS_SECONDS = DAY
/** A time-out lasts 1 day to 6 weeks, a self-exclusion 6 months or more (decisions section 6). */
const SHORTEST_TIME_OUT = DAY
const LONGEST_TIME_OUT = 6 * WEEK_SECONDS
/** Six months of thirty days: no calendar makes a choice of "6 months" shorter. */
const SHORTEST_EXCLUSION = 180 * DAY
/** The page reckons from when it was opened: so much later is still what was chosen. */
const LATENESS_SECONDS = 600

/** Limits as kept. Minor units of `currencyId`; times are epoch seconds. */
interface Limits {
  readonly weeklyLimitMinor: bigint | null
  /** takes the place of the weekly limit at `nextLimitFrom`; null is no limit */
  readonly nextLimitMinor: bigint | null
  readonly nextLimitFrom: number | null
  readonly timeOutUntil: number | null
  readonly excludedUntil: number | null
  readonly currencyId: number
  readonly reminderMinutes: number | null
}

/** Limits as they are sent; what is left out stays. */
export interface LimitsInput {
  readonly weekly_limit?: number | null | undefined
  readonly time_out_until?: number | null | undefined
  readonly excluded_until?: number | null | undefined
  readonly reminder_minutes?: number | null | undefined
}

export interface ResponsiblePlayDeps {
  readonly db: Db
  readonly runtime: Pick<Runtime, 'clock'>
  /** What a player's orders since a time cost, in pence; those that expired or were refunded are left out. */
  readonly spentSince: (tx: Tx, playerId: bigint, sinceAt: number) => Promise<bigint>
  /** Newest known satoshis per unit of each currency, however old. */
  readonly rates: (tx: Queries) => Promise<ReadonlyMap<string, bigint>>
}

export type ResponsiblePlay = ReturnType<typeof createResponsiblePlay>

/** What a player has set to keep play a pleasure: a weekly limit, a time-out, self-exclusion, reminders. */
export function createResponsiblePlay({ db, runtime, spentSince, rates }: ResponsiblePlayDeps) {
  const now = (): number => runtime.clock.now()

  async function limitsOf(from: Queries, playerId: bigint, currencyId: number): Promise<Limits> {
    const row = await from.maybeOne(queries.findLimits, [playerId])
    if (row === null) return { ...NO_LIMITS, currencyId }
    const limits: Limits = {
      weeklyLimitMinor: row.weekly_limit_minor,
      nextLimitMinor: row.next_limit_minor,
      nextLimitFrom: row.next_limit_from,
      timeOutUntil: row.time_out_until,
      excludedUntil: row.excluded_until,
      currencyId: row.currency_id,
      reminderMinutes: row.reminder_minutes,
    }
    return asOf(limits, now())
  }

  async function store(tx: Tx, playerId: bigint, limits: Limits): Promise<void> {
    await tx.execute(queries.saveLimits, [
      playerId,
      limits.weeklyLimitMinor,
      limits.nextLimitMinor,
      limits.nextLimitFrom,
      limits.timeOutUntil,
      limits.excludedUntil,
      limits.currencyId,
      limits.reminderMinutes,
    ])
  }

  /** The limits as the pages see them, in the player's currency. */
  async function settingOf(player: SignedIn) {
    return shown(await limitsOf(db, player.id, player.currencyId))
  }

  /**
   * Saves limits. A stricter one counts at once, a looser one after a day; a time-out or exclusion that runs can be made
   * longer and nothing else.
   *
   * @throws LotteryError INVALID_PAYLOAD for a time outside its range, SELF_EXCLUDED for ending one that runs
   */
  async function save(player: SignedIn, input: LimitsInput) {
    return await db.transaction(async (tx) => {
      const { currency_id: currencyId } = await tx.one(lockPlayer, [player.id])
      const nowAt = now()
      const before = await limitsOf(tx, player.id, currencyId)
      const after: Limits = {
        ...(input.weekly_limit === undefined ? before : withWeeklyLimit(before, minorOf(input.weekly_limit), nowAt)),
        timeOutUntil: nextPause('time_out_until', before.timeOutUntil, input.time_out_until, nowAt),
        excludedUntil: nextPause('excluded_until', before.excludedUntil, input.excluded_until, nowAt),
        reminderMinutes: input.reminder_minutes === undefined ? before.reminderMinutes : input.reminder_minutes,
      }
      await store(tx, player.id, after)
      return shown(after)
    })
  }

  /** Keeps the limits worth the same in another currency, rounded down: changing it must not loosen them. */
  async function changeCurrency(tx: Tx, playerId: bigint, from: Currency, to: Currency): Promise<void> {
    const limits = await limitsOf(tx, playerId, from.id)
    if (limits.weeklyLimitMinor === null && limits.nextLimitMinor === null) {
      await store(tx, playerId, { ...limits, currencyId: to.id })
      return
    }
    const convert = converter(await rates(tx), from, to)
    await store(tx, playerId, {
      ...limits,
      weeklyLimitMinor: limits.weeklyLimitMinor === null ? null : convert(limits.weeklyLimitMinor),
      nextLimitMinor: limits.nextLimitMinor === null ? null : convert(limits.nextLimitMinor),
      currencyId: to.id,
    })
  }

  /**
   * Lets an order pass. The week is the seven days before it.
   *
   * @param priceMinor what the order costs, in pence
   * @throws LotteryError SELF_EXCLUDED during an exclusion or a time-out; LIMIT_REACHED when the order, with what was
   *   spent in the week, is over the limit
   */
  async function checkMayPlay(tx: Tx, playerId: bigint, priceMinor: bigint): Promise<void> {
    const { currency_id: currencyId } = await tx.one(lockPlayer, [playerId])
    const limits = await limitsOf(tx, playerId, currencyId)
    const nowAt = now()
    if (isRunning(limits.excludedUntil, nowAt)) throw new LotteryError('SELF_EXCLUDED')
    if (isRunning(limits.timeOutUntil, nowAt))
      throw new LotteryError('SELF_EXCLUDED', 'You are taking a time-out from playing.')
    if (limits.weeklyLimitMinor === null || priceMinor === 0n) return

    const spent = await spentSince(tx, playerId, nowAt - WEEK_SECONDS)
    const limit = converter(await rates(tx), currencyOf(limits.currencyId), POUND)(limits.weeklyLimitMinor)
    if (spent + priceMinor > limit) throw new LotteryError('LIMIT_REACHED', 'This is more than your weekly limit.')
  }

  /** Until when a player has excluded himself, for closing an account; null when not. */
  async function excludedUntil(tx: Tx, playerId: bigint): Promise<number | null> {
    const { excludedUntil: until } = await limitsOf(tx, playerId, POUND.id)
    return isRunning(until, now()) ? until : null
  }

  return { settingOf, save, changeCurrency, checkMayPlay, excludedUntil }
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

/** The limits at a time: a looser limit whose day has come is the limit, a pause that is over is none. */
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

function withWeeklyLimit(before: Limits, wanted: bigint | null, nowAt: number): Limits {
  const present = before.weeklyLimitMinor
  const isLooser = present !== null && (wanted === null || wanted > present)
  if (!isLooser) return { ...before, weeklyLimitMinor: wanted, nextLimitMinor: null, nextLimitFrom: null }
  // Asked for again while it waits: the day goes on counting.
  if (before.nextLimitFrom !== null && before.nextLimitMinor === wanted) return before
  return { ...before, nextLimitMinor: wanted, nextLimitFrom: nowAt + LOOSER_LIMIT_WAITS_SECONDS }
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
  const isTooLong = field === 'time_out_until' && wanted > nowAt + LONGEST_TIME_OUT + LATENESS_SECONDS
  if (wanted < nowAt + shortest - LATENESS_SECONDS || isTooLong) {
    const range =
      field === 'time_out_until' ? 'Must be 1 day to 6 weeks from now.' : 'Must be at least 6 months from now.'
    throw new LotteryError('INVALID_PAYLOAD', undefined, { fields: { [field]: range } })
  }
  return wanted
}

function shown(limits: Limits) {
  return {
    weekly_limit: majorOf(limits.weeklyLimitMinor),
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

/** Converts minor units, rounded down. @throws LotteryError RATE_UNAVAILABLE when a rate was never read */
function converter(rates: ReadonlyMap<string, bigint>, from: Currency, to: Currency): (minor: bigint) => bigint {
  if (from.code === to.code) return (minor) => minor
  const satsFrom = rates.get(from.code)
  const satsTo = rates.get(to.code)
  if (satsFrom === undefined || satsTo === undefined) throw new LotteryError('RATE_UNAVAILABLE')
  return (minor) => (minor * satsFrom) / satsTo
}
