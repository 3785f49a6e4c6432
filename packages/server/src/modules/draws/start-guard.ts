import type { GameRules } from '@fairball/domain/games'
import { readRules, writeRules } from '@fairball/domain/protocol/rules'
import type { Db } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import { donationPool, feeReserve, prizePool, stakesHeld } from '../ledger/accounts.ts'
import { balanceOf } from '../ledger/service.ts'
import type { DrawsContext } from './context.ts'
import * as queries from './queries.ts'
import { rulesOf } from './rules.ts'

/**
 * The games of this program do not fit those of its database, so nothing was started. The message says why and what to
 * do.
 */
export class GamesChanged extends Error {
  override readonly name = 'GamesChanged'
}

type OpenDraw = RowOf<typeof queries.listAnnouncedRules>

/**
 * Compares the games of this program with what was announced and what is owed. Open draws are sold and settled by the
 * rules they were opened with, and what a game owes needs the game. Only reads.
 *
 * @throws GamesChanged if a game of an open draw has other rules now, or is gone with draws or money left
 */
export async function assertGamesFit({ db, games }: Pick<DrawsContext, 'db' | 'games'>): Promise<void> {
  const known = new Map<string, GameRules>(games.map((game) => [game.key, game]))
  const changes = changesOf(await db.run(queries.listAnnouncedRules, []), known)
  const remains = await remainsOf(db, known)
  if (changes.length + remains.length === 0) return
  const parts = ['The games of this program do not fit its database. Nothing was started.']
  if (changes.length > 0) {
    parts.push(
      ...changes,
      'Open draws keep the rules that were announced and sold: start with those rules. What is no part of them (name, colour) may change, and so may calendar and limits: these are announced a week before.',
    )
  }
  if (remains.length > 0) {
    parts.push(
      remains.join('\n'),
      'Start with these games. One can be taken out when its draws are finished and its pools are empty.',
    )
  }
  throw new GamesChanged(parts.join('\n\n'))
}

/**
 * How open draws' announcements differ from the present rules: a paragraph for the draws of one game that were
 * announced alike.
 */
function changesOf(openDraws: readonly OpenDraw[], known: ReadonlyMap<string, GameRules>): string[] {
  const groups = Map.groupBy(openDraws, (draw) => draw.rulesText)
  return Array.from(groups.values(), (draws) => {
    const [first] = draws
    const game = first === undefined ? undefined : known.get(first.gameKey)
    if (first === undefined || game === undefined) return ''
    // The times of draws and the limits of purchases come from an open draw's own announcement.
    const { at, closes, limit } = readRules(first.rulesText)
    const now = writeRules({ ...rulesOf(game, first.version, null), at, closes, limit })
    if (now === first.rulesText) return ''
    const lastAt = Math.max(...draws.map((draw) => draw.startAt))
    const numbers = numbersOf(draws.map((draw) => draw.number))
    return [
      `${game.name} (${game.key}), ${numbers}; the last starts at ${new Date(lastAt * 1000).toISOString()}`,
      ...differences(linesOf(first.rulesText), linesOf(now)),
    ].join('\n')
  }).filter((paragraph) => paragraph !== '')
}

/** What is left of games that this program does not have, a sentence each. */
async function remainsOf(db: Db, known: ReadonlyMap<string, unknown>): Promise<string[]> {
  const remains: string[] = []
  for (const game of await db.run(queries.listUnfinished, [])) {
    if (known.has(game.key)) continue
    const { numbers } = game
    if (numbers.length > 0) remains.push(`${game.key}: ${numbersOf(numbers)} ${verbOf(numbers)} not finished`)
    for (const accountOf of [stakesHeld, prizePool, donationPool, feeReserve]) {
      const account = accountOf(game.key)
      const sats = await balanceOf(db, account)
      if (sats !== 0n) remains.push(`${game.key}: ${sats} sats in its ${account.kind}`)
    }
  }
  return remains
}

function linesOf(rulesText: string): string[] {
  return rulesText.trimEnd().split('\n')
}

/** The lines that differ: the announced ones above the present ones. */
function differences(announced: readonly string[], compiled: readonly string[]): string[] {
  const before = new Map(announced.filter((line) => !compiled.includes(line)).map((line) => [subjectOf(line), line]))
  const now = new Map(compiled.filter((line) => !announced.includes(line)).map((line) => [subjectOf(line), line]))
  return [...new Set([...before.keys(), ...now.keys()])].flatMap((subject) => [
    `  announced:  ${before.get(subject) ?? '(no such line)'}`,
    `  now:        ${now.get(subject) ?? '(no such line)'}`,
  ])
}

/** What a line of the rules is about: its first word; for a tier, its matches too. */
function subjectOf(line: string): string {
  return /^(?:tier \d+|\S+)/.exec(line)?.[0] ?? line
}

/** @param numbers ascending, at least one */
function numbersOf(numbers: readonly number[]): string {
  const [first = 0] = numbers
  const last = numbers.at(-1) ?? first
  if (numbers.length === 1) return `draw ${first}`
  return last - first + 1 === numbers.length ? `draws ${first} to ${last}` : `draws ${numbers.join(', ')}`
}

function verbOf(list: readonly unknown[]): string {
  return list.length === 1 ? 'is' : 'are'
}
