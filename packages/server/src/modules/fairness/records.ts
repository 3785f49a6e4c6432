import { LotteryError } from '@fairball/domain/errors'
import { ENTRY_ID_BYTES, ENTRY_RECORD_BYTES } from '@fairball/domain/fairness/entry'
import { canonicalGameKey } from '@fairball/domain/games'
import type { Db } from '../../db/pool.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import * as queries from './queries.ts'
import type { createWitnesses } from './witnesses.ts'

/** Published entries read at a time: 456 KiB. */
const ENTRIES_A_CHUNK = 8192n

/** What the public has of one draw: notes, witnesses, beacon, entries (fairness section 10). */
export function createRecords(deps: {
  readonly db: Db
  readonly runtime: Pick<Runtime, 'clock'>
  readonly witnesses: Pick<ReturnType<typeof createWitnesses>, 'linesOver'>
}) {
  const { db, runtime, witnesses } = deps

  /**
   * The signed notes about a draw so far in the order of the log, the lines of witnesses over its close in force, and its
   * round's signature once numbers may be known.
   *
   * @returns `isFinal` when nothing of it will change any more
   */
  async function recordWithEnd(gameKey: string, number: number) {
    // The draw first: what is read after it is at least as new as what it says.
    const draw = await db.maybeOne(queries.findRecordedDraw, [gameKey, number])
    if (draw === null) return { record: { notes: [], witnesses: [], beacon: null }, isFinal: false }
    const isFinal = draw.status === 'settled' || draw.status === 'void'
    const notes = await db.run(queries.findNotesOfDraw, [draw.open_hash])
    const drawn = await db.maybeOne(queries.findShownRound, [gameKey, number, runtime.clock.now()])
    const record = {
      notes: notes.map((row) => row.note),
      witnesses: draw.close_hash === null ? [] : await witnesses.linesOver(db, draw.close_hash),
      beacon: drawn === null ? null : { round: Number(drawn.round), signature: drawn.signature },
    }
    return { record, isFinal }
  }

  return {
    /** The record of a draw as its page shows it; empty for one that is not known. */
    recordOf: async (gameKey: string, number: number) => (await recordWithEnd(gameKey, number)).record,

    /** The record of a draw that has been opened. @throws LotteryError NOT_FOUND */
    async openedRecordOf(gameKey: string, number: number) {
      const found = await recordWithEnd(canonicalGameKey(gameKey), number)
      if (found.record.notes.length === 0) throw new LotteryError('NOT_FOUND', 'No such draw.')
      return found
    },

    /**
     * The published entries of a draw, in the order of its tree (fairness section 7).
     *
     * @returns its tree's root, how many bytes there are, and what gives them some at a time
     * @throws LotteryError NOT_FOUND for an unknown draw, and before the close
     */
    async entriesOf(gameKey: string, number: number) {
      const draw = await db.maybeOne(queries.findRecordedDraw, [canonicalGameKey(gameKey), number])
      if (draw?.close_hash == null || draw.entries === null || draw.root === null)
        throw new LotteryError('NOT_FOUND', 'No such draw, or its entries are not sealed yet.')
      const { id, root, entries } = draw
      return { root, bytes: entries * ENTRY_RECORD_BYTES, octets: () => octetsOf(id) }
    },
  }

  /**
   * Each chunk is a query of its own, asked for when the reader wants more: a slow reader holds no connection to the
   * database, one that leaves ends it all, and sealed entries never change between two chunks.
   */
  async function* octetsOf(drawId: bigint): AsyncGenerator<Uint8Array> {
    let lastId: Uint8Array = new Uint8Array()
    for (;;) {
      const { octets } = await db.one(queries.readOctets, [drawId, lastId, ENTRIES_A_CHUNK])
      if (octets === null) return
      yield octets
      if (octets.length < Number(ENTRIES_A_CHUNK) * ENTRY_RECORD_BYTES) return
      const lastAt = octets.length - ENTRY_RECORD_BYTES
      lastId = octets.slice(lastAt, lastAt + ENTRY_ID_BYTES)
    }
  }
}
