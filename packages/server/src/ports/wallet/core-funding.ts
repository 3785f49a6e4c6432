import { FINAL_CONFIRMATIONS } from '@fairball/domain/finality'
import { satsToBtc } from '@fairball/domain/money'
import { RPC, satsOfBtc } from '../bitcoin-node/rpc.ts'
import { hasCode, type NodeWallet } from '../bitcoin-node/wallet-call.ts'
import { BUILD_TIMEOUT_MS, coinOf, type DecodedPsbt, rateText } from './core-shapes.ts'
import { type PaymentVersion, type PrepareRequest, WalletRefused, WalletShort } from './wallet.ts'

/** Which coins pay: a reorganisation must not be able to give them to someone else. */

/** RPC_WALLET_INSUFFICIENT_FUNDS */
const INSUFFICIENT_FUNDS = -6

/**
 * Chooses coins and change. Coins from strangers are used from six confirmations on, because a reorganisation may give
 * them to someone else. If they do not suffice, as much of the wallet's own change as needed is used from one
 * confirmation on.
 */
export async function fund(
  wallet: NodeWallet,
  request: PrepareRequest,
  rate: bigint,
  coins: readonly string[],
): Promise<string> {
  try {
    return await fundFrom(wallet, request, rate, coins)
  } catch (error) {
    if (!(error instanceof WalletShort)) throw error
    return await fundWithChange(wallet, request, rate, { coins, short: error })
  }
}

async function fundWithChange(
  wallet: NodeWallet,
  request: PrepareRequest,
  rate: bigint,
  from: { coins: readonly string[]; short: WalletShort },
): Promise<string> {
  const { coins, short } = from
  const taken = new Set([...request.reserved, ...coins])
  const young = (await youngCoins(wallet)).filter(({ outpoint }) => !taken.has(outpoint))
  const changes = young.filter(({ isOwn }) => isOwn).map(({ outpoint }) => outpoint)
  for (let added = 1; changes.length > 0; added = Math.min(changes.length, added * 2)) {
    try {
      return await fundFrom(wallet, request, rate, [...coins, ...changes.slice(0, added)])
    } catch (error) {
      if (!(error instanceof WalletShort)) throw error
      if (added >= changes.length) break
    }
  }
  const strange = young.filter(({ isOwn }) => !isOwn).reduce((sum, coin) => sum + coin.sats, 0n)
  if (strange === 0n) throw short
  throw new WalletShort(`${short.message} (${strange} sats that others sent are not six blocks deep yet)`, {
    cause: short,
  })
}

/** The coins of one to five confirmations that no payment holds, largest first. */
async function youngCoins(wallet: NodeWallet): Promise<{ outpoint: string; sats: bigint; isOwn: boolean }[]> {
  const listed = await wallet.call<readonly { txid: string; vout: number; amount: number }[]>(
    'listunspent',
    { minconf: 1, maxconf: FINAL_CONFIRMATIONS - 1, include_unsafe: false },
    BUILD_TIMEOUT_MS,
  )
  const isOwn = new Map<string, boolean>()
  for (const { txid } of listed) if (!isOwn.has(txid)) isOwn.set(txid, await isOwnSpend(wallet, txid))
  return listed
    .map(({ txid, vout, amount }) => ({
      outpoint: `${txid}:${vout}`,
      sats: satsOfBtc(amount),
      isOwn: isOwn.get(txid) === true,
    }))
    .toSorted((a, b) => (a.sats > b.sats ? -1 : a.sats < b.sats ? 1 : 0))
}

/** Whether the wallet made a transaction: the node reports a fee only if coins of the wallet's are spent. */
async function isOwnSpend(wallet: NodeWallet, txid: string): Promise<boolean> {
  return (await wallet.callOrNull<{ fee?: number }>('gettransaction', { txid }))?.fee !== undefined
}

/** Chooses coins that are six deep in addition to those given, and change. They are locked in the node's memory. */
async function fundFrom(
  wallet: NodeWallet,
  request: PrepareRequest,
  rate: bigint,
  coins: readonly string[],
): Promise<string> {
  const params = {
    inputs: coins.map(coinOf),
    outputs: request.outputs.map(({ address, sats }) => ({ [address]: satsToBtc(sats) })),
    options: {
      add_inputs: true,
      fee_rate: rateText(rate),
      replaceable: true,
      lockUnspents: true,
      minconf: FINAL_CONFIRMATIONS,
      include_unsafe: false,
      change_type: 'bech32',
    },
  }
  try {
    return (await wallet.call<{ psbt: string }>('walletcreatefundedpsbt', params, BUILD_TIMEOUT_MS)).psbt
  } catch (error) {
    if (
      hasCode(error, INSUFFICIENT_FUNDS) ||
      (hasCode(error, RPC.wallet) && /insufficient|not sufficient|not cover|exceeds/i.test(error.message))
    )
      throw new WalletShort(`${request.label}: ${error.message}`, { cause: error })
    // It will never accept these outputs: retrying every hour would only hide that.
    if (hasCode(error, RPC.badParameter) || hasCode(error, RPC.unknown))
      throw new WalletRefused(`${request.label}: ${error.message}`, { cause: error })
    throw error
  }
}

/** Whether a version with a higher fee added a recent coin from a stranger. */
export async function hasYoungStranger(
  wallet: NodeWallet,
  psbt: string,
  versions: readonly PaymentVersion[],
): Promise<boolean> {
  const known = new Set(versions.flatMap((version) => version.inputs))
  const { tx } = await wallet.call<DecodedPsbt>('decodepsbt', { psbt })
  for (const { txid, vout } of tx.vin) {
    if (known.has(`${txid}:${vout}`)) continue
    const made = await wallet.callOrNull<{ confirmations: number; fee?: number }>('gettransaction', { txid })
    if (made?.fee === undefined && (made?.confirmations ?? 0) < FINAL_CONFIRMATIONS) return true
  }
  return false
}
