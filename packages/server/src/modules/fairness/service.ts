import { toHex } from '@fairball/domain/fairness/bytes'
import type { Chain } from '@fairball/domain/fairness/chain'
import { seedHash } from '@fairball/domain/fairness/sampler'
import {
  parseStatementOf,
  rulesText,
  statementHash,
  type StatementOf,
  type Witnesses,
} from '@fairball/domain/fairness/statements'
import type { GameRules, PrizeTier } from '@fairball/domain/games'
import type { DatabaseClock } from '../../db/database-clock.ts'
import type { Db, Tx } from '../../db/pool.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { InstallationSeal } from '../../runtime/seal.ts'
import { expandEntries } from './entries.ts'
import { createHeadFile } from './head-file.ts'
import { type Operator, renewSeals, SEED_PURPOSE } from './keys.ts'
import { createLog } from './log.ts'
import { NODE_HASH } from './node-hash.ts'
import * as queries from './queries.ts'
import { createReceipts } from './receipts.ts'
import { createRecords } from './records.ts'
import { createWitnesses } from './witnesses.ts'

export { createHeadFile, headFileIn } from './head-file.ts'
export { keptSecret, keptText, knownOperator } from './keys.ts'
export { importLog } from './log-import.ts'
export { logSource } from './log-source.ts'
export { createLog } from './log.ts'
export { NODE_HASH } from './node-hash.ts'

export type Fairness = ReturnType<typeof createFairness>

/** The fairness log of this operator, and everything a draw is held to by it (fairness.md). */
export function createFairness(deps: {
  readonly db: Db
  readonly runtime: Runtime
  readonly databaseClock: DatabaseClock
  readonly seal: InstallationSeal
  readonly operator: Operator
  readonly chain: Chain
  /** who has to see the closes of draws opened from now on */
  readonly witnesses: Witnesses
  /** where the log's head is kept beside the database; null nowhere */
  readonly headFile: string | null
}) {
  const { db, runtime, seal, operator, chain } = deps
  const log = createLog(deps)
  const witnesses = createWitnesses({ db, runtime })
  const records = createRecords({ db, runtime, witnesses })
  const { receiptOf } = createReceipts({ db, operator })
  const headFile =
    deps.headFile === null ? null : createHeadFile({ db, runtime, operatorName: operator.name, path: deps.headFile })
  const { lockHead, append } = log

  function openSeal(sealedSeed: Uint8Array): Uint8Array {
    return seal.open(sealedSeed, SEED_PURPOSE)
  }

  return {
    lockHead,

    /**
     * Begins the log at the first start, and keeps its head beside the database from then on (fairness section 9). What was
     * sealed before each use had a key of its own is sealed under its key.
     *
     * @throws LogHeadError when the database is behind what was kept
     */
    async begin(): Promise<void> {
      await headFile?.check()
      // The lock under which another signing key is put in force.
      const renewed = await db.transaction(async (tx) => {
        await tx.one(queries.lockHead, [])
        return await renewSeals(tx, seal.renew)
      })
      if (renewed > 0) runtime.log.info({ renewed }, 'secrets were sealed again under a key of their own')
      await log.begin(chain)
      await headFile?.follow()
    },

    /** Holds the database against what was kept of the log. @throws LogHeadError when it is behind that */
    checkHead: async () => await headFile?.check(),

    /** Commits everything a draw will be held to, before it can take an entry (fairness section 5). */
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
        witness: deps.witnesses,
      })
      return { openHash, rulesHash, seedHash: committedSeed, sealedSeed: seal.close(draw.seed, SEED_PURPOSE) }
    },

    /** Publishes a draw's seal: root, counts, seed, and what prizes depend on (fairness section 7). */
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
     * A close that could not be committed in time, or without its witnesses: a new start and round (fairness section 9).
     *
     * @param draw `time` is what `lockHead` gave: the start is counted from it
     */
    postpone(
      tx: Tx,
      draw: { openHash: string; reason: 'outage' | 'witness'; startAt: number; round: bigint; time: number },
    ): Promise<string> {
      const { openHash: open, reason, startAt: start, round } = draw
      return append(tx, { type: 'postpone', open, reason, start, round }, draw.time)
    },

    /** @param draw `notBefore` is a moment that is proven to have come, where the clock may be behind it */
    async voidDraw(
      tx: Tx,
      draw: { openHash: string; reason: 'beacon' | 'outage'; notBefore?: number },
    ): Promise<string> {
      const { openHash: open, reason, notBefore = 0 } = draw
      return await append(tx, { type: 'void', open, reason }, Math.max(await lockHead(tx), notBefore))
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

    changeKey: log.changeKey,
    logFrom: log.logFrom,
    statementOf: log.statementOf,
    rulesOf: log.rulesOf,

    recordOf: records.recordOf,
    openedRecordOf: records.openedRecordOf,
    entriesOf: records.entriesOf,

    hasEnoughWitnesses: witnesses.hasEnoughWitnesses,
    acceptWitness: witnesses.accept,

    receiptOf,
  }
}
