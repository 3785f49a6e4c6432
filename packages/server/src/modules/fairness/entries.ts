import { asciiBytes, fromHex, toHex } from '@fairball/domain/fairness/bytes'
import { ENTRY_KIND, entryId, leafHash, ownerTag } from '@fairball/domain/fairness/entry'
import type { Tx } from '../../db/pool.ts'
import { BlockHasher } from './entry-tree.ts'
import { NODE_HASH } from './node-hash.ts'
import * as queries from './queries.ts'

/** Order rows read at a time; each holds at most 200 lines. Between two steps the process answers others. */
const ROWS_A_STEP = 20
/** Entries written at a time, and read at a time when the tree is built. */
const ENTRIES_A_STEP = 10_000

/**
 * Expands the plays of a draw into its entries, once, in the order of their ids, and builds the tree over them
 * (fairness.md sections 6 and 7). Everything is streamed: of the entries only one step and the roots of its blocks are in memory.
 *
 * @returns the tree's root in hex, and how many entries there are, with and without the free ones
 */
export async function expandEntries(
  tx: Tx,
  draw: { readonly id: bigint; readonly open_hash: string },
): Promise<{ root: string; entries: number; freeEntries: number }> {
  const openHash = fromHex(draw.open_hash)
  await makeEntries(tx, draw.id, openHash)
  await tx.one(queries.sealEntries, [draw.id])
  return await hashEntries(tx, draw.id, openHash)
}

async function makeEntries(tx: Tx, drawId: bigint, openHash: Uint8Array): Promise<void> {
  const made = emptyColumns()
  const flush = async (): Promise<void> => {
    if (made.masks.length === 0) return
    const { masks, playIds, lineNos, kinds, entryIds, ownerTags } = made
    await tx.execute(queries.insertEntriesBeingMade, [drawId, masks, playIds, lineNos, kinds, entryIds, ownerTags])
    Object.assign(made, emptyColumns())
  }
  let playId = ''
  let lineNo = 0
  for await (const rows of tx.stream(queries.streamPlays, [drawId], ROWS_A_STEP)) {
    for (const row of rows) {
      if (row.id !== playId) {
        playId = row.id
        lineNo = 0
      }
      const username = asciiBytes(row.username)
      for (const mask of row.masks) {
        const id = entryId(row.secret, openHash, lineNo, NODE_HASH)
        made.masks.push(mask)
        made.playIds.push(row.id)
        made.lineNos.push(lineNo)
        made.kinds.push(lineNo < row.free_count ? ENTRY_KIND.free : ENTRY_KIND.paid)
        made.entryIds.push(id)
        made.ownerTags.push(ownerTag(row.secret, openHash, id, username, NODE_HASH))
        lineNo += 1
      }
      if (made.masks.length >= ENTRIES_A_STEP) await flush()
    }
  }
  await flush()
}

function emptyColumns() {
  return {
    masks: [] as bigint[],
    playIds: [] as string[],
    lineNos: [] as number[],
    kinds: [] as number[],
    entryIds: [] as Uint8Array[],
    ownerTags: [] as Uint8Array[],
  }
}

/** Hashes the entries of a sealed draw into their tree, and keeps the roots of its blocks for proofs. */
export async function hashEntries(tx: Tx, drawId: bigint, openHash: Uint8Array) {
  const tree = new BlockHasher()
  const firstIds: Uint8Array[] = []
  let entries = 0
  let freeEntries = 0
  for await (const rows of tx.stream(queries.streamEntries, [drawId], ENTRIES_A_STEP)) {
    for (const row of rows) {
      if (tree.isAtBlock) firstIds.push(row.entry_id)
      tree.add(leafOf(row, openHash))
      entries += 1
      freeEntries += row.kind
    }
  }
  const { root, blockRoots } = tree.end()
  await tx.execute(queries.insertBlocks, [drawId, blockRoots.map((_, place) => place), firstIds, [...blockRoots]])
  return { root: toHex(root), entries, freeEntries }
}

/** The leaf of a stored entry in the tree of its draw. */
export function leafOf(
  row: {
    readonly entry_id: Uint8Array
    readonly kind: number
    readonly mask: bigint
    readonly owner_tag: Uint8Array
  },
  openHash: Uint8Array,
): Uint8Array {
  const kind = row.kind === ENTRY_KIND.free ? ENTRY_KIND.free : ENTRY_KIND.paid
  // A mask comes back from PostgreSQL as a signed number of the same 64 bits.
  const entry = { id: row.entry_id, kind, mask: BigInt.asUintN(64, row.mask), ownerTag: row.owner_tag }
  return leafHash(openHash, entry, NODE_HASH)
}
