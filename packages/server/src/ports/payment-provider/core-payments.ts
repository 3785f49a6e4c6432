import type { Db } from '../../db/pool.ts'
import { type BitcoinNode, NodeError, NodeUnreachable, RPC, satsOfBtc } from '../bitcoin-node/rpc.ts'
import { orNull } from '../bitcoin-node/wallet-call.ts'
import {
  type Cursor,
  isThere,
  type ListedOutput,
  seenOutputs,
  type SinceBlock,
  type StandingTx,
  type WalletTx,
} from './core-answers.ts'
import { LIST_TIMEOUT_MS } from './core-listing.ts'
import type { SeenOutput } from './payment-provider.ts'
import { inOrder } from './provider-api.ts'
import { findKept } from './queries.ts'
import type { WatchWallet } from './watch-wallet.ts'

/** What a node's watching wallet says of payments, and the state of each. */

/** A cursor the node does not know is replaced by a block this much earlier: a day, longer than any reorganisation. */
const RESCAN_BLOCKS = 144
/** Number of waiting transactions that `follow` looks for in the mempool: the newest. */
const MAX_WAITING = 1000
/** In place of confirmations, for unknown money that is gone again. */
const GONE = -1

/** What reading payments needs. */
export interface NodePayments {
  readonly db: Db
  readonly node: BitcoinNode
  readonly watching: WatchWallet
  /** Number of confirmations from which a payment counts, and is part of the balance, now. */
  readonly requiredConfirmations: () => number
  /** Depth from which a payment is no longer reported, now. */
  readonly finalDepth: () => number
  /** Whether a transaction spends the operator's coins and is no payout: what it brings is not a stranger's money. */
  readonly isOwnMove: (txid: string) => Promise<boolean>
}

/** A transaction of the wallet's with its present state. @throws NodeUnreachable while that cannot be known */
export async function transactionOf({ node, watching }: NodePayments, txid: string): Promise<StandingTx | null> {
  const read = () => orNull(watching.call<WalletTx>('gettransaction', { txid, verbose: true }))
  const tx = await read()
  if (tx === null) return null
  if (tx.confirmations !== 0) return { ...tx, state: tx.confirmations > 0 ? 'mined' : 'conflicted' }
  if (await isInMempool(node, txid)) return { ...tx, state: 'waiting' }
  const again = await read() // mined between the two calls
  if (again !== null && again.confirmations > 0) return { ...again, state: 'mined' }
  if (!(await isMempoolLoaded(node)))
    throw new NodeUnreachable('the node has just started and does not know its mempool yet')
  return { ...tx, state: (tx.mempoolconflicts ?? []).length > 0 ? 'replaced' : 'gone' }
}

/** What the wallet says happened since a block, from further back if it does not know the block. */
export async function listSince(ctx: NodePayments, cursor: Cursor | null): Promise<SinceBlock> {
  const { node } = ctx
  if (cursor === null) return await listSinceBlock(ctx, null)
  const listed = await orNull(listSinceBlock(ctx, cursor.hash))
  if (listed !== null) return listed
  const height = Math.min(cursor.height, await node.call<number>('getblockcount')) - RESCAN_BLOCKS
  return await listSinceBlock(ctx, height > 0 ? await node.call<string>('getblockhash', { height }) : null)
}

function listSinceBlock({ watching, finalDepth }: NodePayments, blockhash: string | null): Promise<SinceBlock> {
  return watching.call(
    'listsinceblock',
    {
      ...(blockhash === null ? {} : { blockhash }),
      target_confirmations: finalDepth() + 1, // one that just became final is still listed
    },
    LIST_TIMEOUT_MS,
  )
}

/** Which of the listed transactions are in the mempool. The wallet still lists one that left it. */
export async function waitingOf({ node }: NodePayments, entries: readonly ListedOutput[]): Promise<Set<string>> {
  const unmined = entries.filter((entry) => entry.confirmations === 0).toSorted((a, b) => b.time - a.time)
  const txids = [...new Set(unmined.map((entry) => entry.txid))].slice(0, MAX_WAITING)
  const answers = await node.callEach(
    'getmempoolentry',
    txids.map((txid) => ({ txid })),
  )
  for (const answer of answers) if (answer instanceof NodeError && answer.code !== RPC.unknown) throw answer
  const waiting = new Set(txids.filter((_, place) => !(answers[place] instanceof NodeError)))
  if (waiting.size === txids.length || (await isMempoolLoaded(node))) return waiting
  return new Set(txids)
}

/**
 * Listed outputs in their present state: with −1 confirmations those that no longer exist. Each transaction is
 * requested once, however many of its outputs are ours.
 */
export async function unknownOf(
  ctx: NodePayments,
  entries: readonly (ListedOutput & { readonly address: string })[],
): Promise<SeenOutput[]> {
  const unknown: SeenOutput[] = []
  if (entries.length === 0) return unknown
  const addresses = entries.map((entry) => entry.address)
  const kept = new Set((await ctx.db.run(findKept, [addresses])).map((row) => row.address))
  for (const [txid, ofOne] of Map.groupBy(entries, (entry) => entry.txid)) {
    if (await ctx.isOwnMove(txid)) continue
    const tx = await transactionOf(ctx, txid)
    if (tx === null) continue
    const isOperators = ofOne.map(({ address }) => kept.has(address))
    const outputs = seenOutputs(tx, ofOne).map((one, place) => ({ ...one, isOperators: isOperators[place] === true }))
    unknown.push(...(isThere(tx) ? outputs : outputs.map((output) => ({ ...output, confirmations: GONE }))))
  }
  return inOrder(unknown)
}

/** What was mined too recently to count. Change of our own spends counts immediately. */
export async function tooYoungSats({ watching, requiredConfirmations }: NodePayments): Promise<bigint> {
  const required = requiredConfirmations()
  if (required < 2) return 0n
  const depths = { minconf: 1, maxconf: required - 1 }
  const coins = await watching.call<{ txid: string; amount: number }[]>('listunspent', depths, LIST_TIMEOUT_MS)
  const satsByTxid = new Map<string, bigint>()
  for (const { txid, amount } of coins) satsByTxid.set(txid, (satsByTxid.get(txid) ?? 0n) + satsOfBtc(amount))
  let tooYoung = 0n
  for (const [txid, sats] of satsByTxid) {
    const { fee } = await watching.call<{ fee?: number }>('gettransaction', { txid })
    if (fee === undefined) tooYoung += sats // the sender was not this wallet
  }
  return tooYoung
}

async function isInMempool(node: BitcoinNode, txid: string): Promise<boolean> {
  return (await orNull(node.call('getmempoolentry', { txid }))) !== null
}

/** After its start the node fills its mempool again, and until then a missing transaction means nothing. */
async function isMempoolLoaded(node: BitcoinNode): Promise<boolean> {
  return (await node.call<{ loaded: boolean }>('getmempoolinfo')).loaded
}
