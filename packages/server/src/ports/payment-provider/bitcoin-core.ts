import type { BitcoinNetwork } from '@fairball/domain/btc-address'
import { FINAL_CONFIRMATIONS } from '@fairball/domain/finality'
import type { Db } from '../../db/pool.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { CHAINS } from '../bitcoin-node/chains.ts'
import { type BitcoinNode, NodeUnreachable, satsOfBtc } from '../bitcoin-node/rpc.ts'
import { orNull } from '../bitcoin-node/wallet-call.ts'
import { parseAccountKey } from './account-key.ts'
import {
  assertFresh,
  assertReadWhole,
  type ChainInfo,
  type Cursor,
  digestOf,
  isIncoming,
  isThere,
  type ListedOutput,
  parseCursor,
  seenOutput,
  type SinceBlock,
  type StandingTx,
  statesByAddress,
  type WalletTx,
} from './core-answers.ts'
import { type PaymentProvider, ProviderUnfit, type SeenOutput } from './payment-provider.ts'
import { inOrder } from './provider-api.ts'
import {
  findAddressOf,
  findGiven,
  findReach,
  giveAddress,
  keepAddress,
  keepMostWork,
  takeAddressIndex,
} from './queries.ts'
import { createWatchWallet } from './watch-wallet.ts'

/** The name under which a node's invoices are kept. */
export const BITCOIN_CORE = 'bitcoin-core'

/** Without a block for this long a node is taken to be cut off; by chance it happens about once in three years. */
export const LONGEST_TIP_AGE_SECONDS = 2 * 60 * 60
/** A cursor the node does not know is replaced by a block this much earlier: a day, and no reorganisation is as long. */
const RESCAN_BLOCKS = 144
/** Addresses passed over in one call because they were given out, or used, by something else than this database knows. */
const MOST_PASSED_OVER = 200
/** Transactions that wait for a block, of which `follow` asks whether the mempool still has them: the newest. */
const MOST_WAITING = 1000
/** The first question of each: a player waits for a checkout, and a node that hangs is noticed here. */
const FIRST_TIMEOUT_MS = 5_000
/** Lists over the whole wallet, which grows by every payment there ever was. */
const LIST_TIMEOUT_MS = 60_000
/** What the node calls an address of the house. An order's bears the order's id. */
const HOUSE_LABEL = 'house'
/** In place of confirmations, for unknown money that is gone again. */
const GONE = -1

export interface BitcoinCoreOptions {
  readonly db: Db
  readonly runtime: Pick<Runtime, 'clock' | 'steady'>
  readonly node: BitcoinNode
  readonly network: BitcoinNetwork
  /** the account's extended public key with its origin, see `parseAccountKey` */
  readonly xpub: string
  /** the node's wallet that watches, made where there is none */
  readonly wallet: string
  /** the site's address without a slash at the end */
  readonly publicUrl: string
  /**
   * How old the newest block may be, in seconds of the time outside. Default: `LONGEST_TIP_AGE_SECONDS`; on regtest,
   * where blocks come when somebody makes them, neither this nor the initial download is looked at unless it is set.
   */
  readonly longestTipAgeSeconds?: number
  /** From how many confirmations on a payment counts, and is a part of the balance. Default: 1. */
  readonly requiredConfirmations?: number
  /** Whether a transaction only moves coins between wallets of the house: what it brings is no money of strangers. */
  readonly movesWithinHouse?: (txid: string) => Promise<boolean>
}

/**
 * A bitcoin node of the operator's own as payment provider: a wallet that only watches, a fresh address an order, and
 * our own page as checkout (payments.md section 1c).
 *
 * @throws RangeError when `xpub` is none of this network
 */
export function createBitcoinCoreProvider(options: BitcoinCoreOptions): PaymentProvider {
  const { db, runtime, node, network, publicUrl, requiredConfirmations = 1 } = options
  const account = parseAccountKey(options.xpub, network)
  const watching = createWatchWallet({
    node,
    wallet: options.wallet,
    account,
    sleep: runtime.steady.sleep,
    async reachBeyond(watchedTo) {
      const { highest, beyond_since } = await db.one(findReach, [account.xpub, BigInt(watchedTo)])
      return { highest: highest === null ? -1 : Number(highest), beyondSince: beyond_since }
    },
  })
  const longestTipAge = options.longestTipAgeSeconds ?? (network === 'regtest' ? null : LONGEST_TIP_AGE_SECONDS)
  /** From this depth on a payment is no news any more. */
  const finalDepth = Math.max(FINAL_CONFIRMATIONS, requiredConfirmations)
  let opening: Promise<void> | null = null
  /** the chain's work when it was checked last: each new block changes it */
  let lastWork: string | null = null
  /** What the last answer of `follow` saw, so that the next one tells what changed; nothing is lost with it. */
  let followed: { readonly cursor: string; readonly states: ReadonlyMap<string, string> } | null = null

  /** The time that blocks keep: the demo's clock may be ahead of it. Epoch seconds. */
  const outsideNow = (): number => runtime.clock.now() - runtime.clock.offsetSeconds()

  async function assertFit(): Promise<void> {
    const chain = await assertReadable()
    if (longestTipAge !== null) assertFresh(chain, outsideNow(), longestTipAge)
  }

  /**
   * Checks that what the node does not show is not there. One that lost blocks, is on another chain or has a wallet that
   * is not ready would take confirmed payments back that nobody took back.
   */
  async function assertReadable(): Promise<ChainInfo> {
    const chain = await node.call<ChainInfo>('getblockchaininfo', {}, { timeoutMs: FIRST_TIMEOUT_MS })
    if (chain.chain !== CHAINS[network])
      throw new ProviderUnfit(`The bitcoin node is on ${chain.chain}, and BITCOIN_NETWORK is ${network}.`)
    assertReadWhole(chain, longestTipAge !== null)
    await assertNothingLost(chain.chainwork)
    opening ??= watching.open().catch((error: unknown) => {
      opening = null
      throw error
    })
    await opening
    await watching.assertReady()
    return chain
  }

  async function assertNothingLost(work: string): Promise<void> {
    if (work === lastWork) return
    const most = await db.one(keepMostWork, [network, work])
    if (most.work > work)
      throw new ProviderUnfit(
        'The bitcoin node has lost blocks that it had, after a crash perhaps. It reads them again.',
      )
    lastWork = work
  }

  /** An order has one address for ever, also when it is asked for twice at once. */
  async function addressOf(orderId: string): Promise<string> {
    for (let left = MOST_PASSED_OVER; left > 0; left--) {
      const given = await db.maybeOne(findAddressOf, [orderId])
      if (given !== null) {
        await assertNamed(given.address, orderId)
        return given.address
      }
      const address = await freshAddress(orderId, (fresh, index) =>
        // In the blocks' own time: from then on they are read again where the node's wallet was lost.
        db.run(giveAddress, [fresh, outsideNow(), BigInt(index), orderId, account.xpub]),
      )
      if (address === null) continue
      if ((await db.maybeOne(findAddressOf, [orderId]))?.address === address) return address
    }
    throw allUsed()
  }

  /** The next address that nobody ever had, for the operator's own deposits: no order gets it. */
  async function addressOfHouse(): Promise<string> {
    for (let left = MOST_PASSED_OVER; left > 0; left--) {
      const address = await freshAddress(HOUSE_LABEL, (fresh, index) =>
        db.run(keepAddress, [fresh, outsideNow(), BigInt(index), account.xpub]),
      )
      if (address !== null) return address
    }
    throw allUsed()
  }

  function allUsed(): ProviderUnfit {
    return new ProviderUnfit(
      'The next addresses were all given out or used before: is the database an old backup, or does another program have the account? Trying goes on.',
    )
  }

  /**
   * Takes the next address and keeps it. Null when somebody had it before: the node knows it by a name (an empty one is
   * what its own wallet gives), or it received something, which was counted as something else or belongs to somebody else.
   *
   * @param name what the node calls it from now on
   */
  async function freshAddress(
    name: string,
    keep: (address: string, index: number) => Promise<unknown>,
  ): Promise<string | null> {
    const index = Number((await db.one(takeAddressIndex, [account.xpub])).index)
    const address = account.addressAt(index)
    await watching.assertSameAddress(index, address)
    await watching.reachTo(index)
    const { labels, ismine } = await infoOf(address)
    if (!ismine) throw new ProviderUnfit(`The node does not watch the address at index ${index}.`)
    if (labels.length > 0) return null
    // The node keeps who has an address as well: a database restored from a backup counts from an older index. And what
    // an address without a name received the wallet does not list.
    await watching.call('setlabel', { address, label: name })
    if ((await receivedAt(address)).length > 0) return null
    // Another installation may have named it at the same moment.
    if (!(await infoOf(address)).labels.includes(name)) return null
    await keep(address, index)
    return address
  }

  async function infoOf(address: string): Promise<{ labels: string[]; ismine: boolean }> {
    return await watching.call('getaddressinfo', { address })
  }

  /** The transactions that ever paid an address that has a name, each once. */
  async function receivedAt(address: string): Promise<string[]> {
    const received = await watching.call<{ txids: string[] }[]>(
      'listreceivedbyaddress',
      { minconf: 0, include_empty: false, address_filter: address, include_immature_coinbase: true },
      LIST_TIMEOUT_MS,
    )
    return [...new Set(received.flatMap((one) => one.txids))]
  }

  /**
   * Has the node call an order's address by the order, also where its wallet was lost.
   *
   * @throws ProviderUnfit when it is somebody else's as well: what is paid there could be counted twice
   */
  async function assertNamed(address: string, orderId: string): Promise<void> {
    const { labels } = await infoOf(address)
    if (labels.includes(orderId)) return
    if (labels.some((label) => label !== ''))
      throw new ProviderUnfit(
        `The address ${address} of order ${orderId} was given out for something else as well. Does another installation use this account?`,
      )
    await watching.call('setlabel', { address, label: orderId })
  }

  /** Whether an address is one of the wallet's. @throws ProviderUnfit when it is not and an order has it */
  async function isWatched(address: string): Promise<boolean> {
    const { ismine } = await infoOf(address)
    const [given] = await db.run(findGiven, [[address]])
    if (!ismine && given !== undefined)
      throw new ProviderUnfit(
        `The node's wallet ${options.wallet} does not watch ${address}, which an order has. Was the wallet or the key changed?`,
      )
    if (given !== undefined) await assertNamed(address, given.order_id)
    return ismine
  }

  /** A transaction of the wallet's with where it stands now. */
  async function transactionOf(txid: string): Promise<StandingTx | null> {
    const read = () => orNull(watching.call<WalletTx>('gettransaction', { txid }))
    const tx = await read()
    if (tx === null) return null
    if (tx.confirmations !== 0) return { ...tx, state: tx.confirmations > 0 ? 'mined' : 'conflicted' }
    if ((await orNull(node.call('getmempoolentry', { txid }))) !== null) return { ...tx, state: 'waiting' }
    const again = await read() // mined between the two questions
    if (again !== null && again.confirmations > 0) return { ...again, state: 'mined' }
    if (!(await isMempoolLoaded()))
      throw new NodeUnreachable('the node has just started and does not know its mempool yet')
    return { ...tx, state: (tx.mempoolconflicts ?? []).length > 0 ? 'replaced' : 'gone' }
  }

  /** What the wallet says happened since a block, from further back where it does not know the block. */
  async function listSince(cursor: Cursor | null): Promise<SinceBlock> {
    const since = (blockhash: string | null) =>
      watching.call<SinceBlock>(
        'listsinceblock',
        {
          ...(blockhash === null ? {} : { blockhash }),
          target_confirmations: finalDepth + 1, // one that just became final is still listed
        },
        LIST_TIMEOUT_MS,
      )
    if (cursor === null) return await since(null)
    const listed = await orNull(since(cursor.hash))
    if (listed !== null) return listed
    const height = Math.min(cursor.height, await node.call<number>('getblockcount')) - RESCAN_BLOCKS
    return await since(height > 0 ? await node.call<string>('getblockhash', { height }) : null)
  }

  /** Which of the transactions listed the mempool has. The wallet lists one that left it as it did before. */
  async function waitingOf(entries: readonly ListedOutput[]): Promise<Set<string>> {
    const unmined = entries.filter((entry) => entry.confirmations === 0).toSorted((a, b) => b.time - a.time)
    const txids = [...new Set(unmined.map((entry) => entry.txid))].slice(0, MOST_WAITING)
    const waiting = new Set<string>()
    for (const txid of txids) if ((await orNull(node.call('getmempoolentry', { txid }))) !== null) waiting.add(txid)
    if (waiting.size === txids.length || (await isMempoolLoaded())) return waiting
    return new Set(txids)
  }

  /** After its start the node fills its mempool again, and until that is done a missing transaction means nothing. */
  async function isMempoolLoaded(): Promise<boolean> {
    return (await node.call<{ loaded: boolean }>('getmempoolinfo')).loaded
  }

  /**
   * Outputs that were listed, as they stand now: with −1 confirmations those that are not there any more. A transaction
   * is asked for once, however many of its outputs are ours.
   */
  async function unknownOf(entries: readonly (ListedOutput & { readonly address: string })[]): Promise<SeenOutput[]> {
    const unknown: SeenOutput[] = []
    for (const [txid, ofOne] of Map.groupBy(entries, (entry) => entry.txid)) {
      if (await options.movesWithinHouse?.(txid)) continue
      const tx = await transactionOf(txid)
      if (tx === null) continue
      const outputs = ofOne.map((entry) => seenOutput(tx, entry))
      unknown.push(...(isThere(tx) ? outputs : outputs.map((output) => ({ ...output, confirmations: GONE }))))
    }
    return inOrder(unknown)
  }

  /** What was mined too lately to count. Change of our own spends counts at once. */
  async function tooYoungSats(): Promise<bigint> {
    if (requiredConfirmations < 2) return 0n
    const depths = { minconf: 1, maxconf: requiredConfirmations - 1 }
    const coins = await watching.call<{ txid: string; amount: number }[]>('listunspent', depths, LIST_TIMEOUT_MS)
    const satsByTxid = new Map<string, bigint>()
    for (const { txid, amount } of coins) satsByTxid.set(txid, (satsByTxid.get(txid) ?? 0n) + satsOfBtc(amount))
    let tooYoung = 0n
    for (const [txid, sats] of satsByTxid) {
      const { fee } = await watching.call<{ fee?: number }>('gettransaction', { txid })
      if (fee === undefined) tooYoung += sats // whoever sent it was not this wallet
    }
    return tooYoung
  }

  return {
    name: BITCOIN_CORE,
    assertFit,

    async createCheckout(request) {
      await assertFit()
      const address = await addressOf(request.orderId)
      const checkoutUrl = `${publicUrl}/checkout/${request.orderId}`
      return { ref: address, address, checkoutUrl, expiresAt: request.expiresAt }
    },

    async get(ref) {
      await assertReadable()
      if (!(await isWatched(ref))) return { outputs: [] }
      const outputs: SeenOutput[] = []
      const raw: object[] = []
      for (const txid of await receivedAt(ref)) {
        const tx = await transactionOf(txid)
        if (tx === null) continue
        const { state, confirmations, walletconflicts, mempoolconflicts } = tx
        raw.push({ txid, state, confirmations, walletconflicts, mempoolconflicts })
        if (!isThere(tx)) continue
        outputs.push(
          ...tx.details.filter((one) => isIncoming(one) && one.address === ref).map((one) => seenOutput(tx, one)),
        )
      }
      return { outputs: inOrder(outputs), raw }
    },

    // `follow` tells of everything. It runs in real time, as the chain does: a jump of the demo's clock makes no blocks,
    // and passing through each minute of it would only ask thousands of times what cannot have changed.
    nextLookAt: () => null,

    async follow(cursor) {
      await assertReadable()
      const { transactions, removed = [], lastblock } = await listSince(parseCursor(cursor))
      const { height } = await node.call<{ height: number }>('getblockheader', { blockhash: lastblock })
      const incoming = [...transactions, ...removed].filter(isIncoming)
      const states = statesByAddress(incoming, await waitingOf(incoming), finalDepth)

      const before = followed?.cursor === cursor ? followed.states : new Map<string, string>()
      // What is no longer listed became final or vanished: it is looked at once more.
      const addresses = new Set([...before.keys(), ...states.keys()])
      const changed = [...addresses].filter((address) => before.get(address) !== states.get(address))
      const given = new Set((await db.run(findGiven, [changed])).map((row) => row.address))
      const strange = new Set(changed.filter((address) => !given.has(address)))
      const unknown = await unknownOf(transactions.filter(isIncoming).filter(({ address }) => strange.has(address)))
      const next = `${height}:${lastblock}:${digestOf(states)}`
      followed = { cursor: next, states }
      return { cursor: next, refs: changed.filter((address) => given.has(address)), unknown }
    },

    async houseAddress() {
      await assertFit()
      return await addressOfHouse()
    },

    async balance() {
      await assertReadable()
      const { mine } = await watching.call<{ mine: { trusted: number } }>('getbalances')
      const sats = satsOfBtc(mine.trusted) - (await tooYoungSats())
      // A block may come, and money go, between the two questions.
      return [{ name: 'deposits', sats: sats > 0n ? sats : 0n }]
    },
  }
}
