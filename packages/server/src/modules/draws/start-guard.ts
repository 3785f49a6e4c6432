import { textHash } from '@fairball/domain/protocol/hash'
import { readRules, type Rules } from '@fairball/domain/protocol/rules'
import type { Db } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import * as queries from './queries.ts'

/**
 * A draw that is not over differs from the version it belongs to, so nothing was started. The message names every such
 * draw.
 */
export class GamesChanged extends Error {
  override readonly name = 'GamesChanged'
}

type GuardedDraw = RowOf<typeof queries.listUnfinished>

/**
 * Compares every draw that is neither settled nor void with the version that was announced for it: nothing is sold or
 * paid by terms that nobody signed. Only reads.
 *
 * @throws GamesChanged
 */
export async function assertDrawsFit({ db }: { readonly db: Db }): Promise<void> {
  const draws = await db.run(queries.listUnfinished, [])
  const lines = draws.flatMap((draw) => {
    const faults = faultsOf(draw)
    return faults.length === 0 ? [] : [`${draw.gameKey}, draw ${draw.number}: ${faults.join('; ')}`]
  })
  if (lines.length === 0) return
  throw new GamesChanged(
    [
      'Draws differ from the version of their game that was announced. Nothing was started.',
      lines.join('\n'),
      'Restore games, versions, texts and draws as they were when these draws opened: players bought by what was signed.',
    ].join('\n\n'),
  )
}

function faultsOf(draw: GuardedDraw): string[] {
  if (draw.knownGame === null) return ['its game is missing']
  if (draw.versionHash === null) return [`version ${draw.version} of its game is missing`]
  if (draw.rulesText === null) return ['the text of its rules is missing']
  if (textHash(draw.rulesText) !== draw.rulesHash) return ['the text of its rules is not the one its hash names']
  if (draw.versionHash !== draw.rulesHash) return [`its rules are not those of version ${draw.version}`]
  return differences(draw, readRules(draw.rulesText))
}

/** What the columns of a draw say otherwise than its rules. */
function differences(draw: GuardedDraw, rules: Rules): string[] {
  const compared: readonly (readonly [what: string, stored: string, signed: string])[] = [
    ['game', draw.gameKey, rules.game],
    ['version', String(draw.version), String(rules.version)],
    ['currency', draw.currency, rules.price.currency],
    ['price', String(draw.priceMinor), String(rules.price.value)],
    ['floor', String(draw.guaranteedMinor), String(rules.floor)],
    ['cover', String(draw.coverMinor), String(rules.cover)],
    ['numbers per line', String(draw.pick), String(rules.pick)],
    ['pool', String(draw.pool), String(rules.pool)],
    ['limit of entries', String(draw.mostEntries), String(rules.limit.player)],
  ]
  return compared.flatMap(([what, stored, signed]) =>
    stored === signed ? [] : [`its ${what} is ${stored}, announced was ${signed}`],
  )
}
