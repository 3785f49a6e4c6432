import { LotteryError } from '@fairball/domain/errors'
import { compareBytes, fromHex, toHex } from '@fairball/domain/fairness/bytes'
import { ENTRY_KIND, entryId } from '@fairball/domain/fairness/entry'
import { signNote } from '@fairball/domain/fairness/signed-note'
import { statementText } from '@fairball/domain/fairness/statements'
import { maskNumbers } from '@fairball/domain/lines'
import type { Db } from '../../db/pool.ts'
import { hashEntries, leafOf } from './entries.ts'
import { LEAVES_A_BLOCK, proofsFrom } from './entry-tree.ts'
import type { Operator } from './keys.ts'
import { NODE_HASH } from './node-hash.ts'
import * as queries from './queries.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** A draw whose entries are sealed. */
interface SealedDraw {
  readonly id: bigint
  /** 32 bytes */
  readonly openHash: Uint8Array
  readonly entries: number
}

/** What players hold against the operator: signed receipts, and proofs of inclusion (fairness section 6). */
export function createReceipts({ db, operator }: { readonly db: Db; readonly operator: Operator }) {
  /**
   * A player's proof for one play: the signed receipt, and after the close where each entry is in the sealed list.
   *
   * @throws LotteryError NOT_FOUND for an unknown play, and for another's
   */
  async function receiptOf(playId: string, playerId: bigint) {
    const play = UUID.test(playId) ? await db.maybeOne(queries.findPlay, [playId, playerId]) : null
    if (play === null) throw new LotteryError('NOT_FOUND', 'No such play.')
    const openHash = fromHex(play.open_hash)
    const entries = play.masks.map((mask, place) => ({
      id: toHex(entryId(play.secret, openHash, place, NODE_HASH)),
      kind: place < play.free_count ? ENTRY_KIND.free : ENTRY_KIND.paid,
      numbers: maskNumbers(mask),
    }))
    const text = statementText({
      type: 'receipt',
      operator: operator.name,
      time: play.receipt_at,
      open: play.open_hash,
      order: play.order_id,
      player: play.username,
      secret: toHex(play.secret),
      entries,
    })
    const { secretSeed } = await operator.keyInForce(db)
    const receipt = signNote(text, { name: operator.name, secretSeed })
    if (play.close_hash === null || play.entries === null) return { receipt, close: null, entries: [] }
    const { note } = await db.one(queries.findNote, [play.close_hash])
    const draw = { id: play.draw_id, openHash, entries: play.entries }
    const ids = entries.map((entry) => entry.id)
    return { receipt, close: note, entries: await inclusionOf(draw, ids) }
  }

  /** Where entries are in the sealed list of their draw, with the sibling hashes that lead to its root. */
  async function inclusionOf(draw: SealedDraw, ids: readonly string[]) {
    const blocks = await blocksOf(draw)
    const proofsOf = proofsFrom(blocks.map((block) => block.root))
    const proofs = new Map<string, { index: number; path: Uint8Array[] }>()
    const wantedByBlock = Map.groupBy(ids, (id) => placeOfBlock(blocks, fromHex(id)))
    for (const [place, wanted] of wantedByBlock) {
      const first = blocks[place]
      if (first === undefined) break // an id before every entry: told below, as any that is not in the list
      const rows = await db.run(queries.findEntriesFrom, [draw.id, first.first_id, BigInt(LEAVES_A_BLOCK)])
      const proofAt = proofsOf(
        place,
        rows.map((row) => leafOf(row, draw.openHash)),
      )
      const indexes = new Map(rows.map((row, index) => [toHex(row.entry_id), index]))
      for (const id of wanted) {
        const index = indexes.get(id)
        if (index !== undefined) proofs.set(id, proofAt(index))
      }
    }
    return ids.map((id) => {
      const proof = proofs.get(id)
      if (proof === undefined) throw new Error(`an entry of a sealed draw is not in its list: ${id}`)
      return { id, index: proof.index, size: draw.entries, path: proof.path.map(toHex) }
    })
  }

  /** The blocks of a sealed draw. One that was sealed before blocks were kept gets them now. */
  async function blocksOf(draw: SealedDraw) {
    const blocks = await db.run(queries.findBlocks, [draw.id])
    if (blocks.length > 0 || draw.entries === 0) return blocks
    await db.transaction((tx) => hashEntries(tx, draw.id, draw.openHash))
    return await db.run(queries.findBlocks, [draw.id])
  }

  return { receiptOf }
}

/** Which block an id is in if it is there: the last one that begins with it or before it; −1 before all. */
function placeOfBlock(blocks: readonly { readonly first_id: Uint8Array }[], id: Uint8Array): number {
  return blocks.findLastIndex((block) => compareBytes(block.first_id, id) <= 0)
}
