import { type CalendarVersion, drawsOfVersions } from './calendar.ts'
import type { GameRules, GameTraits } from './games.ts'
import type { SiteColors } from './site-colors.ts'
import { type FileGame, INTO_PARTNERS } from './games-file.ts'
import { RULES_NOTICE_SECONDS } from './protocol/numbers.ts'

/** A game of an installation, as it was announced last. */
export interface StandingGame {
  readonly traits: GameTraits
  readonly state: 'active' | 'retiring' | 'retired'
  /** its place in the order of display; lower comes first */
  readonly position: number
  /** of the newest version with draws, with the horizon that applies now */
  readonly rules: GameRules
  /** a game's key, or `partners`; null while it is active */
  readonly retiresInto: string | null
  /** every version announced, ascending */
  readonly versions: readonly CalendarVersion[]
  /** start of the demo's extra draw, in epoch seconds */
  readonly extraStartAt: number | null
  /** the draw with the highest number; null before the first */
  readonly lastOpened: { readonly number: number; readonly scheduledAt: number } | null
  /** draws that are on sale, ascending */
  readonly openDraws: readonly { readonly number: number; readonly priceMinor: number }[]
}

/** What a games file is compared with. */
export interface PlannedFor {
  readonly standing: readonly StandingGame[]
  /** other spellings of keys: they are no keys of games */
  readonly aliases: readonly string[]
  /** the currencies that two sources of rates agree on, in satoshis per unit */
  readonly currencies: ReadonlyMap<string, bigint>
  /** number of partner charities */
  readonly partners: number
  /** the site's own paper and ink; null for the product's */
  readonly colors: SiteColors | null
  /** when the changes are announced, in epoch seconds */
  readonly nowAt: number
}

/** Where a version begins among the draws of its game. */
export interface VersionDraws {
  /** the first draw of the version; null if it has none: the game retires */
  readonly firstDraw: { readonly number: number; readonly startAt: number } | null
  /** number of the last draw before it; null if there is none */
  readonly lastBefore: number | null
}

/**
 * The earliest start that a new version of a game may apply to, in epoch seconds: one second after the schedule of the
 * newest opened draw and, for a game that has been announced before, a week after the announcement.
 */
export function earliestFrom(
  game: (Pick<StandingGame, 'lastOpened'> & { readonly versions: readonly unknown[] }) | null,
  announcedAt: number,
): number {
  if (game === null) return announcedAt
  const notice = game.versions.length === 0 ? 0 : RULES_NOTICE_SECONDS
  return Math.max(announcedAt + notice, (game.lastOpened?.scheduledAt ?? 0) + 1)
}

/**
 * The first draw of a game that a version from a moment would have, and the last before it.
 *
 * @param fromAt epoch seconds
 */
export function firstDrawFrom(
  game: StandingGame | null,
  rules: GameRules,
  fromAt: number,
  nowAt: number,
): VersionDraws {
  const version = nextVersion(game)
  const versions = [...(game?.versions ?? []), { ...rules, version, fromAt }]
  let number = game?.lastOpened?.number ?? 0
  for (const draw of drawsOfVersions(versions, game?.lastOpened?.scheduledAt ?? nowAt, game?.extraStartAt ?? null)) {
    if (draw.closesAt <= nowAt) continue
    if (draw.version === version) {
      return {
        firstDraw: { number: number + 1, startAt: draw.startAt },
        lastBefore: number === 0 ? null : number,
      }
    }
    number += 1
  }
  return { firstDraw: null, lastBefore: number === 0 ? null : number }
}

/** The number of the version that a game is announced with next. */
export function nextVersion(game: Pick<StandingGame, 'versions'> | null): number {
  return Math.max(0, ...(game?.versions ?? []).map(({ version }) => version)) + 1
}

/** Whether a game stays active once a file applies. */
export function staysActive(key: string, file: readonly FileGame[], standing: readonly StandingGame[]): boolean {
  const state = standing.find(({ traits }) => traits.key === key)?.state
  if (state !== undefined && state !== 'active') return false
  const listed = file.find(({ traits }) => traits.key === key)
  return listed === undefined ? state === 'active' : listed.retire === null
}

/** Whether the money of a retired game goes to the partners. */
export function isIntoPartners(into: string): boolean {
  return into === INTO_PARTNERS
}
