import { LotteryError } from '@fairball/domain/errors'
import { toHex } from '@fairball/domain/fairness/bytes'
import type { Chain } from '@fairball/domain/fairness/chain'
import { noteOf, signatureLine, signingPublicKey, signText } from '@fairball/domain/fairness/signed-note'
import { type LoggedStatement, NO_HASH, statementHash, statementText } from '@fairball/domain/fairness/statements'
import { assertNotFast, type DatabaseClock } from '../../db/database-clock.ts'
import type { Db, Queries, Tx } from '../../db/pool.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { LOG_CHANNEL } from './head-file.ts'
import type { Operator, SigningKey } from './keys.ts'
import { NODE_HASH } from './node-hash.ts'
import * as queries from './queries.ts'

/** A statement without what the log adds: who, where in the chain, when. */
export type LoggedFields = DistributiveOmit<LoggedStatement, 'operator' | 'seq' | 'prev' | 'time'>
type DistributiveOmit<T, K extends string> = T extends unknown ? Omit<T, K> : never

/** What a log needs. */
export interface LogDeps {
  readonly db: Db
  readonly runtime: Runtime
  readonly databaseClock: DatabaseClock
  readonly operator: Operator
}

/** Notes a page of the log has. */
const NOTES_A_PAGE = 100

export type Log = ReturnType<typeof createLog>

/** The operator's signed statements, chained and append-only (fairness section 3). */
export function createLog(deps: LogDeps) {
  const { db, runtime, databaseClock, operator } = deps

  /**
   * Takes the log's head until the end of the transaction. Taken late: all closes and settlements wait here. What is fast
   * gets no further, however right its clock was when it began: every later statement would be dated after it (decision 37).
   *
   * @returns the time that a statement appended now carries, epoch seconds: never before that of the newest one
   * @throws FastClock
   */
  async function lockHead(tx: Tx): Promise<number> {
    await tx.one(queries.lockHead, [])
    const head = await databaseClock.ask(() => tx.one(queries.findHeadTime, []))
    assertNotFast(head)
    return Math.max(runtime.clock.now(), head.row.at ?? 0)
  }

  /**
   * Appends a statement inside the caller's transaction and gives its hash, hex. Nobody reads it before the commit.
   *
   * @param fixedTime what `lockHead` gave earlier in the same transaction, where the statement depends on its own time
   */
  async function append(tx: Tx, fields: LoggedFields, fixedTime?: number): Promise<string> {
    const time = await lockHead(tx)
    return await appendSigned(tx, fields, fixedTime ?? time, [await operator.keyInForce(tx)])
  }

  async function appendSigned(tx: Tx, fields: LoggedFields, time: number, keys: readonly SigningKey[]) {
    const head = await tx.maybeOne(queries.findHead, [])
    const seq = head === null ? 0 : head.seq + 1
    const prev = head?.hash ?? NO_HASH
    const text = statementText({ ...fields, operator: operator.name, seq, prev, time })
    const hash = statementHash(text, NODE_HASH)
    const lines = keys.map((key) =>
      signatureLine({ name: operator.name, publicKey: key.publicKey }, signText(text, key.secretSeed)),
    )
    const openHash = await drawOf(tx, fields, hash)
    await tx.execute(queries.insertStatement, [seq, time, hash, fields.type, text, noteOf(text, lines), openHash])
    await tx.notify(LOG_CHANNEL, String(seq))
    return hash
  }

  return {
    lockHead,
    append,

    /** Begins the log at the first start: the operator's key, then the beacon chain before it is first used. */
    async begin(chain: Chain): Promise<void> {
      await db.transaction(async (tx) => {
        await tx.one(queries.lockHead, []) // where nothing is appended, a process starts with any clock
        if ((await tx.maybeOne(queries.findHead, [])) === null) {
          const { publicKey } = await operator.keyInForce(tx)
          await append(tx, { type: 'log', key: toHex(publicKey) })
        }
        if (await enterChain(tx, chain)) await append(tx, chainFields(chain))
      })
    },

    /**
     * Puts a new key in force: its statement is signed by the old and the new one, so that whoever knows the old key can
     * follow (fairness section 3). Every process signs with the new one from the commit on.
     *
     * @returns the new public key, hex, and the hash of its statement
     */
    async changeKey(): Promise<{ publicKey: string; hash: string }> {
      return await db.transaction(async (tx) => {
        const time = await lockHead(tx)
        const secretSeed = runtime.random.bytes(32)
        const next = { secretSeed, publicKey: signingPublicKey(secretSeed) }
        const publicKey = toHex(next.publicKey)
        const keys = [await operator.keyInForce(tx), next]
        const hash = await appendSigned(tx, { type: 'key', key: publicKey }, time, keys)
        await operator.replaceKey(tx, secretSeed)
        return { publicKey, hash }
      })
    },

    /** Up to 100 notes of the log from `from` on; `next` is the following seq, null where the log ends. */
    async logFrom(from: number): Promise<{ notes: string[]; next: number | null }> {
      const rows = await db.run(queries.listNotes, [from, BigInt(NOTES_A_PAGE + 1)])
      return { notes: rows.slice(0, NOTES_A_PAGE).map((row) => row.note), next: rows[NOTES_A_PAGE]?.seq ?? null }
    },

    /** The newest statement; null before the first start. */
    async head(): Promise<{ operator: string; publicKey: string; seq: number; hash: string; at: number } | null> {
      const head = await db.maybeOne(queries.findHead, [])
      if (head === null) return null
      const { publicKey } = await operator.keyInForce(db)
      return { operator: operator.name, publicKey: toHex(publicKey), ...head }
    },

    /** The text of a statement. @throws LotteryError NOT_FOUND */
    async statementOf(hash: string): Promise<string> {
      return textOf(await db.maybeOne(queries.findStatement, [hash]))
    },

    /** The text of a game's rules. @throws LotteryError NOT_FOUND */
    async rulesOf(hash: string): Promise<string> {
      return textOf(await db.maybeOne(queries.findRules, [hash]))
    },
  }
}

/** Enters a beacon chain. @returns whether it was not known before */
export async function enterChain(tx: Tx, chain: Chain): Promise<boolean> {
  const { hash, name, publicKey, periodSeconds, genesisAt, groupHash, beaconId, scheme } = chain
  const args = [hash, name, publicKey, periodSeconds, genesisAt, groupHash, beaconId, scheme] as const
  return (await tx.execute(queries.insertChain, args)) === 1
}

/** The identity of the draw that a statement is about; null for the log's own. */
export async function drawOf(from: Queries, fields: LoggedFields, hash: string): Promise<string | null> {
  switch (fields.type) {
    case 'open':
      return hash
    case 'close':
    case 'postpone':
    case 'void':
      return fields.open
    case 'result':
      return (await from.one(queries.findOpenHash, [fields.close])).open_hash
    case 'log':
    case 'key':
    case 'chain':
      return null
  }
}

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
