import type { GameChange } from '@fairball/contract/schemas/game'
import { drawsOfVersions } from '@fairball/domain/calendar'
import type { GameVersion } from '../catalogue/service.ts'

/** The newest draw of a game that was opened, by its schedule. */
interface NewestDraw {
  readonly number: number
  /** epoch seconds */
  readonly scheduledAt: number
}

/** A draw that can be bought, by its version. */
interface SoldDraw extends NewestDraw {
  readonly version: number
}

/**
 * The next announced version after the one that an order's first draw has. Its first draw can be bought already, or is
 * counted along the calendar, from the newest opened draw. Null if none was announced.
 *
 * @param versions newest first
 * @param base the version of the first open draw
 * @param forSale by their start
 */
export function comingChange(
  versions: readonly GameVersion[],
  base: GameVersion,
  forSale: readonly SoldDraw[],
): GameChange | null {
  // A version is taken back by a higher one from the same moment or earlier.
  const next = versions
    .filter(({ version, fromAt }) => version > base.version && fromAt > base.fromAt)
    .filter((one) => !versions.some(({ version, fromAt }) => version > one.version && fromAt <= one.fromAt))
    .at(-1)
  if (next === undefined) return null
  return {
    version: next.version,
    from_draw:
      forSale.find(({ version }) => version === next.version)?.number ??
      firstDrawOf(versions, next.fromAt, forSale.at(-1) ?? null),
    from_at: next.fromAt,
    kinds: next.kinds,
    statement: next.statementHash,
  }
}

/** The number of the first draw scheduled at or after a moment, opened or not. @param versions newest first */
export function firstDrawOf(versions: readonly GameVersion[], fromAt: number, newest: NewestDraw | null): number {
  const calendars = versions.map(({ version, fromAt: startsAt, rules }) => ({ ...rules, version, fromAt: startsAt }))
  let number = (newest?.number ?? 0) + 1
  for (const draw of drawsOfVersions(calendars, newest?.scheduledAt ?? 0)) {
    if (draw.startAt >= fromAt) break
    number += 1
  }
  return number
}
