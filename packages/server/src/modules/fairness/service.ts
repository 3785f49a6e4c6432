import { fromHex, toHex } from '@fairball/domain/fairness/bytes'
import type { Chain } from '@fairball/domain/fairness/chain'
import { ENTRY_KIND, entryId } from '@fairball/domain/fairness/entry'
import { seedHash } from '@fairball/domain/fairness/sampler'
import { signNote } from '@fairball/domain/fairness/signed-note'
import {
  type LoggedStatement,
  NO_HASH,
  parseStatementOf,
  rulesText,
  statementHash,
  type StatementOf,
  statementText,
} from '@fairball/domain/fairness/statements'
import { MerkleTree } from '@fairball/domain/fairness/tree'
import { LotteryError } from '@fairball/domain/errors'
import { canonicalGameKey, type GameRules, type PrizeTier } from '@fairball/domain/games'
import { maskNumbers } from '@fairball/domain/lines'
import type { Db, Tx } from '../../db/pool.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { Seal } from '../../runtime/seal.ts'
import { expandEntries, leafHashes } from './entries.ts'
import type { Operator } from './keys.ts'
import { NODE_HASH } from './node-hash.ts'
import * as queries from './queries.ts'

const SEED_PURPOSE = 'fairness.seed'

/** A statement without what the log adds: who, where in the chain, when. */
type LoggedFields = DistributiveOmit<LoggedStatement, 'operator' | 'seq' | 'prev' | 'time'>
type DistributiveOmit<T, K extends string> = T extends unknown ? Omit<T, K> : never

export type Fairness = ReturnType<typeof createFairness>

/** The fairness log of this operator: signed statements, chained, append-only (fairness.md section 3). */
export function createFairness(deps: {
  readonly db: Db
  readonly runtime: Runtime
  readonly seal: Seal
  readonly operator: Operator
  readonly chain: Chain
}) {
  const { db, runtime, seal, operator, chain } = deps

  /**
   * Takes the log's head until the end of the transaction. Taken late: all closes and settlements wait here.
   *
   * @returns the time that a statement appended now carries, epoch seconds: never before that of the newest one
   */
  async function lockHead(tx: Tx): Promise<number> {
    await tx.one(queries.lockHead, [])
    const head = await tx.maybeOne(queries.findHead, [])
    return Math.max(runtime.clock.now(), head?.at ?? 0)
  }

  /**
   * Appends a statement inside the caller's transaction and gives its hash, hex.
   *
   * @param fixedTime what `lockHead` gave earlier in the same transaction, where the statement depends on its own time
   */
  async function append(tx: Tx, fields: LoggedFields, fixedTime?: number): Promise<string> {
    const present = await lockHead(tx)
    const head = await tx.maybeOne(queries.findHead, [])
    const seq = head === null ? 0 : head.seq + 1
    const time = fixedTime ?? present
    const prev = head?.hash ?? NO_HASH
    const text = statementText({ ...fields, operator: operator.name, seq, prev, time })
    const hash = statementHash(text, NODE_HASH)
    const note = signNote(text, operator)
    await tx.execute(queries.insertStatement, [seq, time, hash, fields.type, text, note])
    return hash
  }

  /** The signed notes about one draw so far, and its round's signature once numbers may be known. */
  async function recordOf(gameKey: string, number: number) {
    const rows = await db.run(queries.findNotesOfDraw, [gameKey, number])
    const drawn = await db.maybeOne(queries.findShownRound, [gameKey, number, runtime.clock.now()])
    return {
      notes: rows.map((row) => row.note),
      witnesses: [],
      beacon: drawn === null ? null : { round: Number(drawn.round), signature: drawn.signature },
    }
  }

  return {
    lockHead,

    /** Begins the log at the first start: the operator's key, then the beacon chain before it is first used. */
    async begin(): Promise<void> {
      await db.transaction(async (tx) => {
        await lockHead(tx)
        if ((await tx.maybeOne(queries.findHead, [])) === null) {
          await append(tx, { type: 'log', key: toHex(operator.publicKey) })
        }
        const isNew = await tx.execute(queries.insertChain, [
          chain.hash,
          chain.name,
          chain.publicKey,
          chain.periodSeconds,
          chain.genesisAt,
          chain.groupHash,
          chain.beaconId,
          chain.scheme,
        ])
        if (isNew === 1) await append(tx, chainFields(chain))
      })
    },

    /** Commits everything a draw will be held to, before it can take an entry (fairness.md section 5). */
    async open(
      tx: Tx,
      draw: {
        readonly game: GameRules
        readonly number: number
        readonly closesAt: number
        readonly startAt: number
        readonly round: bigint
        /** 32 bytes from the system's random source */
        readonly seed: Uint8Array
      },
    ): Promise<{ openHash: string; rulesHash: string; seedHash: string; sealedSeed: Uint8Array }> {
      const { game } = draw
      const rules = rulesText(game)
      const rulesHash = statementHash(rules, NODE_HASH)
      await tx.execute(queries.insertRules, [rulesHash, rules])
      const committedSeed = toHex(seedHash(draw.seed, NODE_HASH))
      const openHash = await append(tx, {
        type: 'open',
        game: game.key,
        draw: draw.number,
        pick: game.pick,
        pool: game.pool,
        close: draw.closesAt,
        start: draw.startAt,
        chain: chain.hash,
        round: draw.round,
        seedhash: committedSeed,
        rules: rulesHash,
        witness: { required: 0, list: [] },
      })
      return { openHash, rulesHash, seedHash: committedSeed, sealedSeed: seal.close(draw.seed, SEED_PURPOSE) }
    },

    /** Publishes a draw's seal: root, counts, seed, and what prizes depend on (fairness.md section 7). */
    async close(
      tx: Tx,
      draw: {
        readonly openHash: string
        readonly sealedSeed: Uint8Array
        readonly round: bigint
        readonly entries: number
        readonly freeEntries: number
        readonly root: string
        readonly stakeSats: bigint
        readonly potSats: bigint
        readonly bankrollSats: bigint
        readonly floorSats: bigint
        readonly rateSats: bigint
      },
    ): Promise<string> {
      return await append(tx, {
        type: 'close',
        open: draw.openHash,
        round: draw.round,
        entries: draw.entries,
        free: draw.freeEntries,
        root: draw.root,
        seed: toHex(openSeal(draw.sealedSeed)),
        stake: draw.stakeSats,
        pool: draw.potSats,
        bankroll: draw.bankrollSats,
        floor: draw.floorSats,
        rate: { currency: 'GBP', amount: draw.rateSats },
      })
    },

    /** The result, signed and timed; everybody can compute it from the round. */
    result(tx: Tx, draw: Pick<StatementOf<'result'>, 'close' | 'signature' | 'numbers' | 'tiers'>): Promise<string> {
      return append(tx, { type: 'result', ...draw })
    },

    /**
     * A close that could not be committed in time: a new start and round (fairness.md section 9).
     *
     * @param draw `time` is what `lockHead` gave: the start is counted from it
     */
    postpone(
      tx: Tx,
      draw: { openHash: string; reason: 'outage'; startAt: number; round: bigint; time: number },
    ): Promise<string> {
      const { openHash: open, reason, startAt: start, round } = draw
      return append(tx, { type: 'postpone', open, reason, start, round }, draw.time)
    },

    voidDraw(tx: Tx, draw: { openHash: string; reason: 'beacon' | 'outage' }): Promise<string> {
      return append(tx, { type: 'void', open: draw.openHash, reason: draw.reason })
    },

    openSeal,

    /** Makes the entries of a draw that is closing, and the root of the tree over them. */
    sealEntries: expandEntries,

    /** The prize tiers of the rules a draw was opened with. */
    async tiersOf(tx: Db | Tx, rulesHash: string): Promise<PrizeTier[]> {
      const { text } = await tx.one(queries.findRules, [rulesHash])
      return parseStatementOf('rules', text).tiers.map(({ matches, kind, prizeMinor }) =>
        kind === 'fixed' ? { matches, kind, prizeMinor } : { matches, kind },
      )
    },

    /** Up to 100 notes of the log from `from` on; `next` is the following seq, null where the log ends. */
    async logFrom(from: number): Promise<{ notes: string[]; next: number | null }> {
      const rows = await db.run(queries.listNotes, [from, BigInt(NOTES_A_PAGE + 1)])
      return { notes: rows.slice(0, NOTES_A_PAGE).map((row) => row.note), next: rows[NOTES_A_PAGE]?.seq ?? null }
    },

    /** The text of a statement. @throws LotteryError NOT_FOUND */
    async statementOf(hash: string): Promise<string> {
      return textOf(await db.maybeOne(queries.findStatement, [hash]))
    },

    /** The text of a game's rules. @throws LotteryError NOT_FOUND */
    async rulesOf(hash: string): Promise<string> {
      return textOf(await db.maybeOne(queries.findRules, [hash]))
    },

    /** The record of a draw that has been opened. @throws LotteryError NOT_FOUND */
    async openedRecordOf(gameKey: string, number: number) {
      const record = await recordOf(canonicalGameKey(gameKey), number)
      if (record.notes.length === 0) throw new LotteryError('NOT_FOUND', 'No such draw.')
      return record
    },

    recordOf,

    /**
     * A player's proof for one play: the signed receipt, and after the close where each entry is in the sealed list.
     *
     * @throws LotteryError NOT_FOUND for an unknown play, and for another's
     */
    async receiptOf(playId: string, playerId: bigint) {
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
      const receipt = signNote(text, operator)
      if (play.close_hash === null) return { receipt, close: null, entries: [] }
      const { note } = await db.one(queries.findNote, [play.close_hash])
      const ids = entries.map((entry) => entry.id)
      return { receipt, close: note, entries: await inclusionOf(play.draw_id, openHash, ids) }
    },
  }

  /** Where entries are in the sealed list of their draw, with the sibling hashes that lead to its root. */
  async function inclusionOf(drawId: bigint, openHash: Uint8Array, ids: readonly string[]) {
    return await db.transaction(async (tx) => {
      const places = new Map<string, number>()
      const hashes: Uint8Array[] = []
      const wanted = new Set(ids)
      for await (const leaves of leafHashes(tx, drawId, openHash)) {
        for (const leaf of leaves) {
          const id = toHex(leaf.id)
          if (wanted.has(id)) places.set(id, hashes.length)
          hashes.push(leaf.hash)
        }
      }
      const tree = new MerkleTree(Buffer.concat(hashes), NODE_HASH)
      return ids.map((id) => {
        const index = places.get(id)
        if (index === undefined) throw new Error(`an entry of a sealed draw is not in its list: ${id}`)
        return { id, index, size: tree.size, path: tree.path(index).map(toHex) }
      })
    })
  }

  function openSeal(sealedSeed: Uint8Array): Uint8Array {
    return seal.open(sealedSeed, SEED_PURPOSE)
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Notes a page of the log has. */
const NOTES_A_PAGE = 100

function textOf(row: { readonly text: string } | null): string {
  if (row === null) throw new LotteryError('NOT_FOUND', 'No such text.')
  return row.text
}

function chainFields(chain: Chain) {
  return {
    type: 'chain',
    name: chain.name,
    hash: chain.hash,
    public_key: chain.publicKey,
    period: chain.periodSeconds,
    genesis: chain.genesisAt,
    group_hash: chain.groupHash,
    beacon_id: chain.beaconId,
    scheme: chain.scheme,
  } as const
}
