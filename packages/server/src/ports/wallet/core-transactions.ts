import { FINAL_CONFIRMATIONS } from '@fairball/domain/finality'
import { type BitcoinNode, RPC, satsOfBtc } from '../bitcoin-node/rpc.ts'
import { hasCode, type WalletCalls } from '../bitcoin-node/wallet-call.ts'
import { BUILD_TIMEOUT_MS, coinOf, type DecodedPsbt } from './core-shapes.ts'
import type { Wallet } from './wallet.ts'

interface OwnTx {
  readonly hex: string
  readonly confirmations: number
  /** negative; missing where not every coin is the wallet's */
  readonly fee?: number
  readonly details: readonly { readonly category: string; readonly address?: string; readonly amount: number }[]
  readonly decoded: DecodedPsbt['tx']
}

interface ListedTx {
  readonly txid: string
  readonly category: string
  readonly confirmations: number
}

/** What the node knows of the wallet's transactions and of the coins they spend. */
export function createCoreTransactions(
  node: BitcoinNode,
  { call, callOrNull }: WalletCalls,
): Pick<Wallet, 'confirmations' | 'spender' | 'isLost' | 'outgoing' | 'spend'> {
  async function confirmations(txid: string): Promise<number | null> {
    const found = await callOrNull<{ confirmations: number }>('gettransaction', { txid })
    if (found === null || found.confirmations < 0) return null
    if (found.confirmations > 0) return found.confirmations
    // A transaction that was replaced or forgotten is listed with 0 as well: the mempool itself says which.
    return (await callOrNull('getmempoolentry', { txid })) === null ? null : 0
  }

  async function spender(outpoint: string): Promise<{ txid: string; confirmations: number } | null> {
    const { txid, vout } = coinOf(outpoint)
    const unspent = await node.call<object | null>('gettxout', { txid, n: vout, include_mempool: false })
    if (unspent !== null) return null
    const coin = await callOrNull<{ blockhash?: string }>('gettransaction', { txid })
    if (coin?.blockhash === undefined) return null
    // After a reorganisation the coin and its spend may be in one block.
    const { previousblockhash: before } = await node.call<{ previousblockhash?: string }>('getblockheader', {
      blockhash: coin.blockhash,
    })
    for (const listed of await listedSince(before ?? null)) {
      if (listed.confirmations < 1) continue
      const tx = await callOrNull<{ decoded: DecodedPsbt['tx'] }>('gettransaction', {
        txid: listed.txid,
        verbose: true,
      })
      if (tx?.decoded.vin.some((input) => input.txid === txid && input.vout === vout)) return listed
    }
    return null
  }

  /** The spends of the wallet in blocks after one and in the mempool, each transaction once. */
  async function listedSince(blockhash: string | null): Promise<ListedTx[]> {
    return (await listSince(blockhash)).listed
  }

  async function listSince(blockhash: string | null): Promise<{ listed: ListedTx[]; lastblock: string }> {
    const answer = await call<{ transactions: readonly ListedTx[]; lastblock: string }>(
      'listsinceblock',
      {
        ...(blockhash === null ? {} : { blockhash }),
        target_confirmations: FINAL_CONFIRMATIONS,
        include_removed: false,
        // What goes from the wallet to itself alone is listed only as change.
        include_change: true,
      },
      BUILD_TIMEOUT_MS,
    )
    const spends = answer.transactions.filter((tx) => tx.category === 'send')
    return { listed: [...new Map(spends.map((tx) => [tx.txid, tx])).values()], lastblock: answer.lastblock }
  }

  return {
    confirmations,
    spender,

    async isLost(outpoint) {
      // Below zero: so many blocks were mined since another transaction took the place of this one, or of one before it.
      const made = await callOrNull<{ confirmations: number }>('gettransaction', { txid: coinOf(outpoint).txid })
      return made !== null && made.confirmations <= -FINAL_CONFIRMATIONS
    },

    async outgoing(since) {
      const { listed, lastblock } = await listSince(since).catch((error: unknown) => {
        // The block is in no chain any more: everything is looked at again.
        if (since !== null && hasCode(error, RPC.unknown)) return listSince(null)
        throw error
      })
      return { cursor: lastblock, txids: listed.map((tx) => tx.txid) }
    },

    async spend(txid) {
      const found = await callOrNull<OwnTx>('gettransaction', { txid, verbose: true })
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
    },
  }
}
