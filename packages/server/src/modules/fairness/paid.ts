import type { BitcoinNetwork } from '@fairball/domain/btc-address'
import { fromHex, toHex } from '@fairball/domain/protocol/bytes'
import { writePaymentLeaf } from '@fairball/domain/protocol/payments'
import { playSecret } from '@fairball/domain/protocol/plays'
import { readLogStatement } from '@fairball/domain/protocol/statements'
import { leafHash } from '@fairball/domain/protocol/tree'
import type { Queries, Tx } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import { outputTo } from '../../ports/wallet/output-to.ts'
import type { LogContext } from './context.ts'
import * as queries from './daily-queries.ts'
import { isStatedToday } from './days.ts'
import { appendStatement, lockHead } from './log.ts'
import { NODE_HASH } from './node-hash.ts'
import { appendToTree, inclusionPath, PAID_TREE } from './trees.ts'

/** The tree of prizes paid (docs/fairness.md, section 10), and its daily statement. */

/** A line has up to 104 bytes, a statement up to 65,535. */
const DRAWS_A_STATEMENT = 600

/** Adds the prizes that arrived since, and states them. It runs once a day (UTC), however often it is called. */
export async function statePaid(ctx: LogContext, network: BitcoinNetwork): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const time = await lockHead(ctx, tx)
    if (await isStatedToday(tx, 'paid', time)) return
    const { size, root } = await appendArrived(tx, network)
    for (let isMore = true; isMore;) {
      const draws = await tx.run(queries.listPaidDraws, [BigInt(DRAWS_A_STATEMENT)])
      const said = draws.map((draw) => ({ open: draw.openHash, won: wonIn(draw.result), paid: draw.paidSats }))
      const { index } = await appendStatement(ctx, tx, { type: 'paid', size, root: toHex(root), draw: said }, time)
      const figures = [said.map(({ open }) => open), said.map(({ won }) => won), said.map(({ paid }) => paid)] as const
      await tx.execute(queries.insertPaidDraws, [index, ...figures])
      const [next] = await tx.run(queries.listPaidDraws, [1n])
      isMore = next?.isNews === true
    }
  })
}

/**
 * What was paid to a player, for the personal data export: each leaf, and its path to the root in the newest statement.
 */
export async function paidTo(from: Queries, playerId: bigint) {
  const leaves = await from.run(queries.listPaidTo, [playerId])
  if (leaves.length === 0) return { prizes_paid: [] }
  const { size } = await from.one(queries.countPaidLeaves, [])
  const { hash } = await from.one(queries.findNewestOf, ['paid'])
  const paths = await Promise.all(leaves.map(({ index }) => inclusionPath(from, PAID_TREE, index, size)))
  return {
    prizes_paid: leaves.map(({ index, leaf, openHash, playIndex, sats }, place) => ({
      open_hash: openHash,
      play_index: playIndex,
      sats: String(sats),
      index,
      leaf: toHex(leaf),
      path: (paths[place] ?? []).map(toHex),
      statement: hash,
    })),
  }
}

async function appendArrived(tx: Tx, network: BitcoinNetwork) {
  const arrived = await tx.run(queries.listArrived, [])
  const { size } = await tx.one(queries.countPaidLeaves, [])
  const txids = [...new Set(arrived.flatMap(({ txid }) => txid ?? []))]
  const raws = new Map((await tx.run(queries.findTransactions, [txids])).map(({ txid, raw }) => [txid, raw]))
  const leaves = arrived.map((prize) => leafOf(prize, wayOf(prize, raws, network)))
  await tx.execute(queries.insertPaidLeaves, {
    size,
    payments: arrived.map(({ id }) => String(id)),
    leaves,
    openHashes: arrived.map(({ openHash }) => openHash),
    playIndexes: arrived.map(({ leafIndex }) => leafIndex),
    sats: arrived.map(({ sats }) => sats),
  })
  const hashes = leaves.map((leaf) => leafHash(NODE_HASH, leaf))
  return await appendToTree(tx, PAID_TREE, size, hashes)
}

type Arrived = RowOf<typeof queries.listArrived>
type Way = Pick<Parameters<typeof writePaymentLeaf>[0], 'rail' | 'reference' | 'output'>

function leafOf(prize: Arrived, way: Way): Uint8Array {
  const openHash = fromHex(prize.openHash)
  const payment = { openHash, index: prize.leafIndex, sats: prize.sats, ...way }
  return writePaymentLeaf(payment, playSecret(prize.secret, openHash))
}

/** How a prize arrived: by a payment over Lightning, or an output of a transaction. */
function wayOf({ txid, hash, address }: Arrived, raws: ReadonlyMap<string, string>, network: BitcoinNetwork): Way {
  if (txid === null) return { rail: 'lightning', reference: fromHex(hash ?? ''), output: 0 }
  return { rail: 'bitcoin', reference: fromHex(txid), output: outputTo(raws.get(txid) ?? '', address, network) }
}

function wonIn(text: string): bigint {
  const statement = readLogStatement(text)
  if (statement.type !== 'result') throw new Error('a draw names a result that is none')
  return statement.tier.reduce((sum, { winners, each }) => sum + BigInt(winners) * each, 0n)
}
