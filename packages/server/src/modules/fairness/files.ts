import { asciiBytes } from '@fairball/domain/protocol/bytes'
import { PLAYS_FILE_LEAVES, TILE_WIDTH } from '@fairball/domain/protocol/numbers'
import { entriesPath, type Tile, tilePath, writeEntries } from '@fairball/domain/protocol/tiles'
import type { Queries } from '../../db/pool.ts'
import * as queries from './file-queries.ts'
import { newestCheckpoint } from './in-force.ts'
import * as logQueries from './queries.ts'
import { sealOf } from './seals.ts'
import { textOf } from './texts.ts'
import { LOG_TREE, PAID_TREE, playsTree, tileBytes } from './trees.ts'

/** The files of the log (docs/fairness.md, section 3), made from the database on request. */

/** A file as it is served. */
interface ServedFile {
  readonly body: Uint8Array | string
  readonly type: string
  /** it may be cached for good; others only for a moment */
  readonly isImmutable: boolean
}

const TEXT = 'text/plain; charset=utf-8'
const OCTETS = 'application/octet-stream'
const JSON_TYPE = 'application/json'

const NAMED_TEXT = /^text\/([0-9a-f]{64})$/
const SEAL = /^seal\/([0-9a-f]{64})$/
const OF_DRAW = /^draw\/([0-9a-f]{64})\/(.+)$/
const PLAYS = /^plays\/(0|[1-9][0-9]{0,8})$/
const OF_PAID = /^paid\/(.+)$/
const TILE = /^tile\/(entries|[0-9]{1,2})\/((?:x[0-9]{3}\/){0,4}[0-9]{3})(?:\.p\/([0-9]{1,3}))?$/
/** No tree has more levels of tiles: sizes are below 2^53. */
const LAST_LEVEL = 6

/** A tile, or a bundle of entries, as a path names it. */
interface TilePath extends Tile {
  readonly isEntries: boolean
}

/** The file at a path below `/fairball/`; null if it does not exist, or not yet. */
export async function fileAt(from: Queries, path: string): Promise<ServedFile | null> {
  if (path === 'checkpoint') return momentary(await newestCheckpoint(from))
  const text = NAMED_TEXT.exec(path)?.[1]
  if (text !== undefined) return lasting(await textOf(from, text), TEXT)
  const sealed = SEAL.exec(path)?.[1]
  if (sealed !== undefined) return await sealFile(from, sealed)
  const [, openHash, ofDraw] = OF_DRAW.exec(path) ?? []
  if (openHash !== undefined && ofDraw !== undefined) return await drawFile(from, openHash, ofDraw)
  const ofPaid = OF_PAID.exec(path)?.[1]
  const tile = readTilePath(ofPaid ?? path)
  if (tile === null) return null
  // Leaves are never served: only the payee may know who received a payment.
  if (tile.isEntries) return ofPaid === undefined ? lasting(await logEntries(from, tile), OCTETS) : null
  return lasting(await tileBytes(from, ofPaid === undefined ? LOG_TREE : PAID_TREE, tile), OCTETS)
}

async function drawFile(from: Queries, openHash: string, name: string): Promise<ServedFile | null> {
  const tile = readTilePath(name)
  if (tile?.isEntries === true)
    return lasting(await playEntries(from, openHash, tile.index * TILE_WIDTH, tile.width), OCTETS)
  if (tile !== null) return lasting(await tileBytes(from, playsTree(openHash), tile), OCTETS)
  const file = PLAYS.exec(name)?.[1]
  if (file !== undefined)
    return lasting(await playEntries(from, openHash, Number(file) * PLAYS_FILE_LEAVES, PLAYS_FILE_LEAVES), OCTETS)
  if (name !== 'revoked' && name !== 'sections' && name !== 'beacon') return null
  const draw = await from.maybeOne(queries.findDrawFiles, [openHash])
  if (draw === null) return null
  if (name === 'revoked') return lasting(draw.isClosed ? draw.revoked : null, OCTETS)
  if (!draw.hasResult) return null
  if (name === 'sections') return lasting(draw.sections, OCTETS)
  return lasting(draw.round === null ? null : `${draw.round} ${draw.signature}\n`, TEXT)
}

async function sealFile(from: Queries, hash: string): Promise<ServedFile | null> {
  const found = await sealOf(from, hash)
  return found && { body: JSON.stringify(found.seal), type: JSON_TYPE, isImmutable: found.isFinal }
}

async function logEntries(from: Queries, { index, width }: Tile): Promise<Uint8Array | null> {
  const first = index * TILE_WIDTH
  const rows = await from.run(logQueries.listStatements, [first, first + width])
  return rows.length === width ? writeEntries(rows.map(({ text }) => asciiBytes(text))) : null
}

/** So many entries of a draw's plays, from `first` on; null if there are fewer, or it still sells. */
async function playEntries(from: Queries, openHash: string, first: number, count: number): Promise<Uint8Array | null> {
  const rows = await from.run(queries.listPlayLeaves, [openHash, first, count])
  return rows.length === count ? writeEntries(rows.map(({ leaf }) => leaf)) : null
}

/** Reads the path of a tile or bundle; null for any other spelling (C2SP tlog-tiles). */
function readTilePath(path: string): TilePath | null {
  const [, level, place, partial] = TILE.exec(path) ?? []
  if (level === undefined || place === undefined) return null
  const isEntries = level === 'entries'
  const index = Number(place.replaceAll(/[x/]/g, ''))
  const tile = {
    level: isEntries ? 0 : Number(level),
    index,
    width: partial === undefined ? TILE_WIDTH : Number(partial),
  }
  const isOne = tile.width >= 1 && tile.width <= TILE_WIDTH && tile.level <= LAST_LEVEL && Number.isSafeInteger(index)
  return isOne && (isEntries ? entriesPath(tile) : tilePath(tile)) === path ? { ...tile, isEntries } : null
}

function lasting(body: Uint8Array | string | null, type: string): ServedFile | null {
  return body === null ? null : { body, type, isImmutable: true }
}

function momentary(body: string | null): ServedFile | null {
  return body === null ? null : { body, type: TEXT, isImmutable: false }
}
