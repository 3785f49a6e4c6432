import { toHex, utf8Bytes } from '@fairball/domain/protocol/bytes'
import { nobleHash } from '@fairball/domain/protocol/hash'
import type { StandingGame } from '@fairball/domain/standing-games'
import type { Queries } from '../../db/pool.ts'
import { listDeskGames, listOpenDraws } from './desk-queries.ts'
import { allVersions, type GameVersion, type StoredGame, storedGames } from '../catalogue/service.ts'

/** Every game that was announced, as it was announced last, in the order of display. */
export async function standingGames(from: Queries): Promise<StandingGame[]> {
  const versions = await allVersions(from)
  const rows = new Map((await from.run(listDeskGames, [])).map((row) => [row.key, row]))
  const open = Map.groupBy(await from.run(listOpenDraws, []), ({ gameKey }) => gameKey)
  return (await storedGames(from)).flatMap((game): StandingGame[] => {
    const announced = versions.get(game.key) ?? []
    const newest = announced.find(({ rules }) => rules.drawTimes.length > 0)
    const row = rows.get(game.key)
    if (newest === undefined || row === undefined) return []
    const { lastNumber, lastScheduledAt } = row
    const isOpened = lastNumber !== null && lastScheduledAt !== null
    return [
      {
        traits: traitsOf(game),
        state: game.state,
        position: game.position,
        rules: { ...newest.rules, weeksAhead: game.weeksAhead },
        retiresInto: game.retiresInto,
        versions: announced.toReversed().map(calendarOf),
        extraStartAt: row.extraStartAt,
        lastOpened: isOpened ? { number: lastNumber, scheduledAt: lastScheduledAt } : null,
        openDraws: (open.get(game.key) ?? []).map(({ number, priceMinor }) => ({
          number,
          priceMinor: Number(priceMinor),
        })),
      },
    ]
  })
}

/** A hash that changes with whatever is announced or shown of a game, and not as draws open and close. */
export function baseHashOf(games: readonly StandingGame[]): string {
  const announced = games.map(({ lastOpened: _lastOpened, openDraws: _openDraws, ...game }) => game)
  return toHex(nobleHash(utf8Bytes(JSON.stringify(announced))))
}

function traitsOf({ key, name, accent, pattern, summary }: StoredGame): StandingGame['traits'] {
  return { key, name, accent, pattern, summary }
}

function calendarOf({ version, fromAt, rules }: GameVersion): StandingGame['versions'][number] {
  const { drawTimes, closesBeforeSeconds, pick } = rules
  return { version, fromAt, drawTimes, closesBeforeSeconds, pick }
}
