import { type ChangeKind, isVersion, kindsOfChange, reasonOfKinds } from './game-changes.ts'
import type { GameRules, GameTraits } from './games.ts'
import type { FileGame, FileProblem, ReadGames } from './games-file.ts'
import { problemsOfGames } from './games-problems.ts'
import type { StatementOf } from './protocol/statements.ts'
import {
  earliestFrom,
  firstDrawFrom,
  nextVersion,
  type PlannedFor,
  type StandingGame,
  type VersionDraws,
} from './standing-games.ts'

/** A version that a plan announces. */
interface PlannedVersion extends VersionDraws {
  readonly version: number
  readonly reason: StatementOf<'game'>['reason']
  /** the first draw start that it applies to, in epoch seconds */
  readonly fromAt: number
}

/** What changes of one game. */
export interface PlannedGame {
  readonly key: string
  readonly kinds: readonly ChangeKind[]
  /** what applies at once and without a statement */
  readonly shown: readonly ('name' | 'accent' | 'pattern' | 'summary' | 'position')[]
  readonly traits: GameTraits
  readonly position: number
  readonly rules: GameRules
  /** a game's key, or `partners`; null unless the game is to retire */
  readonly into: string | null
  /** null if nothing is announced */
  readonly version: PlannedVersion | null
}

/**
 * What a games file changes: its games that differ from what was announced last, in the file's order. Empty if nothing
 * changes.
 *
 * @returns the changes, or all problems at once: of the file alone first, then with the installation
 */
export function planGames(
  { games: file, problems: ofFile }: ReadGames,
  installation: PlannedFor,
): { readonly changes: PlannedGame[] } | { readonly problems: FileProblem[] } {
  const problems = [...ofFile, ...problemsOfGames(file, installation, ofFile)]
  if (problems.length > 0) return { problems }
  const positions = positionsOf(file, installation.standing)
  const changes = file.map((game, index) => planGame(game, positions[index] ?? index, installation))
  return { changes: changes.filter(({ kinds, shown }) => kinds.length > 0 || shown.length > 0) }
}

function planGame(game: FileGame, position: number, { standing, nowAt }: PlannedFor): PlannedGame {
  const { traits, rules } = game
  const before = standing.find((one) => one.traits.key === traits.key) ?? null
  const kinds = kindsOfGame(before, game)
  const shown = before === null ? [] : shownChanges(before, traits, position)
  const into = kinds.includes('retire') ? (game.retire?.into ?? null) : null
  const base = { key: traits.key, kinds, shown, traits, position, rules, into }
  if (!isVersion(kinds)) return { ...base, version: null }
  const fromAt = game.from ?? earliestFrom(before, nowAt)
  const announced = into === null ? rules : { ...rules, drawTimes: [] }
  const draws = firstDrawFrom(before, announced, fromAt, nowAt)
  return { ...base, version: { version: nextVersion(before), reason: reasonOfKinds(kinds), fromAt, ...draws } }
}

function kindsOfGame(before: StandingGame | null, { rules, retire }: FileGame): ChangeKind[] {
  if (retire !== null && before?.state === 'active') return ['retire']
  return kindsOfChange(before?.rules ?? null, rules)
}

function shownChanges(before: StandingGame, traits: GameTraits, position: number): PlannedGame['shown'] {
  const names = (['name', 'accent', 'pattern', 'summary'] as const).filter(
    (trait) => before.traits[trait] !== traits[trait],
  )
  return before.position === position ? names : [...names, 'position']
}

/** The games of the file take, in its order, the places that they have among all games; new ones add places at the end. */
function positionsOf(file: readonly FileGame[], standing: readonly StandingGame[]): number[] {
  const keys = new Set(file.map(({ traits }) => traits.key))
  const taken = standing.filter(({ traits }) => keys.has(traits.key)).map(({ position }) => position)
  const next = Math.max(-1, ...standing.map(({ position }) => position)) + 1
  const added = Array.from({ length: file.length - taken.length }, (_, index) => next + index)
  return [...taken, ...added].sort((one, other) => one - other)
}
