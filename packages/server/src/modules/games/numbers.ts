import { LotteryError } from '@fairball/domain/errors'
import type { GameRules } from '@fairball/domain/games'
import { checkLine, lineMask, maskNumbers } from '@fairball/domain/lines'
import type { Queries, Tx } from '../../db/pool.ts'
import {
  deleteSavedNumbers,
  exportSavedNumbers,
  findLastPlayedNumbers,
  findSavedNumbers,
  removeSavedNumbers,
  saveNumbers,
} from './queries.ts'
import type { GamesContext } from './service.ts'
import { gameNamed, versionsOf } from '../catalogue/service.ts'

/** Maximum number of fields in an error, as in the contract. */
const MAX_FIELDS = 50

/** The lines the player has saved, each ascending. @throws LotteryError NOT_FOUND */
export async function savedNumbers(
  ctx: Pick<GamesContext, 'db'>,
  playerId: bigint,
  gameKey: string,
): Promise<number[][]> {
  const row = await ctx.db.maybeOne(findSavedNumbers, [playerId, (await gameNamed(ctx.db, gameKey)).key])
  return linesOf(row?.masks ?? [])
}

/**
 * Replaces the lines saved before.
 *
 * @throws LotteryError NOT_FOUND, or INVALID_PAYLOAD with a field for each line that does not fit the game
 */
export async function replaceSavedNumbers(
  ctx: Pick<GamesContext, 'db'>,
  playerId: bigint,
  gameKey: string,
  lines: readonly (readonly number[])[],
): Promise<number[][]> {
  const game = await gameNamed(ctx.db, gameKey)
  assertLines(lines, await lineShape(ctx.db, game.key))
  // A column of 64 bits has a sign: the number 64 is its sign bit.
  const masks = lines.map((line) => BigInt.asIntN(64, lineMask(line)))
  await ctx.db.execute(saveNumbers, [playerId, game.key, masks])
  return linesOf(masks)
}

/** Deletes the saved lines. Idempotent. @throws LotteryError NOT_FOUND */
export async function removeNumbers(ctx: Pick<GamesContext, 'db'>, playerId: bigint, gameKey: string): Promise<void> {
  await ctx.db.execute(deleteSavedNumbers, [playerId, (await gameNamed(ctx.db, gameKey)).key])
}

/** The lines of the order of this game that was paid last. @throws LotteryError NOT_FOUND */
export async function lastPlayedNumbers(
  ctx: Pick<GamesContext, 'db'>,
  playerId: bigint,
  gameKey: string,
): Promise<number[][]> {
  const rows = await ctx.db.run(findLastPlayedNumbers, [playerId, (await gameNamed(ctx.db, gameKey)).key])
  return linesOf(rows.flatMap((row) => row.masks))
}

/** The saved lines of every game, for the personal data export. */
export async function savedNumbersOf(ctx: Pick<GamesContext, 'db'>, playerId: bigint) {
  const rows = await ctx.db.run(exportSavedNumbers, [playerId])
  return rows.map(({ gameKey, masks }) => ({ game_key: gameKey, lines: linesOf(masks) }))
}

/** Deletes the saved lines of every game. @returns for how many games there were some */
export async function forgetSavedNumbersOf(tx: Tx, playerId: bigint): Promise<number> {
  return await tx.execute(removeSavedNumbers, [playerId])
}

/** How many numbers a line has, out of how many: fixed for a game's life. */
type LineShape = Pick<GameRules, 'pick' | 'pool'>

/** The shape of a game's lines. @throws LotteryError NOT_FOUND for a game that was never announced */
export async function lineShape(from: Queries, gameKey: string): Promise<LineShape> {
  const [newest] = await versionsOf(from, gameKey)
  if (newest === undefined) throw new LotteryError('NOT_FOUND', 'No such game.')
  return newest.rules
}

/**
 * Checks lines against a game: distinct numbers of its pool, as many as it draws.
 *
 * @throws LotteryError INVALID_PAYLOAD with a field like `lines.3` for each invalid line
 */
export function assertLines(lines: readonly (readonly number[])[], game: LineShape): void {
  const fields: Record<string, string> = {}
  for (const [index, line] of lines.entries()) {
    const complaint = checkLine(line, game)
    if (complaint !== null) fields[`lines.${index}`] = complaint
    if (Object.keys(fields).length === MAX_FIELDS) break
  }
  if (Object.keys(fields).length > 0) throw new LotteryError('INVALID_PAYLOAD', undefined, { fields })
}

/** Stored masks as lines of ascending numbers. */
export function linesOf(masks: readonly bigint[]): number[][] {
  return masks.map((mask) => maskNumbers(mask))
}
