import { FINAL_CONFIRMATIONS } from '@fairball/domain/finality'
import { type BitcoinNode, satsOfBtc } from '../bitcoin-node/rpc.ts'
import { NodeWallet } from '../bitcoin-node/wallet-call.ts'
import { satsToBtc } from '@fairball/domain/money'
import { coinOf, rateText } from './core-shapes.ts'

/** Time limit of lists and builds over a whole wallet. */
const LIST_TIMEOUT_MS = 60_000

/** An unspent coin of the deposits. */
export interface DepositCoin {
  /** `txid:vout` */
  readonly outpoint: string
  readonly sats: bigint
}

/** An unsigned transaction. */
export interface UnsignedTx {
  /** in base64 */
  readonly psbt: string
  readonly feeSats: bigint
}

/** The coins of a deposit account that is watched by the operator's own node; its keys are elsewhere. */
export interface DepositCoins {
  /** Those that are six blocks deep. */
  list(): Promise<readonly DepositCoin[]>
  /**
   * Joins coins into one at an address. Nothing is locked or sent.
   *
   * @param rate sats per 1,000 virtual bytes
   */
  join(coins: readonly DepositCoin[], address: string, rate: bigint): Promise<UnsignedTx>
}

/** The deposits' wallet of a Bitcoin Core node (25 or newer). @param options.wallet its name; it only watches */
export function createCoreDepositCoins(options: { readonly node: BitcoinNode; readonly wallet: string }): DepositCoins {
  const wallet = new NodeWallet(options.node, options.wallet)

  return {
    async list() {
      const listed = await wallet.call<readonly { txid: string; vout: number; amount: number }[]>(
        'listunspent',
        { minconf: FINAL_CONFIRMATIONS, include_unsafe: false },
        LIST_TIMEOUT_MS,
      )
      return listed.map(({ txid, vout, amount }) => ({ outpoint: `${txid}:${vout}`, sats: satsOfBtc(amount) }))
    },

    async join(coins, address, rate) {
      const sats = coins.reduce((sum, coin) => sum + coin.sats, 0n)
      const { psbt, fee } = await wallet.call<{ psbt: string; fee: number }>(
        'walletcreatefundedpsbt',
        {
          inputs: coins.map(({ outpoint }) => coinOf(outpoint)),
          outputs: [{ [address]: satsToBtc(sats) }],
          options: {
            add_inputs: false,
            subtractFeeFromOutputs: [0],
            fee_rate: rateText(rate),
            includeWatching: true,
            replaceable: true,
          },
        },
        LIST_TIMEOUT_MS,
      )
      return { psbt, feeSats: satsOfBtc(fee) }
    },
  }
}
