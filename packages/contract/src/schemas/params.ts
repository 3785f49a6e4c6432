/** Parameters in a path. */
import * as z from 'zod/mini'
import { anyText } from './text.ts'

/** The key of a game. Any text is accepted: an unknown game is 404 NOT_FOUND, never a wrong shape (decisions 2). */
export const gameKey = anyText

/** The key of a game in a path. */
export const gameParams = z.object({ key: gameKey })

/** The number of a draw within its game, a text; parsed to a number. */
export const drawNumber = z.pipe(
  z.string().check(z.regex(/^[1-9][0-9]{0,8}$/, 'Must be the number of a draw, a positive whole number.')),
  z.transform(Number),
)

/** The key of a game and the number of one of its draws. */
export const drawParams = z.object({ key: gameKey, number: drawNumber })

/** The id of a row. Any text is accepted: an unknown id, or one of another player, is 404 NOT_FOUND. */
export const rowId = anyText

/** A version of a text; without one the version in force. An unknown number is 404 NOT_FOUND. */
export const versionQuery = z.object({ version: z.optional(anyText) })
