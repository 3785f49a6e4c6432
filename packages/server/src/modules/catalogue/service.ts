import { LotteryError } from '@fairball/domain/errors'
import { rulesFromJson, type RulesJson } from '@fairball/domain/game-json'
import { type GameRules, type GameTraits, PATTERNS } from '@fairball/domain/games'
import type { Queries } from '../../db/pool.ts'
import { array, columnList, nullable, type RowOf, sql, t } from '../../db/sql.ts'

/**
 * The games of this installation and the versions of their rules, as the database has them. Nothing else says what a
 * game is.
 */

const gameRow = {
  id: t.int,
  key: t.text,
  name: t.text,
  accent: t.text,
  pattern: t.oneOf(PATTERNS),
  summary: t.text,
  position: t.int,
  state: t.oneOf(['active', 'retiring', 'retired']),
  weeksAhead: t.int,
  createdAt: t.epochSeconds,
  retiresInto: nullable(t.text),
  retiredAt: nullable(t.epochSeconds),
}
const gameColumns = columnList(gameRow)

const listGames = sql({
  name: 'games.list-stored',
  text: `select ${gameColumns} from games order by position, id`,
  row: gameRow,
})

/** The key of the game that $1 names, by key or alias. */
const keyOfName = 'coalesce((select a.game_key from game_aliases a where a.alias = $1), $1)'

const findGame = sql({
  name: 'games.find-stored',
  text: `select ${gameColumns} from games where key = ${keyOfName}`,
  params: [t.text],
  row: gameRow,
})

const listAliases = sql({
  name: 'games.list-aliases',
  text: `select alias, game_key from game_aliases order by alias`,
  row: { alias: t.text, gameKey: t.text },
})

const versionRow = {
  gameKey: t.text,
  version: t.int,
  fromAt: t.epochSeconds,
  rules: t.json<RulesJson>(),
  rulesHash: t.text,
  announcedAt: t.epochSeconds,
  kinds: array(t.text),
  statementHash: nullable(t.text),
}
const versionColumns = columnList(versionRow)

const listVersions = sql({
  name: 'games.list-versions',
  text: `select ${versionColumns} from game_versions where game_key = $1 order by version desc`,
  params: [t.text],
  row: versionRow,
})

const listAllVersions = sql({
  name: 'games.list-all-versions',
  text: `select ${versionColumns} from game_versions order by game_key, version desc`,
  row: versionRow,
})

const findOffered = sql({
  name: 'games.find-offered',
  text: `select ${gameColumns}, (select v.rules from game_versions v where v.game_key = games.key order by v.version desc limit 1) as rules
    from games where key = ${keyOfName}`,
  params: [t.text],
  row: { ...gameRow, rules: nullable(t.json<RulesJson>()) },
  serves: 'same',
})

/** A game of this installation, whatever its state. */
export type StoredGame = GameTraits & Omit<RowOf<typeof findGame>, keyof GameTraits>

/** An announced version of a game. */
export interface GameVersion extends Omit<RowOf<typeof listVersions>, 'rules'> {
  readonly rules: GameRules
}

/** Every game, in the order of display. */
export async function storedGames(from: Queries): Promise<StoredGame[]> {
  return await from.run(listGames, [])
}

/** The game that a caller named. @throws LotteryError NOT_FOUND */
export async function gameNamed(from: Queries, keyOrAlias: string): Promise<StoredGame> {
  return found(await from.maybeOne(findGame, [keyOrAlias]))
}

/** The game that a caller named, with its newest rules; null before it was announced. @throws LotteryError NOT_FOUND */
export async function gameWithRules(
  from: Queries,
  keyOrAlias: string,
): Promise<StoredGame & { readonly rules: GameRules | null }> {
  const { rules, ...game } = found(await from.maybeOne(findOffered, [keyOrAlias]))
  return { ...game, rules: rules === null ? null : rulesFromJson(rules) }
}

function found<Game>(game: Game | null): Game {
  if (game === null) throw new LotteryError('NOT_FOUND', 'No such game.')
  return game
}

/** The key that an alias stands for, by alias. */
export async function gameAliases(from: Queries): Promise<ReadonlyMap<string, string>> {
  return new Map((await from.run(listAliases, [])).map(({ alias, gameKey }) => [alias, gameKey]))
}

/** Every game, by its key and by each alias. */
export async function gamesByName(from: Queries): Promise<ReadonlyMap<string, StoredGame>> {
  const byKey = new Map((await storedGames(from)).map((game) => [game.key, game]))
  const aliases = [...(await gameAliases(from))].flatMap(([alias, key]) => {
    const game = byKey.get(key)
    return game === undefined ? [] : [[alias, game] as const]
  })
  return new Map([...aliases, ...byKey])
}

/** What was announced of a game, newest first. */
export async function versionsOf(from: Queries, gameKey: string): Promise<GameVersion[]> {
  return (await from.run(listVersions, [gameKey])).map(withRules)
}

/** What was announced of each game, newest first, by key. */
export async function allVersions(from: Queries): Promise<ReadonlyMap<string, GameVersion[]>> {
  return Map.groupBy((await from.run(listAllVersions, [])).map(withRules), ({ gameKey }) => gameKey)
}

function withRules({ rules, ...version }: RowOf<typeof listVersions>): GameVersion {
  return { ...version, rules: rulesFromJson(rules) }
}
