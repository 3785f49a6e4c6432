import type { ConsoleAnswerOf } from '@fairball/contract/console/call'
import type { readCalls } from '@fairball/contract/console/read'
import { CURRENCIES } from '@fairball/domain/fiat'
import { rulesFromJson } from '@fairball/domain/game-json'
import type { GameRules } from '@fairball/domain/games'
import { LotteryError } from '@fairball/domain/errors'
import { estimatedJackpot, reserveOfDraw } from '@fairball/domain/jackpot'
import { minorText } from '@fairball/domain/minor-text'
import type { Queries } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import { type Funds, readFunds } from './read-bankroll.ts'
import { gamesFile } from './read-games-file.ts'
import * as queries from './read-games-queries.ts'
import { gameNames } from './read-parts.ts'
import { pausesOf } from './read-overview.ts'

type GamesAnswer = ConsoleAnswerOf<typeof readCalls.listGames>
type GameAnswer = GamesAnswer['results'][number]
type VersionAnswer = NonNullable<GameAnswer['coming']>
type GameRow = RowOf<typeof queries.listGames>

/** A version with its rules. */
interface Version extends Omit<RowOf<typeof queries.listVersions>, 'rules'> {
  readonly rules: GameRules
}

/** All games: what is sold, paused and coming. @param now epoch seconds */
export async function gamesPage(from: Queries, now: number): Promise<GamesAnswer> {
  const nameOf = await gameNames(from)
  const [games, versions, pauses, pools, rates, funds] = await Promise.all([
    from.run(queries.listGames, []),
    from.run(queries.listVersions, []),
    pausesOf(from, nameOf, now),
    from.run(queries.listPools, []),
    from.run(queries.listRates, [CURRENCIES.map(({ code }) => code), now]),
    readFunds(from, now),
  ])
  const read = versions.map(({ rules, ...version }): Version => ({ ...version, rules: rulesFromJson(rules) }))
  const pauseOf = (key: string) => {
    const pause = pauses.find(({ game }) => game === key)
    return pause === undefined ? null : { note: pause.note, since: pause.since }
  }
  const results = games.map((game): GameAnswer => {
    const own = read.filter(({ gameKey }) => gameKey === game.key)
    const inForce = own.find(({ fromAt, rules }) => fromAt <= now && rules.drawTimes.length > 0) ?? own.at(-1)
    const coming = own.filter(({ fromAt, version }) => fromAt > now && version > (inForce?.version ?? 0)).at(-1)
    const rate = rates.find(({ currency }) => currency === inForce?.rules.currency)?.satsPerUnit
    const poolSats = pools.find(({ subject }) => subject === game.key)?.sats ?? 0n
    return {
      key: game.key,
      name: game.name,
      state: game.state === 'active' && game.nextNumber !== null ? 'open' : game.state,
      paused: pauseOf(game.key),
      price: inForce === undefined ? '' : minorText(inForce.rules.priceMinor, inForce.rules.currency),
      jackpot_sats: String(jackpotOf({ game, rules: inForce?.rules, rate, poolSats, funds })),
      next_draw:
        game.nextNumber === null || game.nextClosesAt === null
          ? null
          : { number: game.nextNumber, closes_at: game.nextClosesAt },
      coming: coming === undefined ? null : versionAnswer(coming, own, false),
    }
  })
  return { paused: pauseOf('all'), results }
}

/** One game with its versions, newest first, and the games file. @throws LotteryError NOT_FOUND */
export async function gamePage(
  from: Queries,
  keyOrAlias: string,
  now: number,
): Promise<ConsoleAnswerOf<typeof readCalls.getGame>> {
  const [{ key }, { results }] = await Promise.all([from.one(queries.findGameKey, [keyOrAlias]), gamesPage(from, now)])
  const game = results.find((one) => one.key === key)
  if (game === undefined) throw new LotteryError('NOT_FOUND')
  const [versions, carried, file] = await Promise.all([
    from.run(queries.listVersions, []),
    from.run(queries.listCarriedVersions, [key]),
    gamesFile(from),
  ])
  const own = versions
    .filter(({ gameKey }) => gameKey === key)
    .map(({ rules, ...version }): Version => ({ ...version, rules: rulesFromJson(rules) }))
  const isCarried = (version: number) => carried.some((one) => one.version === version)
  return { ...game, versions: own.map((one) => versionAnswer(one, own, isCarried(one.version))), file }
}

/** The jackpot of the next draw, as the site advertises it. */
function jackpotOf(state: {
  readonly game: GameRow
  readonly rules: GameRules | undefined
  readonly rate: bigint | undefined
  readonly poolSats: bigint
  readonly funds: Funds
}): bigint {
  const { game, rules, rate, poolSats, funds } = state
  if (rules === undefined || rate === undefined) return poolSats
  const { floorSats } = reserveOfDraw({
    guaranteedMinor: game.nextGuaranteedMinor ?? 0n,
    coverMinor: 0n,
    satsPerUnit: rate,
    freeBankrollSats: funds.freeSats > 0n ? funds.freeSats : 0n,
  })
  return estimatedJackpot({
    game: rules,
    poolSats,
    stakeSats: game.nextStakeSats ?? 0n,
    entries: game.nextLines ?? 0,
    floorSats,
    satsPerUnit: rate,
  })
}

/** @param all every version of its game, newest first */
function versionAnswer(one: Version, all: readonly Version[], isCarried: boolean): VersionAnswer {
  const before = all.find(({ version }) => version < one.version)
  return {
    version: one.version,
    from_at: one.fromAt,
    announced_at: one.announcedAt,
    changes: one.kinds.map((kind) => changeOf(kind, one.rules, before?.rules)),
    reason: one.reason,
    by: one.actor,
    is_carried: isCarried,
  }
}

const CHANGES: Readonly<Record<string, string>> = {
  new: 'The game is new.',
  retire: 'The game retires.',
  'prizes-up': 'Prizes rise.',
  'prizes-down': 'Prizes fall.',
  split: 'Stakes are split in another way.',
  limits: 'The most entries of one player in a draw change.',
  schedule: 'The times of its draws change.',
  closing: 'Sales close at another time before a draw.',
  horizon: 'Orders reach another number of weeks ahead.',
}

function changeOf(kind: string, after: GameRules, before: GameRules | undefined): string {
  const moved = (what: string, one: number | undefined, other: number): string => {
    const now = minorText(other, after.currency)
    if (one === undefined || before === undefined) return `${what}: ${now}.`
    return `${what}: ${now}, before ${minorText(one, before.currency)}.`
  }
  if (kind.startsWith('price-')) return moved('The price of a line', before?.priceMinor, after.priceMinor)
  if (kind.startsWith('floor-')) return moved('The guaranteed jackpot', before?.guaranteedMinor, after.guaranteedMinor)
  if (kind.startsWith('cover-')) return moved('The cover of fixed prizes', before?.coverMinor, after.coverMinor)
  return CHANGES[kind] ?? `Changed: ${kind}.`
}
