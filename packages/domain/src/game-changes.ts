import { assert } from './assert.ts'
import type { DrawTime, GameRules, PrizeTier } from './games.ts'
import type { StatementOf } from './protocol/statements.ts'

/** The kinds of change from one version of a game to the next, in the order in which they are named. */
const CHANGE_KINDS = [
  'new',
  'retire',
  'price-up',
  'price-down',
  'prizes-up',
  'prizes-down',
  'floor-up',
  'floor-down',
  'cover-up',
  'cover-down',
  'split',
  'limits',
  'schedule',
  'closing',
  'horizon',
] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]

/**
 * The kinds of change between two versions of a game; empty if they are the same.
 *
 * @param before null for a new game
 */
export function kindsOfChange(before: GameRules | null, after: GameRules): ChangeKind[] {
  if (before === null) return ['new']
  const prizes = prizeChanges(before.tiers, after.tiers)
  const isChanged: Readonly<Partial<Record<ChangeKind, boolean>>> = {
    'price-up': after.priceMinor > before.priceMinor,
    'price-down': after.priceMinor < before.priceMinor,
    'prizes-up': prizes.isUp,
    'prizes-down': prizes.isDown,
    'floor-up': after.guaranteedMinor > before.guaranteedMinor,
    'floor-down': after.guaranteedMinor < before.guaranteedMinor,
    'cover-up': after.coverMinor > before.coverMinor,
    'cover-down': after.coverMinor < before.coverMinor,
    split: sharesOf(after) !== sharesOf(before),
    limits: after.mostEntries !== before.mostEntries,
    schedule: timesOf(after.drawTimes) !== timesOf(before.drawTimes),
    closing: after.closesBeforeSeconds !== before.closesBeforeSeconds,
    horizon: after.weeksAhead !== before.weeksAhead,
  }
  return CHANGE_KINDS.filter((kind) => isChanged[kind])
}

/** Kinds that a player gains by, or does not notice. */
const HARMLESS: readonly ChangeKind[] = ['new', 'price-down', 'prizes-up', 'floor-up', 'cover-up', 'closing', 'horizon']

/** Whether players are told of a change by mail: some of it may be worse for them. */
export function mayBeWorse(kinds: readonly ChangeKind[]): boolean {
  return kinds.some((kind) => !HARMLESS.includes(kind))
}

/** Whether changes of these kinds are a version, with a statement in the log: a horizon alone is not. */
export function isVersion(kinds: readonly ChangeKind[]): boolean {
  return kinds.some((kind) => kind !== 'horizon')
}

/**
 * The reason that the statement of a version states: the first that fits its kinds.
 *
 * @throws RangeError if the kinds are no version
 */
export function reasonOfKinds(kinds: readonly ChangeKind[]): StatementOf<'game'>['reason'] {
  assert(isVersion(kinds), 'no change that a statement announces')
  if (kinds.includes('new')) return 'new'
  if (kinds.includes('retire')) return 'retire'
  if (kinds.includes('price-up') || kinds.includes('price-down')) return 'price'
  return kinds.every((kind) => kind === 'schedule' || kind === 'closing' || kind === 'horizon') ? 'schedule' : 'prizes'
}

/** A tier that turns from a fixed prize into a free ticket, or the other way, is removed and added. */
function prizeChanges(before: readonly PrizeTier[], after: readonly PrizeTier[]): { isUp: boolean; isDown: boolean } {
  const gains = (from: readonly PrizeTier[], to: readonly PrizeTier[]) =>
    to.some((tier) => {
      const same = from.find(({ matches, kind }) => matches === tier.matches && kind === tier.kind)
      return same === undefined || prizeOf(tier) > prizeOf(same)
    })
  return { isUp: gains(before, after), isDown: gains(after, before) }
}

function prizeOf(tier: PrizeTier): number {
  return tier.kind === 'fixed' ? tier.prizeMinor : 0
}

function sharesOf({ split: { prizePool, donation, fee } }: GameRules): string {
  return [prizePool, donation, fee].join()
}

function timesOf(times: readonly DrawTime[]): string {
  return times
    .map(({ day, minuteOfDay }) => day * 1440 + minuteOfDay)
    .sort((one, other) => one - other)
    .join()
}
