import type { BitcoinNetwork } from '@fairball/domain/btc-address'
import { FINAL_CONFIRMATIONS } from '@fairball/domain/finality'
import type { Db } from '../../db/pool.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { CHAINS } from '../bitcoin-node/chains.ts'
import { type BitcoinNode, satsOfBtc } from '../bitcoin-node/rpc.ts'
import { parseAccountKey } from './account-key.ts'
import { type AccountAddresses, addressOf, addressOfOperator, isWatched, outsideNow } from './core-addresses.ts'
import {
  assertFresh,
  assertReadWhole,
  type ChainInfo,
  digestOf,
  isIncoming,
  isThere,
  parseCursor,
  seenOutputs,
  type StandingTx,
  statesByAddress,
} from './core-answers.ts'
import { forgetListed, listWhole, noteListed, receivedAt } from './core-listing.ts'
import { listSince, type NodePayments, tooYoungSats, transactionOf, unknownOf, waitingOf } from './core-payments.ts'
import {
  type Checkout,
  type CheckoutRequest,
  type Holding,
  type InvoiceSnapshot,
  type PaymentProvider,
  type ProviderChanges,
  ProviderUnfit,
  type SeenOutput,
} from './payment-provider.ts'
import { inOrder } from './provider-api.ts'
import { findGiven, findReach, keepMostWork } from './queries.ts'
import { WatchWallet } from './watch-wallet.ts'

/** The name under which a node's invoices are stored. */
export const BITCOIN_CORE = 'bitcoin-core'

/** A node without a block for this long counts as cut off; by chance it happens about once in three years. */
const LONGEST_TIP_AGE_SECONDS = 2 * 60 * 60
/** Time limit of the first call each time: a player waits for a checkout, and a node that hangs is noticed here. */
const FIRST_TIMEOUT_MS = 5_000
/** A wallet that was ready is taken to be so for this long; one that does not know a listed transaction is asked again. */
const READY_MS = 10_000
/** How often the process that follows lists the whole wallet, besides its start: whatever was missed is then found. */
const WHOLE_MS = 24 * 60 * 60 * 1000

export interface BitcoinCoreOptions {
  readonly db: Db
  readonly runtime: Pick<Runtime, 'clock' | 'monotonic'>
  readonly node: BitcoinNode
  readonly network: BitcoinNetwork
  /** the account's extended public key with its origin, see `parseAccountKey` */
  readonly xpub: string
  /** the node's wallet that watches, created if it does not exist */
  readonly wallet: string
  /** the site's address without a slash at the end */
  readonly publicUrl: string
  /**
   * Maximum age of the newest block, in seconds of the time outside. Default: `LONGEST_TIP_AGE_SECONDS`. On regtest
   * blocks come only on demand, so neither this nor the initial download is checked unless it is set.
   */
  readonly longestTipAgeSeconds?: number
  /** Number of confirmations from which a payment counts, and is part of the balance, now. Default: 1. */
  readonly requiredConfirmations?: () => number
  /**
   * Whether a transaction spends the operator's coins and is no payout: what it brings is not a stranger's money, and
   * pays no order.
   */
  readonly isOwnMove?: (txid: string) => Promise<boolean>
}

/** What the functions below need, and what they remember of the node. */
interface NodeContext extends AccountAddresses, NodePayments {
  readonly runtime: Pick<Runtime, 'clock' | 'monotonic'>
  readonly network: BitcoinNetwork
  /** seconds; null if the age of the newest block is not checked */
  readonly longestTipAge: number | null
  opening: Promise<void> | null
  /** the chain's work at the last check: each new block changes it */
  lastWork: string | null
  /** The state at the last answer of `follow`, so that the next one reports what changed; nothing is lost with it. */
  followed: { readonly cursor: string; readonly states: ReadonlyMap<string, string> } | null
  /** when this process last listed the whole wallet, in ms of the monotonic time; null before the first time */
  listedWholeAtMs: number | null
}

/**
 * The operator's own bitcoin node as payment provider: a wallet that only watches, a fresh address per order, and our
 * own page as checkout (payments.md section 1c).
 *
 * @throws RangeError if `xpub` does not fit this network
 */
export function createBitcoinCoreProvider(options: BitcoinCoreOptions): PaymentProvider {
  const ctx = contextOf(options)
  return {
    name: BITCOIN_CORE,
    tellsBlockTime: true,
    assertFit: () => assertFit(ctx),
    createCheckout: (request) => createCheckout(ctx, request, options.publicUrl),
    get: (address) => readPayments(ctx, address),
    // `follow` reports everything. It runs in real time, like the chain: a jump of the demo's clock makes no blocks,
    // and passing through each minute of it would only ask thousands of times what cannot have changed.
    nextLookAt: () => null,
    follow: (cursor) => follow(ctx, cursor),
    async operatorAddress() {
      await assertFit(ctx)
      return await addressOfOperator(ctx)
    },
    balance: () => balance(ctx),
  }
}

function contextOf(options: BitcoinCoreOptions): NodeContext {
  const { db, runtime, node, network, wallet, requiredConfirmations = () => 1 } = options
  const account = parseAccountKey(options.xpub, network)
  const watching = new WatchWallet({
    node,
    wallet,
    account,
    monotonic: runtime.monotonic,
    async reachBeyond(watchedTo) {
      const { highest, beyondSince } = await db.one(findReach, [account.xpub, BigInt(watchedTo)])
      return { highest: highest === null ? -1 : Number(highest), beyondSince }
    },
    onRescan: () => forgetListed({ db, wallet }),
  })
  return {
    db,
    runtime,
    node,
    network,
    account,
    wallet,
    watching,
    listing: { running: Promise.resolve(), waiting: null },
    requiredConfirmations,
    finalDepth: () => Math.max(FINAL_CONFIRMATIONS, requiredConfirmations()),
    isOwnMove: options.isOwnMove ?? (async () => false),
    longestTipAge: options.longestTipAgeSeconds ?? (network === 'regtest' ? null : LONGEST_TIP_AGE_SECONDS),
    opening: null,
    lastWork: null,
    followed: null,
    listedWholeAtMs: null,
  }
}

async function assertFit(ctx: NodeContext): Promise<void> {
  const chain = await assertReadable(ctx)
  if (ctx.longestTipAge !== null) assertFresh(chain, outsideNow(ctx), ctx.longestTipAge)
}

/**
 * Checks that what the node does not show does not exist. A node that lost blocks, is on another chain or has a wallet
 * that is not ready would reverse confirmed payments that were never undone.
 *
 * @param longestReadyMs age up to which the wallet's earlier word is enough that it is ready
 */
async function assertReadable(ctx: NodeContext, longestReadyMs = READY_MS): Promise<ChainInfo> {
  const { node, network, watching } = ctx
  const chain = await node.call<ChainInfo>('getblockchaininfo', {}, { timeoutMs: FIRST_TIMEOUT_MS })
  if (chain.chain !== CHAINS[network])
    throw new ProviderUnfit(`The bitcoin node is on ${chain.chain}, and BITCOIN_NETWORK is ${network}.`)
  assertReadWhole(chain, ctx.longestTipAge !== null)
  await assertNothingLost(ctx, chain.chainwork)
  ctx.opening ??= watching.open().catch((error: unknown) => {
    ctx.opening = null
    throw error
  })
  await ctx.opening
  await watching.assertReady(longestReadyMs)
  return chain
}

async function assertNothingLost(ctx: NodeContext, work: string): Promise<void> {
  if (work === ctx.lastWork) return
  const most = await ctx.db.one(keepMostWork, [ctx.network, work])
  if (most.work > work)
    throw new ProviderUnfit('The bitcoin node has lost blocks that it had, after a crash perhaps. It reads them again.')
  ctx.lastWork = work
}

async function createCheckout(ctx: NodeContext, request: CheckoutRequest, publicUrl: string): Promise<Checkout> {
  await assertFit(ctx)
  const address = await addressOf(ctx, request.orderId)
  const checkoutUrl = `${publicUrl}/checkout/${request.orderId}`
  return { ref: address, address, checkoutUrl, expiresAt: request.expiresAt }
}

async function readPayments(ctx: NodeContext, address: string): Promise<InvoiceSnapshot> {
  await assertReadable(ctx)
  if (!(await isWatched(ctx, address))) return { outputs: [] }
  const outputs: SeenOutput[] = []
  const raw: object[] = []
  const listed = new Set(await receivedAt(ctx, address))
  for (const txid of listed) {
    const tx = (await transactionOf(ctx, txid)) ?? (await readAgain(ctx, txid))
    if (tx === null) continue
    // What replaced it since the list was made belongs in the same answer.
    if (!isThere(tx)) for (const newer of await receivedAt(ctx, address)) listed.add(newer)
    const { state, confirmations, walletconflicts, mempoolconflicts } = tx
    raw.push({ txid, state, confirmations, walletconflicts, mempoolconflicts })
    if (!isThere(tx)) continue
    const isOwn = await ctx.isOwnMove(txid)
    const paid = tx.details.filter((one) => isIncoming(one) && one.address === address)
    outputs.push(...seenOutputs(tx, paid).map((output) => ({ ...output, ...(isOwn ? { isOwn } : {}) })))
  }
  return { outputs: inOrder(outputs), raw }
}

/**
 * A transaction that the wallet listed once and does not know now: it is another wallet, which may still read old blocks.
 *
 * @throws ProviderUnfit if it does
 */
async function readAgain(ctx: NodeContext, txid: string): Promise<StandingTx | null> {
  await ctx.watching.assertReady()
  return await transactionOf(ctx, txid)
}

async function follow(ctx: NodeContext, cursor: string | null): Promise<ProviderChanges> {
  await assertReadable(ctx)
  await listWholeWhenDue(ctx)
  const { transactions, removed = [], lastblock } = await listSince(ctx, parseCursor(cursor))
  const { height } = await ctx.node.call<{ height: number }>('getblockheader', { blockhash: lastblock })
  const incoming = [...transactions, ...removed].filter(isIncoming)
  const states = statesByAddress(incoming, await waitingOf(ctx, incoming), ctx.finalDepth())

  const before = ctx.followed?.cursor === cursor ? ctx.followed.states : new Map<string, string>()
  // What is no longer listed became final or vanished: it is checked once more.
  const addresses = new Set([...before.keys(), ...states.keys()])
  const changed = [...addresses].filter((address) => before.get(address) !== states.get(address))
  const isChanged = new Set(changed)
  await noteListed(
    ctx,
    incoming.filter(({ address }) => isChanged.has(address)),
  )
  const given = new Set((await ctx.db.run(findGiven, [changed])).map((row) => row.address))
  const strange = new Set(changed.filter((address) => !given.has(address)))
  const unknown = await unknownOf(
    ctx,
    transactions.filter(isIncoming).filter(({ address }) => strange.has(address)),
  )
  const next = `${height}:${lastblock}:${digestOf(states)}`
  ctx.followed = { cursor: next, states }
  return { cursor: next, refs: changed.filter((address) => given.has(address)), unknown }
}

async function listWholeWhenDue(ctx: NodeContext): Promise<void> {
  const nowMs = ctx.runtime.monotonic.nowMs()
  if (ctx.listedWholeAtMs !== null && nowMs - ctx.listedWholeAtMs < WHOLE_MS) return
  await listWhole(ctx)
  ctx.listedWholeAtMs = nowMs
}

async function balance(ctx: NodeContext): Promise<Holding[]> {
  await assertReadable(ctx, 0)
  const { mine } = await ctx.watching.call<{ mine: { trusted: number } }>('getbalances')
  const sats = satsOfBtc(mine.trusted) - (await tooYoungSats(ctx))
  // A block may come, and money may leave, between the two calls.
  return [{ name: 'deposits', sats: sats > 0n ? sats : 0n }]
}
