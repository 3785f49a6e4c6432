import type { Queries } from '../../db/pool.ts'
import { listAuditAbout, listGameNames } from './read-parts-queries.ts'

// What several screens show in the same way.

/** Makes the name of a game from its key. */
export type GameNames = (key: string) => string

/** The names of all games; a game that there is not is called by its key. */
export async function gameNames(from: Queries): Promise<GameNames> {
  const rows = await from.run(listGameNames, [])
  const names = new Map(rows.map(({ key, name }) => [key, name]))
  return (key) => names.get(key) ?? key
}

/** A draw as screens name it. @param text its game's key and number, such as `bitcoin-hero 214` */
export function drawRef(text: string, nameOf: GameNames) {
  const [game = '', number = ''] = text.split(' ')
  return { game, game_name: nameOf(game), number: Number(number) }
}

/**
 * The newest rows of the audit log about something, newest first.
 *
 * @param kinds a regular expression of their kinds: a subject is a bare number or text
 */
export async function auditAbout(from: Queries, subjects: readonly string[], kinds: string) {
  const rows = await from.run(listAuditAbout, [[...subjects], kinds])
  return rows.map(({ id, at, kind, staffId, staffName, reason }) => ({
    id: String(id),
    at,
    kind,
    staff: staffId === null ? null : { id: String(staffId), name: staffName ?? '' },
    reason,
  }))
}

/** An id of an address as a number of the database; null for what cannot be one. */
export function idOf(text: string): bigint | null {
  return /^[1-9]\d{0,17}$/.test(text) ? BigInt(text) : null
}
