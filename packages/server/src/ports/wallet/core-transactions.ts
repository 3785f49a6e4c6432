import { FINAL_CONFIRMATIONS } from '@fairball/domain/finality'
import { RPC, satsOfBtc } from '../bitcoin-node/rpc.ts'
import { hasCode, type NodeWallet } from '../bitcoin-node/wallet-call.ts'
import { BUILD_TIMEOUT_MS, coinOf, type DecodedPsbt } from './core-shapes.ts'
import type { OwnSpend } from './wallet.ts'

/** The node's knowledge of the wallet's transactions and of the coins they spend. */

interface OwnTx {
  readonly hex: string
  readonly confirmations: number
  /** negative; missing if not every coin is the wallet's */
  readonly fee?: number
  readonly details: readonly { readonly category: string; readonly address?: string; readonly amount: number }[]
  readonly decoded: DecodedPsbt['tx']
}

interface ListedTx {
  readonly txid: string
  readonly category: string
  readonly confirmations: number
}

/** As `Wallet.confirmations`. */
export async function confirmationsOf(wallet: NodeWallet, txid: string): Promise<number | null> {
  const found = await wallet.callOrNull<{ confirmations: number }>('gettransaction', { txid })
  if (found === null || found.confirmations < 0) return null
  if (found.confirmations > 0) return found.confirmations
  // A transaction that was replaced or forgotten is listed with 0 as well: only the mempool itself says which.
  return (await wallet.callOrNull('getmempoolentry', { txid })) === null ? null : 0
}

/** As `Wallet.spender`. */
export async function spenderOf(
  wallet: NodeWallet,
  outpoint: string,
): Promise<{ txid: string; confirmations: number } | null> {
  const { txid, vout } = coinOf(outpoint)
  const unspent = await wallet.node.call<object | null>('gettxout', { txid, n: vout, include_mempool: false })
  if (unspent !== null) return null
  const coin = await wallet.callOrNull<{ blockhash?: string }>('gettransaction', { txid })
  if (coin?.blockhash === undefined) return null
  // After a reorganisation the coin and its spend may be in one block.
  const { previousblockhash: before } = await wallet.node.call<{ previousblockhash?: string }>('getblockheader', {
    blockhash: coin.blockhash,
  })
  for (const listed of (await listSince(wallet, before ?? null)).listed) {
    if (listed.confirmations < 1) continue
    const tx = await wallet.callOrNull<{ decoded: DecodedPsbt['tx'] }>('gettransaction', {
      txid: listed.txid,
      verbose: true,
    })
    if (tx?.decoded.vin.some((input) => input.txid === txid && input.vout === vout)) return listed
  }
  return null
}

/** As `Wallet.isLost`. */
export async function isLost(wallet: NodeWallet, outpoint: string): Promise<boolean> {
  // Negative: the number of blocks since another transaction replaced this one, or one before it.
  const { txid } = coinOf(outpoint)
  const made = await wallet.callOrNull<{ confirmations: number }>('gettransaction', { txid })
  return made !== null && made.confirmations <= -FINAL_CONFIRMATIONS
}

/** As `Wallet.outgoing`. */
export async function outgoing(wallet: NodeWallet, since: string | null): Promise<{ cursor: string; txids: string[] }> {
  const { listed, lastblock } = await listSince(wallet, since).catch((error: unknown) => {
    // The block is no longer in the chain: everything is checked again.
    if (since !== null && hasCode(error, RPC.unknown)) return listSince(wallet, null)
    throw error
  })
  return { cursor: lastblock, txids: listed.map((tx) => tx.txid) }
}

/** As `Wallet.spend`. */
export async function spend(wallet: NodeWallet, txid: string): Promise<OwnSpend | null> {
  const found = await wallet.callOrNull<OwnTx>('gettransaction', { txid, verbose: true })
  if (found === null || found.confirmations < 0) return null
  const outputs = new Map<string, bigint>()
  // The wallet leaves its change out of these.
  for (const { category, address, amount } of found.details)
    if (category === 'send' && address !== undefined)
      outputs.set(address, (outputs.get(address) ?? 0n) - satsOfBtc(amount))
  return {
    txid,
    raw: found.hex,
    feeSats: -satsOfBtc(found.fee ?? 0),
    inputs: found.decoded.vin.map((input) => `${input.txid}:${input.vout}`),
    outputs: [...outputs].map(([address, sats]) => ({ address, sats })),
  }
}

/** The spends of the wallet in blocks after one and in the mempool, each transaction once. */
async function listSince(
  wallet: NodeWallet,
  blockhash: string | null,
): Promise<{ listed: ListedTx[]; lastblock: string }> {
  const answer = await wallet.call<{ transactions: readonly ListedTx[]; lastblock: string }>(
    'listsinceblock',
    {
      ...(blockhash === null ? {} : { blockhash }),
      target_confirmations: FINAL_CONFIRMATIONS,
      include_removed: false,
      // What goes from the wallet only to itself is listed only as change.
      include_change: true,
    },
    BUILD_TIMEOUT_MS,
  )
  const spends = answer.transactions.filter((tx) => tx.category === 'send')
  return { listed: [...new Map(spends.map((tx) => [tx.txid, tx])).values()], lastblock: answer.lastblock }
}
