import { FINAL_CONFIRMATIONS } from '@fairball/domain/finality'
import { type BitcoinNode, NodeUnreachable, satsOfBtc } from '../bitcoin-node/rpc.ts'
import { NodeWallet, orNull } from '../bitcoin-node/wallet-call.ts'
import type { FollowedWallet, MovedOutput, Movement, MovementList, Movements } from './movements.ts'

/** Time limit of lists over a whole wallet. */
const LIST_TIMEOUT_MS = 60_000
const COINBASE = new Set(['generate', 'immature'])

/** A transaction as it concerns one wallet. */
interface WalletTx {
  readonly confirmations: number
  readonly blockhash?: string
  /** what the wallet gained by it, without the fee; bitcoins */
  readonly amount: number
  /** negative; present only if the wallet's coins are spent */
  readonly fee?: number
  readonly details: readonly { readonly category: string; readonly vout: number; readonly amount: number }[]
  readonly decoded: DecodedTx
}

interface DecodedTx {
  readonly vin: readonly { readonly coinbase?: string; readonly prevout?: { readonly value: number } }[]
  readonly vout: readonly {
    readonly n: number
    readonly value: number
    readonly scriptPubKey: { readonly address?: string }
  }[]
}

interface Followed {
  readonly holder: FollowedWallet
  readonly wallet: NodeWallet
}

interface Listed {
  readonly txid: string
  readonly category: string
  readonly confirmations: number
}

/** One wallet's part in a transaction. */
interface Part {
  readonly holder: FollowedWallet
  readonly tx: WalletTx
  readonly spentSats: bigint
  /** places of its outputs that are the wallet's */
  readonly places: ReadonlySet<number>
  /** whether its outputs can be spent: a reward that is old enough, or no reward */
  readonly isMature: boolean
}

/**
 * The wallets of a Bitcoin Core node (25 or newer).
 *
 * @param options.wallets their names in the node; the deposits' is null if the node does not have it
 * @param options.requiredConfirmations from which a payment counts, now
 */
export function createCoreMovements(options: {
  readonly node: BitcoinNode
  readonly wallets: { readonly deposits: string | null; readonly payouts: string }
  readonly requiredConfirmations: () => number
}): Movements {
  const { node, wallets, requiredConfirmations } = options
  const followed: Followed[] = [{ holder: 'payouts', wallet: new NodeWallet(node, wallets.payouts) }]
  if (wallets.deposits !== null)
    followed.unshift({ holder: 'deposits', wallet: new NodeWallet(node, wallets.deposits) })
  return {
    list: (cursor) => listMovements(followed, cursor),
    find: (txid) => findMovement(node, followed, txid, requiredConfirmations()),
    spendsOurs: (txid) => spendsOurs(followed, txid),
  }
}

async function listMovements(followed: readonly Followed[], cursor: string | null): Promise<MovementList> {
  const depths = new Map<string, number>()
  const newest = new Set<string>()
  for (const { holder, wallet } of followed) {
    await assertReady(wallet)
    const since = cursor === null ? null : await orNull(listSince(wallet, cursor))
    const { transactions, lastblock } = since ?? (await listSince(wallet, null))
    newest.add(lastblock)
    for (const { txid, category, confirmations } of transactions) {
      const isOfInterest = holder === 'payouts' || category === 'send' || COINBASE.has(category)
      if (isOfInterest && category !== 'orphan' && confirmations >= 0) depths.set(txid, confirmations)
    }
  }
  const [last, ...others] = newest
  if (last === undefined || others.length > 0)
    throw new NodeUnreachable('the node’s wallets have not heard of the newest block alike')
  const { final = [], young = [] } = Object.groupBy(depths, ([, depth]) => (isFinal(depth) ? 'final' : 'young'))
  return { cursor: last, final: final.map(([txid]) => txid), young: young.map(([txid]) => txid) }
}

async function listSince(
  wallet: NodeWallet,
  block: string | null,
): Promise<{ transactions: readonly Listed[]; lastblock: string }> {
  const params = {
    ...(block === null ? {} : { blockhash: block }),
    target_confirmations: FINAL_CONFIRMATIONS,
    include_removed: false,
    // What goes from a wallet only to itself is listed only as change.
    include_change: true,
  }
  return await wallet.call('listsinceblock', params, LIST_TIMEOUT_MS)
}

/** While a wallet reads old blocks again it does not yet know its balance. */
async function assertReady(wallet: NodeWallet): Promise<void> {
  const { scanning } = await wallet.call<{ scanning: unknown }>('getwalletinfo', {}, LIST_TIMEOUT_MS)
  if (scanning !== false) throw new NodeUnreachable(`the node's wallet ${wallet.name} reads old blocks again`)
}

async function findMovement(
  node: BitcoinNode,
  followed: readonly Followed[],
  txid: string,
  requiredConfirmations: number,
): Promise<Movement | null> {
  const parts: Part[] = []
  for (const { holder, wallet } of followed) {
    const part = await partOf(holder, wallet, txid)
    if (part !== null) parts.push(part)
  }
  const [first] = parts
  if (first === undefined) return null
  const { decoded } = first.tx
  const ownInSats = sumOf(parts.map((part) => part.spentSats))
  const confirmations = await depthOf(node, txid, first.tx)
  if (confirmations === null) return null
  const outputs = decoded.vout.map(({ n, value, scriptPubKey }): MovedOutput => {
    const part = parts.find(({ places }) => places.has(n))
    const least = part?.holder === 'payouts' ? 1 : requiredConfirmations
    return {
      outpoint: `${txid}:${n}`,
      address: scriptPubKey.address ?? null,
      sats: satsOfBtc(value),
      holder: part?.holder ?? null,
      counts: part !== undefined && part.isMature && (confirmations >= least || part.spentSats > 0n),
    }
  })
  return {
    txid,
    confirmations,
    isCoinbase: decoded.vin.some((input) => input.coinbase !== undefined),
    ownInSats,
    inSats: ownInSats === 0n ? null : await inSatsOf(node, txid, first.tx),
    outSats: sumOf(outputs.map((output) => output.sats)),
    outputs,
  }
}

async function partOf(holder: FollowedWallet, wallet: NodeWallet, txid: string): Promise<Part | null> {
  const tx = await orNull(wallet.call<WalletTx>('gettransaction', { txid, verbose: true }, LIST_TIMEOUT_MS))
  if (tx === null) return null
  const outSats = sumOf(tx.decoded.vout.map((output) => satsOfBtc(output.value)))
  const spentSats = tx.fee === undefined ? 0n : outSats - satsOfBtc(tx.fee)
  if (spentSats === 0n) {
    const received = tx.details.filter(({ category }) => category === 'receive' || COINBASE.has(category))
    const isMature = received.every(({ category }) => category !== 'immature')
    return { holder, tx, spentSats, places: new Set(received.map((detail) => detail.vout)), isMature }
  }
  const places = await placesOfWallet(wallet, tx)
  const gainedSats = satsOfBtc(tx.amount) + satsOfBtc(tx.fee ?? 0) + spentSats
  const found = sumOf(tx.decoded.vout.filter(({ n }) => places.has(n)).map(({ value }) => satsOfBtc(value)))
  if (found !== gainedSats)
    throw new Error(`of ${txid} ${found} sats are addressed to the wallet ${wallet.name}, which gained ${gainedSats}`)
  return { holder, tx, spentSats, places, isMature: true }
}

/** The wallet does not list everything that returns from its own spends: each address is checked. */
async function placesOfWallet(wallet: NodeWallet, tx: WalletTx): Promise<Set<number>> {
  const places = new Set<number>()
  for (const { n, scriptPubKey } of tx.decoded.vout) {
    const { address } = scriptPubKey
    if (address === undefined) continue
    const { ismine } = await wallet.call<{ ismine: boolean }>('getaddressinfo', { address }, LIST_TIMEOUT_MS)
    if (ismine) places.add(n)
  }
  return places
}

/** The depth of a transaction; null if it is in no block and not on its way. */
async function depthOf(node: BitcoinNode, txid: string, { confirmations }: WalletTx): Promise<number | null> {
  if (confirmations !== 0) return confirmations > 0 ? confirmations : null
  return (await orNull(node.call('getmempoolentry', { txid }))) === null ? null : 0
}

/** The total of a mined transaction's inputs. */
async function inSatsOf(node: BitcoinNode, txid: string, { blockhash }: WalletTx): Promise<bigint | null> {
  if (blockhash === undefined) return null
  const { vin } = await node.call<DecodedTx>('getrawtransaction', { txid, verbosity: 2, blockhash })
  return sumOf(
    vin.map(({ prevout }) => {
      if (prevout === undefined) throw new NodeUnreachable(`the node does not tell what ${txid} spends`)
      return satsOfBtc(prevout.value)
    }),
  )
}

async function spendsOurs(followed: readonly Followed[], txid: string): Promise<boolean> {
  for (const { wallet } of followed) {
    const tx = await orNull(wallet.call<Pick<WalletTx, 'fee'>>('gettransaction', { txid }, LIST_TIMEOUT_MS))
    if (tx?.fee !== undefined) return true
  }
  return false
}

function isFinal(depth: number): boolean {
  return depth >= FINAL_CONFIRMATIONS
}

function sumOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, sats) => sum + sats, 0n)
}
