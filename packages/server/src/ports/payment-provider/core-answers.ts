import { createHash } from 'node:crypto'
import { satsOfBtc } from '../bitcoin-node/rpc.ts'
import { ProviderUnfit, type SeenOutput } from './payment-provider.ts'

/** The answers of Bitcoin Core's wallet about payments, and how they are read. */

/** A node with this many known but unread blocks is behind. */
const MAX_BLOCKS_BEHIND = 3

/** The answer of `getblockchaininfo`, as far as it is read. */
export interface ChainInfo {
  readonly chain: string
  readonly blocks: number
  readonly headers: number
  /** epoch seconds of the newest block */
  readonly time: number
  readonly initialblockdownload: boolean
  /** all the work in the chain, 64 hexadecimal digits */
  readonly chainwork: string
}

/** One output as the node's wallet lists it, in lists and as part of a transaction alike. */
interface WalletOutput {
  readonly category: string
  readonly address?: string
  readonly vout: number
  /** bitcoins */
  readonly amount: number
}

/** The answer of `gettransaction`. */
export interface WalletTx {
  readonly txid: string
  /** negative if a mined transaction spends the same */
  readonly confirmations: number
  /** the block it is in */
  readonly blockhash?: string
  /** epoch seconds of that block */
  readonly blocktime?: number
  /** epoch seconds at which the wallet first saw it, in the mempool or in a block */
  readonly time: number
  readonly walletconflicts: readonly string[]
  /** since Bitcoin Core 28 */
  readonly mempoolconflicts?: readonly string[]
  readonly details: readonly WalletOutput[]
  /** what it spends; a block reward spends nothing */
  readonly decoded: { readonly vin: readonly { readonly txid?: string; readonly vout?: number }[] }
}

/**
 * Mined; waiting in the mempool; conflicting with a mined one; conflicting with one in the mempool; none of these, so
 * it will not be mined.
 */
export type StandingTx = WalletTx & { readonly state: 'mined' | 'waiting' | 'conflicted' | 'replaced' | 'gone' }

/** One output in a list over the wallet, with the data of its transaction. */
export type ListedOutput = WalletOutput &
  Pick<WalletTx, 'txid' | 'confirmations' | 'blockhash' | 'time' | 'mempoolconflicts'>

/** The answer of `listsinceblock`. */
export interface SinceBlock {
  readonly transactions: readonly ListedOutput[]
  /** what was in blocks that a reorganisation removed from the chain */
  readonly removed?: readonly ListedOutput[]
  readonly lastblock: string
}

/**
 * Where `follow` continues: a block, its height for a node that does not know it, and a digest of what was reported.
 */
export interface Cursor {
  readonly height: number
  readonly hash: string
}

/** Null, which is the beginning, also for a text that is no cursor of ours. */
export function parseCursor(text: string | null): Cursor | null {
  const [, height, hash] = /^(\d+):([0-9a-f]{64}):[0-9a-f]+$/.exec(text ?? '') ?? []
  return height === undefined || hash === undefined ? null : { height: Number(height), hash }
}

/**
 * @param isStrict whether the node's own statement counts that it has not caught up yet: a lone regtest says so for
 *   ever
 * @throws ProviderUnfit if it has not read the whole chain
 */
export function assertReadWhole(chain: ChainInfo, isStrict: boolean): void {
  const behind = chain.headers - chain.blocks
  if (behind > MAX_BLOCKS_BEHIND || (isStrict && chain.initialblockdownload))
    throw new ProviderUnfit(`The bitcoin node is still reading the chain: ${chain.blocks} of ${chain.headers} blocks.`)
}

/**
 * @param now by the time of blocks; both in epoch seconds
 * @param longestTipAge in seconds
 * @throws ProviderUnfit if the newest block is older
 */
export function assertFresh(chain: ChainInfo, now: number, longestTipAge: number): void {
  const ageMinutes = Math.floor((now - chain.time) / 60)
  if (now - chain.time > longestTipAge)
    throw new ProviderUnfit(
      `The bitcoin node has had no block for ${ageMinutes} minutes. Is it connected to its peers?`,
    )
}

/**
 * Money that came in and can be spent: a block reward is listed as `immature` for 100 blocks. An output of 0 does not
 * count.
 */
export function isIncoming<T extends WalletOutput>(output: T): output is T & { readonly address: string } {
  const { category, address, amount } = output
  return (category === 'receive' || category === 'generate') && address !== undefined && amount > 0
}

/** Whether a transaction counts: it is mined, or will be. */
export function isThere(tx: StandingTx): boolean {
  return tx.state === 'mined' || tx.state === 'waiting'
}

/** Outputs of a wallet transaction in our own terms, in their order. */
export function seenOutputs(tx: WalletTx, outputs: readonly WalletOutput[]): SeenOutput[] {
  // One list for all of them: there may be thousands, and it may name hundreds.
  const inputs = tx.decoded.vin.flatMap(({ txid, vout }) => (txid === undefined ? [] : [`${txid}:${vout}`]))
  return outputs.map(({ vout, amount }) => ({
    outpoint: `${tx.txid}:${vout}`,
    sats: satsOfBtc(amount),
    confirmations: tx.confirmations,
    seenAt: tx.time,
    ...(tx.confirmations > 0 && tx.blocktime !== undefined ? { minedAt: tx.blocktime } : {}),
    network: 'ONCHAIN',
    inputs,
  }))
}

/** The state of everything that pays an address, as a text that changes with it until it is final. */
export function statesByAddress(
  entries: readonly (ListedOutput & { readonly address: string })[],
  waiting: ReadonlySet<string>,
  finalDepth: number,
): Map<string, string> {
  const states = new Map<string, string[]>()
  for (const { address, txid, vout, confirmations, blockhash = '', mempoolconflicts = [] } of entries) {
    const depth = Math.min(confirmations, finalDepth)
    const texts = states.get(address) ?? []
    states.set(address, texts)
    const mempool = depth === 0 && !waiting.has(txid) ? 'left' : ''
    texts.push(`${txid}:${vout}@${depth}/${blockhash}/${mempoolconflicts.length}${mempool}`)
  }
  return new Map([...states].map(([address, texts]) => [address, texts.toSorted().join(' ')]))
}

/** A short text that differs if any state does. */
export function digestOf(states: ReadonlyMap<string, string>): string {
  const lines = [...states].map(([address, text]) => `${address} ${text}\n`)
  return createHash('sha256').update(lines.toSorted().join('')).digest('hex').slice(0, 16)
}
