import {
  nodeFromTile,
  partialTiles,
  type Tile,
  TileBuilder,
  tileOfNode,
  tilePath,
} from '@fairball/domain/protocol/tiles'
import { SECTION_LEAVES } from '@fairball/domain/protocol/numbers'
import {
  consistencyNodes,
  foldPeaks,
  inclusionNodes,
  peakNodes,
  proofOf,
  type TreeNode,
} from '@fairball/domain/protocol/tree'
import type { Queries, Tx } from '../../db/pool.ts'
import { NODE_HASH } from './node-hash.ts'
import { findTiles, findTileStart, putTiles } from './tree-queries.ts'

/**
 * Append-only trees, kept as tiles (docs/fairness.md, section 3): the log, the plays of each draw, payments. A tile
 * grows to 256 hashes, and nothing is hashed twice. Sizes and indexes count leaves.
 */

const HASH_BYTES = 32
/** Leaves added before the tiles they filled are written: 2 MiB of hashes in memory. */
const LEAVES_A_STEP = SECTION_LEAVES

/** Names of trees in the database. */
export const LOG_TREE = 'log'
export const PAID_TREE = 'paid'
export function playsTree(openHash: string): string {
  return `draw/${openHash}`
}

/** The head of a tree. */
interface Grown {
  readonly size: number
  /** 32 bytes */
  readonly root: Uint8Array
}

/**
 * Appends leaves to a tree. The caller holds the lock that keeps others from appending to it.
 *
 * @param size of the tree before
 * @param leafHashes 32 bytes each
 * @throws Error if the tree has grown since
 */
export async function appendToTree(
  tx: Tx,
  tree: string,
  size: number,
  leafHashes: readonly Uint8Array[],
): Promise<Grown> {
  const before = partialTiles(size)
  const known = await readTiles(tx, tree, before)
  const widths = new Map(before.map((tile) => [keyOf(tile), tile.width]))
  let full: { readonly tile: Tile; readonly bytes: Uint8Array }[] = []
  const builder = TileBuilder.resume(
    NODE_HASH,
    size,
    (tile) => startOf(known, tree, tile),
    (tile, bytes) => full.push({ tile, bytes }),
  )
  for (let at = 0; at < leafHashes.length; at += LEAVES_A_STEP) {
    for (const leaf of leafHashes.slice(at, at + LEAVES_A_STEP)) builder.addHash(leaf)
    const grown = [...full, ...builder.partial()].filter(({ tile }) => widths.get(keyOf(tile)) !== tile.width)
    await writeTiles(tx, tree, grown)
    for (const { tile } of grown) widths.set(keyOf(tile), tile.width)
    full = []
  }
  return { size: builder.size, root: builder.root() }
}

/** The root of a tree at an earlier size. */
export async function rootAt(from: Queries, tree: string, size: number): Promise<Uint8Array> {
  const nodes = peakNodes(0, size)
  const read = await nodesOf(from, tree, size, nodes)
  return foldPeaks(NODE_HASH, nodes.map(read))
}

/** The path from a leaf to the root of the tree at a size, from the leaf up. */
export async function inclusionPath(from: Queries, tree: string, index: number, size: number): Promise<Uint8Array[]> {
  return await prove(from, tree, size, inclusionNodes(index, size))
}

/** The proof that the tree at one size continues that at a smaller one, from the leaf up. */
export async function consistencyPath(
  from: Queries,
  tree: string,
  older: number,
  newer: number,
): Promise<Uint8Array[]> {
  return await prove(from, tree, newer, consistencyNodes(older, newer))
}

/** The roots of the sections of a tree at a size: 65,536 leaves each, the last one perhaps fewer. */
export async function sectionRoots(from: Queries, tree: string, size: number): Promise<Uint8Array[]> {
  const sections = Array.from({ length: Math.ceil(size / SECTION_LEAVES) }, (_, section) => {
    const start = section * SECTION_LEAVES
    return peakNodes(start, Math.min(start + SECTION_LEAVES, size))
  })
  return await prove(from, tree, size, sections)
}

/** Reads nodes of a tree: the roots of perfect subtrees. */
export async function nodesOf(
  from: Queries,
  tree: string,
  size: number,
  nodes: readonly TreeNode[],
): Promise<(node: TreeNode) => Uint8Array> {
  const tiles = new Map(nodes.map((node) => tileOfNode(node, size)).map((tile) => [keyOf(tile), tile]))
  const known = await readTiles(from, tree, [...tiles.values()])
  return (node) => nodeFromTile(NODE_HASH, node, startOf(known, tree, tileOfNode(node, size)))
}

/** The hashes of a tile, 32 bytes each; null if the tree does not have that many. */
export async function tileBytes(
  from: Queries,
  tree: string,
  { level, index, width }: Tile,
): Promise<Uint8Array | null> {
  const found = await from.maybeOne(findTileStart, [tree, level, index, width * HASH_BYTES])
  return found?.hashes ?? null
}

async function prove(
  from: Queries,
  tree: string,
  size: number,
  path: readonly (readonly TreeNode[])[],
): Promise<Uint8Array[]> {
  return proofOf(NODE_HASH, path, await nodesOf(from, tree, size, path.flat()))
}

async function readTiles(from: Queries, tree: string, tiles: readonly Tile[]): Promise<Map<string, Uint8Array>> {
  if (tiles.length === 0) return new Map()
  const levels = tiles.map(({ level }) => level)
  const rows = await from.run(findTiles, [tree, levels, tiles.map(({ index }) => index)])
  return new Map(rows.map((row) => [keyOf(row), row.hashes]))
}

async function writeTiles(tx: Tx, tree: string, tiles: readonly { readonly tile: Tile; readonly bytes: Uint8Array }[]) {
  const levels = tiles.map(({ tile }) => tile.level)
  const indexes = tiles.map(({ tile }) => tile.index)
  const bytes = tiles.map((tile) => tile.bytes)
  const written = await tx.execute(putTiles, [tree, levels, indexes, bytes])
  if (written !== tiles.length) throw new Error(`the tree ${tree} does not continue what was kept of it`)
}

/** The first hashes of a tile that was read. */
function startOf(known: ReadonlyMap<string, Uint8Array>, tree: string, tile: Tile): Uint8Array {
  const hashes = known.get(keyOf(tile))?.subarray(0, tile.width * HASH_BYTES)
  if (hashes?.length !== tile.width * HASH_BYTES) throw new Error(`the tree ${tree} lacks hashes of ${tilePath(tile)}`)
  return hashes
}

function keyOf({ level, index }: Pick<Tile, 'level' | 'index'>): string {
  return `${level}/${index}`
}
