import { toHex } from '@fairball/domain/protocol/bytes'
import { sumLeaf, sumPath, sumRoot, writeReserves } from '@fairball/domain/protocol/solvency'
import { NO_HASH } from '@fairball/domain/protocol/statement-codecs'
import type { Queries } from '../../db/pool.ts'
import type { LogContext } from './context.ts'
import * as queries from './daily-queries.ts'
import { isStatedToday } from './days.ts'
import { appendStatement, lockHead } from './log.ts'
import { NODE_HASH } from './node-hash.ts'
import { keepText } from './texts.ts'

/** What the operator owes, as a sum tree in which each account finds its own (docs/fairness.md, section 10). */

const NONCE_BYTES = 32

/** Whose money the ledger's accounts hold, beside the players'. Accounts not listed are the operator's own. */
const LIABILITIES = {
  pots: ['prize_pool'],
  // of draws without a result yet: paid in, held until the close, and in the pools of closed draws
  stakes: ['received', 'suspense', 'stakes_held', 'pot'],
  reserve: ['reserve'],
  partners: ['partner', 'donation_pool', 'in_flight'],
} as const

/**
 * States what is owed and held. It runs once a day (UTC), however often it is called.
 *
 * @param heldSats what the wallets hold
 */
export async function stateSolvency(ctx: LogContext, heldSats: bigint): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const time = await lockHead(ctx, tx)
    if (await isStatedToday(tx, 'solvency', time)) return
    const owed = await tx.run(queries.listOwed, [])
    const accounts = owed.flatMap(({ playerId, name: username, sats }) =>
      playerId === null ? [] : [{ playerId, username, sats, nonce: ctx.runtime.random.bytes(NONCE_BYTES) }],
    )
    const leaves = accounts.map((account) => sumLeaf(account, NODE_HASH))
    // If nothing is owed, there is nothing to sum: the root is that of an empty tree.
    const root = leaves.length === 0 ? { hash: NODE_HASH(), sats: 0n } : sumRoot(leaves, NODE_HASH)
    const others = Object.entries(LIABILITIES).map(([kind, kinds]) => ({
      kind,
      sats: owed
        .filter(({ playerId, name }) => playerId === null && (kinds as readonly string[]).includes(name))
        .reduce((sum, { sats }) => sum + sats, 0n),
    }))
    // The program cannot sign for coins in a node's wallet, so none are listed.
    const proof = await keepText(tx, writeReserves({ block: { height: 0, hash: NO_HASH }, utxo: [], signature: [] }))
    const { hash } = await appendStatement(
      ctx,
      tx,
      {
        type: 'solvency',
        accounts: accounts.length,
        owed: root.sats,
        root: toHex(root.hash),
        liability: [{ kind: 'players', sats: root.sats }, ...others],
        reserves: heldSats,
        proof,
      },
      time,
    )
    await tx.execute(queries.dropSolvencyLeaves, [hash])
    await tx.execute(queries.insertSolvencyLeaves, {
      hash,
      players: accounts.map(({ playerId }) => playerId),
      nonces: accounts.map(({ nonce }) => nonce),
      sats: accounts.map(({ sats }) => sats),
      usernames: accounts.map(({ username }) => username),
    })
  })
}

/**
 * A player's leaf of the newest statement and its path to the root, for the personal data export; null if nothing was
 * owed.
 */
export async function solvencyOf(from: Queries, playerId: bigint) {
  const accounts = await from.run(queries.listSolvencyLeaves, [playerId])
  const own = accounts.find((account) => account.playerId === playerId)
  if (own === undefined) return { solvency: null }
  const leaves = accounts.map((account) => sumLeaf(account, NODE_HASH))
  const path = sumPath(leaves, own.index, NODE_HASH)
  return {
    solvency: {
      statement: own.hash,
      nonce: toHex(own.nonce),
      sats: String(own.sats),
      username: own.username,
      path: path.map(({ side, hash, sats }) => ({ side, hash: toHex(hash), sats: String(sats) })),
    },
  }
}
