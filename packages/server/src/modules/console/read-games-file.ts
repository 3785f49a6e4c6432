import { rulesFromJson } from '@fairball/domain/game-json'
import { CURRENCIES } from '@fairball/domain/fiat'
import { writeGamesFile } from '@fairball/domain/games-file'
import type { StandingGame } from '@fairball/domain/standing-games'
import type { ConsoleAnswerOf } from '@fairball/contract/console/call'
import type { readCalls } from '@fairball/contract/console/read'
import type { Queries } from '../../db/pool.ts'
import { fileOf, previewGames } from '../games/service.ts'
import { findSetting } from './kinds/payout-queries.ts'
import { readFunds } from './read-bankroll.ts'
import * as queries from './read-games-queries.ts'

/** Every game that was announced, as it was announced last, in the order of display. */
async function standingGames(from: Queries): Promise<StandingGame[]> {
  const [games, versions, draws] = await Promise.all([
    from.run(queries.listGames, []),
    from.run(queries.listVersions, []),
    from.run(queries.listOpenDraws, []),
  ])
  return games.flatMap((game): StandingGame[] => {
    const { key, name, accent, pattern, summary, state, position, weeksAhead, lastNumber, lastScheduledAt } = game
    const own = versions
      .filter(({ gameKey }) => gameKey === key)
      .map(({ version, fromAt, rules }) => ({ version, fromAt, rules: rulesFromJson(rules) }))
    const newest = own.find(({ rules }) => rules.drawTimes.length > 0)
    if (newest === undefined) return []
    return [
      {
        traits: { key, name, accent, pattern, summary },
        state,
        position,
        rules: { ...newest.rules, weeksAhead },
        retiresInto: game.retiresInto,
        versions: own.toReversed().map(({ version, fromAt, rules: { drawTimes, closesBeforeSeconds, pick } }) => {
          return { version, fromAt, drawTimes, closesBeforeSeconds, pick }
        }),
        extraStartAt: game.extraStartAt,
        lastOpened:
          lastNumber === null || lastScheduledAt === null ? null : { number: lastNumber, scheduledAt: lastScheduledAt },
        openDraws: draws
          .filter(({ gameKey }) => gameKey === key)
          .map(({ number, priceMinor }) => ({ number, priceMinor: Number(priceMinor) })),
      },
    ]
  })
}

/** The games file as it is now, to edit and to apply. */
export async function gamesFile(from: Queries): Promise<string> {
  return writeGamesFile(fileOf(await standingGames(from)))
}

/** What a games file would change, in the words of the operator's command. Nothing is stored. @param now epoch seconds */
export async function previewOf(
  from: Queries,
  file: string,
  now: number,
): Promise<ConsoleAnswerOf<typeof readCalls.previewGames>> {
  const codes = CURRENCIES.map(({ code }) => code)
  const [standing, aliases, rates, quoted, funds, colors, partners] = await Promise.all([
    standingGames(from),
    from.run(queries.listAliases, []),
    from.run(queries.listRates, [codes, now]),
    from.run(queries.listQuotedRates, [now]),
    readFunds(from, now),
    from.maybeOne(findSetting, ['site.colors', now]),
    from.maybeOne(findSetting, ['partners', now]),
  ])
  const byCurrency = (rows: readonly { readonly currency: string; readonly satsPerUnit: bigint }[]) =>
    new Map(rows.map(({ currency, satsPerUnit }) => [currency, satsPerUnit]))
  const { lines, problems } = previewGames(
    file,
    {
      standing,
      aliases: aliases.map(({ alias }) => alias),
      currencies: byCurrency(quoted),
      rates: byCurrency(rates),
      funds,
      // Partners of the content file are known to the worker alone, which checks the file again.
      site: { colors: colorsOf(colors?.value), partners: Array.isArray(partners?.value) ? partners.value.length : 1 },
    },
    now,
  )
  return { plan: [...lines], problems: problems.map(({ at, problem }) => ({ path: at, text: problem })) }
}

/** The site's own colours; their shape was checked when they were stored. */
function colorsOf(value: unknown): { readonly paper: string; readonly ink: string } | null {
  if (typeof value !== 'object' || value === null) return null
  return value as { readonly paper: string; readonly ink: string }
}
